// The weights of a chain while it learns, with what averages them: a sum for each cell that was ever changed, of which
// there are few. Open addressing, at most two thirds full.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "chain/chain.hpp"

namespace rosenblatt {

template <class Sum>
class CellSums {
 public:
  // Returns the sum as it is then.
  Sum add(int64_t row, int64_t label, Sum change) {
    if (3 * size_ >= 2 * slots_.size()) move_to(std::max(2 * slots_.size(), size_t{64}));
    Slot& slot = slots_[find(key_of(row, label))];
    size_ += slot.key == 0;
    slot.key = key_of(row, label);
    return slot.sum += change;
  }
  // Room for more cells, so that they need not move.
  void expect(size_t cells) {
    size_t room = std::max(slots_.size(), size_t{64});
    while (2 * room < 3 * (size_ + cells)) room *= 2;
    move_to(room);
  }
  void prefetch(int64_t row, int64_t label) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[start(key_of(row, label))]);
  }
  // The sum of a cell, which must have been changed before.
  Sum at(int64_t row, int64_t label) const { return slots_[find(key_of(row, label))].sum; }
  // Calls work(row, label) for each cell that was changed.
  template <class Work>
  void for_each(Work work) const {
    Interrupts interrupts;
    for (const Slot& slot : slots_) {
      interrupts.after(1);
      if (slot.key == 0) continue;
      interrupts.after(Chain::kWorkOfACell);
      work(int64_t(slot.key >> 15), static_cast<int32_t>(slot.key & 0x7fff));
    }
  }

 private:
  struct Slot {
    uint64_t key = 0;  // row 0 has no cells
    Sum sum = 0;
  };
  static uint64_t key_of(int64_t row, int64_t label) { return uint64_t(row) << 15 | uint64_t(label); }
  size_t start(uint64_t key) const { return mix(key) & (slots_.size() - 1); }
  // The slot of a key, or the free one where it would go.
  size_t find(uint64_t key) const {
    size_t k = start(key);
    while (slots_[k].key != key && slots_[k].key != 0) k = (k + 1) & (slots_.size() - 1);
    return k;
  }
  void move_to(size_t room) {
    std::vector<Slot> old(room);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) slots_[find(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

template <class W>
struct AveragedTable : ChainTable<W> {
  using typename ChainTable<W>::Sum;
  CellSums<Sum> sums;

  AveragedTable(ChainTable<W> table, CellSums<Sum> sums) : ChainTable<W>(std::move(table)), sums(std::move(sums)) {}

  void add(int64_t row, int64_t label, W change, Sum visits) {
    ChainTable<W>::add(row, label, change);
    sums.add(row, label, visits * Sum(change));
  }
};

using AveragedTables = std::variant<AveragedTable<int16_t>, AveragedTable<int32_t>, AveragedTable<double>>;

// The last weights of a chain, and their sums.
inline AveragedTables averaged_table(const Chain& chain, Layout layout = Layout::dense) {
  return std::visit(
      [&]<class W>(ChainTable<W>&& table) -> AveragedTables {
        using Sum = typename ChainTable<W>::Sum;
        CellSums<Sum> sums;
        std::visit(
            [&](const auto& cells) {
              chain.for_each_cell(
                  [&](int64_t row, int32_t label, size_t k) { sums.add(row, label, static_cast<Sum>(cells.sums[k])); });
            },
            chain.cells);
        return AveragedTable<W>(std::move(table), std::move(sums));
      },
      chain.answers(ChainReadout::last, layout));
}

// The same table in the next wider type.
inline AveragedTables promoted(AveragedTables& tables) {
  return std::visit(
      []<class W>(AveragedTable<W>& table) -> AveragedTables {
        if constexpr (std::is_same_v<W, int16_t>) {
          auto wider = widened<int32_t>(table);  // may be ended
          return AveragedTable<int32_t>(std::move(wider), std::move(table.sums));
        } else {
          CellSums<double> sums;
          table.sums.for_each(
              [&](int64_t row, int32_t label) { sums.add(row, label, double(table.sums.at(row, label))); });
          return AveragedTable<double>(widened<double>(table), std::move(sums));
        }
      },
      tables);
}

// The cells of these rows of a table, for a chain that has their keys.
template <class W>
void put_cells(const AveragedTable<W>& table, const std::vector<int32_t>& rows, Chain& chain) {
  using Sum = typename ChainTable<W>::Sum;
  std::vector<int32_t> place(size_t(table.rows()), -1);
  for (size_t k = 0; k < rows.size(); ++k) place[size_t(rows[k])] = static_cast<int32_t>(k);
  const auto for_each_label = [&](auto work) {
    table.sums.for_each([&](int64_t row, int32_t label) {
      if (place[size_t(row)] >= 0) work(size_t(place[size_t(row)]), label);
    });
  };
  chain.counts.assign(rows.size(), 0);
  for_each_label([&](size_t k, int32_t) { ++chain.counts[k]; });
  std::vector<size_t> end(rows.size());
  size_t size = 0;
  for (size_t k = 0; k < rows.size(); size += size_t(chain.counts[k++])) end[k] = size;
  chain.cell_labels.resize(size);
  for_each_label([&](size_t k, int32_t label) { chain.cell_labels[end[k]++] = label; });
  ChainCells<Sum> cells;
  Interrupts interrupts;
  cells.w.reserve(size);
  cells.sums.reserve(size);
  for (size_t k = 0; k < rows.size(); ++k) {
    interrupts.after(Chain::kWorkOfACell * chain.counts[k]);
    const auto last = chain.cell_labels.begin() + int64_t(end[k]), first = last - chain.counts[k];
    std::sort(first, last);
    for (auto label = first; label < last; ++label) {
      cells.w.push_back(Sum(table.at(rows[k], *label)));
      cells.sums.push_back(table.sums.at(rows[k], *label));
    }
  }
  chain.cells = std::move(cells);
}

}  // namespace rosenblatt
