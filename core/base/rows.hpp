// The rows of a dense or a CSR matrix, and what the perceptron does with one: score it, add it, measure it.
// The weights lie feature by feature, `stride` entries each: one for two classes, one a class for more, and the
// constant feature's last. It counts as one more stored value at the end of each row, worth `bias` (0: none).
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/interrupts.hpp"
#include "base/lanes.hpp"

namespace rosenblatt {

constexpr int64_t kCacheLine = 64;

// How many entries of a feature lie side by side where there are `machines` rows of weights.
constexpr int64_t stride_of(int64_t machines) { return machines == 1 ? 1 : (machines + kLanes - 1) / kLanes * kLanes; }

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

template <class T>
struct DenseRow {
  using Value = T;
  using Column = int64_t;
  static constexpr bool kReadsOn = false;
  const T* values;
  int64_t size;
  ROSENBLATT_INLINE int64_t column(int64_t k) const { return k; }
  ROSENBLATT_INLINE void pick(Part<T>& part, const T* w, int64_t k) const { load(part, w + k); }
  static constexpr int64_t kLine = kCacheLine / sizeof(T);
  ROSENBLATT_INLINE void fetch(int64_t k) const { prefetch_line(values + k); }
};

// `room` values may be read, from the first of the row on: its own, and those of the rows behind it.
template <class T, class I>
struct SparseRow {
  using Value = T;
  using Column = I;
  static constexpr bool kReadsOn = sizeof(I) <= sizeof(T);
  const T* values;
  int64_t size;
  const I* columns;
  int64_t room;
  ROSENBLATT_INLINE int64_t column(int64_t k) const { return static_cast<int64_t>(columns[k]); }
  static constexpr int64_t kLine = kCacheLine / std::max(sizeof(T), sizeof(I));
  ROSENBLATT_INLINE void fetch(int64_t k) const {
    prefetch_line(columns + k);
    prefetch_line(values + k);
  }
  ROSENBLATT_INLINE void pick(Part<T>& part, const T* w, int64_t k) const {
    // plain loads are as fast as the machine's gather
    part = gathered<T>([&](int l) ROSENBLATT_ALWAYS { return w[columns[k + l]]; });
  }
  // Where a lane is not `inside` of the row, the weight of the constant feature.
  ROSENBLATT_INLINE void pick_rest(Part<T>& part, const T* w, int64_t k, Part<Whole<T>> inside,
                                   int64_t features) const {
    Part<Whole<T>> column;
    if constexpr (std::is_same_v<I, Whole<T>>)
      load(column, columns + k);
    else
      column = gathered<Whole<T>>([&](int l) ROSENBLATT_ALWAYS { return Whole<T>(columns[k + l]); });
    column = inside ? column : Part<Whole<T>>{} + static_cast<Whole<T>>(features);
    part = gathered<T>([&](int l) ROSENBLATT_ALWAYS { return w[column[l]]; });
  }
};

// Fetches the lines of a row bit by bit, in the steps of another one's loop: asked for all at once, they would have
// that loop wait for them.
template <class Row>
class Fetching {
 public:
  ROSENBLATT_INLINE explicit Fetching(Row row) : row_(row) {}
  ROSENBLATT_INLINE void step() {
    if (at_ >= row_.size) return;
    row_.fetch(at_);
    at_ += Row::kLine;
  }
  ROSENBLATT_INLINE void rest() {
    while (at_ < row_.size) step();
  }

