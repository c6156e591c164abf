// The weights of a chain while it learns or answers: rows of one weight a label. A unigram attribute has one row; a
// bigram attribute has one for each label before. A row is made when an update first touches it; until then row 0,
// which stays zero, is in its place. Weights are integers as long as the steps are, in the narrowest type in which no
// sum of a sentence can overflow: int16, int32, and at last double, which holds integers up to 2^53 exactly. All three
// make the same run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "loop/lanes.hpp"

namespace rosenblatt {

// Memory that starts with a cache line.
template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(size_t n) {
    if (n > std::numeric_limits<size_t>::max() / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(::operator new(n * sizeof(T), kLine));
  }
  void deallocate(T* p, size_t) { ::operator delete(p, kLine); }
  bool operator==(const Aligned&) const { return true; }
};

template <class W>
struct ChainTable {
  using Weight = W;
  using Sum = std::conditional_t<std::is_integral_v<W>, int64_t, double>;

  int64_t labels, stride;
  std::vector<W, Aligned<W>> w;
  Sum largest = 0;  // no weight is larger

  explicit ChainTable(int64_t labels)
      : labels(labels), stride((labels + kWidth<W> - 1) / kWidth<W> * kWidth<W>), w(size_t(stride)) {}

  int64_t rows() const { return static_cast<int64_t>(w.size()) / stride; }
  int32_t add_row() {
    const int64_t row = rows();
    if (row >= std::numeric_limits<int32_t>::max()) throw std::length_error("too many rows of weights");
    w.resize(w.size() + size_t(stride));
    return static_cast<int32_t>(row);
  }
  // Room for more rows, so that they need not move; memory that is not written to is not used.
  void expect_rows(int64_t more) {
    constexpr int64_t kMost = int64_t{1} << 30;  // bytes
    w.reserve(w.size() + size_t(std::min(more * stride, kMost / int64_t(sizeof(W)))));
  }
  // Most rows take one or two cache lines.
  ROSENBLATT_INLINE void prefetch(int64_t row) const {
    const W* const first = w.data() + row * stride;
    __builtin_prefetch(first);
    if (stride > 2 * kWidth<W>) __builtin_prefetch(first + stride - 1);
  }
  W& at(int64_t row, int64_t label) { return w[size_t(row * stride + label)]; }
  const W& at(int64_t row, int64_t label) const { return w[size_t(row * stride + label)]; }
  void set(int64_t row, int64_t label, W weight) {
    at(row, label) = weight;
    largest = std::max(largest, std::abs(Sum(weight)));
  }
  void add(int64_t row, int64_t label, W change) { set(row, label, static_cast<W>(at(row, label) + change)); }
};

using ChainTables = std::variant<ChainTable<int16_t>, ChainTable<int32_t>, ChainTable<double>>;

// The largest weight with which sums of `attributes` weights can be compared along a sentence: a score is kept
// relative to that of label 0, within 2 sums of it; a further step adds at most one more.
template <class W>
double largest_weight(int64_t attributes) {
  if constexpr (std::is_integral_v<W>)
    return std::floor(double(std::numeric_limits<W>::max()) / (3.0 * double(std::max(attributes, int64_t{1}))));
  return std::numeric_limits<double>::infinity();
}

// The same weights in another type.
template <class To, class From>
ChainTable<To> widened(const ChainTable<From>& from) {
  ChainTable<To> to(from.labels);
  to.w.resize(size_t(from.rows() * to.stride));
  for (int64_t row = 0; row < from.rows(); ++row)
    for (int64_t label = 0; label < from.labels; ++label) to.at(row, label) = static_cast<To>(from.at(row, label));
  to.largest = static_cast<typename ChainTable<To>::Sum>(from.largest);
  return to;
}

}  // namespace rosenblatt
