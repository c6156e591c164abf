// The nearest point of the hull to the origin: cases known by hand, and random ones where the conditions that prove it
// are checked row by row; the QR factors beneath it.
#include <cmath>
#include <numeric>
#include <vector>

#include "base/order.hpp"
#include "base/use_avx2.hpp"
#include "proofs/separate.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

using Dense = DenseRows<double>;
using Sparse = SparseRows<double, int32_t>;
using Matrix = std::vector<std::vector<double>>;

struct Flat {
  std::vector<double> dense, values;
  std::vector<int32_t> columns, starts = {0};
  int64_t size, features;

  explicit Flat(const Matrix& z) : size(int64_t(z.size())), features(int64_t(z.empty() ? 0 : z[0].size())) {
    for (const auto& row : z) {
      dense.insert(dense.end(), row.begin(), row.end());
      for (size_t j = 0; j < row.size(); ++j) {
        if (row[j] == 0) continue;
        values.push_back(row[j]);
        columns.push_back(int32_t(j));
      }
      starts.push_back(int32_t(values.size()));
    }
  }
  Dense rows() const { return {dense.data(), size, features, features}; }
  Sparse sparse_rows() const { return {values.data(), columns.data(), starts.data(), size, features}; }
};

bool close(double a, double b, double part = 1e-12) { return std::abs(a - b) <= part * std::max(1.0, std::abs(b)); }

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double total = 0;
  for (size_t j = 0; j < a.size(); ++j) total += a[j] * b[j];
  return total;
}

struct Found {
  Search status;
  std::vector<int64_t> corral;
  std::vector<double> weights, point;
  double length, lowest;
  int64_t passes, steps;

  double weight(int64_t row) const {
    for (size_t c = 0; c < corral.size(); ++c)
      if (corral[c] == row) return weights[c];
    return 0;
  }
};