 private:
  Row row_;
  int64_t at_ = 0;
};

template <class Row, class T>
ROSENBLATT_INLINE T dot(Row x, const T* w, T bias, int64_t features, Row coming = {}) {
  Part<T> total[kParts<T>] = {}, values = {}, weights = {};
  Fetching fetching(coming);
  int64_t k = 0;
  for (; k + kLanes <= x.size; k += kLanes) {
    fetching.step();
    for (int p = 0; p < kParts<T>; ++p) {
      load(values, x.values + k + p * kWidth<T>);
      x.pick(weights, w, k + p * kWidth<T>);
      total[p] += values * weights;
    }
  }
  fetching.rest();
  if constexpr (Row::kReadsOn) {
    // The rest in one step, lanes outside of the row masked: a loop would end after a different number of turns in
    // each row, which the processor cannot predict.
    if (k + kLanes <= x.room && features <= std::numeric_limits<Whole<T>>::max()) {
      const auto rest = Part<Whole<T>>{} + static_cast<Whole<T>>(x.size - k);
      for (int p = 0; p < kParts<T>; ++p) {
        const auto lanes = lanes_of<T>(p);
        load(values, x.values + k + p * kWidth<T>);
        values = lanes < rest ? values : (lanes == rest ? Part<T>{} + bias : Part<T>{});
        x.pick_rest(weights, w, k + p * kWidth<T>, lanes < rest, features);
        total[p] += values * weights;
      }
      return sum<T>(total);
    }
  }
  T lane[kLanes];
  for (int p = 0; p < kParts<T>; ++p) store(lane + p * kWidth<T>, total[p]);
  for (; k < x.size; ++k) lane[k % kLanes] += x.values[k] * w[x.column(k)];
  lane[k % kLanes] += bias * w[features];
  return sum(lane);
}

// The dot products with `stride` vectors of weights that lie side by side, each with the bits that dot() gives: the
// lanes of a part are vectors, and eight totals take turns. `stride` is a multiple of the width of a part.
template <class Row, class T>
ROSENBLATT_INLINE void dots(Row x, const T* w, int64_t stride, T bias, int64_t features, T* out) {
  for (int64_t c = 0; c < stride; c += kWidth<T>) {
    Part<T> total[kLanes] = {}, weights;
    int64_t k = 0;
    for (; k + kLanes <= x.size; k += kLanes) {
      for (int l = 0; l < kLanes; ++l) {
        load(weights, w + x.column(k + l) * stride + c);
        total[l] += x.values[k + l] * weights;
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      if (k + l > x.size) break;
      const bool inside = k + l < x.size;
      load(weights, w + (inside ? x.column(k + l) : features) * stride + c);
      total[l] += (inside ? x.values[k + l] : bias) * weights;
    }
    store(out + c, sum(total));
  }
}

// The scores of N times eight classes at once: a lane is a class, so each class sums in the order of the row.
template <int N, class Row, class T>
ROSENBLATT_INLINE void class_scores(Row x, const T* w, int64_t stride, T bias, int64_t features, T* out) {
  Part<T> total[N * kParts<T>] = {}, weights;
  for (int64_t k = 0; k < x.size; ++k) {
    for (int p = 0; p < N * kParts<T>; ++p) {
      load(weights, w + x.column(k) * stride + p * kWidth<T>);
      total[p] += x.values[k] * weights;
    }
  }
  for (int p = 0; p < N * kParts<T>; ++p) {
    load(weights, w + features * stride + p * kWidth<T>);
    store(out + p * kWidth<T>, total[p] + bias * weights);
  }
}

// With more than one class, `stride` is a multiple of the lanes; the totals of 32 classes fit into registers.
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
ROSENBLATT_INLINE T squared_norm(Row x, T bias, int64_t features, const T* scale, int64_t stride) {
  const auto scale_of = [=](int64_t column) { return scale ? scale[column * stride] : T(1); };
  Part<T> total[kParts<T>] = {}, values = {}, scales = {};
  int64_t k = 0;
  for (; k + kLanes <= x.size; k += kLanes) {
    for (int p = 0; p < kParts<T>; ++p) {
      load(values, x.values + k + p * kWidth<T>);
      scales = gathered<T>([&](int l) ROSENBLATT_ALWAYS { return scale_of(x.column(k + p * kWidth<T> + l)); });
      total[p] += values * values * scales;
    }
  }
  T lane[kLanes];
  for (int p = 0; p < kParts<T>; ++p) store(lane + p * kWidth<T>, total[p]);
  for (; k < x.size; ++k) lane[k % kLanes] += x.values[k] * x.values[k] * scale_of(x.column(k));
  lane[k % kLanes] += bias * bias * scale_of(features);
  return sum(lane);
}

// Calls change(offset, value) for each stored value of the row and for the constant feature.
template <class Row, class T, class Change>
ROSENBLATT_INLINE void for_each(Row x, int64_t stride, T bias, int64_t features, Change change) {
  for (int64_t k = 0; k < x.size; ++k) change(x.column(k) * stride, x.values[k]);
  if (bias != T(0)) change(features * stride, bias);
}

// What it costs to look at a row, for Interrupts. A row without values costs something too: it has to be found.
template <class Row>
ROSENBLATT_INLINE int64_t work_of(Row x) {
  constexpr int64_t kFindIt = 8;
  return x.size + kFindIt;
}

// Looks at the exponents' bits, which the compiler can vectorise, unlike a sum of floats.
template <class T>
ROSENBLATT_INLINE bool all_finite(const T* values, int64_t size) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr Bits kExponent = sizeof(T) == 4 ? Bits(0x7f800000) : static_cast<Bits>(0x7ff0000000000000);
  Bits found = 0;
  for (int64_t k = 0; k < size; ++k) found |= (std::bit_cast<Bits>(values[k]) & kExponent) == kExponent;
  return !found;
}

inline void refuse(const std::string& what, int64_t row) {
  throw std::invalid_argument(what + " (row " + std::to_string(row) + ")");
}

// check_row looks whether a row may be read: to be called before it is used, unless `checked` says that all are good.
// A value that is not finite makes the row's score not finite: whoever scores it looks at that instead (see
// check_finite), which costs nothing.
template <class T>
struct DenseRows {
  using Value = T;
  using Row = DenseRow<T>;
  static constexpr bool kSparse = false;
  const T* data;
  int64_t size, features, row_stride;
  bool checked = false;

