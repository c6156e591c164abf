// Sums with a fixed order: eight lanes, added up in one fixed tree, whatever the machine.
// A loop is written once with the compiler's vector types and compiled twice, for the baseline and for AVX2.
// Both do the same additions in the same order (no fast-math, no fused multiply-add), so they give the same bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rosenblatt {

constexpr int kLanes = 8;

// The lanes lie in parts of 32 bytes, the width of a register of AVX2: gcc takes wider vectors through memory.
template <class T>
struct PartVector;
template <>
struct PartVector<int16_t> {
  typedef int16_t type __attribute__((vector_size(32)));
};
template <>
struct PartVector<int32_t> {
  typedef int32_t type __attribute__((vector_size(32)));
};
template <>
struct PartVector<int64_t> {
  typedef int64_t type __attribute__((vector_size(32)));
};
template <>
struct PartVector<float> {
  typedef float type __attribute__((vector_size(32)));
};
template <>
struct PartVector<double> {
  typedef double type __attribute__((vector_size(32)));
};
template <class T>
using Part = typename PartVector<T>::type;
template <class T>
constexpr int kWidth = 32 / sizeof(T);
template <class T>
constexpr int kParts = kLanes / kWidth<T>;

// Integers as wide as T, which is what a comparison of parts gives, and the numbers of the lanes of a part.
template <class T>
using Whole = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
template <class T>
constexpr Part<Whole<T>> lanes_of(int part) {
  Part<Whole<T>> lanes{};
  for (int l = 0; l < kWidth<T>; ++l) lanes[l] = Whole<T>(part * kWidth<T> + l);
  return lanes;
}

#define ROSENBLATT_ALWAYS __attribute__((always_inline))  // for lambdas
#define ROSENBLATT_INLINE inline ROSENBLATT_ALWAYS

// Lanes of two vectors in a new order; those of the second count on from those of the first.
#if defined(__clang__)
#define ROSENBLATT_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ROSENBLATT_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, Part<int32_t>{__VA_ARGS__})
#endif

#if defined(__x86_64__)
#define ROSENBLATT_AVX2 __attribute__((target("avx2")))
inline bool machine_has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
#define ROSENBLATT_AVX2
inline bool machine_has_avx2() { return false; }
#endif

// Which of the two compilations runs. Tests choose: base/use_avx2.hpp.
class Avx2 {
 public:
  static bool is_used() { return is_used_; }

 private:
  friend void use_avx2(bool use);
  static inline bool is_used_ = machine_has_avx2();
};

template <class Loop>
ROSENBLATT_AVX2 __attribute__((flatten)) auto run_avx2(Loop& loop) {
  return loop();
}

// Runs a loop over rows. Flatten pulls all that it calls into each of the two compilations; where there is no AVX2 one
// is enough.
template <class Loop>
auto dispatch(Loop loop) {
#if defined(__x86_64__)
  if (Avx2::is_used()) return run_avx2(loop);
#endif
  return loop();
}

template <class T>
ROSENBLATT_INLINE void load(Part<T>& part, const T* from) {
  std::memcpy(&part, from, sizeof part);
}

template <class T>
ROSENBLATT_INLINE void store(T* to, const Part<T>& part) {
  std::memcpy(to, &part, sizeof part);
}

// A part of what `lane` gives for each of its lanes. It is made whole: a lane stored into memory would stall the load.
template <class T, class Lane>
ROSENBLATT_INLINE Part<T> gathered(Lane lane) {
  if constexpr (kWidth<T> == 8)
    return Part<T>{lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)};
  else
    return Part<T>{lane(0), lane(1), lane(2), lane(3)};
}

template <class T>
ROSENBLATT_INLINE T sum(const T (&lane)[kLanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// The same without a way through memory.
template <class T>
ROSENBLATT_INLINE T sum(const Part<T>* parts) {
  T lane[kLanes];
  for (int l = 0; l < kLanes; ++l) lane[l] = parts[l / kWidth<T>][l % kWidth<T>];
  return sum(lane);
}

}  // namespace rosenblatt
