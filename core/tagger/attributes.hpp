// Keys and their numbers: of the attributes of a sentence, and of a whole corpus, for training.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/growing.hpp"
#include "base/hash_table.hpp"
#include "sentences/templates.hpp"

namespace rosenblatt {

// A map from keys (not 0) to numbers.
class KeyMap {
 public:
  static constexpr int32_t kUnknown = -1;

  explicit KeyMap(size_t expected = 0) : slots_(expected) {}

  ROSENBLATT_INLINE void prefetch(uint64_t key) const { slots_.prefetch(key); }
  ROSENBLATT_INLINE int32_t find(uint64_t key) const { return slots_.find(key).number; }
  // The number of the key; `number` if it is new.
  int32_t intern(uint64_t key, int32_t number) {
    int32_t& of_key = slots_.add(key).number;
    if (of_key == kUnknown) of_key = number;
    return of_key;
  }
  size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = kUnknown;
    static uint64_t place(uint64_t key) { return key; }
  };
  HashTable<Slot> slots_;
};

// One map for unigrams and one for bigrams, whose numbers mean other things: no key is taken for one of the other kind.
class KeyMaps {
 public:
  // `before` has kNone for each unigram that is expected, something else for a bigram; further unigrams may come.
  KeyMaps(const std::vector<int32_t>& before, int32_t none, size_t further = 0)
      : KeyMaps(size_t(std::count(before.begin(), before.end(), none)) + further,
                size_t(std::ssize(before) - std::count(before.begin(), before.end(), none))) {}
  // So many of each are expected.
  KeyMaps(size_t unigrams, size_t bigrams) : unigrams_(unigrams), bigrams_(bigrams) {}
  ROSENBLATT_INLINE KeyMap& of(bool unigram) { return unigram ? unigrams_ : bigrams_; }
  ROSENBLATT_INLINE const KeyMap& of(bool unigram) const { return unigram ? unigrams_ : bigrams_; }

 private:
  KeyMap unigrams_, bigrams_;
};

// The numbers of the attributes of one sentence after the other. An attribute that looks at one text is looked up
// once for each text; one that looks at several, if they are of few, as tags are, once for each combination that comes;
// any other for each token.
class AttributeNumbers {
 public:
  // find(key, whether it is a unigram's) is the number of a key, or KeyMap::kUnknown.
  template <class Find>
  AttributeNumbers(const Keys& keys, Find find) : keys_(keys) {
    Interrupts interrupts;
    for_each_template([&](const Template& one, bool unigram, size_t) {
      auto& numbers = of_text_.emplace_back();
      if (one.pieces.size() != 1) return;
      for (const uint64_t key : keys.of_texts(one)) {
        interrupts.after(kWorkOfAKey);
        numbers.push_back(key == 0 ? KeyMap::kUnknown : find(key, unigram));
      }
    });
  }

  // What one thread needs.
  struct Scratch {
    std::vector<std::vector<int32_t>> texts;   // a column, a token
    std::vector<uint64_t> keys;                // a template, a token
    std::vector<std::vector<int32_t>> of_few;  // a template, a combination of few texts: a number, or kNotYet
    std::vector<int32_t> numbers;              // a token: its unigrams, its bigrams
    Interrupts interrupts;
  };

  // The numbers of a sentence, templates().size() a token.
  template <class Find>
  void of_sentence(int64_t sentence, const KeyMaps& maps, Find find, Scratch& scratch) const {
    const auto& starts = keys_.corpus().starts;
    const auto size = size_t(starts[size_t(sentence) + 1] - starts[size_t(sentence)]), width = of_text_.size();
    scratch.texts.resize(size_t(keys_.templates().columns()));
    for (size_t c = 0; c < scratch.texts.size(); ++c) keys_.texts_of(sentence, int32_t(c), scratch.texts[c]);
    scratch.keys.resize(width * size);
    scratch.numbers.resize(width * size);
    if (scratch.of_few.empty()) make_room_for_few(scratch);
    for_each_template([&](const Template& one, bool unigram, size_t k) {
      if (one.pieces.size() == 1) return;
      uint64_t* const keys = scratch.keys.data() + k * size;
      scratch.interrupts.after(int64_t(size));
      if (!scratch.of_few[k].empty()) return keys_.combinations_of(one, scratch.texts, int64_t(size), keys);
      keys_.of_tokens(one, scratch.texts, 0, int64_t(size), keys);
      for (size_t t = 0; t < size; ++t) maps.of(unigram).prefetch(keys[t]);
    });
    for_each_template([&](const Template& one, bool unigram, size_t k) {
      int32_t* const number = scratch.numbers.data() + k;
      if (one.pieces.size() == 1) {
        const auto [offset, view] = one.pieces[0];
        const auto column = size_t(keys_.templates().views[size_t(view)].column);
        const int32_t* const text = scratch.texts[column].data() + keys_.margin() + offset;
        scratch.interrupts.after(int64_t(size));
        for (size_t t = 0; t < size; ++t) number[t * width] = of_text_[k][size_t(text[t])];
        return;
      }
      const uint64_t* const keys = scratch.keys.data() + k * size;
      const auto found = [&](uint64_t key) {
        scratch.interrupts.after(kWorkOfAKey);
        return key == 0 ? KeyMap::kUnknown : find(key, unigram);
      };
      if (int32_t* const of_few = scratch.of_few[k].data(); of_few != nullptr) {
        for (size_t t = 0; t < size; ++t) {
          int32_t& known = of_few[keys[t]];
          if (known == kNotYet) {
            uint64_t key;
            keys_.of_tokens(one, scratch.texts, int64_t(t), int64_t(t + 1), &key);
            known = found(key);
          }
          number[t * width] = known;
        }
      } else {
        for (size_t t = 0; t < size; ++t) number[t * width] = found(keys[t]);
      }
    });
  }

