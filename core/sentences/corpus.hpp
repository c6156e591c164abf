// A corpus: sentences of tokens, a token a line of columns (word, part of speech, chunk, ...). The texts of a column
// are numbered as they come, so that all that follows works with 32-bit numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_table.hpp"

namespace rosenblatt {

// The spread of the bits of a 64-bit number (the finaliser of SplitMix64).
inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Bytes as a number, the first the lowest on every machine; compilers make one load of it.
template <int N>
uint64_t load_bytes(const char* p) {
  uint64_t word = 0;
  for (int k = 0; k < N; ++k) word |= uint64_t(static_cast<unsigned char>(p[k])) << (8 * k);
  return word;
}

inline uint64_t hash_text(std::string_view text) {
  const char *p = text.data(), *const end = p + text.size();
  uint64_t hash = text.size(), word = 0;
  for (; end - p > 8; p += 8) hash = mix(hash ^ load_bytes<8>(p)) + 0x9e3779b97f4a7c15;
  if (text.size() >= 8)
    word = load_bytes<8>(end - 8);
  else
    for (int k = 0; p + k != end; ++k) word |= load_bytes<1>(p + k) << (8 * k);
  return mix(hash ^ word);
}

// Texts and their numbers, 0, 1, 2, ... in the order of their first coming.
// A text of less than eight bytes is its own key, so that the most frequent ones are compared as one number.
class Texts {
 public:
  static constexpr int32_t kUnknown = -1;

  int32_t size() const { return static_cast<int32_t>(starts_.size() - 1); }
  std::string_view operator[](int32_t number) const {
    const auto k = static_cast<size_t>(number);
    return std::string_view(bytes_).substr(starts_[k], starts_[k + 1] - starts_[k]);
  }

  int32_t find(std::string_view text) const { return slot_of(text, key_of(text)).number; }

  // The number of a text, a new one if it is new.
  int32_t intern(std::string_view text) {
    const uint64_t key = key_of(text);
    const Slot& slot = slot_of(text, key);
    if (slot.number != kUnknown) return slot.number;
    if (starts_.size() > size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many texts");
    bytes_.append(text);
    starts_.push_back(bytes_.size());
    return slots_.add_at(slot, key).number = size() - 1;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = kUnknown;
    static uint64_t place(uint64_t key) { return (key ^ key >> 32) * 0x9e3779b97f4a7c15 >> 32; }
  };

  ROSENBLATT_INLINE const Slot& slot_of(std::string_view text, uint64_t key) const {
    return slots_.find(key, [&](const Slot& slot) { return text.size() < 8 || (*this)[slot.number] == text; });
  }

  // The highest byte is the length and one, 9 for all from 8 on: no key is 0.
  static uint64_t key_of(std::string_view text) {
    const char* const p = text.data();
    const size_t n = text.size();
    uint64_t bytes = 0;
    if (n >= 8)
      return (hash_text(text) & ~(uint64_t{0xff} << 56)) | uint64_t{9} << 56;
    else if (n >= 4)
      bytes = load_bytes<4>(p) | load_bytes<4>(p + n - 4) << (8 * (n - 4));
    else if (n > 0)
      bytes = load_bytes<1>(p) | load_bytes<1>(p + n / 2) << (8 * (n / 2)) | load_bytes<1>(p + n - 1) << (8 * (n - 1));
    return bytes | uint64_t{n + 1} << 56;
  }
  std::string bytes_;
  std::vector<size_t> starts_{0};
  HashTable<Slot> slots_;
};

// Token t of column c is the text columns[c].texts[columns[c].tokens[t]].
struct Column {
  Texts texts;
  std::vector<int32_t> tokens;
};

// Sentence s has the tokens starts[s] to starts[s + 1].
struct Corpus {
  std::vector<Column> columns;
  std::vector<int64_t> starts{0};

  int64_t n_tokens() const { return starts.back(); }
  int64_t n_sentences() const { return static_cast<int64_t>(starts.size()) - 1; }

  // Further sentences: these of another corpus of as many columns. Texts are numbered as they come.
  void add(const Corpus& from, const std::vector<int64_t>& sentences) {
    Interrupts interrupts;
    for (const int64_t s : sentences)
      starts.push_back(starts.back() + from.starts[size_t(s) + 1] - from.starts[size_t(s)]);
    for (size_t c = 0; c < columns.size(); ++c) {
      Column& column = columns[c];
      const auto& [texts, tokens] = from.columns[c];
      column.tokens.reserve(size_t(n_tokens()));
      std::vector<int32_t> number(size_t(texts.size()), Texts::kUnknown);
      for (const int64_t s : sentences) {
        interrupts.after(from.starts[size_t(s) + 1] - from.starts[size_t(s)]);
        for (int64_t t = from.starts[size_t(s)]; t < from.starts[size_t(s) + 1]; ++t) {
          const int32_t text = tokens[size_t(t)];
          if (number[size_t(text)] == Texts::kUnknown) number[size_t(text)] = column.texts.intern(texts[text]);
          column.tokens.push_back(number[size_t(text)]);
        }
      }
    }
  }
  // A corpus of these sentences.
  Corpus part(const std::vector<int64_t>& sentences) const {
    Corpus part;
    part.columns.resize(columns.size());
    part.add(*this, sentences);
    return part;
  }
};

}  // namespace rosenblatt
