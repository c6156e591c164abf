// Sums with a fixed order: eight lanes, added up in one fixed tree, whatever the machine.
// A loop is written once with the compiler's vector types and compiled twice, for the baseline and for AVX2.
// Both do the same additions in the same order (no fast-math, no fused multiply-add), so they give the same bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace rosenblatt {

constexpr int kLanes = 8;

template <class T>
struct LaneVector;
template <>
struct LaneVector<float> {
  typedef float type __attribute__((vector_size(kLanes * sizeof(float))));
};
template <>
struct LaneVector<double> {
  typedef double type __attribute__((vector_size(kLanes * sizeof(double))));
};
template <class T>
using Lanes = typename LaneVector<T>::type;

#define ROSENBLATT_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__)
#define ROSENBLATT_AVX2 __attribute__((target("avx2")))
inline bool machine_has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
#define ROSENBLATT_AVX2
inline bool machine_has_avx2() { return false; }
#endif

// Which of the two compilations runs. Only tests change it.
inline bool use_avx2 = machine_has_avx2();

template <class Loop>
ROSENBLATT_AVX2 __attribute__((flatten)) auto run_avx2(Loop& loop) {
  return loop();
}

// Runs a loop over rows. Flatten pulls all that it calls into each of the two compilations.
template <class Loop>
auto dispatch(Loop loop) {
  return use_avx2 ? run_avx2(loop) : loop();
}

template <class T>
ROSENBLATT_INLINE void load(Lanes<T>& lanes, const T* from) {
  std::memcpy(&lanes, from, sizeof lanes);
}

template <class T>
ROSENBLATT_INLINE void store(T* to, const Lanes<T>& lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}

template <class T>
ROSENBLATT_INLINE T sum(const T (&lane)[kLanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace rosenblatt
