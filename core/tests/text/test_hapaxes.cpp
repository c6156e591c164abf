// Rows whose hapaxes are one column, with numbers by hand.
#include "tests/check.hpp"
#include "text/hapaxes.hpp"

using namespace rosenblatt;

namespace {

// Column 1 is in three rows, column 3 in two; the first row alone has 0 and 2, the last one 5; no row has 4.
const std::vector<float> kValues{3, 1, 4, 1, 2, 1, 6, -5};
const std::vector<int32_t> kColumns{0, 1, 2, 1, 3, 1, 3, 5}, kStarts{0, 3, 5, 5, 8};

template <class T>
std::vector<T> all(const Growing<T>& numbers) {
  return {numbers.begin(), numbers.end()};
}

void check_merged() {
  const MergedRows merged = merge_hapaxes(kValues.data(), kColumns.data(), kStarts.data(), 4, 6);
  CHECK(merged.size == 4);
  CHECK(all(merged.values) == std::vector<float>({1, 5, 1, 2, 1, 6, 5}));
  CHECK(all(merged.columns) == std::vector<int32_t>({0, 2, 0, 1, 0, 1, 3}));
  CHECK(all(merged.starts) == std::vector<int32_t>({0, 2, 4, 4, 7}));
  CHECK(merged.place == std::vector<int32_t>({2, 0, 2, 1, 0, 3}));
  CHECK(merged.share == std::vector<float>({0.6F, 1, 0.8F, 1, 0, -1}));
}

void check_nothing() {
  const MergedRows merged = merge_hapaxes(nullptr, nullptr, kStarts.data(), 0, 2);
  CHECK(merged.size == 0 && merged.starts.size() == 1 && merged.share == std::vector<float>({0, 0}));
}

}  // namespace

int main() {
  check_merged();
  check_nothing();
  return check::report();
}
