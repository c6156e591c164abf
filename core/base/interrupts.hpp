// A long loop can be ended from outside, as by Ctrl-C. It says what work it does, in values that it looks at or the
// like; after some work it looks at the clock, and ten times a second it asks a function of the caller's, which throws
// to end it. So the hot loops pay a subtraction, and a busy machine delays no answer.
// What an ended loop has changed stays changed, but fits together: its caller works on a copy, or throws it away.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "base/lanes.hpp"

namespace rosenblatt {

// How loops are ended: set once, by whoever brings the core to a program. Tests ask more often.
struct Interruption {
  std::function<void()> ask;  // none: loops run to their end
  int64_t work = 1 << 18;     // before the next look at the clock
  std::chrono::nanoseconds pause = std::chrono::milliseconds(100);
};
inline Interruption interruption;

// What this thread asks instead, if it is not the one that the caller waits with.
inline thread_local const std::function<void()>* ask_instead = nullptr;

class Interrupts {
 public:
  // This work comes next, or was just done.
  ROSENBLATT_INLINE void after(int64_t work) {
    left_ -= work;
    if (left_ <= 0) look();
  }

  // Calls work(first, last) for short pieces of 0 to size, for loops that the compiler shall vectorise.
  template <class Work>
  ROSENBLATT_INLINE void in_pieces(int64_t size, Work work) {
    constexpr int64_t kPiece = 1 << 16;
    for (int64_t first = 0; first < size; first += kPiece) {
      const int64_t last = first + std::min(kPiece, size - first);
      after(last - first);
      work(first, last);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[gnu::noinline, gnu::cold]] void look() {
    left_ = interruption.work;
    const auto now = Clock::now();
    if (now - last_ < interruption.pause) return;
    last_ = now;
    const auto& ask = ask_instead ? *ask_instead : interruption.ask;
    if (ask) ask();
  }

  int64_t left_ = interruption.work;
  Clock::time_point last_ = Clock::now();
};

}  // namespace rosenblatt
