// What other readouts say at each visit of a recorded run: who survived how long, who is in the pocket, how all of them
// vote. Each is what readout.hpp and pocket.hpp give for the same run, had it ended there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/linear.hpp"

namespace rosenblatt {

// Some weight vectors, as Recorded has them: `classes` rows each (1 for two classes), the constant feature first.
template <class T>
struct Hypotheses {
  std::span<const T> weights;
  int64_t features;
  int32_t machines;
  T bias;

  int64_t width() const { return machines * (features + (bias != T(0))); }
  int64_t size() const { return int64_t(weights.size()) / width(); }

  // Calls each(k, scores) with the scores of the rows under hypothesis k, one after the other.
  template <class Rows, class Each>
  void for_each_score(const Rows& rows, Each each) const {
    const int64_t stride = stride_of(machines);
    std::vector<T> w(size_t((features + 1) * stride), T(0)), score(size_t(rows.size * machines));
    const LinearWeights<T> hypothesis{w.data(), features, stride, machines, bias};
    const T* from = weights.data();
    for (int64_t k = 0; k < size(); ++k) {
      for (int32_t c = 0; c < machines; ++c) {
        if (bias != T(0)) w[size_t(features * stride + c)] = *from++;
        for (int64_t j = 0; j < features; ++j) w[size_t(j * stride + c)] = *from++;
      }
      score_rows(rows, hypothesis, 0, rows.size, score.data());
      each(k, score.data());
    }
  }
};

// How many visits each of the weights survived.
inline std::vector<int64_t> survived(std::span<const int64_t> k, int64_t hypotheses) {
  std::vector<int64_t> visits(size_t(hypotheses), 0);
  for (const int64_t one : k) visits[size_t(one)] += 1;
  return visits;
}

// The mistakes of each of the weights on all rows, where a tie is as the rule has it and no margin is asked for.
template <class Rows, class T = typename Rows::Value>
std::vector<int64_t> training_errors(const Rows& rows, const int32_t* target, Rule rule, const Hypotheses<T>& tried) {
  rule.multiclass = Multiclass::argmax;
  std::vector<int64_t> errors(size_t(tried.size()), 0);
  tried.for_each_score(rows, [&](int64_t k, const T* score) {
    for (int64_t i = 0; i < rows.size; ++i)
      for_each_contest(score + i * tried.machines, tried.machines, target[i], rule, [&](const Contest<T>& contest) {
        errors[size_t(k)] += is_mistake(contest.gap, contest.wins_tie, T(0), StepKind::perceptron);
      });
  });
  return errors;
}

// Which of the weights are in the pocket after each visit: the first of those seen with the fewest errors.
inline std::vector<int64_t> in_pocket(std::span<const int64_t> k, std::span<const int64_t> errors) {
  std::vector<int64_t> best;
  for (const int64_t one : k)
    best.push_back(best.empty() || errors[size_t(one)] < errors[size_t(best.back())] ? one : best.back());
  return best;
}

// The votes for each class at each row: every one of the weights has as many as `visits` says.
template <class Rows, class T = typename Rows::Value>
std::vector<double> votes(const Rows& rows, const Hypotheses<T>& voters, std::span<const double> visits, Tie tie) {
  const int32_t classes = std::max(2, voters.machines);
  std::vector<double> cast(size_t(rows.size * classes), 0.0);
  voters.for_each_score(rows, [&](int64_t k, const T* score) {
    for (int64_t i = 0; i < rows.size; ++i)
      cast[size_t(i * classes + answer(score + i * voters.machines, voters.machines, tie))] += visits[size_t(k)];
  });
  return cast;
}

}  // namespace rosenblatt
