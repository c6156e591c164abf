// A long loop can be ended from outside, as by Ctrl-C. It says what work it does, in values that it looks at or the
// like; after some work it looks at the clock, and ten times a second it asks a function of the caller's, which throws
// to end it. So the hot loops pay a subtraction, and a busy machine delays no answer.
// What an ended loop has changed stays changed, but fits together: its caller works on a copy, or throws it away.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/lanes.hpp"

namespace rosenblatt {

// How loops are ended. Tests ask more often.
struct Interruption {
  std::function<void()> ask;  // none: loops run to their end
  int64_t work = 1 << 18;     // before the next look at the clock
  std::chrono::nanoseconds pause = std::chrono::milliseconds(100);
};

// As long as this lives, the loops of its thread are ended so.
class InterruptionHere {
 public:
  explicit InterruptionHere(const Interruption& how) { here_ = &how; }
  ~InterruptionHere() { here_ = before_; }

  static const Interruption& get() { return here_ ? *here_ : elsewhere_; }
  // What all other threads ask. Whoever brings the core to a program says it once, before any loop.
  static void ask_elsewhere(std::function<void()> ask) { elsewhere_.ask = std::move(ask); }

 private:
  static inline Interruption elsewhere_;
  static inline thread_local const Interruption* here_ = nullptr;
  const Interruption* before_ = here_;
};

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

  [[gnu::noinline, gnu::cold]] void look() {
    const auto& how = InterruptionHere::get();
    left_ = how.work;
    const auto now = Clock::now();
    if (now - last_ < how.pause) return;
    last_ = now;
    if (how.ask) how.ask();
  }

 private:
  using Clock = std::chrono::steady_clock;

  int64_t left_ = InterruptionHere::get().work;
  Clock::time_point last_ = Clock::now();
};

}  // namespace rosenblatt
