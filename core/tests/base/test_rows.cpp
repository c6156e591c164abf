// Rows against the definition, bit for bit: value k goes to lane k modulo 8, the constant feature comes last, and the
// lanes are added in one tree. Every size from 0 to 40, dense and sparse, float and double, AVX2 and baseline.
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "base/order.hpp"
#include "base/rows.hpp"
#include "base/use_avx2.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

template <class T>
std::vector<T> random_values(Random& random, int64_t size) {
  std::vector<T> values(static_cast<size_t>(size));
  for (T& value : values) value = static_cast<T>(static_cast<double>(random.below(2'000'001) - 1'000'000) / 777);
  return values;
}

template <class T>
T tree(const std::vector<T>& terms) {
  T lane[8] = {};
  for (size_t k = 0; k < terms.size(); ++k) lane[k % 8] += terms[k];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// What `measure` gives with the AVX2 loops and with the baseline ones must be `expected`, to the bit.
template <class T, class Measure>
void check_both(const std::vector<T>& expected, Measure measure) {
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    CHECK(same_bits(expected, dispatch(measure)));
  }
  use_avx2(true);
}

template <class T, class Row>
void check_row(const Row& x, int64_t features, Random& random) {
  for (const T bias : {T(0), T(1), T(0.3)}) {
    const auto w = random_values<T>(random, features + 1);
    std::vector<T> products, squares, scaled;
    for (int64_t k = 0; k < x.size; ++k) {
      const T value = x.values[k], at_column = w[static_cast<size_t>(x.column(k))];
      products.push_back(value * at_column);
      squares.push_back(value * value);
      scaled.push_back(value * value * at_column);
    }
    products.push_back(bias * w.back());
    squares.push_back(bias * bias);
    scaled.push_back(bias * bias * w.back());
    check_both<T>({tree(products)}, [&] { return std::vector<T>{dot(x, w.data(), bias, features)}; });
    // Beside eight others, the third of them.
    std::vector<T> beside = random_values<T>(random, 8 * (features + 1)), all(8);
    for (size_t j = 0; j < w.size(); ++j) beside[8 * j + 2] = w[j];
    check_both<T>({tree(products)}, [&] {
      dots(x, beside.data(), 8, bias, features, all.data());
      return std::vector<T>{all[2]};
    });
    check_both<T>({tree(squares)},
                  [&] { return std::vector<T>{squared_norm(x, bias, features, static_cast<const T*>(nullptr), 1)}; });
    check_both<T>({tree(scaled)}, [&] { return std::vector<T>{squared_norm(x, bias, features, w.data(), 1)}; });
  }
}

// With several classes each one sums in the order of the row.
template <class T, class Row>
void check_classes(const Row& x, int64_t features, Random& random) {
  const T bias = T(0.7);
  for (const int64_t stride : {8, 16, 24, 32, 40, 72}) {
    const auto w = random_values<T>(random, (features + 1) * stride);
    std::vector<T> expected(static_cast<size_t>(stride));
    for (int64_t c = 0; c < stride; ++c) {
      T total = 0;
      for (int64_t k = 0; k < x.size; ++k) total += x.values[k] * w[static_cast<size_t>(x.column(k) * stride + c)];
      expected[static_cast<size_t>(c)] = total + bias * w[static_cast<size_t>(features * stride + c)];
    }
    check_both(expected, [&] {
      std::vector<T> out(static_cast<size_t>(stride));
      scores(x, w.data(), stride, bias, features, out.data());
      return out;
    });
  }
}

// What lies behind a row may be read, but counts for nothing: not even where no row could have it.
template <class T, class I>
void check_row_before_others(const SparseRow<T, I>& x, Random& random) {
  for (int64_t behind = 1; behind <= 2 * kLanes; ++behind) {
    std::vector<T> values(x.values, x.values + x.size);
    std::vector<I> columns(x.columns, x.columns + x.size);
    for (int64_t k = 0; k < behind; ++k) {
      values.push_back(k % 2 ? std::numeric_limits<T>::quiet_NaN() : std::numeric_limits<T>::infinity());
      columns.push_back(k % 2 ? std::numeric_limits<I>::max() : -1);
    }
    check_row<T>(SparseRow<T, I>{values.data(), x.size, columns.data(), x.size + behind}, 3 * x.size, random);
  }
}

