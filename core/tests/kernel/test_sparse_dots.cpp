// Dots of sparse rows are those that one gets pair by pair, to the last bit, in any number of features and of rows.
#include <cmath>
#include <limits>
#include <vector>

#include "base/order.hpp"
#include "kernel/sparse_dots.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

// Rows of up to `most` values, their columns `step` apart, unsorted and some of them twice.
template <class T, class I>
struct Data {
  std::vector<T> values;
  std::vector<I> columns, starts{0};
  int64_t features;

  Data(uint64_t seed, int64_t size, int64_t most, int64_t features, int64_t step = 1) : features(features) {
    Random random(seed);
    const int64_t different = std::min(features / step, int64_t{1} << 20);
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t k = i % 3 == 1 ? 0 : random.below(most + 1); k > 0; --k) {
        values.push_back(static_cast<T>(double(random.below(2001) - 1000) / 7));
        columns.push_back(static_cast<I>(random.below(different) * step));
      }
      starts.push_back(static_cast<I>(values.size()));
    }
  }
  SparseRows<T, I> rows() const {
    return {values.data(), columns.data(), starts.data(), int64_t(starts.size()) - 1, features};
  }
};

template <class T, class I, class J>
void check_equal(const Data<T, I>& of_a, const Data<T, J>& of_b) {
  const auto a = of_a.rows();
  const auto b = of_b.rows();
  std::vector<T> dots(size_t(a.size * b.size), T(7)), expected;
  sparse_dots(a, b, dots.data());
  for (int64_t i = 0; i < a.size; ++i)
    for (int64_t j = 0; j < b.size; ++j) {
      const auto x = a[i];
      const auto y = b[j];
      T sum = 0;
      for (int64_t k = 0; k < x.size; ++k)
        for (int64_t m = 0; m < y.size; ++m)
          if (x.column(k) == y.column(m)) sum += x.values[k] * y.values[m];
      expected.push_back(sum);
    }
  CHECK(dots == expected);
}

template <class T, class I, class J>
void check_types() {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    check_equal(Data<T, I>(seed, 7, 12, 9), Data<T, J>(seed + 9, 5, 12, 9));
    check_equal(Data<T, I>(seed, 7, 40, 1000), Data<T, J>(seed + 9, 5, 40, 1000));
    check_equal(Data<T, I>(seed, 7, 40, 1 << 30, 1 << 20), Data<T, J>(seed + 9, 5, 40, 1 << 30, 1 << 20));
  }
  check_equal(Data<T, I>(1, 0, 0, 0), Data<T, J>(2, 3, 0, 0));
  check_equal(Data<T, I>(1, 3, 0, 4), Data<T, J>(2, 0, 0, 4));
  check_equal(Data<T, I>(3, 2, 10, 500), Data<T, J>(4, 4, 150'000, 500));  // more values than are listed at a time
}

void check_most_features() {
  const int64_t features = std::numeric_limits<int64_t>::max();
  check_equal(Data<double, int64_t>(1, 6, 30, features, features >> 5),
              Data<double, int64_t>(2, 6, 30, features, features >> 5));
}

void check_refused() {
  auto good = Data<double, int32_t>(5, 3, 6, 4), bad = good;
  bad.columns[1] = 4;
  std::vector<double> out(9);
  CHECK_THROWS(sparse_dots(good.rows(), bad.rows(), out.data()), std::invalid_argument, "outside of the 4 columns");
  bad.columns[1] = -1;
  CHECK_THROWS(sparse_dots(bad.rows(), good.rows(), out.data()), std::invalid_argument, "outside of the 4 columns");
}

template <class T>
void check_squared_norms() {
  const std::vector<T> x{1, 2, 0, 0, 0, 0, -3, T(0.5), 4};
  const std::vector<T> expected{5, 0, T(25.25)};
  std::vector<T> dense(3), sparse(3);
  squared_norms(DenseRows<T>{x.data(), 3, 3, 3}, dense.data());
  const std::vector<T> values{1, 2, -3, T(0.5), 4};
  const std::vector<int32_t> columns{0, 1, 0, 1, 2}, starts{0, 2, 2, 5};
  squared_norms(SparseRows<T, int32_t>{values.data(), columns.data(), starts.data(), 3, 3}, sparse.data());
  CHECK(dense == expected && sparse == expected);
  // In the order of the row and in its type: what is added one by one to a large number is lost.
  std::vector<T> many(100, T(1));
  many[0] = std::ldexp(T(1), std::numeric_limits<T>::digits / 2 + 2);
  const std::vector<int32_t> at(100), all{0, 100};
  T sum = 0;
  squared_norms(SparseRows<T, int32_t>{many.data(), at.data(), all.data(), 1, 1}, &sum);
  CHECK(sum == many[0] * many[0]);
  CHECK_ENDS(3, squared_norms(DenseRows<T>{x.data(), 3, 3, 3}, dense.data()));
  const SparseRows<T, int32_t> rows{values.data(), columns.data(), starts.data(), 3, 3};
  CHECK_ENDS(3, squared_norms(rows, sparse.data()));
  std::vector<T> dots(9);
  CHECK_ENDS(6, sparse_dots(rows, rows, dots.data()));
}

}  // namespace

int main() {
  check_types<float, int32_t, int32_t>();
  check_types<float, int64_t, int32_t>();
  check_types<double, int32_t, int64_t>();
  check_types<double, int64_t, int64_t>();
  check_most_features();
  check_refused();
  check_squared_norms<float>();
  check_squared_norms<double>();
  return check::report();
}
