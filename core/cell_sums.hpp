// A sum for each cell that was ever changed, of which there are few: open addressing, at most half full.
#pragma once

#include <cstdint>
#include <vector>

#include "corpus.hpp"

namespace rosenblatt {

template <class Sum>
class CellSums {
 public:
  void add(int64_t cell, Sum change) {
    if (2 * size_ >= slots_.size()) grow();
    Slot& slot = place(cell);
    size_ += slot.cell == kEmpty;
    slot.cell = cell;
    slot.sum += change;
  }
  void prefetch(int64_t cell) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[start(cell)]);
  }
  size_t size() const { return size_; }
  template <class Work>
  void for_each(Work work) const {
    for (const Slot& slot : slots_)
      if (slot.cell != kEmpty) work(slot.cell, slot.sum);
  }

 private:
  static constexpr int64_t kEmpty = -1;
  struct Slot {
    int64_t cell = kEmpty;
    Sum sum = 0;
  };
  size_t start(int64_t cell) const { return mix(static_cast<uint64_t>(cell)) & (slots_.size() - 1); }
  Slot& place(int64_t cell) {
    size_t k = start(cell);
    while (slots_[k].cell != cell && slots_[k].cell != kEmpty) k = (k + 1) & (slots_.size() - 1);
    return slots_[k];
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.cell != kEmpty) place(slot.cell) = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace rosenblatt
