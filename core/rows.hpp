// The rows of a dense or a CSR matrix, and what the perceptron does with one: score it, add it, measure it.
// The weights lie feature by feature, `stride` entries each: one for two classes, one a class for more, and the
// constant feature's last. It counts as one more stored value at the end of each row, worth `bias` (0: none).
#pragma once

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lanes.hpp"

namespace rosenblatt {

template <class T>
struct DenseRow {
  const T* values;
  int64_t size;
  ROSENBLATT_INLINE int64_t column(int64_t k) const { return k; }
  ROSENBLATT_INLINE void pick(Lanes<T>& lanes, const T* w, int64_t k) const { load(lanes, w + k); }
};

template <class T, class I>
struct SparseRow {
  const T* values;
  int64_t size;
  const I* columns;
  ROSENBLATT_INLINE int64_t column(int64_t k) const { return static_cast<int64_t>(columns[k]); }
  ROSENBLATT_INLINE void pick(Lanes<T>& lanes, const T* w, int64_t k) const {
    const I* c = columns + k;  // eight plain loads are as fast as the machine's gather
    lanes = Lanes<T>{w[c[0]], w[c[1]], w[c[2]], w[c[3]], w[c[4]], w[c[5]], w[c[6]], w[c[7]]};
  }
};

template <class Row, class T>
ROSENBLATT_INLINE T dot(Row x, const T* w, T bias, int64_t features) {
  Lanes<T> total{}, values, weights;
  int64_t k = 0;
  for (; k + kLanes <= x.size; k += kLanes) {
    load(values, x.values + k);
    x.pick(weights, w, k);
    total += values * weights;
  }
  T lane[kLanes];
  store(lane, total);
  for (; k < x.size; ++k) lane[k % kLanes] += x.values[k] * w[x.column(k)];
  lane[k % kLanes] += bias * w[features];
  return sum(lane);
}

// The scores of V vectors of eight classes at once: a lane is a class, so each class sums in the order of the row.
template <int V, class Row, class T>
ROSENBLATT_INLINE void class_scores(Row x, const T* w, int64_t stride, T bias, int64_t features, T* out) {
  Lanes<T> total[V] = {}, weights;
  for (int64_t k = 0; k < x.size; ++k) {
    for (int v = 0; v < V; ++v) {
      load(weights, w + x.column(k) * stride + v * kLanes);
      total[v] += x.values[k] * weights;
    }
  }
  for (int v = 0; v < V; ++v) {
    load(weights, w + features * stride + v * kLanes);
    store(out + v * kLanes, total[v] + bias * weights);
  }
}

// With more than one class, `stride` is a multiple of the lanes; four vectors of totals fit into registers.
template <class Row, class T>
ROSENBLATT_INLINE void scores(Row x, const T* w, int64_t stride, T bias, int64_t features, T* out) {
  if (stride == 1) {
    *out = dot(x, w, bias, features);
    return;
  }
  for (int64_t c = 0; c < stride; c += 4 * kLanes) {
    switch ((stride - c) / kLanes) {
      case 1: class_scores<1>(x, w + c, stride, bias, features, out + c); break;
      case 2: class_scores<2>(x, w + c, stride, bias, features, out + c); break;
      case 3: class_scores<3>(x, w + c, stride, bias, features, out + c); break;
      default: class_scores<4>(x, w + c, stride, bias, features, out + c);
    }
  }
}

// sum of scale * value^2, the scale of each column given by `scale` (nullptr: 1).
template <class Row, class T>
T squared_norm(Row x, T bias, int64_t features, const T* scale, int64_t stride) {
  T lane[kLanes] = {};
  for (int64_t k = 0; k < x.size; ++k)
    lane[k % kLanes] += x.values[k] * x.values[k] * (scale ? scale[x.column(k) * stride] : T(1));
  lane[x.size % kLanes] += bias * bias * (scale ? scale[features * stride] : T(1));
  return sum(lane);
}

// Calls change(offset, value) for each stored value of the row and for the constant feature.
template <class Row, class T, class Change>
ROSENBLATT_INLINE void for_each(Row x, int64_t stride, T bias, int64_t features, Change change) {
  for (int64_t k = 0; k < x.size; ++k) change(x.column(k) * stride, x.values[k]);
  if (bias != T(0)) change(features * stride, bias);
}

constexpr int64_t kCacheLine = 64;

// Not __builtin_prefetch: gcc 12 finds a loop of them to have no effect and drops it.
ROSENBLATT_INLINE void prefetch_line(const void* p) {
#if defined(__x86_64__)
  asm volatile("prefetcht0 %0" ::"m"(*static_cast<const char*>(p)));
#elif defined(__aarch64__)
  asm volatile("prfm pldl1keep, %0" ::"Q"(*static_cast<const char*>(p)));
#else
  __builtin_prefetch(p);
#endif
}

template <class T>
ROSENBLATT_INLINE void prefetch(const T* from, const T* to) {
  for (; from < to; from += kCacheLine / int64_t(sizeof(T))) prefetch_line(from);
}

inline void refuse(const char* what, int64_t row) {
  throw std::invalid_argument(std::string(what) + " in row " + std::to_string(row));
}

template <class T>
struct DenseRows {
  using Value = T;
  const T* data;
  int64_t size, features, row_stride;

