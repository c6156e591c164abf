// A run: passes over the same rows, one after the other, until one makes no mistake.
#pragma once

#include <optional>
#include <vector>

#include "linear/linear.hpp"

namespace rosenblatt {

struct RunPlan {
  std::optional<uint64_t> seed;  // of shuffled passes; none: rows come in their listed order
  int64_t first_pass = 0, passes = 1;
  bool check_weights = true;  // after each pass, whether they have grown too large for their type
};

// The mistakes and the loss of each pass, and the updates of all.
struct RunResult {
  std::vector<int64_t> mistakes;
  std::vector<double> losses;
  int64_t updates = 0;
};

template <class Rows, class Target, class T = typename Rows::Value>
RunResult run(Rows& rows, const Target* target, const T* weight, const Rule& rule, LinearState<T>& state,
              const RunPlan& plan) {
  if (state.pocket) check_all(rows);  // because the pocket counts mistakes on rows that were not visited yet
  RunResult result;
  LinearPass<Rows, Target> pass(rows, target, weight, rule, state);
  run_passes(plan.first_pass, plan.passes, [&](int64_t number) {
    const auto [mistakes, updates, loss] = pass.run(plan.seed.has_value(), plan.seed.value_or(0), uint64_t(number));
    if (plan.check_weights) check_weights(state, number);
    rows.checked = true;
    result.mistakes.push_back(mistakes);
    result.losses.push_back(loss);
    result.updates += updates;
    return mistakes > 0;
  });
  return result;
}

}  // namespace rosenblatt
