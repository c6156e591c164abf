// When it is a mistake and how far to step, on numbers that are exact in binary.
#include "base/contest.hpp"
#include "base/step.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

template <class T>
void check_mistakes() {
  for (const StepKind step : {StepKind::perceptron, StepKind::pa, StepKind::pa1, StepKind::pa2, StepKind::arow})
    for (const bool wins : {false, true})
      for (const T margin : {T(0), T(1)}) {
        CHECK(is_mistake(margin - T(0.5), wins, margin, step));
        CHECK(!is_mistake(margin + T(0.5), wins, margin, step));
      }
  // At the margin: Rosenblatt's rule steps unless a tie is won; the others would step by nothing.
  CHECK(is_mistake(T(0), false, T(0), StepKind::perceptron));
  CHECK(!is_mistake(T(0), true, T(0), StepKind::perceptron));
  CHECK(is_mistake(T(-0.0), false, T(0), StepKind::perceptron));
  CHECK(is_mistake(T(1), false, T(1), StepKind::perceptron));
  CHECK(is_mistake(T(1), true, T(1), StepKind::perceptron));
  for (const StepKind step : {StepKind::pa, StepKind::pa1, StepKind::pa2, StepKind::arow})
    for (const bool wins : {false, true}) CHECK(!is_mistake(T(1), wins, T(1), step));
}

void check_ties() {
  for (const bool positive : {false, true}) {
    CHECK(!wins_tie(Tie::mistake, positive));
    CHECK(wins_tie(Tie::positive, positive) == positive);
    CHECK(wins_tie(Tie::negative, positive) != positive);
  }
}

template <class T>
T length(StepKind step, double loss, double norm2, double weight = 1) {
  Rule rule;
  rule.step = step;
  rule.C = 0.5;
  rule.r = 2;
  return step_length(rule, static_cast<T>(loss), static_cast<T>(norm2), static_cast<T>(weight));
}

template <class T>
void check_lengths() {
  CHECK(length<T>(StepKind::perceptron, 3, 5) == T(1));  // the learning rate is the unit
  CHECK(length<T>(StepKind::perceptron, 0, 0) == T(1));
  CHECK(length<T>(StepKind::pa, 3, 4) == T(0.75));
  CHECK(length<T>(StepKind::pa1, 3, 4) == T(0.5));    // held at C
  CHECK(length<T>(StepKind::pa1, 1, 4) == T(0.25));   // below C: as far as PA
  CHECK(length<T>(StepKind::pa2, 3, 3) == T(0.75));   // 3 / (3 + 1 / (2 * 0.5))
  CHECK(length<T>(StepKind::arow, 3, 2) == T(0.75));  // 3 / (2 + r)
  CHECK(length<T>(StepKind::pa, 1, 0) == T(0));       // a row of zeros cannot be moved to the right side
  CHECK(length<T>(StepKind::pa1, 1, 0) == T(0));
  CHECK(length<T>(StepKind::pa2, 1, 0) == T(1));
  CHECK(length<T>(StepKind::arow, 1, 0) == T(0.5));
}

// A number to be met: up where the score is too low, down where it is too high, and lost where it is off by more than
// epsilon, which is minus the margin.
template <class T>
void check_numbers() {
  const auto low = contest_for_number(T(1), T(4)), high = contest_for_number(T(4), T(1));
  CHECK(low.up == 0 && low.down == -1 && low.sign == T(1) && low.gap == T(-3));
  CHECK(high.up == 0 && high.down == -1 && high.sign == T(-1) && high.gap == T(-3));
  CHECK(is_mistake(low.gap, low.wins_tie, T(-2), StepKind::pa1));
  CHECK(!is_mistake(low.gap, low.wins_tie, T(-3), StepKind::pa1));
  CHECK(!is_mistake(contest_for_number(T(2), T(2)).gap, false, T(0), StepKind::pa1));
}

// A weight scales Rosenblatt's step, and what limits the others; none of these goes beyond the margin, loss / norm2.
template <class T>
void check_weights() {
  CHECK(length<T>(StepKind::perceptron, 3, 5, 4) == T(4));
  CHECK(length<T>(StepKind::pa, 3, 4, 0.5) == T(0.375));
  CHECK(length<T>(StepKind::pa, 3, 4, 8) == T(0.75));
  CHECK(length<T>(StepKind::pa1, 3, 4, 0.5) == T(0.25));  // held at 0.5 C
  CHECK(length<T>(StepKind::pa1, 3, 4, 8) == T(0.75));
  CHECK(length<T>(StepKind::pa2, 3, 2, 0.25) == T(0.5));  // 3 / (2 + 4)
  CHECK(length<T>(StepKind::pa2, 3, 1, 2) == T(2));       // 3 / (1 + 1 / 2)
  CHECK(length<T>(StepKind::arow, 3, 2, 0.5) == T(0.5));  // 3 / (2 + 2 r)
  CHECK(length<T>(StepKind::arow, 3, 2, 4) == T(1.2));    // 3 / (2 + r / 4)
  for (const StepKind step : {StepKind::perceptron, StepKind::pa, StepKind::pa1, StepKind::pa2, StepKind::arow}) {
    CHECK(length<T>(step, 3, 2, 0) == T(0));
    CHECK(length<T>(step, 3, 2, 0.125) < length<T>(step, 3, 2));
    if (step != StepKind::perceptron) CHECK(length<T>(step, 3, 2, 1e6) <= T(1.5));
  }
}

}  // namespace

int main() {
  check_mistakes<float>();
  check_mistakes<double>();
  check_ties();
  check_lengths<float>();
  check_lengths<double>();
  check_numbers<float>();
  check_numbers<double>();
  check_weights<float>();
  check_weights<double>();
  return check::report();
}
