// What a chain has learned, at rest: the weights that were ever changed, row by row, as a model file has them.
// Averages are lazy, see readout.hpp: with sums = sum of visits * change, (visits * w - sums) / visits is the mean of
// the weights after each visit. Its numerator is an integer, and it is the numerator that answers.
// Weights that were mixed are fractions: cells then count `units` for a weight of 1, and are integers still.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/cells.hpp"
#include "base/rows.hpp"
#include "tagger/attributes.hpp"
#include "tagger/chain_table.hpp"

namespace rosenblatt {

// A weight that was ever changed, and its sum.
template <class Sum>
struct ChainCells {
  std::vector<Sum> w, sums;
};

// Row k is of the attribute with key keys[k], for a bigram after label before[k]. It has the next counts[k] cells,
// with rising labels. A cell of a unigram may also be of a part that labels share: see ChainTable.
struct Chain {
  static constexpr int32_t kNone = -1;                      // the label before of a unigram
  static constexpr int64_t kMostVisits = int64_t{1} << 48;  // so that more can be counted, and summed
  static constexpr int64_t kMostUnits = 1 << 20;

  int64_t labels, attributes;  // attributes: the most that a token can have
  int64_t units;               // w and sums are so many times the weights and their sums
  int64_t visits = 0;
  std::vector<int32_t> parts;  // of the labels; none, if they share nothing
  std::vector<uint64_t> keys;
  std::vector<int32_t> before, counts, cell_labels;
  std::variant<ChainCells<int64_t>, ChainCells<double>> cells;

  // Real steps need doubles from the start.
  Chain(int64_t labels, int64_t attributes, bool integers, int64_t units = 1, std::vector<int32_t> of_parts = {})
      : labels(labels), attributes(attributes), units(units), parts(std::move(of_parts)) {
    if (labels < 1 || labels > std::numeric_limits<int16_t>::max())
      throw std::invalid_argument("expected 1 to 32767 labels, found " + std::to_string(labels));
    if (!parts.empty()) check_parts();
    if (attributes < 0) throw std::invalid_argument("attributes must not be negative");
    if (units < 1 || units > kMostUnits) throw std::invalid_argument("units must be from 1 to 2^20");
    if (!integers) cells = ChainCells<double>();
  }

  // Calls work(row of a table, label, cell) for each cell.
  template <class Work>
  void for_each_cell(Work work) const {
    Interrupts interrupts;
    size_t cell = 0;
    for (size_t k = 0; k < keys.size(); ++k) {
      interrupts.after(1 + kWorkOfACell * counts[k]);
      for (int32_t n = 0; n < counts[k]; ++n, ++cell) work(int64_t(k + 1), cell_labels[cell], cell);
    }
  }

  // The weights that answer, times scale(), in the narrowest type: integers where the steps were.
  ChainTables answers(Readout readout, Layout layout = Layout::dense) const {
    return std::visit(
        [&]<class Sum>(const ChainCells<Sum>& of) {
          if (readout == Readout::last || visits == 0) return table_of(of.w, layout);
          std::vector<Sum> mean(of.w.size());
          for (size_t k = 0; k < mean.size(); ++k) {
            mean[k] = Sum(visits) * of.w[k] - of.sums[k];
            if constexpr (!std::is_integral_v<Sum>) mean[k] /= Sum(visits);
          }
          return table_of(mean, layout);
        },
        cells);
  }
  double scale(Readout readout) const {
    return double(units) * (readout == Readout::average && visits > 0 && cells.index() == 0 ? double(visits) : 1);
  }

  // How many weights are added up for a label of a token, at the most: one that is shared comes beside its own.
  int64_t most_added() const { return parts.empty() ? attributes : 2 * attributes; }

  void check() const {
    const size_t rows = keys.size(), n_cells = cell_labels.size();
    insist(visits >= 0 && visits <= kMostVisits, "visits must be from 0 to 2^48");
    insist(rows == before.size() && rows == counts.size(), "there must be one label before and count a key");
    std::visit(
        [&]<class Sum>(const ChainCells<Sum>& of) {
          insist(n_cells == of.w.size() && n_cells == of.sums.size(), "cells must have a label, a weight and a sum");
          const double w = largest_of(of.w), mean = double(visits) * w + largest_of(of.sums);
          if constexpr (std::is_integral_v<Sum>) {
            insist(w <= 0x1p53, "weights must be within 2^53");
            insist(mean < 0x1p62, "averages must be within 2^62");
          } else {  // so that no sum of a sentence is infinite or no number: sorting relies on it
            const bool finite =
                all_finite(of.w.data(), int64_t(n_cells)) && all_finite(of.sums.data(), int64_t(n_cells));
            insist(finite && w < 0x1p900 && mean < 0x1p900, "weights and averages must be numbers within 2^900");
          }
        },
        cells);
    const int64_t of_unigram = weights_of_a_row(labels, parts);
    KeyMap known(rows);
    Interrupts interrupts;
    size_t cell = 0;
    for (size_t k = 0; k < rows; ++k) {
      interrupts.after(kWorkOfACell);
      insist(before[k] >= kNone && before[k] < labels, "a label before must be a label or -1");
      const uint64_t key = joined(keys[k], uint64_t(before[k] + 1));
      insist(keys[k] != 0 && key != 0, "keys must not be 0");
      insist(known.intern(key, static_cast<int32_t>(k)) == static_cast<int32_t>(k), "rows must be different");
      insist(counts[k] >= 0 && size_t(counts[k]) <= n_cells - cell, "counts must add up to the number of cells");
      for (int32_t n = 0, last = -1; n < counts[k]; ++n, ++cell) {
        insist(cell_labels[cell] > last && cell_labels[cell] < (before[k] == kNone ? of_unigram : labels),
               "the labels of a row must rise");
        last = cell_labels[cell];
      }
    }
    insist(cell == n_cells, "counts must add up to the number of cells");
  }

 private:
  void check_parts() const {
    if (int64_t(parts.size()) != labels) throw std::invalid_argument("each label must have a part");
    for (const int32_t part : parts)
      if (part < 0 || part >= labels) throw std::invalid_argument("a part must be from 0 to the number of labels");
    if (weights_of_a_row(labels, parts) > std::numeric_limits<int16_t>::max())
      throw std::invalid_argument("expected at most 32767 labels and parts of them");
  }

  template <class Sum>
  static double largest_of(const std::vector<Sum>& values) {
    double largest = 0;
    for (const Sum value : values) largest = std::max(largest, std::abs(double(value)));
    return largest;
  }

  template <class Sum>
  ChainTables table_of(const std::vector<Sum>& values, Layout layout) const {
    const auto filled = [&]<class W>(ChainTable<W> table) -> ChainTables {
      table.resize(int64_t(keys.size() + 1));
      for_each_cell([&](int64_t row, int32_t label, size_t k) { table.set(row, label, static_cast<W>(values[k])); });
      return table;
    };
    if constexpr (std::is_integral_v<Sum>) {
      const double largest = largest_of(values);
      if (largest <= largest_weight<int16_t>(most_added())) return filled(ChainTable<int16_t>(labels, parts, layout));
      if (largest <= largest_weight<int32_t>(most_added())) return filled(ChainTable<int32_t>(labels, parts, layout));
    }
    return filled(ChainTable<double>(labels, parts, layout));
  }
};

}  // namespace rosenblatt
