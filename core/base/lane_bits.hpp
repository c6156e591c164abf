// Which lanes of a vector a comparison holds for, as bits of one number: so the first of them is found without a
// branch, where a loop would leave at a place that could hardly be predicted.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/lanes.hpp"

namespace rosenblatt {

// Of a comparison of two vectors of 16 or 32 bytes, with lanes of type T: as many bits for each lane as it has bytes,
// the lowest for the first.
template <class T, class Same>
ROSENBLATT_INLINE uint32_t bits_of(const Same& same) {
  uint32_t bits = 0;
#if defined(__SSE2__)
  typedef char Half __attribute__((vector_size(16)));
  Half half[sizeof same / 16];
  std::memcpy(half, &same, sizeof same);
  for (size_t k = 0; k < sizeof same / 16; ++k) bits |= uint32_t(__builtin_ia32_pmovmskb128(half[k])) << (16 * k);
#else
  for (size_t l = 0; l < sizeof same / sizeof(T); ++l) bits |= uint32_t(same[l] != 0) << (l * sizeof(T));
#endif
  return bits;
}

}  // namespace rosenblatt