// The constant feature may come after more features than 32 bits can number. Only the weights at the end are there.
void check_many_features() {
  constexpr int64_t kFirst = std::numeric_limits<int32_t>::max() - 50, kFeatures = kFirst + 100;
  std::vector<float> weights(101);
  weights[10] = 2, weights[100] = 3;
  const std::vector<float> values(2 * kLanes, 5);
  const std::vector<int32_t> columns(2 * kLanes, int32_t(kFirst + 10));
  const SparseRow<float, int32_t> x{values.data(), 1, columns.data(), 2 * kLanes};
  check_both<float>({13}, [&] { return std::vector<float>{dot(x, weights.data() - kFirst, 1.0F, kFeatures)}; });
}

template <class T, class I>
void check_sizes() {
  Random random(1);
  for (int64_t size = 0; size <= 40; ++size) {
    const auto values = random_values<T>(random, size);
    std::vector<I> every, some;
    for (I k = 0; k < static_cast<I>(size); ++k) {
      every.push_back(k);
      some.push_back(static_cast<I>(3 * k + 1));
    }
    const DenseRow<T> dense{values.data(), size};
    const SparseRow<T, I> full{values.data(), size, every.data(), size};
    const SparseRow<T, I> sparse{values.data(), size, some.data(), size};
    check_row<T>(dense, size, random);
    check_row<T>(full, size, random);
    check_row<T>(sparse, 3 * size, random);
    check_row_before_others(sparse, random);
    check_classes<T>(dense, size, random);
    check_classes<T>(sparse, 3 * size, random);
  }
}

template <class I>
void check_indices() {
  const std::vector<double> data{1, 2, 3};
  const auto check_csr = [&](std::vector<I> starts, std::vector<I> columns) {
    const auto size = static_cast<int64_t>(starts.size()) - 1;
    SparseRows<double, I> rows{data.data(), columns.data(), starts.data(), size, 4};
    rows.check_starts(static_cast<int64_t>(columns.size()));
    check_all(rows);
    CHECK(rows.checked);
  };
  check_csr({0, 1, 1, 3}, {3, 0, 2});
  check_csr({0}, {});
  check_csr({0, 0}, {});
  CHECK_THROWS(check_csr({1, 3}, {0, 1, 2}), std::invalid_argument, "indptr must start with 0");
  CHECK_THROWS(check_csr({-1, 3}, {0, 1, 2}), std::invalid_argument, "indptr must start with 0");
  CHECK_THROWS(check_csr({0, 2, 1, 3}, {0, 1, 2}), std::invalid_argument, "stored values (row 1)");
  CHECK_THROWS(check_csr({0, 1, 4}, {0, 1, 2}), std::invalid_argument, "stored values (row 1)");
  CHECK_THROWS(check_csr({0, std::numeric_limits<I>::max()}, {0, 1, 2}), std::invalid_argument, "(row 0)");
  CHECK_THROWS(check_csr({0, 1, 3}, {0, 1, 4}), std::invalid_argument, "outside of the 4 columns (row 1)");
  CHECK_THROWS(check_csr({0, 1, 3}, {-1, 1, 2}), std::invalid_argument, "outside of the 4 columns (row 0)");
  const auto features_of = [](std::vector<I> columns) {
    SparseRows<float, I> rows{nullptr, columns.data(), nullptr, 0, 0};
    rows.take_features(static_cast<int64_t>(columns.size()));
    CHECK(rows.checked);
    return rows.features;
  };
  CHECK(features_of({}) == 1 && features_of({0}) == 1 && features_of({3, 0, 7, 5}) == 8);
  CHECK_THROWS(features_of({0, -1}), std::invalid_argument, "negative or too large");
  CHECK_THROWS(features_of({std::numeric_limits<I>::max()}), std::invalid_argument, "negative or too large");
}

// One bad column among good ones is found wherever it is, however long its row; what lies behind the row is not read.
template <class I>
void check_bad_columns() {
  const std::vector<float> values(40, 1.0F);
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    for (I size = 0; size <= 33; ++size) {
      const std::vector<I> starts{0, size};
      for (I at = 0; at <= size; ++at)
        for (const I bad : {I(-1), I(50), std::numeric_limits<I>::min(), std::numeric_limits<I>::max()}) {
          std::vector<I> columns(static_cast<size_t>(size) + 1, I(49));
          columns[static_cast<size_t>(at)] = bad;
          const SparseRows<float, I> rows{values.data(), columns.data(), starts.data(), 1, 50};
          if (at == size)
            check_columns(rows);
          else
            CHECK_THROWS(check_columns(rows), std::invalid_argument, "outside of the 50 columns (row 0)");
        }
    }
  }
  use_avx2(true);
}

