// The weights of a parser that answers: 16 bits each, in units that the largest of them still fits. Averages are
// rounded to these units by whole numbers, so that every machine has the same ones. A row with few weights is a list of
// actions and weights, another one has a weight for every action.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hash_table.hpp"
#include "parser/parse_weights.hpp"

namespace rosenblatt {

class AnsweringTable {
 public:
  AnsweringTable(const ParseWeights& from, Readout readout)
      : actions_(from.actions),
        templates_(from.templates),
        stride_((size_t(from.actions) + kPad - 1) / kPad * kPad),
        rows_(from.keys.size()) {
    int64_t largest = 0;
    for (size_t cell = 0; cell < from.w.size(); ++cell)
      largest = std::max(largest, std::abs(from.answer(cell, readout)));
    // 2^31 / templates at the most, so that scores fit 32 bits.
    const int64_t most = std::min(kMost, (int64_t{1} << 30) / from.templates);
    const int64_t unit = (largest + most - 1) / std::max(most, int64_t{1}) + (largest == 0);
    Interrupts interrupts;
    std::vector<Cell> row;
    size_t cell = 0;
    for (size_t k = 0; k < from.keys.size(); ++k) {
      interrupts.after(kWorkOfACell * (1 + from.counts[k]));
      row.clear();
      for (int32_t n = 0; n < from.counts[k]; ++n, ++cell)
        if (const int64_t w = rounded(from.answer(cell, readout), unit); w != 0)
          row.push_back({static_cast<int16_t>(w), static_cast<uint16_t>(from.cell_actions[cell])});
      if (!row.empty()) put(from.keys[k], row);
    }
  }

  // Numbers of scores that there must be room for.
  size_t stride() const { return stride_; }
  int32_t actions() const { return actions_; }
  int64_t templates() const { return templates_; }

  // What one thread needs.
  struct Scratch {
    std::vector<uint32_t> found;
    std::vector<int32_t> scores;
  };

  // The scores of all actions.
  ROSENBLATT_INLINE void score(const std::vector<uint64_t>& keys, Scratch& scratch) const {
    for (const uint64_t key : keys) rows_.prefetch(key);
    scratch.scores.assign(stride_, 0);
    if (scratch.found.size() < keys.size()) scratch.found.resize(keys.size());
    uint32_t* const found = scratch.found.data();
    size_t count = 0;
    for (const uint64_t key : keys) {
      const Slot& slot = rows_.find(key);
      if (slot.key == 0) continue;
      const uint32_t row = slot.row;
      prefetch_line(row & kDense ? static_cast<const void*>(&dense_[(row ^ kDense) * stride_])
                                 : static_cast<const void*>(&cells_[row]));
      found[count++] = row;
    }
    int32_t* const score = scratch.scores.data();
    for (size_t k = 0; k < count; ++k) {
      if (found[k] & kDense) {
        const int16_t* const w = &dense_[(found[k] ^ kDense) * stride_];
        for (size_t a = 0; a < stride_; ++a) score[a] += w[a];
      } else {
        // The first cell has the number of the others.
        const Cell* const row = &cells_[found[k]];
        for (int32_t n = 1; n <= row->w; ++n) score[row[n].action] += row[n].w;
      }
    }
  }

 private:
  static constexpr size_t kPad = 16;
  static constexpr int64_t kMost = 0x7fff;
  static constexpr uint32_t kDense = uint32_t{1} << 31;
  struct Slot {
    uint64_t key = 0;
    uint32_t row = 0;
    static uint64_t place(uint64_t key) { return key; }
  };
  struct Cell {
    int16_t w;
    uint16_t action;
  };

  static int64_t rounded(int64_t value, int64_t unit) { return (value + (value < 0 ? -unit : unit) / 2) / unit; }

  void put(uint64_t key, const std::vector<Cell>& row) {
    uint32_t& place = rows_.add(key).row;
    if (row.size() * 3 > stride_) {
      place = static_cast<uint32_t>(dense_.size() / stride_) | kDense;
      dense_.resize(dense_.size() + stride_);
      for (const Cell& cell : row) dense_[dense_.size() - stride_ + cell.action] = cell.w;
    } else {
      place = static_cast<uint32_t>(cells_.size());
      cells_.push_back({static_cast<int16_t>(row.size()), 0});
      cells_.insert(cells_.end(), row.begin(), row.end());
    }
  }

  int32_t actions_;
  int64_t templates_;
  size_t stride_;
  HashTable<Slot> rows_;
  std::vector<Cell> cells_;
  std::vector<int16_t> dense_;
};

}  // namespace rosenblatt
