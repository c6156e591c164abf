// Text in UTF-8: how far it is, and the blanks at its ends.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace rosenblatt {

// How many bytes come before the first sequence that is not UTF-8.
inline size_t utf8_size(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    if (uint64_t bytes; text.size() - i >= 8) {
      std::memcpy(&bytes, text.data() + i, 8);
      if ((bytes & 0x8080808080808080) == 0) {
        i += 8;
        continue;
      }
    }
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1;
    if (more < 0 || text.size() - i <= static_cast<size_t>(more)) return i;
    uint32_t code = lead & (0x7fu >> more);
    for (int k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<size_t>(k)]);
      if ((next & 0xc0) != 0x80) return i;
      code = code << 6 | (next & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (surrogate || (more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10ffff))) return i;
    i += static_cast<size_t>(more) + 1;
  }
  return text.size();
}

inline bool is_utf8(std::string_view text) { return utf8_size(text) == text.size(); }

// How many characters a text in UTF-8 has.
inline size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (c & 0xc0) != 0x80;
  return count;
}

// The text without the blanks at its ends: the characters that Unicode calls white space, and ASCII's separators.
inline std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kLonger[] = {
      "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
      "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a",
      "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); };
  for (bool more = true; more && !text.empty();) {
    more = is_blank(text.front());
    if (more) text.remove_prefix(1);
    if (!more && (text.front() & 0x80))
      for (const std::string_view blank : kLonger)
        if (!more && (more = text.starts_with(blank))) text.remove_prefix(blank.size());
  }
  for (bool more = true; more && !text.empty();) {
    more = is_blank(text.back());
    if (more) text.remove_suffix(1);
    if (!more && (text.back() & 0x80))
      for (const std::string_view blank : kLonger)
        if (!more && (more = text.ends_with(blank))) text.remove_suffix(blank.size());
  }
  return text;
}

}  // namespace rosenblatt
