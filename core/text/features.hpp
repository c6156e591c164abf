// The features of texts: n-grams of words, and n-grams of characters inside of words, each a number, with how often it
// occurs. See plain_text.py for the same, plainly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/growing.hpp"
#include "base/interrupts.hpp"
#include "text/tokens.hpp"

namespace rosenblatt {

// N-grams of 1 to `ngrams` words have numbers below 2^bits, and parts of words, n-grams of `chars_least` to
// `chars_most` characters (0: none), as many numbers behind them.
struct TextShape {
  static constexpr int kMostBits = 29;
  int bits = 22, ngrams = 2, chars_least = 0, chars_most = 0;

  size_t size() const { return size_t{1} << (bits + (chars_most > 0)); }
  bool is_part(int32_t feature) const { return feature >> bits != 0; }
};

// Rows of features with their counts, in the order in which they occur first.
struct CountedTexts {
  Growing<float> counts;
  Growing<int32_t> features, starts;
};

// How often each number is in a list, by a table that a text of a few kilobytes keeps in the fastest cache.
class Counter {
 public:
  // Writes each number once, in the order of its first place, and its count; returns how many there are.
  ROSENBLATT_INLINE int64_t count(std::span<const uint32_t> numbers, int32_t* each, float* counts) {
    const size_t slots = std::bit_ceil(2 * numbers.size() + 1);
    if (slots > table_.size()) table_.resize(slots);
    std::fill_n(table_.begin(), slots, kFree);
    const uint64_t mask = slots - 1;
    int64_t n = 0;
    for (const uint32_t number : numbers) {
      uint64_t at = (uint64_t{number} * 0x9e3779b97f4a7c15) >> 32 & mask;
      while (table_[at] != kFree && uint32_t(table_[at]) != number) at = (at + 1) & mask;
      if (table_[at] == kFree) {
        table_[at] = uint64_t(n) << 32 | number;
        each[n] = static_cast<int32_t>(number);
        counts[n++] = 1;
      } else {
        counts[table_[at] >> 32] += 1;
      }
    }
    return n;
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  std::vector<uint64_t> table_;  // of a number that was seen: its place, and the number
};

class TextFeatures {
 public:
  explicit TextFeatures(const TextShape& shape) : shape_(shape) { texts_.starts.push(0); }

  // One more text; an exception names the byte that is not UTF-8, and the text then is not there.
  void add(std::string_view text) {
    interrupts_.after(int64_t(text.size()));
    const std::span<const uint32_t> found = find(text);
    const auto size = int64_t(found.size());
    if (size > std::numeric_limits<int32_t>::max() - texts_.features.size())
      throw std::overflow_error("the texts have more than 2^31 features: take fewer at once");
    int32_t* const features = texts_.features.room(size);
    float* const counts = texts_.counts.room(size);
    const int64_t n = counter_.count(found, features, counts);
    texts_.features.add(n);
    texts_.counts.add(n);
    texts_.starts.push(static_cast<int32_t>(texts_.features.size()));
  }

  // All texts so far; none is left.
  CountedTexts take() {
    CountedTexts taken = std::exchange(texts_, {});
    texts_.starts.push(0);
    for (Growing<int32_t>* part : {&taken.features, &taken.starts}) part->give_back();
    taken.counts.give_back();
    return taken;
  }
  int64_t size() const { return texts_.starts.size() - 1; }

  // A feature of a text, and where it stands in it.
  struct Place {
    int32_t feature;
    int64_t begin, end;
  };

  // Takes the features of the text out of `wanted`, and calls each(place) for those that were there, once for each.
  template <class Each>
  void take_out(std::string_view text, std::unordered_set<int32_t>& wanted, Each each) {
    interrupts_.after(int64_t(text.size()));
    find(text, [&](uint32_t number, const char* begin, const char* end) {
      const auto feature = static_cast<int32_t>(number);
      if (wanted.erase(feature) > 0) each(Place{feature, begin - text.data(), end - text.data()});
    });
  }

  std::vector<Place> places(std::string_view text) {
    std::vector<Place> places;
    find(text, [&](uint32_t number, const char* begin, const char* end) {
      places.push_back({static_cast<int32_t>(number), begin - text.data(), end - text.data()});
    });
    return places;
  }

