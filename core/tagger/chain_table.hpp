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
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/interrupts.hpp"
#include "base/lanes.hpp"
#include "tagger/listed_rows.hpp"

namespace rosenblatt {

// Calls work(number of parts, first part) for all parts of a row, at most four at a time: they stay in registers.
template <class Work>
ROSENBLATT_INLINE void in_fours(int64_t parts, Work work) {
  int64_t p = 0;
  for (; p + 4 <= parts; p += 4) work(std::integral_constant<int, 4>{}, p);
  if (parts - p == 3) work(std::integral_constant<int, 3>{}, p);
  if (parts - p == 2) work(std::integral_constant<int, 2>{}, p);
  if (parts - p == 1) work(std::integral_constant<int, 1>{}, p);
}

// Calls work(k) for each k below `count`, written out: what it keeps in arrays of that size stays in registers too.
template <int count, class Work>
ROSENBLATT_INLINE void written_out(Work work) {
  [&]<int... k>(std::integer_sequence<int, k...>)
      ROSENBLATT_ALWAYS { (work(k), ...); }(std::make_integer_sequence<int, count>{});
}

// How rows are kept: a weight for each label, or as lists of those that are not zero. With few labels the first is
// faster, with hundreds the second. Both give the same numbers.
enum class Layout : uint8_t { dense, listed };
constexpr int64_t kMostDenseLabels = 64;
inline Layout layout_for(int64_t labels, int64_t most_dense) {
  return labels > most_dense ? Layout::listed : Layout::dense;
}

// Labels may have parts, numbered from 0 on: label j then shares the weights of all labels of part parts[j], which come
// after those of the labels, at labels + parts[j].
inline int64_t weights_of_a_row(int64_t labels, const std::vector<int32_t>& parts) {
  return labels + (parts.empty() ? 0 : 1 + *std::max_element(parts.begin(), parts.end()));
}

template <class W>
struct ChainTable {
  using Weight = W;
  using Sum = std::conditional_t<std::is_integral_v<W>, int64_t, double>;

  int64_t labels, stride;
  std::vector<int32_t> parts;
  Layout layout;
  std::vector<W, Aligned<W>> w;  // of a dense table
  ListedRows<W> listed;          // of a sparse one
  Sum largest = 0;               // no weight is larger

  explicit ChainTable(int64_t labels, std::vector<int32_t> of_parts = {}, Layout layout = Layout::dense)
      : labels(labels),
        stride((weights_of_a_row(labels, of_parts) + kWidth<W> - 1) / kWidth<W> * kWidth<W>),
        parts(std::move(of_parts)),
        layout(layout),
        listed(stride) {
    resize(1);
  }

  bool is_listed() const { return layout == Layout::listed; }
  int64_t rows() const { return is_listed() ? listed.size() : static_cast<int64_t>(w.size()) / stride; }
  // Further rows are zero.
  void resize(int64_t rows) {
    if (is_listed())
      listed.resize(rows);
    else
      w.resize(size_t(rows * stride));
  }
  // Becomes a table of these rows, counted from 0 on without the zero row, of another with the same labels.
  void take_rows(const ChainTable& from, const std::vector<int32_t>& taken) {
    listed = ListedRows<W>(stride);
    resize(int64_t(taken.size() + 1));
    Interrupts interrupts;
    for (size_t k = 0; k < taken.size(); ++k) {
      interrupts.after(stride);
      const auto row = int64_t(k + 1), there = int64_t(taken[k] + 1);
      if (is_listed())
        from.for_each_weight(there, [&](int64_t label, W weight) { listed.set(row, label, weight); });
      else
        std::copy_n(from.w.data() + there * stride, stride, w.data() + row * stride);
    }
    largest = from.largest;
  }
  int32_t add_row() {
    const int64_t row = rows();
    if (row >= std::numeric_limits<int32_t>::max()) throw std::length_error("too many rows of weights");
    resize(row + 1);
    return static_cast<int32_t>(row);
  }
  // Room for more rows, so that they need not move; memory that is not written to is not used.
  void expect_rows(int64_t more) {
    constexpr int64_t kMost = int64_t{1} << 30;  // bytes
    if (is_listed())
      listed.reserve(rows() + more);
    else
      w.reserve(w.size() + size_t(std::min(more * stride, kMost / int64_t(sizeof(W)))));
  }
  // Most rows take one or two cache lines.
  ROSENBLATT_INLINE void prefetch(int64_t row) const {
    if (is_listed()) return listed.prefetch_row(row);
    const W* const first = w.data() + row * stride;
    prefetch_line(first);
    if (stride > 2 * kWidth<W>) prefetch_line(first + stride - 1);
  }

