// Dual descent: its interval holds the margin at every moment and closes upon it, where the margin is known by hand and
// where the nearest point gives it; alpha stays a proof; what cannot be descended is refused.
#include <cmath>
#include <vector>

#include "base/use_avx2.hpp"
#include "proofs/dual_descent.hpp"
#include "proofs/separate.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

using Dense = DenseRows<double>;
using Sparse = SparseRows<double, int64_t>;

struct Interval {
  double lo, hi;
};

template <class Rows>
Interval interval(const DualDescent<Rows>& descent) {
  const double length = std::sqrt(descent.squared_length());
  return {descent.lowest() / length, length / descent.total()};
}

template <class Rows>
void check_margin(Rows rows, double margin) {
  DualDescent<Rows> descent(rows, 5);
  Interval now{};
  for (int epoch = 0; epoch < 300; ++epoch) {
    descent.run(1);
    now = interval(descent);
    CHECK(now.lo <= margin * (1 + 1e-12) && now.hi >= margin * (1 - 1e-12));
  }
  CHECK(now.lo >= 0.999 * margin && now.hi <= 1.001 * margin);

  const auto w = descent.weights();
  std::vector<double> sum(w.size());
  for (int64_t i = 0; i < rows.size; ++i) {
    const double alpha = descent.alpha()[size_t(i)];
    CHECK(alpha >= 0);
    for (int64_t k = 0; k < rows[i].size; ++k) sum[size_t(rows[i].column(k))] += alpha * rows[i].values[k];
  }
  for (size_t j = 0; j < w.size(); ++j) CHECK(std::abs(sum[j] - w[j]) <= 1e-10 * std::sqrt(descent.squared_length()));
}

// AND: the margin is 1 / sqrt 17; the rows as dense ones, and as sparse ones.
void check_and() {
  const std::vector<double> dense{-1, 0, 0, -1, 0, -1, -1, -1, 0, 1, 1, 1}, values{-1, -1, -1, -1, -1, 1, 1, 1};
  const std::vector<int64_t> columns{0, 0, 2, 0, 1, 0, 1, 2}, starts{0, 1, 3, 5, 8};
  check_margin(Dense{dense.data(), 4, 3, 3}, 1 / std::sqrt(17));
  check_margin(Sparse{values.data(), columns.data(), starts.data(), 4, 3}, 1 / std::sqrt(17));
}

std::vector<double> random_values(int64_t n, int64_t d, double shift) {
  Random random(7);
  std::vector<double> values;
  for (int64_t k = 0; k < n * d; ++k) values.push_back(double(random.below(2001) - 1000) / 1000 + (k % d ? 0 : shift));
  return values;
}

void check_random() {
  const auto values = random_values(500, 10, 1.2);
  Dense rows{values.data(), 500, 10, 10};
  NearestPoint<Dense> nearest(rows);
  CHECK(nearest.run(1000, 1e-9) == Search::optimal);
  check_margin(rows, nearest.length());
}

// One run, a run in chunks, and either compilation: the same weights.
void check_runs() {
  const auto values = random_values(500, 10, 1.2);
  Dense rows{values.data(), 500, 10, 10};
  DualDescent<Dense> one(rows, 1), chunks(rows, 1), baseline(rows, 1), other(rows, 2);
  one.run(20);
  for (int epoch = 0; epoch < 20; ++epoch) chunks.run(1);
  use_avx2(false);
  baseline.run(20);
  use_avx2(true);
  other.run(20);
  CHECK(one.alpha() == chunks.alpha() && one.weights() == chunks.weights());
  CHECK(one.alpha() == baseline.alpha() && one.weights() == baseline.weights());
  CHECK(one.alpha() != other.alpha());
}

// XOR has no separator: lo is never positive and hi goes to zero.
void check_inseparable() {
  const std::vector<double> values{-1, 0, 0, 1, 0, 1, 1, 1, 0, -1, -1, -1};
  Dense rows{values.data(), 4, 3, 3};
  DualDescent<Dense> descent(rows, 0);
  descent.run(10);
  const auto before = interval(descent);
  descent.run(1000);
  const auto after = interval(descent);
  CHECK(before.lo <= 0 && after.lo <= 0 && after.hi < before.hi / 10);
}

void check_still() {
  const std::vector<double> values{2, 0};
  Dense rows{values.data(), 1, 2, 2};
  DualDescent<Dense> descent(rows, 0);
  descent.run(1'000'000'000);  // one row: exact after one visit, so this ends at once
  CHECK(descent.alpha()[0] == 0.25 && descent.weights() == std::vector<double>({0.5, 0}) && descent.lowest() == 1);
  CHECK(descent.total() == 0.25 && descent.squared_length() == 0.25);
}

void check_ends() {
  const std::vector<double> values{2, 0, 0, 1, 1, 1};
  Dense rows{values.data(), 3, 2, 2};
  CHECK_ENDS(3, (DualDescent<Dense>{rows, 0}));
  CHECK_ENDS(3, (DualDescent<Dense>{rows, 0}.run(1)));
  CHECK_ENDS(3, (DualDescent<Dense>{rows, 0}.lowest()));
}

void check_refusals() {
  const std::vector<double> zero{1, 2, 0, 0}, large{1, 1e200}, bad{1, std::nan("")};
  Dense none{zero.data(), 0, 2, 2}, with_zero{zero.data(), 2, 2, 2}, too_large{large.data(), 2, 1, 1};
  Dense not_a_number{bad.data(), 2, 1, 1};
  CHECK_THROWS((DualDescent<Dense>{none, 0}), std::invalid_argument, "at least one row");
  CHECK_THROWS((DualDescent<Dense>{with_zero, 0}), std::invalid_argument, "positive squared length (row 1)");
  CHECK_THROWS((DualDescent<Dense>{too_large, 0}), std::invalid_argument, "too large for its type (row 1)");
  CHECK_THROWS((DualDescent<Dense>{not_a_number, 0}), std::invalid_argument, "NaN");
}

}  // namespace

int main() {
  check_and();
  check_random();
  check_runs();
  check_inseparable();
  check_still();
  check_ends();
  check_refusals();
  return check::report();
}
