// Every place of a range is worked on once, by no more threads than asked for; an exception waits for all parts.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/in_parts.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

std::set<std::pair<int64_t, int64_t>> parts_of(int64_t size, int64_t worth_a_thread, int64_t threads) {
  std::set<std::pair<int64_t, int64_t>> parts;
  std::vector<int> visits(size_t(size), 0);
  std::mutex mutex;
  in_parts(size, worth_a_thread, threads, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) ++visits[size_t(i)];
    const std::lock_guard lock(mutex);
    parts.emplace(first, last);
  });
  CHECK(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
  return parts;
}

void check_parts() {
  using Parts = std::set<std::pair<int64_t, int64_t>>;
  CHECK(parts_of(10, 1, 3) == Parts{{0, 3}, {3, 6}, {6, 10}});
  CHECK(parts_of(10, 5, 8) == Parts{{0, 5}, {5, 10}});
  CHECK(parts_of(9, 5, 8) == Parts{{0, 9}});
  CHECK(parts_of(10, 1, 1) == Parts{{0, 10}});
  CHECK(parts_of(10, 1, 0) == Parts{{0, 10}});
  CHECK(parts_of(10, 1, -1) == Parts{{0, 10}});
  CHECK(parts_of(0, 1, 4) == Parts{{0, 0}});
  CHECK(parts_of(100'000, 1000, 7).size() == 7);
  CHECK(all_cores() >= 1);
}

// Part `failing` of four throws, and so do those after it; the others take longer.
void check_exceptions(int64_t failing) {
  std::atomic<int> begun = 0, ended = 0;
  std::string what;
  try {
    in_parts(4, 1, 4, [&](int64_t first, int64_t) {
      ++begun;
      if (first < failing)
        for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
      ++ended;
      if (first >= failing) throw std::runtime_error("part " + std::to_string(first));
    });
  } catch (const std::runtime_error& error) {
    what = error.what();
  }
  CHECK(what == "part " + std::to_string(failing));
  CHECK(begun == ended && ended >= 1);
}

// The first thread is told to end while the others would go on for ever.
void check_ends(int64_t waiting) {
  std::atomic<int> ended = 0;
  const auto work = [&](int64_t first, int64_t) {
    Interrupts interrupts;
    const auto end = [&](int*) { ++ended; };
    int place = 0;
    const std::unique_ptr<int, decltype(end)> at_end(&place, end);
    while (first > 0 || waiting == 0) interrupts.after(1);
  };
  const Interruption how{[] { throw std::runtime_error("Ctrl-C"); }, 1 << 18, std::chrono::milliseconds(1)};
  const InterruptionHere here(how);
  CHECK_THROWS(in_parts(4, 1, 4, work), std::runtime_error, "Ctrl-C");
  CHECK(ended == 4);
}

}  // namespace

int main() {
  for (const int64_t waiting : {0, 1}) check_ends(waiting);
  check_parts();
  for (int64_t failing = 0; failing < 4; ++failing) check_exceptions(failing);
  return check::report();
}