template <class Rows>
Found search(Rows rows, double tol = 1e-9, const std::vector<int64_t>& start = {}) {
  NearestPoint<Rows> nearest(rows, start);
  const auto status = nearest.run(10'000, tol);
  return {status,           nearest.corral(), nearest.weights(),  nearest.point(),
          nearest.length(), nearest.lowest(), nearest.n_passes(), nearest.n_steps()};
}

// The weights are a point of the hull, and their sum is as long as is said; optimal: all rows lie beyond the point, by
// a sum of our own; meets: the sum is zero. Together these prove the answer.
void check_proof(const Matrix& z, const Found& found, double tol = 1e-9) {
  double total = 0, sizes = 0;
  std::vector<double> sum(z[0].size());
  for (size_t c = 0; c < found.corral.size(); ++c) {
    const auto& row = z[size_t(found.corral[c])];
    CHECK(found.weights[c] > 0);
    total += found.weights[c];
    sizes += found.weights[c] * std::sqrt(product(row, row));
    for (size_t j = 0; j < sum.size(); ++j) sum[j] += found.weights[c] * row[j];
  }
  CHECK(found.corral.size() <= std::min(z.size(), z[0].size() + 1));
  CHECK(close(total, 1));
  const double hi = std::sqrt(product(sum, sum));
  CHECK(std::abs(hi - found.length) <= 1e-14 * sizes);
  if (found.status == Search::optimal) {
    const double length = std::sqrt(product(found.point, found.point));
    double lo = HUGE_VAL;
    for (const auto& row : z) lo = std::min(lo, product(row, found.point) / length);
    CHECK(lo > 0 && lo >= (1 - 2 * tol) * hi && lo <= (1 + 1e-9) * hi);
  } else {
    CHECK(found.status == Search::meets && hi <= 1e-14 * double(sum.size() + 1) * sizes);
  }
}

Found check_search(const Matrix& z) {
  const Flat flat(z);
  const auto found = search(flat.rows()), sparse = search(flat.sparse_rows());
  check_proof(z, found);
  check_proof(z, sparse);
  CHECK(found.status == sparse.status);
  return found;
}

void check_by_hand() {
  const auto segment = check_search({{1, 1}, {1, -1}});
  CHECK(close(segment.point[0], 1) && close(segment.point[1], 0) && close(segment.weight(0), 0.5));
  const auto end = check_search({{1, 0}, {3, 1}});
  CHECK(end.corral == std::vector<int64_t>{0} && end.weights[0] == 1 && end.length == 1);
  const auto triangle = check_search({{1, 2, 0}, {1, -1, 2}, {1, -1, -2}});
  CHECK(close(triangle.length, 1) && close(triangle.weight(0), 1.0 / 3) && close(triangle.weight(2), 1.0 / 3));
  const auto one = check_search({{3, 4}});
  CHECK(one.status == Search::optimal && one.length == 5 && one.point == std::vector<double>({3, 4}));

  const auto lecture_and = check_search({{-1, 0, 0}, {-1, 0, -1}, {-1, -1, 0}, {1, 1, 1}});
  CHECK(close(lecture_and.length * lecture_and.length, 1.0 / 17) && close(lecture_and.lowest, 1.0 / 17));
  CHECK(close(17 * lecture_and.point[0], -3) && close(17 * lecture_and.point[1], 2));
  CHECK(close(17 * lecture_and.point[2], 2) && close(lecture_and.weight(3), 7.0 / 17));
  const auto lecture_xor = check_search({{-1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {-1, -1, -1}});
  CHECK(lecture_xor.status == Search::meets);
  for (int64_t i = 0; i < 4; ++i) CHECK(close(lecture_xor.weight(i), 0.25));

  const auto zero = check_search({{1, 2}, {0, 0}, {3, 1}});
  CHECK(zero.status == Search::meets && zero.corral == std::vector<int64_t>{1} && zero.weights[0] == 1);
  CHECK(check_search({{1, 2}, {-1, -2}}).status == Search::meets);
  CHECK(close(check_search({{1, -1}, {-1, -1}, {0, -1}, {0, 3}}).weight(3), 0.25));  // a vertex on an edge
  const auto collinear = check_search({{1, 0}, {-1, -1}, {1, 2}});  // + - + on a line, with the constant feature
  CHECK(collinear.status == Search::meets && close(collinear.weight(1), 0.5));
  CHECK(close(check_search({{4, 1, 0}, {2, 1, 0}, {3, 1, 0}, {2, 1, 0}, {2, 1, 0}}).length, std::sqrt(5)));
  CHECK(close(check_search({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}).length, std::sqrt(1.0 / 3)));
  CHECK(check_search(Matrix(100, {1, -2})).corral.size() == 1);
  const Flat none(Matrix(2));  // two rows of no column are two zeros
  CHECK(search(none.rows()).status == Search::meets);
}

// Rows of very different length, and lengths whose squares no double can hold.
void check_scales() {
  const auto mixed = check_search({{1e6, 1}, {-1, 1}, {-1e-3, 2e-3}});
  CHECK(mixed.status == Search::optimal);
  const Matrix corner{{1, 0, 0}, {-1, 1e-9, 1}, {-1, 1e-9, -1}};
  CHECK(close(check_search(corner).length * 1e9, 0.5, 1e-6));
  for (const double scale : {1e-200, 1e200}) {
    const auto found = search(Flat({{scale, scale}, {scale, -scale}}).rows());
    CHECK(found.status == Search::optimal && close(found.length / scale, 1) && close(found.point[0] / scale, 1));
  }
}

// Margins far smaller than the rows, to the last digit that doubles have: the search ends, and its point separates.
void check_tiny_margins() {
  Random random(6);
  for (double margin = 1e-2; margin > 1e-12; margin /= 10) {
    for (const size_t d : {size_t{2}, size_t{10}}) {
      Matrix z(1000, std::vector<double>(d));
      for (auto& row : z) {
        for (double& value : row) value = double(random.below(2001) - 1000) / 1000;
        row[0] = row[1] + margin * (1 + double(random.below(1000)) / (random.below(2) ? 1 : 10000));
      }
      const Flat flat(z);
      const auto found = search(flat.rows(), 0);
      CHECK(found.status == Search::stalled || found.status == Search::optimal);
      for (const auto& row : z) CHECK(product(row, found.point) > 0);
      CHECK(found.lowest > 0 && found.steps < 2000 && close(found.length / margin, std::sqrt(0.5), 0.1));
    }
  }
}

Matrix random_rows(Random& random, int64_t n, int64_t d, int64_t values, double shift) {
  Matrix z(static_cast<size_t>(n), std::vector<double>(size_t(d)));
  for (auto& row : z) {
    for (double& value : row) value = double(random.below(2 * values + 1) - values);
    row[0] += shift;
  }
  return z;
}

void check_random() {
  Random random(1);
  int met = 0, separated = 0;
  for (int round = 0; round < 400; ++round) {
    const int64_t n = 1 + random.below(30), d = 1 + random.below(8);
    const auto z = random_rows(random, n, d, round % 2 ? 2 : 1000, double(random.below(3)));
    (check_search(z).status == Search::meets ? met : separated) += 1;
  }
  CHECK(met > 50 && separated > 50);
  for (const double shift : {0.0, 600.0, 1200.0}) check_search(random_rows(random, 3000, 30, 1000, shift));
}

// Rows from 1e-300 to 1e300, beyond what one sum of doubles can hold: the answer may be "stalled", but there is one.
void check_wild() {
  Random random(8);
  for (int round = 0; round < 1500; ++round) {
    auto z = random_rows(random, 1 + random.below(60), 1 + random.below(12), 1, double(random.below(2)));
    for (auto& row : z) {
      const double scale = std::pow(10.0, double(random.below(601) - 300));
      for (double& value : row) value *= scale;
    }
    const auto found = search(Flat(z).rows(), 0);
    CHECK(found.status != Search::running && found.steps < 10'000);
    CHECK(close(std::accumulate(found.weights.begin(), found.weights.end(), 0.0), 1));
  }
}

// One run, a run in chunks, a run from its own corral, and either compilation: the same point.
void check_runs() {
  Random random(2);
  const Flat flat(random_rows(random, 2000, 20, 1000, 1100));
  auto rows = flat.rows();
  const auto found = search(rows);
  CHECK(found.status == Search::optimal && found.passes > 3 && found.steps > 20);

  NearestPoint<Dense> chunks(rows);
  CHECK(chunks.run(0, 1e-9) == Search::running && chunks.n_passes() == 0);
  int64_t turns = 0;
  for (; chunks.run(1, 1e-9) == Search::running; ++turns) CHECK(chunks.n_passes() == turns + 1);
  CHECK(chunks.n_passes() == found.passes && chunks.corral() == found.corral && chunks.point() == found.point);
  CHECK(chunks.run(1, 1e-9) == Search::optimal && chunks.n_passes() == found.passes);
  const auto limit = chunks.run(1000, 0);  // no tolerance at all: it may stall, but it ends
  CHECK(limit == Search::optimal || limit == Search::stalled);

  auto again = found.corral;
  again.push_back(again[0]);  // a row twice is a row once
  const auto warm = search(rows, 1e-9, again);
  CHECK(warm.status == Search::optimal && warm.passes == 1 && warm.steps == 0 && close(warm.length, found.length));

  use_avx2(false);
  const auto baseline = search(rows), sparse_baseline = search(flat.sparse_rows());
  use_avx2(true);
  CHECK(baseline.point == found.point && baseline.weights == found.weights && baseline.steps == found.steps);
  CHECK(sparse_baseline.point == search(flat.sparse_rows()).point);
}

void check_factors() {
  Random random(3);
  const size_t height = 12;
  Matrix columns;
  ThinQR factors;
  for (int round = 0; round < 300; ++round) {
    if (columns.size() == height || (columns.size() > 2 && random.below(2))) {
      const auto c = random.below(int64_t(columns.size()));
      columns.erase(columns.begin() + c);
      factors.remove(size_t(c));
    } else {
      std::vector<double> a(height);
      for (double& value : a) value = double(random.below(2001) - 1000);
      CHECK(factors.append(a));
      columns.push_back(a);
    }
    // the residual of least squares is orthogonal to every column
    std::vector<double> b(height, 1.0), rest = b;
    const auto x = factors.solve(factors.project(rest));
    for (size_t c = 0; c < columns.size(); ++c) {
      CHECK(std::abs(product(columns[c], rest)) < 1e-10);
      for (size_t j = 0; j < height; ++j) b[j] -= x[c] * columns[c][j];
    }
    CHECK(std::abs(product(b, b) - product(rest, rest)) < 1e-10);
  }
  auto sum = columns[0];
  for (size_t j = 0; j < height; ++j) sum[j] += 3 * columns[1][j];
  const size_t before = factors.columns();
  CHECK(!factors.append(sum) && factors.columns() == before);
}

void check_ends() {
  const Flat three({{2, 0}, {0, 1}, {1, 1}});
  auto rows = three.rows();
  CHECK_ENDS(3, NearestPoint<Dense>{rows});
  CHECK_ENDS(6, NearestPoint<Dense>{rows}.run(9, 0));
}

void check_refusals() {
  const Flat empty(Matrix{}), two({{1, 2}, {3, 4}}), bad({{1, 2}, {3, HUGE_VAL}});
  auto none = empty.rows(), rows = two.rows(), infinite = bad.rows();
  CHECK_THROWS(NearestPoint<Dense>{none}, std::invalid_argument, "at least one row");
  CHECK_THROWS((NearestPoint<Dense>{rows, {0, 2}}), std::invalid_argument, "rows 0 to 1 (row 2)");
  CHECK_THROWS((NearestPoint<Dense>{rows, {-1}}), std::invalid_argument, "rows 0 to 1 (row -1)");
  CHECK_THROWS(NearestPoint<Dense>{infinite}, std::invalid_argument, "infinity");
}

}  // namespace

int main() {
  check_factors();
  check_by_hand();
  check_scales();
  check_tiny_margins();
  check_random();
  check_wild();
  check_runs();
  check_ends();
  check_refusals();
  return check::report();
}
