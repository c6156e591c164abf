// Weights and features of texts as model files hold them, in few bytes. Each feature has a unit; the weights of its
// machines are whole numbers of -7 to 7 units, and those that are zero are not there: of each feature, marks say which
// machines have a number. A byte has two numbers, each with 8 added, the lower half first. Features ascend, so what is
// written is how far each is from the one before, seven bits a byte, the lowest first; the highest bit of a byte says
// that more follow.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace rosenblatt {

struct PackedWeights {
  std::vector<uint8_t> marks;    // of each feature a bit for each machine, filled up to whole bytes
  std::vector<uint8_t> numbers;  // two in a byte
};

inline int64_t mark_bytes(int32_t n_machines) { return (n_machines + 7) / 8; }

// Feature k has `share[k]` times the weights of `column[k]`, of which there are `stride` each.
inline PackedWeights pack_weights(const float* w, int64_t stride, int32_t n_machines, std::span<const int32_t> column,
                                  const float* share, const float* unit) {
  PackedWeights packed;
  packed.marks.resize(column.size() * size_t(mark_bytes(n_machines)));
  uint8_t* marks = packed.marks.data();
  bool half = false;
  for (size_t k = 0; k < column.size(); ++k, marks += mark_bytes(n_machines)) {
    const float* const weights = w + column[k] * stride;
    const float factor = unit[k] > 0 ? share[k] / unit[k] : 0;
    for (int32_t machine = 0; machine < n_machines; ++machine) {
      const float number = std::clamp(std::nearbyint(weights[machine] * factor), -7.0F, 7.0F);
      if (number == 0) continue;
      marks[machine / 8] |= uint8_t(1 << machine % 8);
      const auto code = uint8_t(int(number) + 8);
      if (half)
        packed.numbers.back() |= uint8_t(code << 4);
      else
        packed.numbers.push_back(code);
      half = !half;
    }
  }
  return packed;
}

// `w` has zeros.
inline void unpack_weights(std::span<const uint8_t> marks, std::span<const uint8_t> numbers,
                           std::span<const float> unit, int32_t n_machines, int64_t stride, float* w) {
  const auto bytes = size_t(mark_bytes(n_machines));
  if (marks.size() != unit.size() * bytes) throw std::invalid_argument("marks: expected those of each feature");
  size_t next = 0;
  for (size_t k = 0; k < unit.size(); ++k, w += stride) {
    for (size_t byte = 0; byte < bytes; ++byte) {
      for (unsigned bits = marks[k * bytes + byte]; bits; bits &= bits - 1) {
        const auto machine = int64_t(8 * byte) + std::countr_zero(bits);
        if (machine >= n_machines || next / 2 >= numbers.size())
          throw std::invalid_argument("marks: expected one number for each, and machines that there are");
        w[machine] = unit[k] * float((numbers[next / 2] >> (next % 2 ? 4 : 0) & 15) - 8);
        ++next;
      }
    }
  }
  if ((next + 1) / 2 != numbers.size()) throw std::invalid_argument("marks: expected one for each number");
}

// Numbers ascend, the first is not negative.
inline std::vector<uint8_t> pack_ascending(std::span<const int32_t> numbers) {
  std::vector<uint8_t> bytes;
  int32_t before = -1;
  for (const int32_t number : numbers) {
    uint32_t gap = uint32_t(number) - uint32_t(before) - 1;
    for (; gap > 0x7f; gap >>= 7) bytes.push_back(uint8_t(gap | 0x80));
    bytes.push_back(uint8_t(gap));
    before = number;
  }
  return bytes;
}

inline std::vector<int32_t> unpack_ascending(std::span<const uint8_t> bytes) {
  std::vector<int32_t> numbers;
  int64_t before = -1;
  for (size_t at = 0; at < bytes.size();) {
    int64_t gap = 0;
    for (int shift = 0;; shift += 7) {
      if (at == bytes.size() || shift > 28) throw std::invalid_argument("features: expected numbers of whole bytes");
      gap |= int64_t{bytes[at] & 0x7f} << shift;
      if (!(bytes[at++] & 0x80)) break;
    }
    before += gap + 1;
    if (before > INT32_MAX) throw std::invalid_argument("features: expected numbers below 2^31");
    numbers.push_back(int32_t(before));
  }
  return numbers;
}

}  // namespace rosenblatt