 private:
  static constexpr uint64_t kBefore = 0xe7037ed1a0b428db, kAfter = 0x8ebc6af09c88c6e3;
  static constexpr int64_t kLongest = 64;  // characters of a word with its borders

  ROSENBLATT_INLINE uint32_t number(uint64_t hash) const { return static_cast<uint32_t>(hash >> (64 - shape_.bits)); }

  // Features of the text in the order of words, then those of characters.
  std::span<const uint32_t> find(std::string_view text) {
    found_.shorten(0);
    if (shape_.chars_most == 0 && shape_.ngrams == 2) return find_pairs(text);
    find(text, [&](uint32_t number, const char*, const char*) { found_.push(number); });
    return {found_.begin(), found_.end()};
  }

  // What the general way finds where n-grams are words and pairs of them, which is how most texts are read.
  std::span<const uint32_t> find_pairs(std::string_view text) {
    uint32_t* to = found_.room(2 * int64_t(text.size()));
    uint64_t before = 0;
    tokeniser_.for_each_token<false>(text, [&](const Token& token) ROSENBLATT_ALWAYS {
      *to++ = number(mix(before ^ kBefore, token.hash ^ kAfter));
      *to++ = number(token.hash);
      before = token.hash;
    });
    if (to == found_.data()) return {};
    return {found_.begin() + 1, static_cast<const uint32_t*>(to)};  // before the first word there is no pair
  }

  template <class Each>
  void find(std::string_view text, Each each) {
    tokens_.clear();
    words_.clear();
    if (shape_.chars_most == 0) {
      tokeniser_.for_each_token<false>(text, [&](const Token& token) { tokens_.push_back(token); });
    } else {
      tokeniser_.for_each_token<true>(text, [&](const Token& token, std::string_view folded) {
        tokens_.push_back(token);
        if (token.is_word) words_.append("<").append(folded).append(">");
      });
    }
    const size_t n = tokens_.size();
    for (size_t first = 0; first < n; ++first) {
      uint64_t hash = tokens_[first].hash;
      each(number(hash), tokens_[first].begin, tokens_[first].end);
      for (size_t last = first + 1; last < std::min(n, first + size_t(shape_.ngrams)); ++last) {
        hash = mix(hash ^ kBefore, tokens_[last].hash ^ kAfter);
        each(number(hash), tokens_[first].begin, tokens_[last].end);
      }
    }
    for (size_t t = 0, at = 0; t < n && at < words_.size(); ++t) {
      if (!tokens_[t].is_word) continue;
      const size_t end = words_.find('>', at) + 1;
      find_parts(std::string_view(words_).substr(at, end - at), tokens_[t], each);
      at = end;
    }
  }

  // The n-grams of characters of a word with its borders; each is said to stand where its word does.
  template <class Each>
  void find_parts(std::string_view word, const Token& token, Each each) {
    borders_.clear();
    for (size_t k = 0; k < word.size() && int64_t(borders_.size()) < kLongest; ++k)
      if ((word[k] & 0xc0) != 0x80) borders_.push_back(k);
    size_t end = word.size();
    if (int64_t(borders_.size()) == kLongest)
      for (end = borders_.back() + 1; end < word.size() && (word[end] & 0xc0) == 0x80;) ++end;
    const auto size = int64_t(borders_.size());
    borders_.push_back(end);
    const char* const readable = words_.data() + words_.size();
    for (int64_t first = 0; first < size; ++first) {
      const char* const begin = word.data() + borders_[size_t(first)];
      const uint64_t bytes = eight_bytes(begin, readable);
      for (int64_t many = shape_.chars_least; many <= std::min(int64_t{shape_.chars_most}, size - first); ++many) {
        const size_t length = borders_[size_t(first + many)] - borders_[size_t(first)];
        const uint64_t hash = length < 8 ? mix(kHashSeed ^ (bytes & ~(~uint64_t{0} << 8 * length)), kPartHash)
                                         : hash_of({begin, length}, kPartHash);
        each(number(hash) | uint32_t{1} << shape_.bits, token.begin, token.end);
      }
    }
  }

  TextShape shape_;
  CountedTexts texts_;
  Tokeniser tokeniser_;
  Counter counter_;
  Interrupts interrupts_;
  Growing<uint32_t> found_;
  std::vector<Token> tokens_;
  std::string words_;  // with their borders, if n-grams of characters are wanted
  std::vector<size_t> borders_;
};

}  // namespace rosenblatt
