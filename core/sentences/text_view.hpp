// Views of a text, of which attributes are made: the text itself, in lower case, its first or last characters, its
// shape, and what it contains. A view that has nothing to show is empty. Characters are code points of UTF-8; a byte
// that is not part of one counts as a character. Case is known of Latin, Greek and Cyrillic letters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rosenblatt {

enum class View : uint8_t { text, lower, prefix, suffix, shape, digit, upper, hyphen };

// The bytes of the character that a text starts with.
inline size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size > text.size()) return 1;
  for (size_t k = 1; k < size; ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) return 1;
  return size;
}

// The lower case of a character; itself if it has none.
inline std::string lower_character(std::string_view character) {
  std::string lower(character);
  if (character.size() == 1 && character[0] >= 'A' && character[0] <= 'Z') {
    lower[0] = static_cast<char>(character[0] + 32);
  } else if (character.size() == 2) {
    const int high = static_cast<unsigned char>(character[0]) & 0x1f, low = static_cast<unsigned char>(character[1]);
    int point = high * 64 + (low & 0x3f);
    const bool odd_pairs = (point >= 0x139 && point <= 0x148) || (point >= 0x179 && point <= 0x17e);
    const bool even_pairs = (point >= 0x100 && point <= 0x177 && point != 0x130 && point != 0x131 && point != 0x138) ||
                            (point >= 0x460 && point <= 0x481) || (point >= 0x48a && point <= 0x4bf);
    if ((point >= 0xc0 && point <= 0xde && point != 0xd7) || (point >= 0x391 && point <= 0x3ab && point != 0x3a2) ||
        (point >= 0x410 && point <= 0x42f))
      point += 32;
    else if (point >= 0x400 && point <= 0x40f)
      point += 80;
    else if (point == 0x178)
      point = 0xff;
    else if (odd_pairs ? point % 2 == 1 : even_pairs && point % 2 == 0)
      point += 1;
    lower[0] = static_cast<char>(0xc0 | (point >> 6));
    lower[1] = static_cast<char>(0x80 | (point & 0x3f));
  }
  return lower;
}

inline std::string lower_text(std::string_view text) {
  std::string lower;
  for (; !text.empty(); text.remove_prefix(character_size(text)))
    lower += lower_character(text.substr(0, character_size(text)));
  return lower;
}

// X for an upper case letter, x for any other, d for a digit, a sign of ASCII as it is; a run counts once.
inline std::string shape_of(std::string_view text) {
  std::string shape;
  for (; !text.empty(); text.remove_prefix(character_size(text))) {
    const auto character = text.substr(0, character_size(text));
    const char first = character[0];
    const bool sign = character.size() == 1 && !(first >= 'a' && first <= 'z') && !(first >= 'A' && first <= 'Z');
    const bool digit = first >= '0' && first <= '9';
    const char kind = digit ? 'd' : sign ? first : lower_character(character) != character ? 'X' : 'x';
    if (shape.empty() || shape.back() != kind) shape += kind;
  }
  return shape;
}

// The first or the last `count` characters; nothing of a text that has fewer.
inline std::string_view affix(std::string_view text, int32_t count, bool first) {
  size_t characters = 0;
  for (auto rest = text; !rest.empty(); rest.remove_prefix(character_size(rest))) ++characters;
  const auto wanted = static_cast<size_t>(count);
  if (characters < wanted) return {};
  size_t bytes = 0;
  for (size_t k = 0; k < (first ? wanted : characters - wanted); ++k) bytes += character_size(text.substr(bytes));
  return first ? text.substr(0, bytes) : text.substr(bytes);
}

inline std::string view_of(std::string_view text, View view, int32_t count) {
  const auto yes = [](bool holds) { return std::string(holds ? "yes" : ""); };
  switch (view) {
    case View::text: return std::string(text);
    case View::lower: return lower_text(text);
    case View::prefix: return std::string(affix(text, count, true));
    case View::suffix: return std::string(affix(text, count, false));
    case View::shape: return shape_of(text);
    case View::digit: return yes(text.find_first_of("0123456789") != text.npos);
    case View::upper: return yes(lower_text(text) != text);
    case View::hyphen: return yes(text.find('-') != text.npos);
  }
  return {};
}

}  // namespace rosenblatt
