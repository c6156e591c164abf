// Decimal text to the nearest float or double, exactly rounded, and back: the shortest text that reads as the same.
// Fast where it can be proven exact (Clinger 1990): with a mantissa up to 2^53 and a power of ten up to 22 both are
// doubles, so that one division or product rounds once. A float is that double rounded again, which is right unless
// the double lies halfway between two floats. All else, few numbers in practice, is left to the standard library.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace rosenblatt {

static_assert(FLT_EVAL_METHOD == 0, "the fast path needs doubles that are rounded at each operation");

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

inline constexpr std::array<uint64_t, 8> kPowersOfTen = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

// The number that eight bytes of 0 to 9 stand for, the first digit in the lowest.
inline uint64_t eight_digits(uint64_t bytes) {
  bytes = bytes * 10 + (bytes >> 8);  // pairs
  constexpr uint64_t kPairs = 0x000000ff000000ff;
  return ((bytes & kPairs) * 0x000f424000000064 + ((bytes >> 16) & kPairs) * 0x0000271000000001) >> 32;
}

// The eight bytes at p, digits as 0 to 9; any other byte becomes more than 9.
inline uint64_t bytes_at(const char* p) {
  uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  return bytes ^ 0x3030303030303030;
}

// The high bit of each byte that is no digit; what carries over disturbs only the bytes after the first of them.
inline uint64_t no_digits(uint64_t bytes) { return ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080; }

// How many digits come first, up to seven, if `others` is what no_digits says.
inline unsigned count_digits(uint64_t others) {
  return static_cast<unsigned>(std::countr_zero(others | uint64_t{1} << 63)) / 8;
}

inline constexpr int kManyDigits = 8;

// Reads the digits at p as a number and returns how many they are, without a branch on that. Of eight or more it reads
// eight, and returns kManyDigits. Eight bytes must be readable.
inline int few_digits(const char* p, uint64_t& number) {
  const uint64_t bytes = bytes_at(p), others = no_digits(bytes);
  if (others == 0) {
    number = eight_digits(bytes);
    return kManyDigits;
  }
  const auto count = static_cast<int>(count_digits(others));
  number = eight_digits(bytes << (56 - 8 * count) << 8);  // zeros come in before the digits
  return count;
}

// Reads the digits at p as further digits of `value`, which wraps beyond 19 of them: the caller counts. The byte before
// `end` is no digit.
inline const char* read_digits(const char* p, const char* end, uint64_t& value) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - p >= 8) {
      uint64_t number;
      const int count = few_digits(p, number);
      p += count;
      if (count < kManyDigits) {
        value = value * kPowersOfTen[static_cast<size_t>(count)] + number;
        return p;
      }
      value = value * 100000000 + number;
    }
  }
  for (; is_digit(*p); ++p) value = value * 10 + static_cast<uint64_t>(*p - '0');
  return p;
}

// mantissa * 10^exponent where this is sure to be exactly rounded; false: unknown.
inline bool scale(uint64_t mantissa, int64_t exponent, double& value) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (mantissa > uint64_t{1} << 53 || exponent < -22 || exponent > 22) return false;
  value = static_cast<double>(mantissa);
  value = exponent < 0 ? value / kPowers[-exponent] : value * kPowers[exponent];
  return true;
}

inline bool scale(uint64_t mantissa, int64_t exponent, float& value) {
  static constexpr float kPowers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  if (mantissa <= uint64_t{1} << 24 && exponent <= 0 && exponent >= -10) {
    value = static_cast<float>(static_cast<int32_t>(mantissa)) / kPowers[-exponent];
    return true;
  }
  double wide;
  if (!scale(mantissa, exponent, wide)) return false;
  constexpr uint64_t kBelowFloat = (uint64_t{1} << 29) - 1, kHalfway = uint64_t{1} << 28;
  if ((std::bit_cast<uint64_t>(wide) & kBelowFloat) == kHalfway) return false;
  value = static_cast<float>(wide);  // zero, or from 10^-22 to 10^38, where floats have all their digits
  return true;
}

// By the standard library: libc++, before version 20, has std::from_chars for integers only, and strtod minds the
// locale. The text begins with a digit or a point.
template <class T>
[[gnu::noinline]] std::from_chars_result from_text(const char* first, const char* last, T& value) {
  if constexpr (requires { std::from_chars(first, last, value); }) {
    return std::from_chars(first, last, value);
  } else {
    std::string text(first, std::find_if_not(first, last, [](char c) {
                       return is_digit(c) || std::string_view(".eE+-").find(c) != std::string_view::npos;
                     }));
    const size_t point = text.find('.');
    const std::string_view local = std::localeconv()->decimal_point;
    if (point != std::string::npos) text.replace(point, 1, local);
    char* end = nullptr;
    if constexpr (std::is_same_v<T, float>)
      value = std::strtof(text.c_str(), &end);
    else
      value = std::strtod(text.c_str(), &end);
    const auto read = size_t(end - text.c_str());
    const size_t longer = point < read ? local.size() - 1 : 0;
    return {first + (read - longer), std::isfinite(value) ? std::errc() : std::errc::result_out_of_range};
  }
}

