// The tokens of a text in UTF-8 and their hashes: words without their case, and characters that stand alone.
// Eight bytes are looked at at once: most words are ASCII and shorter. See plain_text.py for the same, plainly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/lanes.hpp"
#include "files/utf8.hpp"
#include "text/characters.hpp"

namespace rosenblatt {

static_assert(std::endian::native == std::endian::little, "hashes are made of the bytes as they lie in memory");

constexpr uint64_t kHashSeed = 0x9e3779b97f4a7c15, kWordHash = 0xd6e8feb86659fd93, kPartHash = 0xa0761d6478bd642f;

// The two halves of a product, one over the other: every bit depends on all bits of both, for one multiplication.
// Of 338,109 different words and pairs of words of news, 13,269 would have a number of 2^22 that another one has too,
// if numbers were drawn by lot. By the upper 22 bits of this hash 13,300 have one, by the lower 13,356; of FNV-1a, a
// byte at a time, 27,857 and 13,239; of the product alone, without its upper half, 13,075 and 126,844.
ROSENBLATT_INLINE uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The eight bytes from p on, zeros behind the end.
ROSENBLATT_INLINE uint64_t eight_bytes(const char* p, const char* end) {
  uint64_t bytes = 0;
  if (end - p >= 8) [[likely]]
    std::memcpy(&bytes, p, 8);
  else
    for (int64_t k = 0; k < end - p; ++k) bytes |= uint64_t{static_cast<unsigned char>(p[k])} << 8 * k;
  return bytes;
}

// The hash of bytes, none of which is 0: in pieces of eight, the last one filled up with zeros.
inline uint64_t hash_of(std::string_view bytes, uint64_t seed) {
  uint64_t hash = kHashSeed;
  for (const char *p = bytes.data(), *end = p + bytes.size(); p < end; p += 8)
    hash = mix(hash ^ eight_bytes(p, end), seed);
  return hash;
}

struct Token {
  uint64_t hash;
  const char *begin, *end;  // in the text
  bool is_word;
};

// Eight bytes of ASCII: which of them belong to words, by their highest bits, and the letters in lower case.
struct AsciiWord {
  uint64_t within, lower;
  ROSENBLATT_INLINE explicit AsciiWord(uint64_t bytes) {
    constexpr uint64_t each = 0x0101010101010101, high = each * 0x80;
    const uint64_t ascii = ~bytes & high, low = bytes & ~high;
    const auto between = [&](uint64_t of, uint64_t first, uint64_t last) ROSENBLATT_ALWAYS {
      return (of + each * (0x80 - first)) & ~(of + each * (0x7f - last)) & ascii;
    };
    const uint64_t letters = between(low | each * 0x20, 'a', 'z');
    within = letters | between(low, '0', '9') | between(low, '_', '_');
    lower = bytes | letters >> 2;
  }
  ROSENBLATT_INLINE int length() const { return std::countr_one(within >> 7 | ~uint64_t{0x0101010101010101}) / 8; }
};

// The tokens of texts, one text after the other. `Folded`: each token comes with its folded characters.
class Tokeniser {
 public:
  // Calls each(Token), or with `Folded` each(Token, its characters).
  template <bool Folded, class Each>
  ROSENBLATT_INLINE void for_each_token(std::string_view text, Each each) {
    const char *p = text.data(), *const end = p + text.size();
    const auto tell = [&](uint64_t hash, const char* begin, bool is_word, std::string_view folded) ROSENBLATT_ALWAYS {
      if constexpr (Folded)
        each(Token{hash, begin, p, is_word}, folded);
      else
        each(Token{hash, begin, p, is_word});
    };
    while (p < end) {
      const char* const begin = p;
      uint64_t bytes = eight_bytes(p, end), hash = kHashSeed;
      AsciiWord ascii(bytes);
      int length = ascii.length();
      if (Folded) folded_.clear();
      const auto take = [&](uint64_t lower) ROSENBLATT_ALWAYS {
        hash = mix(hash ^ lower, kWordHash);
        if (Folded) folded_.append(reinterpret_cast<const char*>(&lower), size_t(length));
        p += length;
      };
      while (length == 8) {
        take(ascii.lower);
        ascii = AsciiWord(bytes = eight_bytes(p, end));
        length = ascii.length();
      }
      const bool goes_on = bytes >> 8 * length & 0x80;  // by a character that is not ASCII
      if (!goes_on && (length > 0 || p > begin)) {
        if (length > 0) take(ascii.lower & ~(~uint64_t{0} << 8 * length));
        tell(hash, begin, true, folded_);
        p += p < end && *p == ' ';
      } else if (goes_on) {
        p = begin;
        const bool is_word = read_characters(p, end, text);
        if (!folded_.empty()) tell(hash_of(folded_, kWordHash), begin, is_word, folded_);
      } else {
        ++p;
        if (bytes = bytes & 0xff; is_sign(bytes)) {
          const auto sign = static_cast<char>(bytes);
          tell(mix(kHashSeed ^ bytes, kWordHash), begin, false, {&sign, 1});
        }
      }
    }
  }

 private:
  static ROSENBLATT_INLINE bool is_sign(uint64_t ascii) { return ascii > ' ' && ascii < 0x7f; }

  // One token from p on, or what is none: whether it is a word; `folded_` is empty if there is no token.
  [[gnu::noinline]] bool read_characters(const char*& p, const char* end, std::string_view text) {
    folded_.clear();
    while (p < end) {
      const char* const at = p;
      const uint32_t c = read_character(p, end, text);
      const CharacterKind kind = all_.kind(c);
      if (kind == CharacterKind::skipped) continue;
      if (kind != CharacterKind::word && !folded_.empty()) {
        p = at;
        return true;
      }
      if (kind != CharacterKind::blank) write_character(all_.fold(c));
      if (kind != CharacterKind::word) return false;
    }
    return true;
  }

  // The character at p, which goes behind it.
  static uint32_t read_character(const char*& p, const char* end, std::string_view text) {
    const auto lead = static_cast<unsigned char>(*p);
    if (lead < 0x80) return static_cast<unsigned char>(*p++);
    const int64_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const std::string_view bytes(p, size_t(std::min<int64_t>(size, end - p)));
    if (utf8_size(bytes) < bytes.size() || int64_t(bytes.size()) < size) refuse_bytes(p, text);
    uint32_t c = lead & (0x7fu >> size);
    for (const char next : bytes.substr(1)) c = c << 6 | (static_cast<unsigned char>(next) & 0x3fu);
    p += size;
    return c;
  }

  void write_character(uint32_t c) {
    const auto put = [&](uint32_t byte) { folded_.push_back(static_cast<char>(byte)); };
    const auto more = [&](int shift) { put(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) return put(c);
    put(c < 0x800 ? 0xc0 | c >> 6 : c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
    if (c >= 0x10000) more(12);
    if (c >= 0x800) more(6);
    more(0);
  }

  [[noreturn]] static void refuse_bytes(const char* p, std::string_view text) {
    char found[] = "0x00";
    const auto byte = static_cast<unsigned char>(*p);
    found[2] = "0123456789abcdef"[byte >> 4];
    found[3] = "0123456789abcdef"[byte & 15];
    const auto place = std::to_string(p - text.data() + 1);
    throw std::invalid_argument("byte " + place + ": expected UTF-8, found " + found);
  }

  const Characters& all_ = characters();
  std::string folded_;
};

}  // namespace rosenblatt
