// What a character does to the words of a text, and the character that stands for it in any case.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "text/unicode_table.hpp"

namespace rosenblatt {

// A blank ends a word; a character that stands alone is a token: signs, and Chinese and Japanese characters, between
// which there are no blanks; what is skipped is not there: characters that only say how others are to be shown.
enum class CharacterKind : uint8_t { blank, word, alone, skipped };

// All characters, in pages of 256, of which most are equal.
class Characters {
 public:
  Characters() {
    std::vector<Entry> all(kCharacters);
    constexpr size_t ranges = std::size(kKindRanges);
    for (size_t r = 0; r < ranges; ++r)
      for (uint32_t c = kKindRanges[r].first; c < (r + 1 < ranges ? kKindRanges[r + 1].first : kCharacters); ++c)
        all[c].kind = static_cast<CharacterKind>(kKindRanges[r].kind);
    for (const FoldRun& run : kFoldRuns)
      for (uint32_t c = run.first; c <= run.last; c += run.step) all[c].delta = run.delta;
    for (uint32_t page = 0; page < page_.size(); ++page) {
      const auto first = all.begin() + page * kPage;
      size_t at = 0;
      while (at < entries_.size() && !std::equal(first, first + kPage, entries_.begin() + std::ptrdiff_t(at)))
        at += kPage;
      if (at == entries_.size()) entries_.insert(entries_.end(), first, first + kPage);
      page_[page] = static_cast<uint32_t>(at);
    }
  }

  CharacterKind kind(uint32_t c) const { return entry(c).kind; }
  uint32_t fold(uint32_t c) const { return static_cast<uint32_t>(static_cast<int32_t>(c) + entry(c).delta); }

 private:
  static constexpr uint32_t kCharacters = 0x110000, kPage = 256;
  struct Entry {
    int32_t delta = 0;
    CharacterKind kind = CharacterKind::blank;
    bool operator==(const Entry&) const = default;
  };
  const Entry& entry(uint32_t c) const { return entries_[page_[c / kPage] + c % kPage]; }

  std::array<uint32_t, kCharacters / kPage> page_{};
  std::vector<Entry> entries_;
};

// Made when it is needed first.
inline const Characters& characters() {
  static const Characters all;
  return all;
}

}  // namespace rosenblatt
