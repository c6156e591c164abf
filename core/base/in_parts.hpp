// Work on the parts of a range, on several threads. The only header of the core that knows of threads: the algorithms
// have functions for a part of their rows, and whoever calls them decides how many threads there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/interrupts.hpp"

namespace rosenblatt {

inline int64_t all_cores() { return std::max(int64_t{1}, int64_t(std::thread::hardware_concurrency())); }

// Calls work(first, last) for parts of 0 to size, one a thread: at most `threads`, and only as many as have
// `worth_a_thread` each. All have ended when it returns or throws; of several exceptions that of the first part comes.
// The caller's thread alone asks whether to go on, also while it waits; what it throws ends the other parts too.
template <class Work>
void in_parts(int64_t size, int64_t worth_a_thread, int64_t threads, Work work) {
  const int64_t parts = std::clamp(size / worth_a_thread, int64_t{1}, std::max(threads, int64_t{1}));
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> ended = false;
  const Interruption& of_caller = InterruptionHere::get();
  const auto ask = [&] {
    if (ended) throw std::runtime_error("another part has ended the work");
  };
  const Interruption of_others{ask, of_caller.work, of_caller.pause};
  const auto run = [&](int64_t p) {
    const InterruptionHere here(std::this_thread::get_id() == caller ? of_caller : of_others);
    work(size * p / parts, size * (p + 1) / parts);
  };
  // Without a policy, a part for which there is no thread is done by get(). A future of std::async ends with its work.
  std::vector<std::future<void>> running;
  try {
    for (int64_t p = 1; p < parts; ++p) running.push_back(std::async(run, p));
    run(0);
    Interrupts interrupts;
    for (auto& part : running) {
      while (part.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout) interrupts.look();
      part.get();
    }
  } catch (...) {
    ended = true;
    throw;
  }
}

}  // namespace rosenblatt
