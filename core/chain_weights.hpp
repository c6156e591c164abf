// The weights of a chain: rows of one weight a label. A unigram attribute has one row; a bigram attribute has one for
// each label before. A row is made when an update first touches it; until then row 0, which stays zero, is in its
// place. Weights are integers as long as the steps are, in the narrowest type in which no sum of a sentence can
// overflow: int16, int32, and at last double, which holds integers up to 2^53 exactly. All three make the same run.
// Averages are lazy, see readout.hpp: with sums = sum of visits * change, (visits * w - sums) / visits is the mean of
// the weights after each visit. Its numerator is an integer, and it is the numerator that answers.
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

#include "cell_sums.hpp"
#include "lanes.hpp"

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
  Sum largest = 0;     // no weight is larger
  CellSums<Sum> sums;  // by row * labels + label; has each cell that was ever changed

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
  W& at(int64_t cell) { return w[size_t(cell / labels * stride + cell % labels)]; }
  const W& at(int64_t cell) const { return w[size_t(cell / labels * stride + cell % labels)]; }
  void add(int64_t cell, W change, Sum visits) {
    W& weight = at(cell);
    weight = static_cast<W>(weight + change);
    largest = std::max(largest, std::abs(Sum(weight)));
    sums.add(cell, visits * Sum(change));
  }
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

// A table of another type with the same rows, and read(cell) in each cell that was ever changed.
template <class To, class From, class Read>
ChainTable<To> converted(const From& from, Read read) {
  ChainTable<To> to(from.labels);
  to.w.resize(size_t(from.rows() * to.stride));
  from.sums.for_each([&](int64_t cell, auto sum) { to.at(cell) = static_cast<To>(read(cell, sum)); });
  return to;
}

enum class ChainReadout { last, average };

// The key of a row's attribute, and for a bigram the label before (kNone for a unigram).
struct ChainRow {
  static constexpr int32_t kNone = -1;
  uint64_t key;
  int32_t before;
};

// What a chain has learned: rows[k] says what row k + 1 is of.
struct Chain {
  int64_t labels, attributes;  // attributes: the most that a token can have
  ChainTables table;
  std::vector<ChainRow> rows;
  int64_t visits = 0;

  // Real steps need doubles from the start.
  Chain(int64_t labels, int64_t attributes, bool integers)
      : labels(labels), attributes(attributes), table(empty(labels, integers)) {}

  // Goes on in the next wider type.
  void promote() {
    if (const auto* narrow = std::get_if<ChainTable<int16_t>>(&table))
      table = widened<int32_t>(*narrow);
    else if (const auto* middle = std::get_if<ChainTable<int32_t>>(&table))
      table = widened<double>(*middle);
  }

  // The weights that answer, times scale(): integers where the steps were.
  ChainTables answers(ChainReadout readout) const {
    const bool mean = readout == ChainReadout::average && visits > 0;
    return std::visit(
        [&]<class From>(const From& from) -> ChainTables {
          using Sum = typename From::Sum;
          const auto read = [&](int64_t cell, Sum sum) {
            const Sum last = Sum(from.at(cell));
            if (!mean) return last;
            const Sum numerator = Sum(visits) * last - sum;
            return std::is_integral_v<Sum> ? numerator : numerator / Sum(visits);
          };
          if constexpr (!std::is_integral_v<Sum>) return converted<double>(from, read);
          Sum largest = 0;
          from.sums.for_each([&](int64_t cell, Sum sum) { largest = std::max(largest, std::abs(read(cell, sum))); });
          if (double(largest) <= largest_weight<int16_t>(attributes)) return converted<int16_t>(from, read);
          if (double(largest) <= largest_weight<int32_t>(attributes)) return converted<int32_t>(from, read);
          return converted<double>(from, read);
        },
        table);
  }
  double scale(ChainReadout readout) const {
    return readout == ChainReadout::average && visits > 0 && table.index() < 2 ? double(visits) : 1.0;
  }

 private:
  static ChainTables empty(int64_t labels, bool integers) {
    if (labels < 1 || labels > std::numeric_limits<int16_t>::max())
      throw std::invalid_argument("expected 1 to 32767 labels, found " + std::to_string(labels));
    if (integers) return ChainTable<int16_t>(labels);
    return ChainTable<double>(labels);
  }

  template <class To, class From>
  static ChainTable<To> widened(const From& from) {
    using Sum = typename ChainTable<To>::Sum;
    auto to = converted<To>(from, [&](int64_t cell, auto) { return from.at(cell); });
    to.largest = static_cast<Sum>(from.largest);
    from.sums.for_each([&](int64_t cell, auto sum) { to.sums.add(cell, static_cast<Sum>(sum)); });
    return to;
  }
};

}  // namespace rosenblatt
