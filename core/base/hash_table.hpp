// A hash table of slots, each with a key that is not 0: open addressing, at most two thirds full.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rows.hpp"

namespace rosenblatt {

// A Slot has a `key`, which is 0 while the slot is free, and place(key), whose low bits say where the search begins:
// the key itself, if its bits are spread already.
template <class Slot>
class HashTable {
 public:
  explicit HashTable(size_t expected = 0) {
    size_t room = 64;
    while (room < 2 * expected) room *= 2;
    slots_.resize(room);
  }

  size_t size() const { return size_; }
  ROSENBLATT_INLINE void prefetch(uint64_t key) const {
    prefetch_line(&slots_[Slot::place(key) & (slots_.size() - 1)]);
  }

  // The slot of a key, or the free one where it would go. Where keys are not unique, `is_same` tells slots apart.
  ROSENBLATT_INLINE const Slot& find(uint64_t key) const {
    return find(key, [](const Slot&) { return true; });
  }
  template <class Same>
  ROSENBLATT_INLINE const Slot& find(uint64_t key, Same is_same) const {
    const size_t mask = slots_.size() - 1;
    size_t k = Slot::place(key) & mask;
    while (slots_[k].key != 0 && (slots_[k].key != key || !is_same(slots_[k]))) k = (k + 1) & mask;
    return slots_[k];
  }

  // The slot of a key, which is new if it was not there.
  Slot& add(uint64_t key) {
    Slot& slot = slots_[size_t(&find(key) - slots_.data())];
    return slot.key == 0 ? add_new(slot, key) : slot;
  }
  // `place` is the free slot that find() gave for this key.
  Slot& add_at(const Slot& place, uint64_t key) { return add_new(slots_[size_t(&place - slots_.data())], key); }

  // Calls work(slot) for each that is not free.
  template <class Work>
  void for_each(Work work) const {
    Interrupts interrupts;
    for (const Slot& slot : slots_) {
      interrupts.after(1);
      if (slot.key != 0) work(slot);
    }
  }

 private:
  Slot& add_new(Slot& free, uint64_t key) {
    free.key = key;
    if (3 * ++size_ <= 2 * slots_.size()) return free;
    Slot moved = free;
    free = {};
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) free_place(slot.key) = slot;
    return free_place(key) = moved;
  }
  Slot& free_place(uint64_t key) {
    return slots_[size_t(&find(key, [](const Slot&) { return false; }) - slots_.data())];
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace rosenblatt
