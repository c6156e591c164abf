// Kernel values from the dot products of rows, in place:
//   linear a.b + coef0     poly (gamma a.b + coef0)^degree     sigmoid tanh(gamma a.b + coef0)
//   rbf exp(-gamma |a - b|^2), where |a - b|^2 = |a|^2 + |b|^2 - 2 a.b; its exponent alone is what merging works on.
// The matrix products themselves come from a BLAS. exp is written here, because a loop over it can be vectorised.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lanes.hpp"

namespace rosenblatt {

enum class KernelKind { linear, poly, rbf, sigmoid, exponent };

struct Kernel {
  KernelKind kind = KernelKind::rbf;
  double gamma = 1, coef0 = 0;
  int64_t degree = 3;
};

template <class T>
struct ExpParts;
template <>
struct ExpParts<float> {
  using Bits = int32_t;
  static constexpr float lowest = -87, shift = 0x1.8p23f, ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f;
  static constexpr int terms = 7, mantissa = 23, bias = 127;
};
template <>
struct ExpParts<double> {
  using Bits = int64_t;
  static constexpr double lowest = -708, shift = 0x1.8p52, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr int terms = 13, mantissa = 52, bias = 1023;
};

// exp(x) for x <= 0, without a branch: x = n ln 2 + r, and the series of exp(r) for |r| <= ln 2 / 2.
template <class T>
ROSENBLATT_INLINE T exp_not_positive(T x) {
  using Parts = ExpParts<T>;
  const T clamped = x > Parts::lowest ? x : Parts::lowest;
  const T shifted = clamped * T(0x1.71547652b82fep0) + Parts::shift;  // its lowest bits are n
  const T n = shifted - Parts::shift;
  const T r = (clamped - n * Parts::ln2_high) - n * Parts::ln2_low;
  T series = T(1);
  for (int k = Parts::terms; k >= 1; --k) series = T(1) + series * r * (T(1) / T(k));
  using Bits = typename Parts::Bits;
  using Unsigned = std::make_unsigned_t<Bits>;
  const auto bits = static_cast<Unsigned>(std::bit_cast<Bits>(shifted)) + static_cast<Unsigned>(Parts::bias);
  const T scale = std::bit_cast<T>(static_cast<Unsigned>(bits << Parts::mantissa));
  return x < Parts::lowest ? T(0) : series * scale;
}

template <class T>
ROSENBLATT_INLINE T whole_power(T base, int64_t exponent) {
  T power = T(1);
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1) power *= base;
  return power;
}

// `dots` is rows x columns; for rbf, the squared lengths of both sides are needed.
template <class T>
void kernel_values(const Kernel& kernel, T* dots, int64_t rows, int64_t columns, const T* row_norm2,
                   const T* column_norm2) {
  const T gamma = static_cast<T>(kernel.gamma), coef0 = static_cast<T>(kernel.coef0);
  const auto each = [&](auto map) {
    dispatch([&] {
      for (int64_t k = 0; k < rows * columns; ++k) dots[k] = map(dots[k]);
    });
  };
  const auto distances = [&](auto map) {
    dispatch([&] {
      for (int64_t i = 0; i < rows; ++i, dots += columns) {
        const T norm2 = row_norm2[i];
        for (int64_t j = 0; j < columns; ++j) {
          const T d2 = (norm2 + column_norm2[j]) - (dots[j] + dots[j]);
          dots[j] = map(gamma * (d2 > T(0) ? d2 : T(0)));
        }
      }
    });
  };
  switch (kernel.kind) {
    case KernelKind::linear:
      if (coef0 != T(0)) each([=](T dot) { return dot + coef0; });
      break;
    case KernelKind::poly:
      each([=, degree = kernel.degree](T dot) { return whole_power(gamma * dot + coef0, degree); });
      break;
    case KernelKind::sigmoid: each([=](T dot) { return std::tanh(gamma * dot + coef0); }); break;
    case KernelKind::rbf: distances([](T exponent) { return exp_not_positive(-exponent); }); break;
    case KernelKind::exponent: distances([](T exponent) { return exponent; }); break;
  }
}

}  // namespace rosenblatt
