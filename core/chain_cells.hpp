// A chain as plain arrays, and back: all that answers and all that learning goes on from. Row k is of the attribute
// keys[k], for a bigram after the label before[k] (-1 for a unigram), and has counts[k] cells: a label, w and sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "chain_weights.hpp"

namespace rosenblatt {

template <class Sum>
struct ChainCells {
  std::vector<uint64_t> keys;
  std::vector<int32_t> before, counts, labels;
  std::vector<Sum> w, sums;
};

template <class W, class Sum = typename ChainTable<W>::Sum>
ChainCells<Sum> cells_of(const Chain& chain, const ChainTable<W>& table) {
  std::vector<std::pair<int64_t, Sum>> found;
  found.reserve(table.sums.size());
  table.sums.for_each([&](int64_t cell, Sum sum) { found.emplace_back(cell, sum); });
  std::sort(found.begin(), found.end());
  ChainCells<Sum> cells;
  for (const auto& [key, before] : chain.rows) {
    cells.keys.push_back(key);
    cells.before.push_back(before);
  }
  cells.counts.resize(chain.rows.size());
  for (const auto& [cell, sum] : found) {
    cells.counts[size_t(cell / chain.labels - 1)] += 1;
    cells.labels.push_back(static_cast<int32_t>(cell % chain.labels));
    cells.w.push_back(Sum(table.at(cell)));
    cells.sums.push_back(sum);
  }
  return cells;
}

// Arrays may come from a file: nothing of them is believed.
template <class Sum>
Chain chain_of(int64_t labels, int64_t attributes, int64_t visits, const ChainCells<Sum>& cells) {
  const auto insist = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const size_t rows = cells.keys.size();
  Chain chain(labels, attributes, std::is_integral_v<Sum>);
  insist(visits >= 0 && attributes >= 0, "visits and attributes must not be negative");
  insist(rows == cells.before.size() && rows == cells.counts.size(), "there must be one label before and count a key");
  insist(cells.labels.size() == cells.w.size() && cells.w.size() == cells.sums.size(),
         "cells must have a label, a weight and a sum");
  KeyMap known(rows);
  size_t total = 0;
  for (size_t k = 0; k < rows; ++k) {
    const int32_t before = cells.before[k], count = cells.counts[k];
    insist(before >= ChainRow::kNone && before < labels, "a label before must be a label or -1");
    insist(count >= 0 && size_t(count) <= cells.labels.size() - total, "counts must add up to the number of cells");
    total += size_t(count);
    const uint64_t key = joined(cells.keys[k], uint64_t(before + 1));
    insist(cells.keys[k] != 0 && key != 0, "keys must not be 0");
    insist(known.intern(key, static_cast<int32_t>(k)) == static_cast<int32_t>(k), "rows must be different");
  }
  insist(total == cells.labels.size(), "counts must add up to the number of cells");
  double largest = 0;
  for (const Sum w : cells.w) largest = std::max(largest, std::abs(double(w)));
  insist(largest <= 0x1p53 || !std::is_integral_v<Sum>, "weights must be within 2^53");
  while (
      !std::visit([&]<class W>(const ChainTable<W>&) { return largest <= largest_weight<W>(attributes); }, chain.table))
    chain.promote();
  std::visit(
      [&]<class W>(ChainTable<W>& table) {
        table.expect_rows(int64_t(rows));
        size_t cell = 0;
        for (size_t k = 0; k < rows; ++k) {
          chain.rows.push_back({cells.keys[k], cells.before[k]});
          const int64_t row = table.add_row();
          for (int32_t n = 0, last = -1; n < cells.counts[k]; ++n, ++cell) {
            insist(cells.labels[cell] > last && cells.labels[cell] < labels, "the labels of a row must rise");
            last = cells.labels[cell];
            table.w[size_t(row * table.stride + last)] = static_cast<W>(cells.w[cell]);
            table.sums.add(row * labels + last, static_cast<typename ChainTable<W>::Sum>(cells.sums[cell]));
          }
        }
        table.largest = static_cast<typename ChainTable<W>::Sum>(largest);
      },
      chain.table);
  chain.visits = visits;
  return chain;
}

}  // namespace rosenblatt
