// What may stand as a label where it is no number: a name of printable text, in UTF-8, without a colon.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rosenblatt {

inline constexpr size_t kLongestLabel = 255;  // bytes: the labels of a file become an array of equally wide texts

inline bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1;
    if (more < 0 || text.size() - i <= static_cast<size_t>(more)) return false;
    uint32_t code = lead & (0x7fu >> more);
    for (int k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<size_t>(k)]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (surrogate || (more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10ffff))) return false;
    i += static_cast<size_t>(more) + 1;
  }
  return true;
}

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
