// The weights of a parser while it learns: a hash table of rows, a row a key that was in a mistake. A row is a short
// list of cells, for of the hundred actions few ever have a weight beside one key. Rows that outgrow their room move to
// the end of the cells; what they leave behind is less than what they take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/hash_table.hpp"
#include "parser/parse_weights.hpp"

namespace rosenblatt {

class LearningTable {
 public:
  int64_t visits;  // that were ever made

  explicit LearningTable(const ParseWeights& from)
      : visits(from.visits),
        actions_(from.actions),
        templates_(from.templates),
        largest_(from.largest_weight()),
        slots_(from.keys.size()) {
    size_t cell = 0;
    for (size_t k = 0; k < from.keys.size(); ++k)
      for (int32_t n = 0; n < from.counts[k]; ++n, ++cell) {
        const size_t place = cell_of(from.keys[k], from.cell_actions[cell]);
        cells_[place].w = from.w[cell];
        sums_[place] = from.sums[cell];
      }
  }

  // The scores of all actions.
  ROSENBLATT_INLINE void score(const std::vector<uint64_t>& keys, std::vector<int32_t>& scores) {
    scores.assign(size_t(actions_), 0);
    found_.clear();
    for (const uint64_t key : keys) slots_.prefetch(key);
    for (const uint64_t key : keys) {
      const Slot& slot = slots_.find(key);
      if (slot.count == 0) continue;
      prefetch_line(&cells_[slot.first]);
      found_.push_back({slot.first, slot.count});
    }
    int32_t* const score = scores.data();
    for (const auto [first, count] : found_)
      for (const Cell *cell = &cells_[first], *const end = cell + count; cell < end; ++cell)
        score[cell->action] += cell->w;
  }

  // Adds `change` to the weight of an action for each of these keys.
  void add(const std::vector<uint64_t>& keys, int32_t action, int32_t change) {
    for (const uint64_t key : keys) {
      const size_t place = cell_of(key, action);
      int32_t& w = cells_[place].w;
      w += change;
      if (w > largest_ || w < -largest_) throw std::overflow_error("the weights are too large for their type");
      sums_[place] += visits * change;
    }
  }

  // What was learned, by rising keys.
  ParseWeights weights() const {
    ParseWeights weights(actions_, templates_);
    weights.visits = visits;
    std::vector<Slot> rows;
    rows.reserve(slots_.size());
    Interrupts interrupts;
    slots_.for_each([&](const Slot& slot) { rows.push_back(slot); });
    std::sort(rows.begin(), rows.end(), [&](const Slot& a, const Slot& b) {
      interrupts.after(1);
      return a.key < b.key;
    });
    std::vector<size_t> places;
    for (const Slot& row : rows) {
      interrupts.after(kWorkOfACell * row.count);
      places.clear();
      for (size_t k = row.first; k < size_t(row.first) + row.count; ++k) places.push_back(k);
      std::sort(places.begin(), places.end(), [&](size_t a, size_t b) { return cells_[a].action < cells_[b].action; });
      for (const size_t k : places) {
        weights.cell_actions.push_back(cells_[k].action);
        weights.w.push_back(cells_[k].w);
        weights.sums.push_back(sums_[k]);
      }
      weights.keys.push_back(row.key);
      weights.counts.push_back(row.count);
    }
    return weights;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t first = 0;
    uint16_t count = 0, room = 0;
    static uint64_t place(uint64_t key) { return key; }
  };
  struct Cell {
    int32_t w, action;
  };
  struct Found {
    uint32_t first, count;
  };

  // The place of a cell, which is made if it is not there.
  size_t cell_of(uint64_t key, int32_t action) {
    Slot& slot = slots_.add(key);
    for (size_t k = slot.first; k < size_t(slot.first) + slot.count; ++k)
      if (cells_[k].action == action) return k;
    if (slot.count == slot.room) move_to_end(slot);
    const size_t place = size_t(slot.first) + slot.count++;
    cells_[place] = {0, action};
    sums_[place] = 0;
    return place;
  }

  void move_to_end(Slot& slot) {
    const size_t first = cells_.size(), room = std::clamp(2 * size_t(slot.room), size_t{2}, size_t(actions_) + 1);
    if (first + room > std::numeric_limits<uint32_t>::max()) throw std::length_error("too many weights");
    cells_.resize(first + room);
    sums_.resize(first + room);
    std::copy_n(cells_.begin() + slot.first, slot.count, cells_.begin() + int64_t(first));
    std::copy_n(sums_.begin() + slot.first, slot.count, sums_.begin() + int64_t(first));
    slot.first = static_cast<uint32_t>(first);
    slot.room = static_cast<uint16_t>(room);
  }

  int32_t actions_;
  int64_t templates_;
  int32_t largest_;
  HashTable<Slot> slots_;
  std::vector<Cell> cells_;
  std::vector<int64_t> sums_;  // of each cell
  std::vector<Found> found_;
};

}  // namespace rosenblatt
