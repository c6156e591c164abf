// The atoms of a text: what no token boundary is expected in. A run of letters, a run of digits, any other character
// alone, as are the letters of those who write without blanks. Between atoms is nothing, white space, or the end of a
// paragraph. A tagger then says of each atom what its end is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/interrupts.hpp"
#include "sentences/corpus.hpp"
#include "text/code_points.hpp"

namespace rosenblatt {

enum class Gap : uint8_t { none, blank, paragraph };
constexpr std::string_view kGapNames[] = {"none", "blank", "paragraph"};

// Where a paragraph ends: at an empty line, or at the end of each line.
enum class Paragraphs : uint8_t { empty_line, line };

// White space at the beginning of a text: its size in bytes, and what it is between two atoms.
struct WhiteSpace {
  size_t size = 0;
  Gap gap = Gap::none;
};

inline WhiteSpace white_space_of(std::string_view text, Paragraphs paragraphs) {
  const size_t before = text.size();
  int lines = 0;
  bool returned = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view at = rest;
    const uint32_t c = take_character(rest);
    if (!is_white_space(c)) {
      rest = at;
      break;
    }
    lines += c == 0x2028 || c == '\r' || (c == '\n' && !returned) ? 1 : c == 0x2029 ? 2 : 0;
    returned = c == '\r';
  }
  const size_t size = before - rest.size();
  const int needed = paragraphs == Paragraphs::line ? 1 : 2;
  return {size, size == 0 ? Gap::none : lines >= needed ? Gap::paragraph : Gap::blank};
}

// Atoms k is text[begin[k]] to text[end[k]], and gap[k] comes after it.
struct Atoms {
  std::vector<int64_t> begin, end;
  std::vector<uint8_t> gap;
  Corpus corpus;
};

class AtomReader {
 public:
  static constexpr size_t kLongestAtom = 256, kLongestPart = 24, kLongestChunk = 48;  // bytes
  enum Columns : uint8_t { kForm, kLower, kGap, kChunk, kLeft, kRight, kColumns };

  // A piece of a paragraph that has `most` atoms ends at the next white space, or when it has twice as many.
  AtomReader(Paragraphs paragraphs, int64_t most) : paragraphs_(paragraphs), most_(most) {
    atoms_.corpus.columns.resize(kColumns);
  }

  Atoms read(std::string_view text) {
    text_ = text;
    size_t at = white_space_of(text, paragraphs_).size;
    while (at < text.size()) {
      const size_t end = at + atom_size(text.substr(at));
      const auto [size, gap] = white_space_of(text.substr(end), paragraphs_);
      atoms_.begin.push_back(int64_t(at));
      atoms_.end.push_back(int64_t(end));
      atoms_.gap.push_back(uint8_t(end + size == text.size() ? Gap::paragraph : gap));
      interrupts_.after(kWorkOfAnAtom);
      at = end + size;
      const int64_t inside = int64_t(atoms_.begin.size()) - atoms_.corpus.starts.back();
      const bool ends =
          atoms_.gap.back() == uint8_t(Gap::paragraph) || inside >= 2 * most_ || (inside >= most_ && gap != Gap::none);
      if (gap != Gap::none || ends || at >= text.size() || int64_t(atoms_.begin.size()) - chunk_ >= kMostInChunk)
        end_chunk();
      if (ends) atoms_.corpus.starts.push_back(int64_t(atoms_.begin.size()));
    }
    return std::move(atoms_);
  }

 private:
  static constexpr int64_t kWorkOfAnAtom = 64, kMostInChunk = 64;
  enum class Class : uint8_t { letter, digit, alone, joined };

  static Class class_of(uint32_t c) {
    if (c < 0x80) {
      if (c >= '0' && c <= '9') return Class::digit;
      return (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? Class::letter : Class::alone;
    }
    const bool without_blanks = (c >= 0xe00 && c < 0xf00) || (c >= 0x1000 && c < 0x10a0) || (c >= 0x1780 && c < 0x1800);
    if (without_blanks) return Class::alone;
    const CharacterKind kind = characters().kind(c);
    return kind == CharacterKind::word ? Class::letter : kind == CharacterKind::skipped ? Class::joined : Class::alone;
  }

  static size_t atom_size(std::string_view text) {
    constexpr uint32_t kJoiner = 0x200d;  // between the pictures of which one is made, as a family of its members
    std::string_view rest = text;
    uint32_t before = take_character(rest);
    const Class first = class_of(before);
    while (!rest.empty() && text.size() - rest.size() < kLongestAtom) {
      const std::string_view at = rest;
      const uint32_t c = take_character(rest);
      const Class next = is_white_space(c) ? Class::alone : class_of(c);
      const bool goes_on = next == Class::joined || (before == kJoiner && !is_white_space(c));
      if (!goes_on && (next != first || first == Class::alone)) return text.size() - at.size();
      before = c;
    }
    return text.size() - rest.size();
  }

  void put(Columns column, std::string_view text) {
    auto& [texts, tokens] = atoms_.corpus.columns[column];
    tokens.push_back(texts.intern(text));
  }

  // The columns of the atoms of a chunk, which is what stands between white space.
  void end_chunk() {
    const auto first = size_t(chunk_), last = atoms_.begin.size();
    std::string chunk;  // in small letters, with 0 for each digit
    std::vector<size_t> ends;
    for (size_t k = first; k < last; ++k) {
      const auto form = text_.substr(size_t(atoms_.begin[k]), size_t(atoms_.end[k] - atoms_.begin[k]));
      lower_.clear();
      for (std::string_view rest = form; !rest.empty();) append_character(lower_, small_letter(take_character(rest)));
      put(kForm, form);
      put(kLower, lower_);
      put(kGap, kGapNames[atoms_.gap[k]]);
      for (const char c : lower_) chunk.push_back(c >= '0' && c <= '9' ? '0' : c);
      ends.push_back(chunk.size());
    }
    const bool alone = last - first == 1;
    const std::string_view whole = chunk;
    for (const size_t end : ends) {
      put(kChunk, whole.size() <= kLongestChunk ? whole : std::string_view());
      put(kLeft, alone ? std::string_view() : last_bytes(whole.substr(0, end)));
      put(kRight, alone ? std::string_view() : first_bytes(whole.substr(end)));
    }
    chunk_ = int64_t(last);
  }

  static bool is_inside(char c) { return (c & 0xc0) == 0x80; }
  static std::string_view first_bytes(std::string_view text) {
    size_t size = std::min(text.size(), kLongestPart);
    while (size > 0 && size < text.size() && is_inside(text[size])) --size;
    return text.substr(0, size);
  }
  static std::string_view last_bytes(std::string_view text) {
    size_t at = text.size() - std::min(text.size(), kLongestPart);
    while (at < text.size() && is_inside(text[at])) ++at;
    return text.substr(at);
  }

  Paragraphs paragraphs_;
  int64_t most_, chunk_ = 0;  // the first atom of the chunk
  std::string_view text_;
  std::string lower_;
  Atoms atoms_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
