// Rows of weights most of which are zero, as with hundreds of labels: a row lists the labels that it has weights for,
// and only once they are many is it written out, a weight for each label. Each row knows how large and how small its
// weights can be, which is what the search for the best labels leaves labels out by: see pruned_viterbi.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "base/lanes.hpp"
#include "base/rows.hpp"

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
class ListedRows {
 public:
  // Rows that are written out have this many weights: the labels, and zeros up to a whole part.
  explicit ListedRows(int64_t stride) : stride_(stride) {}

  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  // Further rows are zero.
  void resize(int64_t rows) { rows_.resize(size_t(rows)); }
  void reserve(int64_t rows) { rows_.reserve(size_t(rows)); }

  W at(int64_t row, int64_t label) const {
    const Row& of = rows_[size_t(row)];
    if (of.room == kWrittenOut) return written_[of.first + size_t(label)];
    const Cell* const cell = cells_.data() + of.first;
    for (int k = 0; k < of.size; ++k)
      if (cell[k].label == label) return cell[k].weight;
    return 0;
  }

  void set(int64_t row, int64_t label, W weight) {
    Row& of = rows_[size_t(row)];
    of.most = std::max(of.most, weight);
    of.least = std::min(of.least, weight);
    if (of.room != kWrittenOut) {
      Cell* const cell = cells_.data() + of.first;
      for (int k = 0; k < of.size; ++k)
        if (cell[k].label == label) {
          cell[k].weight = weight;
          return;
        }
      if (of.size == of.room) grow(of);
    }
    if (of.room == kWrittenOut)
      written_[of.first + size_t(label)] = weight;
    else
      cells_[of.first + of.size++] = {static_cast<uint16_t>(label), weight};
  }

  // Calls work(label, weight) for each weight of a row that is not zero.
  template <class Work>
  void for_each(int64_t row, Work work) const {
    const Row& of = rows_[size_t(row)];
    if (of.room == kWrittenOut) {
      for (int64_t j = 0; j < stride_; ++j)
        if (const W weight = written_[of.first + size_t(j)]; weight != 0) work(j, weight);
    } else {
      for (int k = 0; k < of.size; ++k)
        if (const Cell& cell = cells_[of.first + size_t(k)]; cell.weight != 0) work(int64_t(cell.label), cell.weight);
    }
  }

  ROSENBLATT_INLINE void add_to(W* out, int64_t row) const {
    const Row of = rows_[size_t(row)];
    if (of.room == kWrittenOut) {
      const W* const from = written_.data() + of.first;
      for (int64_t j = 0; j < stride_; j += kWidth<W>) {
        Part<W> total, part;
        load(total, out + j);
        load(part, from + j);
        store(out + j, total + part);
      }
    } else {
      const Cell* const cell = cells_.data() + of.first;
      for (int k = 0; k < of.size; ++k) out[cell[k].label] = static_cast<W>(out[cell[k].label] + cell[k].weight);
    }
  }
  ROSENBLATT_INLINE bool is_empty(int64_t row) const { return rows_[size_t(row)].room == 0; }
  // The weights of a row if it is written out; else nothing.
  ROSENBLATT_INLINE const W* written_out(int64_t row) const {
    const Row& of = rows_[size_t(row)];
    return of.room == kWrittenOut ? written_.data() + of.first : nullptr;
  }

  // No weight of a row is larger than `most`, none smaller than `least`.
  W most(int64_t row) const { return rows_[size_t(row)].most; }
  W least(int64_t row) const { return rows_[size_t(row)].least; }
  // While weights change these two only part; this draws them together again.
  void tighten() {
    for (Row& of : rows_) {
      of.most = of.least = 0;
      const auto see = [&](W weight) {
        of.most = std::max(of.most, weight);
        of.least = std::min(of.least, weight);
      };
      if (of.room == kWrittenOut)
        for (int64_t j = 0; j < stride_; ++j) see(written_[of.first + size_t(j)]);
      else
        for (int k = 0; k < of.size; ++k) see(cells_[of.first + size_t(k)].weight);
    }
  }

  ROSENBLATT_INLINE void prefetch_row(int64_t row) const { prefetch_line(rows_.data() + row); }
  // The weights; the row itself should be there already.
  ROSENBLATT_INLINE void prefetch(int64_t row) const {
    const Row& of = rows_[size_t(row)];
    if (of.room != kWrittenOut) prefetch_line(cells_.data() + of.first);
  }

 private:
  static constexpr uint16_t kMostListed = 16;  // more are added faster when they are written out
  static constexpr uint16_t kWrittenOut = std::numeric_limits<uint16_t>::max();

  struct Cell {
    uint16_t label;
    W weight;
  };
  // Of cells, or of weights that are written out: the place of the first. There is room for so many cells.
  struct Row {
    size_t first = 0;
    uint16_t size = 0, room = 0;
    W most = 0, least = 0;
  };

  // Rooms are of 2, 4, 8, ... cells; one that a row has left is taken by the next that needs as many.
  void grow(Row& row) {
    const Row old = row;
    if (old.room == kMostListed) {
      row.first = written_.size();
      written_.resize(written_.size() + size_t(stride_));
      for (int k = 0; k < old.size; ++k) {
        const Cell& cell = cells_[old.first + size_t(k)];
        written_[row.first + cell.label] = cell.weight;
      }
      row.room = kWrittenOut;
      row.size = 0;
    } else {
      row.room = old.room == 0 ? 2 : static_cast<uint16_t>(2 * old.room);
      auto& left = left_[place_of(row.room)];
      if (left.empty()) {
        row.first = cells_.size();
        cells_.resize(cells_.size() + row.room);
      } else {
        row.first = left.back();
        left.pop_back();
      }
      std::copy_n(cells_.begin() + int64_t(old.first), old.size, cells_.begin() + int64_t(row.first));
    }
    if (old.room > 0) left_[place_of(old.room)].push_back(old.first);
  }
  static size_t place_of(int room) { return size_t(room == 2 ? 0 : room == 4 ? 1 : room == 8 ? 2 : 3); }

  int64_t stride_;
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
  std::vector<W, Aligned<W>> written_;
  std::array<std::vector<size_t>, 4> left_;  // by room
};

}  // namespace rosenblatt