  DenseRow<T> operator[](int64_t i) const { return {data + i * row_stride, features}; }
  void prefetch_row(int64_t i) const { prefetch(data + i * row_stride, data + i * row_stride + features); }
  void prefetch_index(int64_t, int64_t) const {}
};

template <class T, class I>
struct SparseRows {
  using Value = T;
  const T* data;
  const I* columns;
  const I* starts;
  int64_t size, features;

  SparseRow<T, I> operator[](int64_t i) const {
    return {data + starts[i], static_cast<int64_t>(starts[i + 1] - starts[i]), columns + starts[i]};
  }
  void prefetch_row(int64_t i) const {
    constexpr I line = static_cast<I>(kCacheLine / std::max(sizeof(T), sizeof(I)));
    for (I k = starts[i]; k < starts[i + 1]; k += line) {
      prefetch_line(columns + k);
      prefetch_line(data + k);
    }
  }
  void prefetch_index(int64_t first, int64_t last) const { prefetch(starts + first, starts + last + 1); }

  // What is stored must be inside the arrays: everything after this reads without looking.
  void check(int64_t stored) const {
    if (starts[0] != 0) throw std::invalid_argument("indptr must start with 0");
    for (int64_t i = 0; i < size; ++i) {
      if (starts[i + 1] < starts[i] || static_cast<int64_t>(starts[i + 1]) > stored)
        refuse("indptr must not fall and not pass the number of stored values, but does", i);
      I low = 0, high = 0;
      for (I k = starts[i]; k < starts[i + 1]; ++k) {
        low = columns[k] < low ? columns[k] : low;
        high = columns[k] > high ? columns[k] : high;
      }
      if (low < 0 || static_cast<int64_t>(high) >= features)
        refuse("a column index is outside of the matrix's columns", i);
    }
  }
};

// Looks at the exponents' bits, which the compiler can vectorise, unlike a sum of floats.
template <class T>
bool all_finite(const T* values, int64_t size) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr Bits kExponent = sizeof(T) == 4 ? Bits(0x7f800000) : static_cast<Bits>(0x7ff0000000000000);
  Bits found = 0;
  for (int64_t k = 0; k < size; ++k) found |= (std::bit_cast<Bits>(values[k]) & kExponent) == kExponent;
  return !found;
}

// The first row with a NaN or an infinity, or -1.
template <class Rows>
int64_t first_not_finite(const Rows& rows) {
  for (int64_t i = 0; i < rows.size; ++i)
    if (!all_finite(rows[i].values, rows[i].size)) return i;
  return -1;
}

}  // namespace rosenblatt
