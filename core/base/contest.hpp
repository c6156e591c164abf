// Who contends for a row? For two classes y s is the gap of the one contest. With more, the right class contends with
// its best rival (argmax), or each class for itself: this class or another (one against the rest). A number has one
// contest: its gap is minus the distance between it and the score, so that the margin -epsilon lets it be so far off.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/lanes.hpp"
#include "base/readout.hpp"
#include "base/step.hpp"

namespace rosenblatt {

template <class T>
struct Contest {
  int32_t up, down;  // the rows of weights to move; -1: none moves down
  T sign;            // of what is added to `up`
  T gap;
  bool wins_tie;
};

// `score` has one score for two classes, one a class for more.
template <class T, class Each>
ROSENBLATT_INLINE void for_each_contest(const T* score, int32_t machines, int32_t y, const Rule& rule, Each each) {
  if (machines == 1) {
    const auto sign = static_cast<T>(2 * y - 1);  // a branch on y would be mispredicted every other time
    each(Contest<T>{0, -1, sign, sign * score[0], wins_tie(rule.tie, y > 0)});
  } else if (rule.multiclass == Multiclass::argmax) {
    const int32_t other = rival(score, machines, y, rule.tie);
    each(Contest<T>{y, other, T(1), score[y] - score[other], wins_tie(rule.tie, y > other)});
  } else {
    for (int32_t c = 0; c < machines; ++c) {
      const T sign = c == y ? T(1) : T(-1);
      each(Contest<T>{c, -1, sign, sign * score[c], wins_tie(rule.tie, c == y)});
    }
  }
}

template <class T>
ROSENBLATT_INLINE Contest<T> contest_for_number(T score, T y) {
  const T off = y - score;
  return {0, -1, off < T(0) ? T(-1) : T(1), -std::abs(off), false};
}

}  // namespace rosenblatt
