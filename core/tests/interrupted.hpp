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

// Whether `work` asks at least `questions` times, and ends at any of the first of them.
template <class Work>
bool ends(int64_t questions, Work work) {
  const auto before = rosenblatt::interruption;
  int64_t asked = 0, last = -1;
  const auto ask = [&] {
    if (++asked == last) throw Ended();
  };
  rosenblatt::interruption = {ask, 1, std::chrono::nanoseconds(0)};
  work();
  bool good = asked >= questions;
  for (last = 1; last <= std::min(questions, int64_t{40}) && good; ++last) {
    asked = 0;
    good = false;
    try {
      work();
    } catch (const Ended&) {
      good = asked == last;
    }
  }
  rosenblatt::interruption = before;
  return good;
}

}  // namespace check

#define CHECK_ENDS(questions, work) \
  check::note(check::ends(questions, [&] { work; }), #work " can be ended", __FILE__, __LINE__)
