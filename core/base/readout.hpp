// Which weights answer? The state of a run, from which every readout is taken; none of them changes the run.
//   last:    w
//   average: the mean of the weights after each visit, kept lazily. What visit t (from 0) adds is missing from the
//            t earlier ones, so with sums = sum of t * added, the mean after T visits is (T w - sums) / T. The first
//            `unaveraged` visits may be left out: t and T then count from there, and what was added before has t = 0.
//   vote:    the mistakes themselves (Freund and Schapire 1999): a vote is a prefix sum over them.
//   pocket:  the first weights with the fewest mistakes on the training set, see pocket.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rows.hpp"
#include "base/step.hpp"

namespace rosenblatt {

template <class T>
struct Added {
  int64_t row;
  int32_t cls;
  T tau, beta;
};

// tau times a row was added to the weights of a class after `visit` visits.
struct Event {
  int64_t visit, row;
  int32_t cls;
  double tau;
};

// The mean of a weight over so many visits; one division at the end, so that the mean of integers is rounded once.
inline double averaged(double w, double sums, int64_t visits) { return (w * double(visits) - sums) / double(visits); }

// The best wrong class. Of equal ones the first, or the last where ties go to the last.
template <class T>
int32_t rival(const T* score, int32_t machines, int32_t y, Tie tie) {
  int32_t best = -1;
  for (int32_t c = 0; c < machines; ++c)
    if (c != y && (best < 0 || score[c] > score[best] || (tie == Tie::positive && score[c] == score[best]))) best = c;
  return best;
}

// The answer of one weight vector: the class (0 or 1 for two) that it predicts.
template <class T>
int32_t answer(const T* score, int32_t machines, Tie tie) {
  if (machines == 1) return score[0] > T(0) || (score[0] == T(0) && tie == Tie::positive) ? 1 : 0;
  return rival(score, machines, -1, tie);
}

// The votes of every weight vector of a run, for each row: `votes` gets, a class, the visits survived by the weights
// that answer it. An event's row is a row of `support`; `score` starts with the scores of the weights at the start.
template <class Rows, class T = typename Rows::Value>
void vote(const Rows& rows, const Rows& support, std::span<const Event> events, int64_t visits, int32_t machines,
          Tie tie, T bias, T* score, double* votes) {
  std::vector<T> x(size_t(rows.features + 1)), dots(size_t(support.size));
  Interrupts interrupts;
  for (int64_t i = 0; i < rows.size; ++i, score += machines, votes += std::max(2, machines)) {
    interrupts.after(rows.features + work_of(rows[i]));
    std::fill(x.begin(), x.end(), T(0));
    for_each(rows[i], 1, bias, rows.features, [&](int64_t j, T value) { x[size_t(j)] += value; });
    for (int64_t k = 0; k < support.size; ++k) {
      interrupts.after(work_of(support[k]));
      dots[size_t(k)] = dot(support[k], x.data(), bias, rows.features);
    }
    int64_t since = 0;
    for (const auto& event : events) {
      interrupts.after(machines);
      if (event.visit > since) votes[answer(score, machines, tie)] += double(event.visit - since);
      since = event.visit;
      score[event.cls] += static_cast<T>(event.tau) * dots[size_t(event.row)];
    }
    if (visits > since) votes[answer(score, machines, tie)] += double(visits - since);
  }
}

}  // namespace rosenblatt
