// CHECK_ENDS(questions, work) wants that a loop asks at least so often whether to go on, as it has rows, tokens or
// lines, and ends when it is told to.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/interrupts.hpp"
#include "tests/check.hpp"

namespace check {

struct Ended {};

// Ends `work` at question `last` (-1: never). How often it asked whether to go on, which is at every look at the clock.
template <class Work>
int64_t ends_at(int64_t last, Work work) {
  int64_t asked = 0;
  const auto ask = [&] {
    if (++asked == last) throw Ended();
  };
  const rosenblatt::Interruption often{ask, 1, std::chrono::nanoseconds(0)};
  const rosenblatt::InterruptionHere here(often);
  try {
    work();
  } catch (const Ended&) {
  }
  return asked;
}

// Whether `work` asks at least `questions` times, and ends at any of the first of them.
template <class Work>
bool ends(int64_t questions, Work work) {
  bool good = ends_at(-1, work) >= questions;
  for (int64_t last = 1; last <= std::min(questions, int64_t{40}) && good; ++last) good = ends_at(last, work) == last;
  return good;
}

}  // namespace check

#define CHECK_ENDS(questions, work) \
  check::note(check::ends(questions, [&] { work; }), #work " can be ended", __FILE__, __LINE__)
