// A chain as plain arrays, and back: all that answers and all that learning goes on from. Only cells that are not
// zero are listed. Attribute k, with the key keys[k], has counts[k] of them; the last `bigrams` attributes are bigrams.
// A cell's place is its label, and for a bigram the label before times the number of labels more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "attributes.hpp"
#include "chain_weights.hpp"

namespace rosenblatt {

template <class Sum>
struct ChainCells {
  int64_t bigrams = 0;
  std::vector<uint64_t> keys;
  std::vector<int32_t> counts, places;
  std::vector<Sum> w, sums;
};

template <class W, class Sum = typename ChainTable<W>::Sum>
ChainCells<Sum> cells_of(const Chain& chain, const ChainTable<W>& table) {
  ChainCells<Sum> cells;
  const auto block_size = [&](size_t k) {
    return (k + 1 < chain.rows.size() ? chain.rows[k + 1] : table.rows()) - chain.rows[k];
  };
  for (const bool bigrams : {false, true})
    for (size_t k = 0; k < chain.keys.size(); ++k) {
      if ((block_size(k) > 1) != bigrams) continue;
      const size_t before = cells.places.size();
      for (int64_t i = 0; i < block_size(k); ++i)
        for (int64_t j = 0; j < chain.labels; ++j) {
          const auto cell = size_t((chain.rows[k] + i) * table.stride + j);
          if (table.w[cell] == 0 && table.sums[cell] == 0) continue;
          cells.places.push_back(static_cast<int32_t>(i * chain.labels + j));
          cells.w.push_back(Sum(table.w[cell]));
          cells.sums.push_back(table.sums[cell]);
        }
      if (cells.places.size() == before) continue;
      cells.keys.push_back(chain.keys[k]);
      cells.counts.push_back(static_cast<int32_t>(cells.places.size() - before));
      cells.bigrams += bigrams;
    }
  return cells;
}

// Arrays may come from a file: nothing of them is believed.
template <class Sum>
Chain chain_of(int64_t labels, int64_t attributes, int64_t visits, const ChainCells<Sum>& cells) {
  const auto insist = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  Chain chain(labels, attributes, std::is_integral_v<Sum>);
  insist(visits >= 0 && attributes >= 0, "visits and attributes must not be negative");
  insist(cells.keys.size() == cells.counts.size(), "there must be one count a key");
  insist(cells.bigrams >= 0 && cells.bigrams <= int64_t(cells.keys.size()),
         "there must be at most as many bigrams as keys");
  insist(cells.places.size() == cells.w.size() && cells.w.size() == cells.sums.size(),
         "cells must have a place, a weight and a sum");
  int64_t total = 0;
  for (const int32_t count : cells.counts) {
    insist(count >= 0, "counts must not be negative");
    total += count;
  }
  insist(total == int64_t(cells.places.size()), "counts must add up to the number of cells");
  double largest = 0;
  for (const Sum w : cells.w) {
    if constexpr (std::is_integral_v<Sum>)
      insist(w >= -(int64_t{1} << 53) && w <= int64_t{1} << 53, "weights must be within 2^53");
    largest = std::max(largest, std::abs(double(w)));
  }
  while (
      chain.table.index() < 2 &&
      !std::visit([&]<class W>(const ChainTable<W>&) { return largest <= largest_weight<W>(attributes); }, chain.table))
    chain.promote();
  KeyMap known(cells.keys.size());
  std::visit(
      [&]<class W>(ChainTable<W>& table) {
        size_t cell = 0;
        for (size_t k = 0; k < cells.keys.size(); ++k) {
          insist(cells.keys[k] != 0, "keys must not be 0");
          insist(known.intern(cells.keys[k], int32_t(k)) == int32_t(k), "keys must be different");
          const int64_t block = k + size_t(cells.bigrams) < cells.keys.size() ? 1 : labels;
          chain.keys.push_back(cells.keys[k]);
          chain.rows.push_back(table.add_rows(block));
          for (int32_t n = 0; n < cells.counts[k]; ++n, ++cell) {
            const int64_t place = cells.places[cell];
            insist(place >= 0 && place < block * labels, "a place must be within its rows");
            const auto at = size_t((chain.rows[k] + place / labels) * table.stride + place % labels);
            table.w[at] = static_cast<W>(cells.w[cell]);
            table.sums[at] = static_cast<typename ChainTable<W>::Sum>(cells.sums[cell]);
          }
        }
        table.largest = static_cast<typename ChainTable<W>::Sum>(largest);
      },
      chain.table);
  chain.visits = visits;
  return chain;
}

}  // namespace rosenblatt
