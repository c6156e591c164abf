// A corpus: sentences of tokens, a token a line of columns (word, part of speech, chunk, ...). The texts of a column
// are numbered as they come, so that all that follows works with 32-bit numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rosenblatt {

// The spread of the bits of a 64-bit number (the finaliser of SplitMix64).
inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

inline uint64_t hash_text(std::string_view text) {
  uint64_t hash = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    uint64_t word;
    __builtin_memcpy(&word, text.data(), 8);
    hash = mix(hash ^ word) + 0x9e3779b97f4a7c15;
  }
  uint64_t word = 0;
  if (!text.empty()) __builtin_memcpy(&word, text.data(), text.size());
  return mix(hash ^ word);
}

// Texts and their numbers, 0, 1, 2, ... in the order of their first coming. Open addressing, at most half full.
class Texts {
 public:
  static constexpr int32_t kUnknown = -1;

  int32_t size() const { return static_cast<int32_t>(starts_.size() - 1); }
  std::string_view operator[](int32_t number) const {
    const auto k = static_cast<size_t>(number);
    return std::string_view(bytes_).substr(starts_[k], starts_[k + 1] - starts_[k]);
  }

  int32_t find(std::string_view text) const {
    if (slots_.empty()) return kUnknown;
    for (size_t k = hash_text(text);; ++k) {
      const int32_t number = slots_[k & (slots_.size() - 1)];
      if (number == kUnknown || (*this)[number] == text) return number;
    }
  }

  // The number of a text, a new one if it is new.
  int32_t intern(std::string_view text) {
    if (const int32_t known = find(text); known != kUnknown) return known;
    if (starts_.size() > size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("too many texts");
    bytes_.append(text);
    starts_.push_back(bytes_.size());
    if (2 * starts_.size() > slots_.size())
      spread_out();
    else
      place(size() - 1);
    return size() - 1;
  }

 private:
  void spread_out() {
    size_t room = 64;
    while (room < 4 * starts_.size()) room *= 2;
    slots_.assign(room, kUnknown);
    for (int32_t number = 0; number < size(); ++number) place(number);
  }
  void place(int32_t number) {
    size_t k = hash_text((*this)[number]);
    while (slots_[k & (slots_.size() - 1)] != kUnknown) ++k;
    slots_[k & (slots_.size() - 1)] = number;
  }

  std::string bytes_;
  std::vector<size_t> starts_{0};
  std::vector<int32_t> slots_;
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
};

}  // namespace rosenblatt
