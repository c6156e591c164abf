// Sums of cells are those of a plain map, whether a row has few labels or many, before and after they are forgotten.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/order.hpp"
#include "tagger/cell_sums.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

using Cells = std::map<std::pair<int64_t, int32_t>, double>;

template <class Sums>
Cells cells_of(const Sums& sums) {
  Cells cells;
  size_t count = 0;
  sums.for_each([&](int64_t row, int32_t label, auto sum) {
    cells[{row, label}] = double(sum);
    ++count;
  });
  CHECK(count == cells.size());  // each comes once
  return cells;
}

// Rows 1 to 150, on both sides of the words of bits; the higher the row, the more labels it has, up to 30. The sum of a
// cell may be 0: it was changed all the same.
template <class Sums>
Cells changed_at_random(Sums& sums, uint64_t seed) {
  Random random(seed);
  Cells expected;
  for (int k = 0; k < 4000; ++k) {
    const int64_t row = 1 + random.below(150);
    const int change = static_cast<int>(random.below(5)) - 2;
    const auto label = static_cast<int32_t>(random.below(1 + row / 5));
    CHECK(double(sums.add(row, label, change)) == (expected[{row, label}] += change));
  }
  return expected;
}

template <class Sum>
void check_cells() {
  CellSums<Sum> sums;
  CHECK(sums.changed().empty() && cells_of(sums).empty());
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const auto expected = changed_at_random(sums, seed);
    CHECK(cells_of(sums) == expected);
    std::set<int32_t> rows;
    for (const auto& [cell, sum] : expected) rows.insert(static_cast<int32_t>(cell.first));
    CHECK(sums.changed() == std::vector<int32_t>(rows.begin(), rows.end()));
    sums.clear();
    CHECK(sums.changed().empty() && cells_of(sums).empty());
  }
}

}  // namespace

int main() {
  check_cells<int64_t>();
  check_cells<double>();
  RowSums<int64_t> by_row;
  CHECK(cells_of(by_row).empty());
  const auto expected = changed_at_random(by_row, 5);
  CHECK(cells_of(by_row) == expected);
  return check::report();
}
