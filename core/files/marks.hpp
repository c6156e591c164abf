// Finds the bytes of a text that may end a cell: quotes, delimiters and the control characters, line ends among them.
// 64 bytes at a time become the bits of a word (Langdale and Lemire, Parsing gigabytes of JSON per second, 2019, with
// arithmetic on words of eight bytes in place of vector instructions), so that to go from one to the next takes no
// branch that depends on how long a cell is.
#pragma once

#include <bit>
#include <cstdint>

#include "sentences/corpus.hpp"

namespace rosenblatt {

class Marks {
 public:
  static constexpr int64_t kAhead = 64;  // bytes that must be readable after the text

  // `delimiter` is the first byte of what is between the cells.
  explicit Marks(char delimiter) : delimiter_(kOnes * static_cast<unsigned char>(delimiter)) {}

  // From here on; what lies before is never asked for again.
  void begin(const char* text) { look_at(text); }

  // The first of them at p or after it, where there must be one. p never goes back.
  const char* next(const char* p) {
    if (p - base_ >= 64) look_at(p);
    uint64_t there = marks_ & (~uint64_t{0} << (p - base_));
    while (there == 0) {
      look_at(base_ + 64);
      there = marks_;
    }
    return base_ + std::countr_zero(there);
  }

 private:
  static constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;

  // The high bit of each byte of `word` that is zero; exact, as nothing carries over.
  static uint64_t zeros(uint64_t word) { return ~(((word & ~kHigh) + ~kHigh) | word) & kHigh; }

  uint64_t marks_of(uint64_t word) const {
    const uint64_t not_control = ((word | kHigh) - kOnes * 0x20) | word;
    const uint64_t found = zeros(word ^ kOnes * '"') | zeros(word ^ delimiter_) | (~not_control & kHigh);
    return ((found >> 7) * 0x0102040810204080) >> 56;  // the eight bits side by side
  }

  void look_at(const char* p) {
    base_ = p;
    marks_ = 0;
    for (int k = 0; k < 8; ++k) marks_ |= marks_of(load_bytes<8>(p + 8 * k)) << (8 * k);
  }

  uint64_t delimiter_, marks_ = 0;
  const char* base_ = nullptr;
};

}  // namespace rosenblatt
