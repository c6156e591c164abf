// The pocket, with more candidates than it takes at once, against a count for each weight vector alone.
#include <limits>
#include <vector>

#include "linear/linear.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

// Random rows: the first of all weights with the fewest mistakes, each of them counted alone. There are more of them
// than the pocket takes at once.
template <class T>
void check_pocket_counts(int32_t classes) {
  constexpr int64_t kRows = 90, kFeatures = 11;
  Random random(uint64_t(classes) + sizeof(T));
  std::vector<T> x(kRows * kFeatures);
  std::vector<int32_t> target(kRows);
  for (T& value : x) value = static_cast<T>(random.below(2001) - 1000) / 7;
  for (int32_t& y : target) y = static_cast<int32_t>(random.below(std::max(classes, 2)));
  const DenseRows<T> rows{x.data(), kRows, kFeatures, kFeatures};
  const Rule rule;
  LinearState<T> state(kFeatures, classes, 1);
  state.pocket = {state.size(), T(0)};
  state.keeps_mistakes = true;
  const int64_t stride = state.stride;
  std::vector<T> after(size_t(state.size())), first = after, score(static_cast<size_t>(stride));
  LinearPass<DenseRows<T>> pass(rows, target.data(), nullptr, rule, state);
  for (uint64_t p = 0; p < 3; ++p) pass.run(true, 1, p);
  const auto events = state.mistakes;
  const std::vector<T> best(state.pocket.data(), state.pocket.data() + state.size());
  int64_t fewest = kRows + 1;
  for (size_t e = 0; e < events.size(); ++e) {
    for_each(rows[events[e].row], stride, T(1), kFeatures,
             [&](int64_t j, T value) { after[size_t(j + events[e].cls)] += static_cast<T>(events[e].tau) * value; });
    if (e + 1 < events.size() && events[e + 1].visit == events[e].visit) continue;  // the other class
    int64_t errors = 0;
    for (int64_t i = 0; i < kRows; ++i) {
      scores(rows[i], after.data(), stride, T(1), kFeatures, score.data());
      errors += answer(score.data(), classes, Tie::negative) != target[size_t(i)];
    }
    if (errors < fewest) fewest = errors, first = after;
  }
  CHECK(events.size() > 100 && state.pocket_errors == double(fewest) && best == first);
  const auto again = [&] {
    state.pocket_errors = INFINITY;
    LinearPass<DenseRows<T>>(rows, target.data(), nullptr, rule, state).run(false, 0, 0);
  };
  CHECK_ENDS(kRows + 10, again());
}

}  // namespace

int main() {
  check_pocket_counts<float>(1);
  check_pocket_counts<double>(1);
  check_pocket_counts<double>(3);
  return check::report();
}
