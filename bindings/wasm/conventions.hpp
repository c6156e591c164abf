// The conventions of a run as the page has them: one number each, in the order of core.js, read into the core's words.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/step.hpp"
#include "lessons/turns.hpp"
#include "page.hpp"

namespace page {

struct Conventions {
  rosenblatt::Rule rule;
  rosenblatt::Turns turns;
  double bias = 1, unit = 1;
  int64_t passes = 0, visits = 0;
};

// The seed that numpy.random.RandomState(random_state).randint(2^63 - 1) draws, so that a shuffled run of the page is
// that of Python's random_state.
inline uint64_t drawn_seed(uint32_t random_state) {
  constexpr uint64_t kMask = (uint64_t{1} << 63) - 1;
  std::mt19937 random(random_state);
  for (;;) {
    const uint64_t high = random(), drawn = (high << 32 | random()) & kMask;
    if (drawn < kMask) return drawn;
  }
}

// From these numbers: bias, tie, turn, random_state, first row, eta, margin, step, C, r, multiclass, passes, visits.
inline Conventions read(const double* given, int32_t rows) {
  using namespace rosenblatt;
  Conventions c;
  c.bias = given[0];
  expect(std::isfinite(c.bias), "the constant feature must be a finite number");
  c.rule.tie = value_of(given[1], Tie::negative, "tie must be mistake, positive or negative");
  c.turns.turn = value_of(given[2], Turn::worst_wrong, "order must be listed, shuffled, first wrong or worst wrong");
  expect(given[3] >= 0 && given[3] <= 4294967295.0, "the seed must be a whole number from 0 to 2^32 - 1");
  c.turns.seed = drawn_seed(uint32_t(given[3]));
  expect(given[4] >= 0 && given[4] < rows, "the first example must be one of the examples");
  c.turns.rows.resize(size_t(rows));
  std::iota(c.turns.rows.begin(), c.turns.rows.end(), int64_t{0});
  if (c.turns.turn != Turn::shuffled)
    std::rotate(c.turns.rows.begin(), c.turns.rows.begin() + int(given[4]), c.turns.rows.end());
  c.rule.step = value_of(given[7], StepKind::arow, "step must be perceptron, pa, pa1, pa2 or arow");
  expect(std::isfinite(given[5]) && given[5] > 0, "eta must be over 0");
  c.unit = c.rule.step == StepKind::perceptron ? given[5] : 1;
  expect(std::isfinite(given[6]) && given[6] >= 0, "the margin must not be negative");
  c.rule.margin = given[6] / c.unit;
  c.rule.C = given[8];
  c.rule.r = given[9];
  expect(c.rule.C > 0 && c.rule.r > 0, "C and r must be over 0");
  c.rule.multiclass = value_of(given[10], Multiclass::one_vs_rest, "multiclass must be argmax or one-vs-rest");
  expect(given[11] >= 1 && given[12] >= 1, "a run needs at least one pass and one visit");
  c.passes = int64_t(std::min(given[11], 1e6));
  c.visits = int64_t(std::min(given[12], 1e6));
  return c;
}

}  // namespace page