  W at(int64_t row, int64_t label) const {
    return is_listed() ? listed.at(row, label) : w[size_t(row * stride + label)];
  }
  // Of a dense table, whose rows threads may change at once.
  W& cell(int64_t row, int64_t label) { return w[size_t(row * stride + label)]; }
  void set(int64_t row, int64_t label, W weight) {
    if (is_listed())
      listed.set(row, label, weight);
    else
      w[size_t(row * stride + label)] = weight;
    largest = std::max(largest, std::abs(Sum(weight)));
  }
  void add(int64_t row, int64_t label, W change) { set(row, label, static_cast<W>(at(row, label) + change)); }

  // Calls work(label, weight) for each weight of a row that is not zero.
  template <class Work>
  void for_each_weight(int64_t row, Work work) const {
    if (is_listed()) return listed.for_each(row, work);
    for (int64_t j = 0; j < stride; ++j)
      if (at(row, j) != 0) work(j, at(row, j));
  }

  // The sum of some rows, a weight for each label; `out` has room for `stride` of them.
  ROSENBLATT_INLINE void add_up(const int32_t* row, const int32_t* end, W* out) const {
    if (is_listed()) {
      std::fill_n(out, stride, W(0));
      for (; row < end; ++row) listed.add_to(out, *row);
      return;
    }
    in_fours(stride / kWidth<W>, [&](auto count, int64_t p) ROSENBLATT_ALWAYS {
      Part<W> total[count] = {}, part;
      const W* const first = w.data() + p * kWidth<W>;
      for (const int32_t* r = row; r < end; ++r) {
        const W* const from = first + *r * stride;
        for (int k = 0; k < count; ++k) {
          load(part, from + k * kWidth<W>);
          total[k] += part;
        }
      }
      for (int k = 0; k < count; ++k) store(out + (p + k) * kWidth<W>, total[k]);
    });
  }
  // The same for the unigrams of a token: what a label shares is added to what it has for itself.
  ROSENBLATT_INLINE void emission(const int32_t* row, const int32_t* end, W* out) const {
    add_up(row, end, out);
    for (size_t j = 0; j < parts.size(); ++j) out[j] = static_cast<W>(out[j] + out[labels + parts[j]]);
  }
};

using ChainTables = std::variant<ChainTable<int16_t>, ChainTable<int32_t>, ChainTable<double>>;

// The largest weight with which sums of `attributes` weights can be compared along a sentence: a score is kept
// relative to that of label 0, within 2 sums of it; a further step adds at most one more, and so does a bound.
template <class W>
double largest_weight(int64_t attributes) {
  if constexpr (std::is_integral_v<W>)
    return std::floor(double(std::numeric_limits<W>::max()) / (3.0 * double(std::max(attributes, int64_t{1}))));
  return std::numeric_limits<double>::infinity();
}

// The same weights in another type.
template <class To, class From>
ChainTable<To> widened(const ChainTable<From>& from) {
  ChainTable<To> to(from.labels, from.parts, from.layout);
  to.resize(from.rows());
  Interrupts interrupts;
  for (int64_t row = 0; row < from.rows(); ++row) {
    interrupts.after(from.stride);
    from.for_each_weight(row, [&](int64_t label, From weight) { to.set(row, label, static_cast<To>(weight)); });
  }
  return to;
}

}  // namespace rosenblatt
