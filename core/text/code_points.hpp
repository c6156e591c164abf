// Characters of a text in UTF-8, one after the other, and back; and their case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "text/characters.hpp"

namespace rosenblatt {

// The first character of a text that is not empty and is UTF-8; the text then begins behind it.
inline uint32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  uint32_t c = size == 1 ? lead : lead & (0x7fu >> size);
  for (size_t k = 1; k < size; ++k) c = c << 6 | (static_cast<unsigned char>(text[k]) & 0x3fu);
  text.remove_prefix(size);
  return c;
}

inline void append_character(std::string& text, uint32_t c) {
  const auto put = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto more = [&](int shift) { put(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return put(c);
  put(c < 0x800 ? 0xc0 | c >> 6 : c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
  if (c >= 0x10000) more(12);
  if (c >= 0x800) more(6);
  more(0);
}

inline std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters.push_back(take_character(text));
  return characters;
}

inline std::string utf8_of(std::u32string_view characters) {
  std::string text;
  for (const char32_t c : characters) append_character(text, c);
  return text;
}

// The small letter of a capital, any other character as it is. Folding has one character for all that differ in case
// alone, which is the small letter but for these, which are small and fold to another.
inline uint32_t small_letter(uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  constexpr uint32_t kSmall[] = {0xb5,  0x17f, 0x345, 0x3c2, 0x3d0,  0x3d1, 0x3d5,
                                 0x3d6, 0x3f0, 0x3f1, 0x3f5, 0x1e9b, 0x1fbe};
  return std::find(std::begin(kSmall), std::end(kSmall), c) == std::end(kSmall) ? characters().fold(c) : c;
}

inline std::u32string small_letters(std::u32string text) {
  for (char32_t& c : text) c = small_letter(c);
  return text;
}

// White space: what Unicode calls so, and the mark of the byte order, which has no width.
inline bool is_white_space(uint32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 ||
         c == 0xfeff;
}

}  // namespace rosenblatt