// The standard library may say "out of range" of what is too large and of what rounds to zero alike; `exponent` is that
// of the first digit that is not zero. False: too large.
template <class T>
bool scale_any(const char* first, const char* last, int64_t exponent, T& value) {
  const auto result = from_text(first, last, value);
  if (result.ec == std::errc()) return std::isfinite(value);
  value = 0;
  return exponent < 0;
}

// The power of ten at p, which is 'e' or 'E', if digits follow; beyond 10^15 all are the same.
[[gnu::noinline]] inline const char* read_exponent(const char* p, int64_t& exponent) {
  const char* digit = p + 1;
  const bool negative = *digit == '-';
  digit += *digit == '-' || *digit == '+';
  if (!is_digit(*digit)) return p;
  int64_t power = 0;
  for (; is_digit(*digit); ++digit)
    if (power < 1'000'000'000'000'000) power = power * 10 + (*digit - '0');
  exponent += negative ? -power : power;
  return digit;
}

// The number at p: a sign, digits with or without a point, a power of ten. Returns where it ends, or null if there is
// none or it is too large. "nan" and "inf" are none. The byte before `end` is none that a number has.
template <class T>
const char* read_number(const char* p, const char* end, T& value) {
  const bool negative = *p == '-';
  p += *p == '-' || *p == '+';
  const char* const first = p;
  uint64_t mantissa = 0;
  if (is_digit(p[0]) && p[1] == '.')  // the most common
    mantissa = static_cast<uint64_t>(*p++ - '0');
  else
    p = read_digits(p, end, mantissa);
  int64_t digits = p - first, exponent = 0;
  if (*p == '.') {
    const char* const point = ++p;
    p = read_digits(p, end, mantissa);
    exponent = point - p;
    digits -= exponent;
  }
  if (digits == 0) return nullptr;
  if (*p == 'e' || *p == 'E') p = read_exponent(p, exponent);
  if (digits > 19 || !scale(mantissa, exponent, value)) {
    const char* leading = first;
    for (; *leading == '0' || *leading == '.'; ++leading) digits -= *leading == '0';
    if (!scale_any(first, p, exponent + digits - 1, value)) return nullptr;
  }
  if (negative) value = -value;
  return p;
}

// The same for a number whose size is known: of the most common, up to eight digits and a point, without a branch that
// depends on how many they are. The point is taken out, and what remains is a whole number. Whether all of it is one.
inline bool read_number(std::string_view text, const char* end, double& value) {
  const bool negative = text[0] == '-';
  const char* const p = text.data() + negative;
  const size_t size = text.size() - negative;
  if (std::endian::native == std::endian::little && size - 1 < 8 && end - p >= 8) {
    static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    uint64_t bytes = bytes_at(p) << (64 - 8 * size), decimals = 0;  // zeros come in before the digits
    const uint64_t no_point = bytes ^ 0x1e1e1e1e1e1e1e1e;           // '.' ^ '0'
    const uint64_t point = (no_point - 0x0101010101010101) & ~no_point & 0x8080808080808080;
    if (point != 0) {
      const int place = std::countr_zero(point) / 8;
      const uint64_t before = (uint64_t{1} << (8 * place)) - 1;
      bytes = (bytes & before) << 8 | (bytes & ~before & ~(uint64_t{0xff} << (8 * place)));
      decimals = static_cast<uint64_t>(7 - place);
    }
    if (no_digits(bytes) == 0 && size > (point != 0)) {
      value = static_cast<double>(static_cast<int64_t>(eight_digits(bytes))) / kPowers[decimals];
      if (negative) value = -value;
      return true;
    }
  }
  return read_number(text.data(), end, value) == text.data() + text.size();
}

// Whether `text` is a number, but too large for T.
template <class T>
bool is_too_large(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.')) return false;
  T value;
  const auto result = from_text(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc::result_out_of_range && result.ptr == text.data() + text.size();
}

inline constexpr int kLongestNumber = 32;  // of what write_number writes

// Whole numbers plain as long as all of them are exact, so that 100000 is not "1e+05".
template <class T>
char* write_number(char* out, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kAllExact = T(uint64_t{1} << std::numeric_limits<T>::digits);
    if (std::abs(value) <= kAllExact && value == std::trunc(value) && !(value == 0 && std::signbit(value)))
      return std::to_chars(out, out + kLongestNumber, static_cast<int64_t>(value)).ptr;
  }
  return std::to_chars(out, out + kLongestNumber, value).ptr;
}

}  // namespace rosenblatt
