// The recorder: a run of the linear pass, and what happens at each visit, for tables that print it and pages that play
// it. No rule is written here: LinearPass learns from one batch after the other, and what it did is noted.
// The weights are kept once for each update: those after a visit are the k-th, k the updates so far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lessons/turns.hpp"
#include "linear/linear.hpp"

namespace rosenblatt {

// Why a visit was a mistake: lecture 001's three reasons, weights that have come back to zero, a margin.
enum class Why : uint8_t { none, first_step, zero_weights, wrong_side, on_the_line, within_margin };

template <class T>
Why reason(bool was_zero, bool is_first, T gap) {
  if (was_zero) return is_first ? Why::first_step : Why::zero_weights;
  return gap < T(0) ? Why::wrong_side : gap > T(0) ? Why::within_margin : Why::on_the_line;
}

// One entry a visit, but for `weights` and `mistakes`.
template <class T>
struct Recorded {
  std::vector<int64_t> pass, row;  // the pass from 1, the row from 0
  std::vector<int64_t> before, k;  // which weights were there before and after: all visits of a batch have the same
  std::vector<int32_t> lost;       // contests: 1 for two classes, or for the best rival; more with one against the rest
  std::vector<Why> why;
  std::vector<T> score;           // of each row of weights, before the visit; in the unit of the state
  std::vector<T> weights;         // those at the start, then those after each update, the constant feature's first
  std::vector<T> spread;          // the variances that belong to `weights`, if the step has them
  std::vector<T> average;         // of the weights after each visit so far, if the state keeps their sums
  std::vector<int64_t> mistakes;  // of each pass
  bool whole = true;              // whether the last pass visited all its rows
};

template <class Rows>
class Recorder {
 public:
  using T = typename Rows::Value;

  // Weights are noted times `unit`: see step.hpp. `updates` were made before.
  Recorder(const Rows& rows, const int32_t* target, const T* weight, const Rule& rule, LinearState<T>& state, T unit,
           int64_t updates = 0)
      : rows_(rows),
        target_(target),
        rule_(rule),
        state_(state),
        unit_(unit),
        first_k_(updates),
        k_(updates),
        pass_(rows, target, weight, rule, state),
        score_(size_t(state.machines)) {
    note_weights();
  }

  // Up to `passes` passes and `visits` visits; ends after a pass without a mistake.
  Recorded<T>& run(const Turns& turns, int64_t first_pass, int64_t passes, int64_t visits) {
    run_passes(first_pass, visits > 0 ? passes : 0, [&](int64_t pass) {
      const auto order = turns.of_pass(uint64_t(pass), [&](int64_t i) { return look(i); });
      const int64_t visited = std::min(int64_t(order.size()), visits);
      recorded_.mistakes.push_back(0);
      recorded_.whole = visited == int64_t(order.size());
      for (int64_t first = 0; first < visited; first += rule_.batch_size) {
        const int64_t size = std::min(rule_.batch_size, visited - first);
        visit(pass + 1, std::span(order).subspan(size_t(first), size_t(size)));
      }
      visits -= visited;
      return recorded_.mistakes.back() > 0 && visits > 0;
    });
    return recorded_;
  }

  int64_t width() const { return state_.machines * (state_.features + (state_.bias != 0)); }

 private:
  // With the weights as they are now; the scores stay in score_.
  Looked<T> look(int64_t i) {
    interrupts_.after(work_of(rows_[i]) * state_.stride);
    score_rows(rows_, state_.weights(), i, i + 1, score_.data() - i * state_.machines);
    Looked<T> found{T(0), false};
    bool first = true;
    for_each_contest(score_.data(), state_.machines, target_[i], rule_, [&](const Contest<T>& contest) {
      found.gap = first ? contest.gap : std::min(found.gap, contest.gap);
      found.mistake |= is_mistake(contest.gap, contest.wins_tie, static_cast<T>(rule_.margin), rule_.step);
      first = false;
    });
    return found;
  }

  void visit(int64_t pass, std::span<const int64_t> batch) {
    const int64_t before = k_;
    const bool was_zero = is_zero();
    std::vector<T> gap;
    for (const int64_t i : batch) {
      gap.push_back(look(i).gap);
      recorded_.score.insert(recorded_.score.end(), score_.begin(), score_.end());
    }
    const auto lost = pass_.run_batch(batch);
    check_weights(state_, pass - 1);
    if (std::any_of(lost.begin(), lost.end(), [](int32_t n) { return n > 0; })) {
      ++k_;
      note_weights();
    }
    for (size_t b = 0; b < batch.size(); ++b) {
      recorded_.pass.push_back(pass);
      recorded_.row.push_back(batch[b]);
      recorded_.before.push_back(before - first_k_);
      recorded_.k.push_back(k_ - first_k_);
      recorded_.lost.push_back(lost[b]);
      recorded_.why.push_back(lost[b] == 0 ? Why::none : reason(was_zero, k_ == 1, gap[b]));
      recorded_.mistakes.back() += lost[b];
      if (state_.sums) note_average(state_.visits - int64_t(batch.size() - b) + 1);
    }
  }

  bool is_zero() const {
    const T* const w = state_.w.data();
    return std::all_of(w, w + state_.size(), [](T value) { return value == T(0); });
  }

  void note_weights() {
    interrupts_.after(width());
    for_each_weight([&](int64_t at) {
      recorded_.weights.push_back(state_.w.data()[at] * unit_);
      if (state_.spread) recorded_.spread.push_back(state_.spread.data()[at]);
    });
  }

  void note_average(int64_t visits) {
    for_each_weight([&](int64_t at) {
      const auto mean = static_cast<T>(averaged(double(state_.w.data()[at]), state_.sums.data()[at], visits));
      recorded_.average.push_back(mean * unit_);
    });
  }

  // A row of weights after the other, the constant feature's first: where each lies.
  template <class Each>
  void for_each_weight(Each each) const {
    for (int32_t c = 0; c < state_.machines; ++c) {
      if (state_.bias != 0) each(state_.features * state_.stride + c);
      for (int64_t j = 0; j < state_.features; ++j) each(j * state_.stride + c);
    }
  }

  const Rows& rows_;
  const int32_t* target_;
  const Rule& rule_;
  LinearState<T>& state_;
  T unit_;
  int64_t first_k_, k_;
  LinearPass<Rows> pass_;
  std::vector<T> score_;
  Recorded<T> recorded_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