  ROSENBLATT_INLINE Row operator[](int64_t i) const { return {data + i * row_stride, features}; }
  void check_row(int64_t) const {}
  void prefetch_row(int64_t i) const { prefetch(data + i * row_stride, data + i * row_stride + features); }
  void prefetch_index(int64_t, int64_t) const {}
};

template <class T, class I>
struct SparseRows {
  using Value = T;
  using Row = SparseRow<T, I>;
  static constexpr bool kSparse = true;
  const T* data;
  const I* columns;
  const I* starts;
  int64_t size, features;
  bool checked = false;

  ROSENBLATT_INLINE Row operator[](int64_t i) const {
    return {data + starts[i], static_cast<int64_t>(starts[i + 1] - starts[i]), columns + starts[i],
            static_cast<int64_t>(starts[size] - starts[i])};
  }
  ROSENBLATT_INLINE void check_row(int64_t i) const {
    const auto row = (*this)[i];
    const auto limit = static_cast<I>(std::min(features, int64_t{std::numeric_limits<I>::max()}));
    Part<I> outside = {}, columns = {};
    const auto look = [&](int64_t k) ROSENBLATT_ALWAYS {
      for (int p = 0; p < kParts<I>; ++p) {
        load(columns, row.columns + k + p * kWidth<I>);
        outside |= (columns < 0) | (columns >= limit);
      }
    };
    for (int64_t k = 0; k + kLanes <= row.size; k += kLanes) look(k);
    bool found = false;
    if (row.size >= kLanes)
      look(row.size - kLanes);  // the rest, and some of them once more: how long it is need not be guessed
    else
      for (int64_t k = 0; k < row.size; ++k) found |= row.columns[k] < 0 || row.columns[k] >= limit;
    for (int l = 0; l < kWidth<I>; ++l) found |= outside[l] != 0;
    if (found) refuse("a column index is outside of the " + std::to_string(features) + " columns", i);
  }
  void prefetch_row(int64_t i) const {
    constexpr I line = static_cast<I>(kCacheLine / std::max(sizeof(T), sizeof(I)));
    for (I k = starts[i]; k < starts[i + 1]; k += line) {
      prefetch_line(columns + k);
      prefetch_line(data + k);
    }
  }
  void prefetch_index(int64_t first, int64_t last) const { prefetch(starts + first, starts + last + 1); }

  // The rows must lie inside of the arrays: to be called before any row is taken.
  void check_starts(int64_t stored) const {
    if (starts[0] != 0) throw std::invalid_argument("indptr must start with 0");
    Interrupts interrupts;
    for (int64_t i = 0; i < size; ++i) {
      interrupts.after(1);
      if (starts[i + 1] < starts[i] || static_cast<int64_t>(starts[i + 1]) > stored)
        refuse("indptr must not fall nor pass the number of stored values", i);
    }
  }

  // As many as the `stored` columns need: then all of them may be used.
  void take_features(int64_t stored) {
    using Unsigned = std::make_unsigned_t<I>;
    Interrupts interrupts;
    const auto largest = dispatch([&] {
      Unsigned found = 0;  // a negative index becomes a large one
      interrupts.in_pieces(stored, [&](int64_t first, int64_t last) {
        for (int64_t k = first; k < last; ++k) found = std::max(found, static_cast<Unsigned>(columns[k]));
      });
      return found;
    });
    if (largest >= static_cast<Unsigned>(std::numeric_limits<I>::max()))
      throw std::invalid_argument("a column index is negative or too large");
    features = static_cast<int64_t>(largest) + 1;
    checked = true;
  }
};

template <class Rows>
void check_finite(const Rows& rows, int64_t i) {
  if (!all_finite(rows[i].values, rows[i].size))
    refuse("Input X contains NaN, infinity or a value too large for its type", i);
}

// The columns of all rows, whatever their values.
template <class Rows>
void check_columns(const Rows& rows) {
  Interrupts interrupts;
  dispatch([&] {
    for (int64_t i = 0; i < rows.size && !rows.checked; ++i) {
      interrupts.after(work_of(rows[i]));
      rows.check_row(i);
    }
  });
}

// Whether in each row every column is larger than the one before it: then none is named twice.
template <class Rows>
bool columns_ascend(const Rows& rows) {
  if constexpr (!Rows::kSparse) return true;
  Interrupts interrupts;
  return dispatch([&] {
    for (int64_t i = 0; i < rows.size; ++i) {
      const auto x = rows[i];
      interrupts.after(work_of(x));
      bool falls = false;
      for (int64_t k = 1; k < x.size; ++k) falls |= x.column(k) <= x.column(k - 1);
      if (falls) return false;
    }
    return true;
  });
}

template <class Rows>
void check_all(Rows& rows) {
  if (rows.checked) return;
  Interrupts interrupts;
  dispatch([&] {
    for (int64_t i = 0; i < rows.size; ++i) {
      interrupts.after(work_of(rows[i]));
      rows.check_row(i);
      check_finite(rows, i);
    }
  });
  rows.checked = true;
}

}  // namespace rosenblatt
