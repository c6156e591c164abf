// Which weights answer? The state of a run, from which every readout is taken; none of them changes the run.
//   last:    w
//   average: the mean of the weights after each visit, kept lazily. What visit t (from 0) adds is missing from the
//            t earlier ones, so with sums = sum of t * added, the mean after T visits is (T w - sums) / T.
//   vote:    the mistakes themselves (Freund and Schapire 1999): a vote is a prefix sum over them.
//   pocket:  the first weights with the fewest mistakes on the training set (after Gallant 1990).
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "loop/rows.hpp"
#include "loop/step.hpp"

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

template <class T>
class Pocket;

template <class T>
struct LinearState {
  T* w;  // (features + 1) x stride, see rows.hpp
  int64_t features, stride;
  int32_t n_rows;  // rows of weights: 1, or one a class
  T bias;
  int64_t visits = 0;
  T* spread = nullptr;     // AROW: the variance of each weight
  double* sums = nullptr;  // average
  std::vector<Event>* events = nullptr;
  Pocket<T>* pocket = nullptr;

  bool is_finite() const { return all_finite(w, (features + 1) * stride); }
};

// The best wrong class. Of equal ones the first, or the last where ties go to the last.
template <class T>
int32_t rival(const T* score, int32_t n_rows, int32_t y, Tie tie) {
  int32_t best = -1;
  for (int32_t c = 0; c < n_rows; ++c)
    if (c != y && (best < 0 || score[c] > score[best] || (tie == Tie::positive && score[c] == score[best]))) best = c;
  return best;
}

// The answer of one weight vector: the class (0 or 1 for two) that it predicts.
template <class T>
int32_t answer(const T* score, int32_t n_rows, Tie tie) {
  if (n_rows == 1) return score[0] > T(0) || (score[0] == T(0) && tie == Tie::positive) ? 1 : 0;
  return rival(score, n_rows, -1, tie);
}

template <class T>
class Pocket {
 public:
  // `best` holds the weights in the pocket, which make `errors` mistakes (infinity: it is empty).
  Pocket(T* best, const T* weight, Tie tie, double errors) : best_(best), weight_(weight), tie_(tie), errors_(errors) {}
  bool empty() const { return errors_ == INFINITY; }
  double errors() const { return errors_; }

  // Counts the mistakes of the current weights and stops as soon as they cannot win. Rows that were mistakes before
  // are asked first (each one found moves ahead by half its rank), so that most candidates are refused soon.
  template <class Rows>
  void consider(const Rows& rows, const int32_t* target, const LinearState<T>& state) {
    if (errors_ == 0) return;
    if (first_.empty()) {
      first_.resize(size_t(rows.size));
      std::iota(first_.begin(), first_.end(), int64_t{0});
    }
    std::vector<T> score(size_t(state.stride));
    double errors = 0;
    for (size_t k = 0; k < first_.size(); ++k) {
      const int64_t i = first_[k];
      scores(rows[i], state.w, state.stride, state.bias, state.features, score.data());
      if (!is_error(score.data(), state.n_rows, target[i])) continue;
      std::swap(first_[k], first_[k / 2]);
      errors += weight_ ? double(weight_[i]) : 1.0;
      if (errors >= errors_) return;
    }
    errors_ = errors;
    std::copy(state.w, state.w + (state.features + 1) * state.stride, best_);
  }

 private:
  bool is_error(const T* score, int32_t n_rows, int32_t y) const {
    if (n_rows == 1) return is_mistake(y > 0 ? score[0] : -score[0], wins_tie(tie_, y > 0), T(0), StepKind::perceptron);
    const int32_t other = rival(score, n_rows, y, tie_);
    return is_mistake(score[y] - score[other], wins_tie(tie_, y > other), T(0), StepKind::perceptron);
  }

  T* best_;
  const T* weight_;
  Tie tie_;
  double errors_;
  std::vector<int64_t> first_;
};

// The votes of every weight vector of a run, for each row: `votes` gets, a class, the visits survived by the weights
// that answer it. An event's row is a row of `support`; `score` starts with the scores of the weights at the start.
template <class Rows, class T = typename Rows::Value>
void vote(const Rows& rows, const Rows& support, std::span<const Event> events, int64_t visits, int32_t n_rows, Tie tie,
          T bias, T* score, double* votes) {
  std::vector<T> x(size_t(rows.features + 1)), dots(size_t(support.size));
  for (int64_t i = 0; i < rows.size; ++i, score += n_rows, votes += std::max(2, n_rows)) {
    std::fill(x.begin(), x.end(), T(0));
    for_each(rows[i], 1, bias, rows.features, [&](int64_t j, T value) { x[size_t(j)] += value; });
    for (int64_t k = 0; k < support.size; ++k) dots[size_t(k)] = dot(support[k], x.data(), bias, rows.features);
    int64_t since = 0;
    for (const auto& event : events) {
      if (event.visit > since) votes[answer(score, n_rows, tie)] += double(event.visit - since);
      since = event.visit;
      score[event.cls] += static_cast<T>(event.tau) * dots[size_t(event.row)];
    }
    if (visits > since) votes[answer(score, n_rows, tie)] += double(visits - since);
  }
}

}  // namespace rosenblatt
