// Peeling: what it takes and leaves in cases made by hand; on random rows, that no column of the core has one sign,
// that each column took exactly its rows, and that the weights satisfy all rows that were taken.
#include <cmath>
#include <vector>

#include "base/order.hpp"
#include "proofs/peel.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

using Dense = DenseRows<double>;
using Sparse = SparseRows<double, int32_t>;
using List = std::vector<int64_t>;

struct Table {
  std::vector<double> dense;
  int64_t size, features;
  std::vector<double> values = {};
  std::vector<int32_t> columns = {}, starts = {0};

  Dense rows() const { return {dense.data(), size, features, features}; }
  double at(int64_t i, int64_t j) const { return dense[size_t(i * features + j)]; }
  Sparse sparse_rows() {
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t j = 0; j < features; ++j) {
        if (at(i, j) == 0 && (i + j) % 3) continue;  // some zeros are stored
        values.push_back(at(i, j));
        columns.push_back(int32_t(j));
      }
      starts.push_back(int32_t(values.size()));
    }
    return {values.data(), columns.data(), starts.data(), size, features};
  }
};

void check_by_hand() {
  // Column 2 takes row 0; then column 1 has one sign and takes rows 1 and 2; column 0 is left without a row.
  const Table chain{{1, 1, -2, -1, -4, 0, 1, -1, 0}, 3, 3};
  auto rows = chain.rows();
  const Peel<Dense> peel(rows);
  CHECK(peel.core().empty() && peel.columns() == List({2, 1}) && peel.signs() == std::vector<int8_t>({-1, -1}));
  CHECK(peel.taken() == List({0, 1, 2}) && peel.starts() == List({0, 1, 3}));
  std::vector<double> w{0, 7, 7};  // what peeled columns had before does not count
  peel.set_weights(w.data());
  CHECK(w == std::vector<double>({0, -1, -1}));
  // with a core's weight on column 0: 4 m - 6 >= 3 and m + 6 >= 3, then 2 m + 6 - 2.25 >= 4.125
  w = {6, 0, 0};
  peel.set_weights(w.data());
  CHECK(w == std::vector<double>({6, -2.25, -1}));

  const Table contradiction{{1, 2, 0, -1, -2, 0, 3, 0, 1}, 3, 3};
  auto pair = contradiction.rows();
  const Peel<Dense> left(pair);
  CHECK(left.core() == List({0, 1}) && left.columns() == List({2}) && left.taken() == List({2}));

  const Table lecture_xor{{-1, 0, 0, 1, 0, 1, 1, 1, 0, -1, -1, -1}, 4, 3};
  auto all = lecture_xor.rows();
  const Peel<Dense> nothing(all);
  CHECK(nothing.core() == List({0, 1, 2, 3}) && nothing.columns().empty() && nothing.starts() == List({0}));

  const Table zero{{0, 0, 1, 0}, 2, 2};
  auto with_zero = zero.rows();
  CHECK(Peel<Dense>(with_zero).core() == List({0}));
  Dense none{nullptr, 0, 3, 3};
  CHECK(Peel<Dense>(none).core().empty());
}

template <class Rows>
size_t check_peel(const Table& table, Rows rows, Random& random) {
  const Peel<Rows> peel(rows);
  std::vector<char> gone(size_t(table.size));
  for (size_t k = 0; k < peel.columns().size(); ++k) {
    const int64_t c = peel.columns()[k];
    size_t its_rows = 0;
    for (int64_t i = 0; i < table.size; ++i) {
      if (gone[size_t(i)] || table.at(i, c) == 0) continue;
      CHECK(table.at(i, c) * peel.signs()[k] > 0);
      ++its_rows;
    }
    CHECK(its_rows == size_t(peel.starts()[k + 1] - peel.starts()[k]) && its_rows > 0);
    for (int64_t t = peel.starts()[k]; t < peel.starts()[k + 1]; ++t) {
      const int64_t i = peel.taken()[size_t(t)];
      CHECK(!gone[size_t(i)] && table.at(i, c) != 0);
      gone[size_t(i)] = 1;
    }
  }
  List rest;
  for (int64_t i = 0; i < table.size; ++i)
    if (!gone[size_t(i)]) rest.push_back(i);
  CHECK(peel.core() == rest);
  for (int64_t c = 0; c < table.features; ++c) {
    bool positive = false, negative = false;
    for (const int64_t i : rest) {
      positive |= table.at(i, c) > 0;
      negative |= table.at(i, c) < 0;
    }
    CHECK(positive == negative);
  }

  std::vector<double> w(size_t(table.features)), before(w);
  for (double& value : w) value = double(random.below(201) - 100);
  for (const int64_t c : peel.columns()) w[size_t(c)] = 0;
  before = w;
  peel.set_weights(w.data());
  for (const int64_t i : peel.taken()) {
    double score = 0, size = 0;
    for (int64_t j = 0; j < table.features; ++j) {
      score += table.at(i, j) * w[size_t(j)];
      size += std::abs(table.at(i, j) * w[size_t(j)]);
    }
    CHECK(score > 0.1 * size);
  }
  for (const int64_t c : peel.columns()) before[size_t(c)] = w[size_t(c)];
  CHECK(before == w);  // the others keep their weights
  return rest.size();
}

void check_random() {
  Random random(4);
  int empty = 0, partial = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t n = 1 + random.below(20), d = 1 + random.below(12);
    Table table{std::vector<double>(size_t(n * d)), n, d};
    for (double& value : table.dense)
      if (random.below(5) == 0) value = double(random.below(9) - 4);
    const auto left = check_peel(table, table.rows(), random);
    CHECK(check_peel(table, table.sparse_rows(), random) == left);
    empty += left == 0;
    partial += left > 0 && left < size_t(n);
  }
  CHECK(empty > 20 && partial > 100);
}

// A chain of columns, each a thousandth of the one it must outweigh: the weights leave the doubles, the peeling does
// not.
void check_overflow() {
  const int64_t n = 200;
  Table table{std::vector<double>(size_t(n * n)), n, n};
  for (int64_t i = 0; i < n; ++i) {
    table.dense[size_t(i * n + i)] = 1e-3;
    if (i > 0) table.dense[size_t(i * n + i - 1)] = -1;
  }
  auto rows = table.rows();
  const Peel<Dense> peel(rows);
  std::vector<double> w(static_cast<size_t>(n));
  peel.set_weights(w.data());
  CHECK(peel.core().empty() && !all_finite(w.data(), n));
  CHECK_ENDS(n, peel.set_weights(w.data()));
  CHECK_ENDS(n, Peel<Dense>{rows});
}

}  // namespace

int main() {
  check_by_hand();
  check_random();
  check_overflow();
  return check::report();
}