  const Templates& templates() const { return keys_.templates(); }
  const Corpus& corpus() const { return keys_.corpus(); }

 private:
  static constexpr int64_t kWorkOfAKey = 16;
  static constexpr int32_t kNotYet = KeyMap::kUnknown - 1;

  // Few are no more than there are tokens: their room is then soon filled.
  void make_room_for_few(Scratch& scratch) const {
    const int64_t most = corpus().n_tokens();
    for_each_template([&](const Template& one, bool, size_t) {
      const int64_t count = one.pieces.size() == 1 ? 0 : keys_.combinations(one, most + 1);
      scratch.of_few.emplace_back(size_t(count <= most ? count : 0), kNotYet);
    });
  }

  // Calls work(template, whether it is a unigram, its place).
  template <class Work>
  void for_each_template(Work work) const {
    size_t k = 0;
    for (const auto& one : keys_.templates().unigrams) work(one, true, k++);
    for (const auto& one : keys_.templates().bigrams) work(one, false, k++);
  }

  const Keys& keys_;
  std::vector<std::vector<int32_t>> of_text_;  // a template, a text
};

// Lists of numbers, a token each: token t has numbers[first[t]] to numbers[first[t + 1]].
struct NumberLists {
  std::vector<int64_t> first{0};
  Growing<int32_t> numbers;

  // A further token has those of `count` numbers that are known.
  ROSENBLATT_INLINE void add_token(const int32_t* number, size_t count) {
    int32_t* const room = numbers.room(int64_t(count));
    int64_t known = 0;
    for (size_t k = 0; k < count; ++k) {
      room[known] = number[k];
      known += number[k] != KeyMap::kUnknown;
    }
    numbers.add(known);
    first.push_back(numbers.size());
  }
  void clear() {
    first.resize(1);
    numbers.shorten(0);
  }
  // Of `count` numbers, those that fewer than `least` places have are no longer listed.
  void drop_rare(size_t count, int64_t least) {
    std::vector<int32_t> places(count);
    for (const int32_t number : numbers) ++places[size_t(number)];
    int64_t kept = 0, from = 0;
    for (size_t t = 1; t < first.size(); ++t) {
      for (const int64_t to = first[t]; from < to; ++from)
        if (places[size_t(numbers[from])] >= least) numbers[kept++] = numbers[from];
      first[t] = kept;
    }
    numbers.shorten(kept);
    numbers.give_back();
  }
};

// The attributes of tokens. Unigrams and bigrams are numbered from 0 on, each for themselves.
struct Attributes {
  NumberLists unigrams, bigrams;

  void add_sentence(const AttributeNumbers::Scratch& scratch, const Templates& templates) {
    const size_t n_unigrams = templates.unigrams.size(), n_bigrams = templates.bigrams.size();
    const int32_t *number = scratch.numbers.data(), *const end = number + scratch.numbers.size();
    for (; number < end; number += n_unigrams + n_bigrams) {
      unigrams.add_token(number, n_unigrams);
      bigrams.add_token(number + n_unigrams, n_bigrams);
    }
  }

  Attributes() = default;
  // Numbers the attributes of a corpus; the keys get those that the maps did not know, which have the next numbers.
  Attributes(const Keys& source, KeyMaps& maps, std::vector<uint64_t>& unigram_keys,
             std::vector<uint64_t>& bigram_keys) {
    const auto number = [&](uint64_t key, bool unigram) {
      auto& keys = unigram ? unigram_keys : bigram_keys;
      if (keys.size() >= size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many attributes");
      auto& map = maps.of(unigram);
      const auto known = map.size();
      const int32_t found = map.intern(key, static_cast<int32_t>(keys.size()));
      if (map.size() > known) keys.push_back(key);
      return found;
    };
    for (auto* lists : {&unigrams, &bigrams}) lists->first.reserve(size_t(source.corpus().n_tokens() + 1));
    const AttributeNumbers numbers(source, number);
    AttributeNumbers::Scratch scratch;
    for (int64_t s = 0; s < source.corpus().n_sentences(); ++s) {
      numbers.of_sentence(s, maps, number, scratch);
      add_sentence(scratch, source.templates());
    }
  }
};

}  // namespace rosenblatt
