// Work on the parts of a range, on several threads. The only header of the core that knows of threads: the algorithms
// have functions for a part of their rows, and whoever calls them decides how many threads there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/interrupts.hpp"

namespace rosenblatt {

inline int64_t all_cores() { return std::max(int64_t{1}, int64_t(std::thread::hardware_concurrency())); }

// As long as this lives, its thread asks what is given.
class AskInstead {
 public:
  explicit AskInstead(const std::function<void()>* ask) { ask_instead = ask; }
  ~AskInstead() { ask_instead = before_; }

 private:
  const std::function<void()>* before_ = ask_instead;
};

// Calls work(first, last) for parts of 0 to size, one a thread: at most `threads`, and only as many as have
// `worth_a_thread` each. All have ended when it returns or throws; of several exceptions that of the first part comes.
// The caller's thread alone asks whether to go on, also while it waits; what it throws ends the other parts too.
template <class Work>
void in_parts(int64_t size, int64_t worth_a_thread, int64_t threads, Work work) {
  const int64_t parts = std::clamp(size / worth_a_thread, int64_t{1}, std::max(threads, int64_t{1}));
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> ended = false;
  const std::function<void()> ask = [&] {
    if (ended) throw std::runtime_error("another part has ended the work");
  };
  const auto run = [&](int64_t p) {
    const AskInstead here(std::this_thread::get_id() == caller ? ask_instead : &ask);
    work(size * p / parts, size * (p + 1) / parts);
  };
  // Without a policy, a part for which there is no thread is done by get(). A future of std::async ends with its work.
  std::vector<std::future<void>> running;
  try {
    for (int64_t p = 1; p < parts; ++p) running.push_back(std::async(run, p));
    run(0);
    Interrupts interrupts;
    for (auto& part : running) {
      while (part.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout)
        interrupts.after(interruption.work);
      part.get();
    }
  } catch (...) {
    ended = true;
    throw;
  }
}

}  // namespace rosenblatt
