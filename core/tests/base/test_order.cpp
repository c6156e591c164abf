// Every pass visits every row once; the order depends on the seed and the pass alone; sorted data is mixed.
#include <numeric>
#include <vector>

#include "base/order.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

// Stands for rows; notes whether all that is to be prefetched exists.
struct Source {
  int64_t rows;
  mutable bool inside = true;
  void prefetch_row(int64_t i) const { inside = inside && 0 <= i && i < rows; }
  void prefetch_index(int64_t first, int64_t last) const {
    inside = inside && 0 <= first && first < last && last <= rows;
  }
};

std::vector<int64_t> visits(int64_t rows, bool shuffled, uint64_t seed, uint64_t pass) {
  const Source source{rows};
  Order order(rows, shuffled, seed, pass);
  std::vector<int64_t> visited;
  for (int64_t k = 0; k < rows; ++k) visited.push_back(order.next(source));
  CHECK(source.inside);
  return visited;
}

std::vector<int64_t> listed(int64_t rows) {
  std::vector<int64_t> all(static_cast<size_t>(rows));
  std::iota(all.begin(), all.end(), int64_t{0});
  return all;
}

void check_size(int64_t rows) {
  CHECK(visits(rows, false, 3, 5) == listed(rows));
  for (uint64_t pass = 0; pass < 3; ++pass) {
    auto visited = visits(rows, true, 42, pass);
    CHECK(visited == visits(rows, true, 42, pass));
    if (rows >= 63) {
      CHECK(visited != listed(rows));
      CHECK(visited != visits(rows, true, 42, pass + 1));
      CHECK(visited != visits(rows, true, 43, pass));
    }
    std::sort(visited.begin(), visited.end());
    CHECK(visited == listed(rows));
  }
}

// Rows sorted by class: among any 256 visits in a row are both the first and the second half of 100,000 rows.
void check_mixed(uint64_t seed) {
  constexpr int64_t kRows = 100'000, kSpan = 256;
  int64_t longest = 0, run = 0;
  bool before = false;
  for (const int64_t i : visits(kRows, true, seed, 0)) {
    const bool second_half = i >= kRows / 2;
    run = second_half == before ? run + 1 : 1;
    before = second_half;
    longest = std::max(longest, run);
  }
  CHECK(longest < kSpan);
}

// Rows sorted by twenty classes: among any 2000 visits in a row are nearly all of them.
void check_mixed_classes(uint64_t seed) {
  constexpr int64_t kRows = 100'000, kSpan = 2000;
  constexpr size_t kClasses = 20;
  const auto visited = visits(kRows, true, seed, 0);
  for (int64_t from = 0; from + kSpan <= kRows; from += kSpan / 2) {
    std::vector<bool> seen(kClasses);
    for (int64_t k = from; k < from + kSpan; ++k)
      seen[static_cast<size_t>(visited[static_cast<size_t>(k)]) * kClasses / kRows] = true;
    CHECK(std::count(seen.begin(), seen.end(), true) >= 18);
  }
}

// Where a row comes in a plain shuffle says nothing about where it lay: each place gets each row about equally often.
void check_even() {
  constexpr size_t kRows = 5, kPasses = 20'000;
  std::vector<int> count(kRows * kRows);
  for (uint64_t pass = 0; pass < kPasses; ++pass) {
    const auto visited = visits(kRows, true, 7, pass);
    for (size_t k = 0; k < kRows; ++k) count[k * kRows + static_cast<size_t>(visited[k])] += 1;
  }
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  CHECK(*least > 3700 && *most < 4300);  // 4000, and five standard deviations of 57
}

}  // namespace

int main() {
  for (const int64_t rows : {0, 1, 2, 31, 32, 33, 63, 97, 5000, 16383, 16384, 16385, 100'000, 600'001})
    check_size(rows);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    check_mixed(seed);
    check_mixed_classes(seed);
  }
  check_even();
  return check::report();
}
