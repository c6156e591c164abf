// What may stand as a label where it is no number: a name of printable text, in UTF-8, without a colon.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "files/utf8.hpp"

namespace rosenblatt {

inline constexpr size_t kLongestLabel = 255;  // bytes: the labels of a file become an array of equally wide texts

// "nan", "inf", "infinity" in any case, with or without a sign: numbers to others, never a name here.
inline bool is_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.size() > 8) return false;
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// What is expected of a label that is no number, or null if `text` is a name as it should be. A byte order mark in
// the middle of a file, where two were joined, would make a name of a number.
inline const char* wanted_of_name(std::string_view text) {
  if (is_not_finite(text)) return "a finite number or a name as label";
  if (text.find(':') != text.npos || text.starts_with("\xef\xbb\xbf")) return "a label";
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) return "a label of printable text";
  if (!is_utf8(text)) return "a label in UTF-8";
  if (text.size() > kLongestLabel) return "a label of at most 255 bytes";
  return nullptr;
}

}  // namespace rosenblatt
