// Work on the parts of a range, on several threads. The only header of the core that knows of threads: the algorithms
// have functions for a part of their rows, and whoever calls them decides how many threads there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

namespace rosenblatt {

inline int64_t all_cores() { return std::max(int64_t{1}, int64_t(std::thread::hardware_concurrency())); }

// Calls work(first, last) for parts of 0 to size, one a thread: at most `threads`, and only as many as have
// `worth_a_thread` each. All have ended when it returns or throws; of several exceptions that of the first part comes.
template <class Work>
void in_parts(int64_t size, int64_t worth_a_thread, int64_t threads, Work work) {
  const int64_t parts = std::clamp(size / worth_a_thread, int64_t{1}, std::max(threads, int64_t{1}));
  const auto run = [&](int64_t p) { work(size * p / parts, size * (p + 1) / parts); };
  // Without a policy, a part for which there is no thread is done by get(). A future of std::async ends with its work.
  std::vector<std::future<void>> running;
  for (int64_t p = 1; p < parts; ++p) running.push_back(std::async(run, p));
  run(0);
  for (auto& part : running) part.get();
}

}  // namespace rosenblatt
