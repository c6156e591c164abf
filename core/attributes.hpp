// Keys and their numbers, and the attributes of a corpus as numbers: for each token a list of them, for training.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "growing.hpp"
#include "lanes.hpp"
#include "templates.hpp"

namespace rosenblatt {

// A map from keys (not 0) to numbers. Open addressing, at most half full.
class KeyMap {
 public:
  static constexpr int32_t kUnknown = -1;

  explicit KeyMap(size_t expected = 0) { slots_.resize(room(expected)); }

  ROSENBLATT_INLINE void prefetch(uint64_t key) const { __builtin_prefetch(&slots_[key & (slots_.size() - 1)]); }
  ROSENBLATT_INLINE int32_t find(uint64_t key) const {
    for (size_t k = key;; ++k) {
      const Slot& slot = slots_[k & (slots_.size() - 1)];
      if (slot.key == key) return slot.number;
      if (slot.key == 0) return kUnknown;
    }
  }
  // The number of the key; `number` if it is new.
  int32_t intern(uint64_t key, int32_t number) {
    if (2 * size_ >= slots_.size()) grow();
    Slot& slot = place(key);
    if (slot.key == 0) {
      slot = {key, number};
      ++size_;
    }
    return slot.number;
  }
  size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = 0;
  };
  static size_t room(size_t expected) {
    size_t room = 64;
    while (room < 2 * expected) room *= 2;
    return room;
  }
  Slot& place(uint64_t key) {
    size_t k = key;
    while (slots_[k & (slots_.size() - 1)].key != key && slots_[k & (slots_.size() - 1)].key != 0) ++k;
    return slots_[k & (slots_.size() - 1)];
  }
  void grow() {
    std::vector<Slot> old(room(2 * size_ + 1));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) place(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

// Lists of numbers, a token each: token t has numbers[first[t]] to numbers[first[t + 1]].
struct NumberLists {
  std::vector<int64_t> first{0};
  Growing<int32_t> numbers;

  void end_token() { first.push_back(numbers.size()); }
};

// The attributes of all tokens. Unigrams and bigrams are numbered from 0 on, each for themselves.
struct Attributes {
  NumberLists unigrams, bigrams;

  // Numbers the attributes of a corpus; the keys get those that `map` did not know, which have the next numbers.
  Attributes(const Keys& source, KeyMap& map, std::vector<uint64_t>& unigram_keys, std::vector<uint64_t>& bigram_keys) {
    const auto& templates = source.templates();
    const auto n_tokens = size_t(source.corpus().n_tokens());
    unigrams.first.reserve(n_tokens + 1);
    bigrams.first.reserve(n_tokens + 1);
    Keys::Scratch scratch;
    for (int64_t s = 0; s < source.corpus().n_sentences(); ++s) {
      source.of_sentence(s, scratch);
      for (const uint64_t key : scratch.keys) map.prefetch(key);
      for (size_t at = 0; at < scratch.keys.size(); at += size_t(templates.size())) {
        const uint64_t* key = scratch.keys.data() + at;
        for (size_t k = 0; k < templates.unigrams.size(); ++k, ++key)
          if (*key != 0) unigrams.numbers.push(number(*key, map, unigram_keys));
        for (size_t k = 0; k < templates.bigrams.size(); ++k, ++key)
          if (*key != 0) bigrams.numbers.push(number(*key, map, bigram_keys));
        unigrams.end_token();
        bigrams.end_token();
      }
    }
  }

 private:
  static int32_t number(uint64_t key, KeyMap& map, std::vector<uint64_t>& keys) {
    if (keys.size() >= size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many attributes");
    const auto known = map.size();
    const int32_t found = map.intern(key, static_cast<int32_t>(keys.size()));
    if (map.size() > known) keys.push_back(key);
    return found;
  }
};

}  // namespace rosenblatt
