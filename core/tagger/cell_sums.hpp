// Sums of a table of weights, one for each cell that was ever changed, of which there are few: most rows have changed
// for two or three of their labels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/hash_table.hpp"
#include "base/lane_bits.hpp"
#include "tagger/chain.hpp"

namespace rosenblatt {

// Cells by a hash of their place.
template <class Sum>
class HashedSums {
 public:
  // Returns the sum as it is then.
  Sum add(int64_t row, int64_t label, Sum change) {
    return slots_.add(uint64_t(row) << 15 | uint64_t(label)).sum += change;
  }
  // Calls work(row, label, sum) for each cell that was changed.
  template <class Work>
  void for_each(Work work) const {
    Interrupts interrupts;
    slots_.for_each([&](const Slot& slot) {
      interrupts.after(kWorkOfACell);
      work(int64_t(slot.key >> 15), static_cast<int32_t>(slot.key & 0x7fff), slot.sum);
    });
  }

 private:
  struct Slot {
    uint64_t key = 0;  // row 0 has no cells
    Sum sum = 0;
    static uint64_t place(uint64_t key) { return mix(key); }
  };
  HashTable<Slot> slots_;
};

// For cells that come as they will. The first few of a row lie in one cache line, which is known before its labels are:
// so it can be fetched in time. Few rows have more, and those are hashed.
template <class Sum>
class CellSums {
 public:
  // Returns the sum as it is then.
  ROSENBLATT_INLINE Sum add(int64_t row, int32_t label, Sum change) {
    if (size_t(row) >= rows_.size()) make_room(size_t(row) + 1);
    Row& first = rows_[size_t(row)];
    int k = first.place_of(static_cast<int16_t>(label));
    if (k == kLabels) {
      k = first.place_of(kNone);
      if (k == kLabels) return further_.add(row, label, change);
      if (k == 0) changed_[size_t(row) / 64] |= uint64_t{1} << (row % 64);
      first.labels[k] = static_cast<int16_t>(label);
    }
    return first.sums[k] += change;
  }
  // Room for more rows, so that they need not move; memory that is not written to is not used.
  void expect_rows(int64_t more) { rows_.reserve(rows_.size() + size_t(more)); }
  void prefetch(int64_t row) const { prefetch_line(rows_.data() + row); }
  // The rows that were changed, rising.
  std::vector<int32_t> changed() const {
    std::vector<int32_t> rows;
    for_each_row([&](size_t row) { rows.push_back(static_cast<int32_t>(row)); });
    return rows;
  }
  // No cell was changed.
  void clear() {
    for_each_row([&](size_t row) { rows_[row] = {}; });
    std::fill(changed_.begin(), changed_.end(), 0);
    further_ = {};
  }
  // Calls work(row, label, sum) for each cell that was changed.
  template <class Work>
  void for_each(Work work) const {
    Interrupts interrupts;
    for_each_row([&](size_t row) {
      const Row& first = rows_[row];
      interrupts.after(kWorkOfACell * kFirst);
      for (int k = 0; k < kFirst && first.labels[k] != kNone; ++k)
        work(int64_t(row), int32_t{first.labels[k]}, first.sums[k]);
    });
    further_.for_each(work);
  }

 private:
  typedef int16_t Labels __attribute__((vector_size(16)));
  static constexpr int kFirst = 6, kLabels = 8;
  static constexpr int16_t kNone = -1, kNever = -2;
  struct alignas(64) Row {
    Labels labels{kNone, kNone, kNone, kNone, kNone, kNone, kNever, kNever};
    Sum sums[kFirst] = {};

    // kLabels: there is no such label. All are compared at once: how far a loop goes could not be predicted.
    ROSENBLATT_INLINE int place_of(int16_t label) const {
      const uint32_t bits = bits_of<int16_t>(labels == label);
      return std::countr_zero(bits | uint32_t{1} << sizeof labels) / int(sizeof label);
    }
  };

  void make_room(size_t rows) {
    rows_.resize(rows);
    changed_.resize(rows / 64 + 1);
  }
  template <class Work>
  void for_each_row(Work work) const {
    for (size_t k = 0; k < changed_.size(); ++k)
      for (uint64_t bits = changed_[k]; bits != 0; bits &= bits - 1) work(64 * k + size_t(std::countr_zero(bits)));
  }

  std::vector<Row> rows_;
  std::vector<uint64_t> changed_;  // a bit for each row
  HashedSums<Sum> further_;
};

// For cells that come row by row: those of a row lie side by side, and different rows can be changed at once.
template <class Sum>
class RowSums {
 public:
  void expect_rows(int64_t rows) { rows_.resize(std::max(rows_.size(), size_t(rows))); }
  Sum add(int64_t row, int32_t label, Sum change) {
    expect_rows(row + 1);
    auto& cells = rows_[size_t(row)];
    auto cell = std::lower_bound(cells.begin(), cells.end(), label,
                                 [](const Cell& one, int32_t wanted) { return one.label < wanted; });
    if (cell == cells.end() || cell->label != label) cell = cells.insert(cell, {label, 0});
    return cell->sum += change;
  }
  void prefetch(int64_t row) const {
    if (size_t(row) < rows_.size()) prefetch_line(rows_[size_t(row)].data());
  }
  template <class Work>
  void for_each(Work work) const {
    Interrupts interrupts;
    for (size_t row = 0; row < rows_.size(); ++row) {
      interrupts.after(1 + kWorkOfACell * std::ssize(rows_[row]));
      for (const auto& [label, sum] : rows_[row]) work(int64_t(row), label, sum);
    }
  }

 private:
  struct Cell {
    int32_t label;
    Sum sum;
  };
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace rosenblatt
