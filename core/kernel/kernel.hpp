// Kernel values from the dot products of rows, in place:
//   linear a.b + coef0     poly (gamma a.b + coef0)^degree     sigmoid tanh(gamma a.b + coef0)
//   rbf exp(-gamma |a - b|^2), where |a - b|^2 = |a|^2 + |b|^2 - 2 a.b
// The matrix products themselves come from a BLAS. exp is written here, because a loop over it can be vectorised.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/interrupts.hpp"
#include "base/lanes.hpp"

namespace rosenblatt {

enum class KernelKind { linear, poly, rbf, sigmoid };

struct Kernel {
  KernelKind kind = KernelKind::rbf;
  double gamma = 1, coef0 = 0;
  int64_t degree = 3;
};

template <class T>
struct ExpParts;
template <>
struct ExpParts<float> {
  typedef uint32_t Bits __attribute__((vector_size(32)));
  static constexpr float lowest = -87, shift = 0x1.8p23f, ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f;
  static constexpr int terms = 7, mantissa = 23, bias = 127;
};
template <>
struct ExpParts<double> {
  typedef uint64_t Bits __attribute__((vector_size(32)));
  static constexpr double lowest = -708, shift = 0x1.8p52, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr int terms = 13, mantissa = 52, bias = 1023;
};

// exp(x) for x <= 0, without a branch: x = n ln 2 + r, and the series of exp(r) for |r| <= ln 2 / 2. NaN stays NaN.
template <class T>
ROSENBLATT_INLINE void exp_not_positive(Part<T>& x) {
  using Parts = ExpParts<T>;
  const Part<T> zero{}, one = zero + T(1), lowest = zero + Parts::lowest;
  const Part<T> clamped = x < lowest ? lowest : x;
  const Part<T> shifted = clamped * T(0x1.71547652b82fep0) + Parts::shift;  // its lowest bits are n
  const Part<T> n = shifted - Parts::shift;
  const Part<T> r = (clamped - n * Parts::ln2_high) - n * Parts::ln2_low;
  Part<T> series = one, scale;
  for (int k = Parts::terms; k >= 1; --k) series = one + series * r * (T(1) / T(k));
  typename Parts::Bits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + Parts::bias) << Parts::mantissa;
  std::memcpy(&scale, &bits, sizeof scale);
  x = x < lowest ? zero : series * scale;
}

template <class T>
ROSENBLATT_INLINE void whole_power(Part<T>& base, int64_t exponent) {
  Part<T> power = Part<T>{} + T(1);
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1) power *= base;
  base = power;
}

// Puts map(part of values, part of beside) in the place of values.
template <class T, class Map>
ROSENBLATT_INLINE void map_parts(T* values, const T* beside, int64_t size, Map map) {
  Part<T> part, other;
  int64_t k = 0;
  for (; k + kWidth<T> <= size; k += kWidth<T>) {
    load(part, values + k);
    load(other, beside + k);
    map(part, other);
    store(values + k, part);
  }
  if (k == size) return;
  T rest[kWidth<T>] = {}, rest_beside[kWidth<T>] = {};
  std::copy(values + k, values + size, rest);
  std::copy(beside + k, beside + size, rest_beside);
  load(part, rest);
  load(other, rest_beside);
  map(part, other);
  store(rest, part);
  std::copy_n(rest, size - k, values + k);
}

// `dots` is rows x columns; for rbf, the squared lengths of both sides are needed.
template <class T>
void kernel_values(const Kernel& kernel, T* dots, int64_t rows, int64_t columns, const T* row_norm2,
                   const T* column_norm2) {
  const T gamma = static_cast<T>(kernel.gamma), coef0 = static_cast<T>(kernel.coef0);
  Interrupts interrupts;
  const auto each = [&](auto map) {
    dispatch([&] {
      interrupts.in_pieces(rows * columns, [&](int64_t first, int64_t last) {
        T* const piece = dots + first;
        map_parts(piece, piece, last - first, [=](Part<T>& dot, const Part<T>&) { map(dot); });
      });
    });
  };
  switch (kernel.kind) {
    case KernelKind::linear:
      if (coef0 != T(0)) each([=](Part<T>& dot) { dot += coef0; });
      break;
    case KernelKind::poly:
      each([=, degree = kernel.degree](Part<T>& dot) {
        dot = gamma * dot + coef0;
        whole_power<T>(dot, degree);
      });
      break;
    case KernelKind::sigmoid:
      each([=](Part<T>& dot) {
        for (int l = 0; l < kWidth<T>; ++l) dot[l] = std::tanh(gamma * dot[l] + coef0);
      });
      break;
    case KernelKind::rbf:
      dispatch([&] {
        for (int64_t i = 0; i < rows; ++i) {
          interrupts.after(columns);
          map_parts(dots + i * columns, column_norm2, columns, [=](Part<T>& dot, const Part<T>& norm2) {
            const Part<T> zero{}, d2 = (norm2 + row_norm2[i]) - (dot + dot);
            dot = -gamma * (d2 < zero ? zero : d2);
            exp_not_positive<T>(dot);
          });
        }
      });
      break;
  }
}

}  // namespace rosenblatt
