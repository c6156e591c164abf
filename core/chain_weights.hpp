// The weights of a chain: rows of one weight a label. A unigram attribute has one row; a bigram attribute has a block
// of them, one a label before. An attribute gets its rows when an update first touches it; all others share the empty
// block at the start, which stays zero.
// Weights are integers as long as the steps are, in the narrowest type in which no sum of a sentence can overflow:
// int16, int32, and at last double, which holds integers up to 2^53 exactly. All three make the same run.
// Averages are lazy, see readout.hpp: with sums = sum of visits * change, (visits * w - sums) / visits is the mean of
// the weights after each visit. Its numerator is an integer, and it is the numerator that answers.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

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
  std::vector<Sum, Aligned<Sum>> sums;  // empty in a table that only answers
  Sum largest = 0;                      // no weight is larger

  ChainTable(int64_t labels, bool learns)
      : labels(labels), stride((labels + kWidth<W> - 1) / kWidth<W> * kWidth<W>), learns_(learns) {
    add_rows(labels);
  }
  int64_t rows() const { return static_cast<int64_t>(w.size()) / stride; }
  // The first of the new rows.
  int32_t add_rows(int64_t count) {
    const int64_t first = rows();
    if (first + count > std::numeric_limits<int32_t>::max()) throw std::length_error("too many rows of weights");
    w.resize(size_t((first + count) * stride));
    if (learns_) sums.resize(w.size());
    return static_cast<int32_t>(first);
  }
  void add(int64_t cell, W change, Sum visits) {
    W& weight = w[size_t(cell)];
    weight = static_cast<W>(weight + change);
    largest = std::max(largest, std::abs(Sum(weight)));
    sums[size_t(cell)] += visits * Sum(change);
  }

 private:
  bool learns_;
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

// Calls make(type) with the narrowest type for weights up to `largest`.
template <class Make>
ChainTables in_narrowest(double largest, int64_t attributes, Make make) {
  if (largest <= largest_weight<int16_t>(attributes)) return make(int16_t{});
  if (largest <= largest_weight<int32_t>(attributes)) return make(int32_t{});
  return make(double{});
}

// The weights read(table, cell) of a table, in another type.
template <class To, class From, class Read>
ChainTable<To> converted(const From& from, Read read) {
  ChainTable<To> to(from.labels, false);
  to.add_rows(from.rows() - to.rows());
  for (int64_t row = 0; row < from.rows(); ++row)
    for (int64_t j = 0; j < from.labels; ++j)
      to.w[size_t(row * to.stride + j)] = static_cast<To>(read(from, size_t(row * from.stride + j)));
  return to;
}

enum class ChainReadout { last, average };

// What a chain has learned. Attribute k, known by keys[k], has rows[k] as its first row.
struct Chain {
  int64_t labels, attributes;  // attributes: the most that a token can have
  ChainTables table;
  std::vector<uint64_t> keys;
  std::vector<int32_t> rows;
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
    return std::visit(
        [&]<class From>(const From& from) -> ChainTables {
          const bool mean = readout == ChainReadout::average && visits > 0;
          const auto read = [&](const From& t, size_t cell) {
            using Sum = typename From::Sum;
            if (!mean) return Sum(t.w[cell]);
            if constexpr (std::is_integral_v<Sum>) return Sum(visits) * Sum(t.w[cell]) - t.sums[cell];
            return (Sum(visits) * Sum(t.w[cell]) - t.sums[cell]) / Sum(visits);
          };
          if constexpr (std::is_same_v<From, ChainTable<double>>) {
            return converted<double>(from, read);
          } else {
            int64_t largest = 0;
            for (size_t cell = 0; cell < from.w.size(); ++cell) largest = std::max(largest, std::abs(read(from, cell)));
            return in_narrowest(double(largest), attributes,
                                [&]<class To>(To) -> ChainTables { return converted<To>(from, read); });
          }
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
    if (integers) return ChainTable<int16_t>(labels, true);
    return ChainTable<double>(labels, true);
  }

  template <class To, class From>
  static ChainTable<To> widened(const From& from) {
    ChainTable<To> to(from.labels, true);
    to.add_rows(from.rows() - to.rows());
    to.largest = static_cast<typename ChainTable<To>::Sum>(from.largest);
    for (int64_t row = 0; row < from.rows(); ++row)
      for (int64_t j = 0; j < from.labels; ++j) {
        const auto here = size_t(row * from.stride + j), there = size_t(row * to.stride + j);
        to.w[there] = static_cast<To>(from.w[here]);
        to.sums[there] = static_cast<typename ChainTable<To>::Sum>(from.sums[here]);
      }
    return to;
  }
};

}  // namespace rosenblatt