// The row that is refused, or -1.
template <class Rows>
int64_t refused(Rows rows) {
  try {
    check_all(rows);
  } catch (const std::invalid_argument& error) {
    CHECK(std::strstr(error.what(), "contains NaN, infinity") != nullptr && !rows.checked);
    return std::atoll(std::strstr(error.what(), "(row ") + 5);
  }
  return -1;
}

template <class T>
void check_finite_values() {
  const T infinity = std::numeric_limits<T>::infinity(), largest = std::numeric_limits<T>::max();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<int32_t> starts{0, 3, 3, 6, 9}, columns{0, 1, 2, 0, 1, 2, 0, 1, 2};  // row 1 stores nothing
  std::vector<T> values{0, -largest, 1, 2, std::numeric_limits<T>::denorm_min(), largest, 3, 4, 5};
  const DenseRows<T> dense{values.data(), 3, 3, 3};
  const SparseRows<T, int32_t> sparse{values.data(), columns.data(), starts.data(), 4, 3};
  CHECK(refused(dense) == -1);
  CHECK(refused(sparse) == -1);
  for (const T bad : {infinity, -infinity, nan, -nan})
    for (size_t k = 0; k < values.size(); ++k) {
      const T before = std::exchange(values[k], bad);
      const auto row = static_cast<int64_t>(k / 3);
      CHECK(refused(dense) == row);
      CHECK(refused(sparse) == (row == 0 ? 0 : row + 1));
      values[k] = before;
    }
  // What lies between the rows of a slice belongs to none of them.
  const std::vector<T> slice{1, infinity, 2, nan, 3};
  CHECK(refused(DenseRows<T>{slice.data(), 3, 1, 2}) == -1);
  CHECK(refused(DenseRows<T>{slice.data() + 1, 0, 1, 2}) == -1);
}

// A row may begin below where the one before it has ended.
template <class I>
void check_order() {
  const std::vector<float> values(6, 1.0F);
  const auto ascend = [&](std::vector<I> columns, std::vector<I> starts) {
    const auto rows = static_cast<int64_t>(starts.size()) - 1;
    return columns_ascend(SparseRows<float, I>{values.data(), columns.data(), starts.data(), rows, 9});
  };
  CHECK(ascend({1, 3, 8, 0, 1, 7}, {0, 3, 3, 6}) && ascend({}, {0}) && ascend({4}, {0, 0, 1}));
  CHECK(!ascend({1, 3, 3, 0, 1, 7}, {0, 3, 6}) && !ascend({1, 3, 8, 0, 7, 1}, {0, 3, 6}));
  CHECK(!ascend({1, 3, 8, 0, 1, 7}, {0, 4, 6}) && columns_ascend(DenseRows<float>{values.data(), 2, 3, 3}));
}

void check_ends() {
  const std::vector<double> values(9, 1.0);
  const std::vector<int32_t> columns(9), starts{0, 3, 6, 9};
  SparseRows<double, int32_t> rows{values.data(), columns.data(), starts.data(), 3, 1};
  DenseRows<double> dense{values.data(), 3, 3, 3};
  CHECK_ENDS(3, rows.check_starts(9));
  CHECK_ENDS(3, check_columns(rows));
  CHECK_ENDS(1, columns_ascend(rows));  // the first row names a column twice
  CHECK_ENDS(3, (rows.checked = false, check_all(rows)));
  CHECK_ENDS(3, (dense.checked = false, check_all(dense)));
  CHECK_ENDS(1, rows.take_features(9));
}

}  // namespace

int main() {
  check_ends();
  check_sizes<float, int32_t>();
  check_sizes<double, int32_t>();
  check_sizes<float, int64_t>();
  check_sizes<double, int64_t>();
  check_many_features();
  check_indices<int32_t>();
  check_indices<int64_t>();
  check_bad_columns<int32_t>();
  check_bad_columns<int64_t>();
  check_order<int32_t>();
  check_order<int64_t>();
  check_finite_values<float>();
  check_finite_values<double>();
  return check::report();
}
