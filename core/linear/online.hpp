// The online protocol: receive a row, answer it, receive its class, learn. Rows come as they will, in portions of any
// size, and the weights after them are the same to the bit.
// An answer costs what its row costs: an average is taken of the weights of its columns alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace rosenblatt {

// The weights that answer while a run goes on: those of the state times `unit`, the last or, with sums, the average.
template <class T>
class Standing {
 public:
  Standing(const LinearState<T>& state, bool average, T unit) : state_(state), average_(average), unit_(unit) {}

  // The scores of a row, with the bits that it would have if the weights were taken out first, as Python does it.
  template <class Row>
  void score(Row x, T* out) {
    if (!average_ && unit_ == T(1)) return state_.weights().score(x, out);
    const auto stride = state_.stride;
    taken_.resize(size_t((x.size + 1) * stride));
    for (int64_t k = 0; k <= x.size; ++k) {
      const int64_t from = (k < x.size ? x.column(k) : state_.features) * stride;
      for (int64_t c = 0; c < stride; ++c) taken_[size_t(k * stride + c)] = weight(from + c);
    }
    scores(DenseRow<T>{x.values, x.size}, taken_.data(), stride, static_cast<T>(state_.bias), x.size, out);
  }

 private:
  T weight(int64_t j) const {
    const T w = average_ ? state_.average(j) : state_.w.data()[j];
    return unit_ == T(1) ? w : w * unit_;
  }

  const LinearState<T>& state_;
  bool average_;
  T unit_;
  std::vector<T> taken_;
};

struct Played {
  PassResult found;
  int64_t rows = 0;  // that were learned from: fewer than all if one is too large for its type
};

// Plays the protocol over rows in their order; `answers` gets the class that each was taken for before it was learned.
// It stops before a row that is too large for its type, and leaves the state as it was before that row.
template <class Rows, class T = typename Rows::Value>
Played play(const Rows& rows, const int32_t* target, const T* weight, const Rule& rule, LinearState<T>& state,
            bool average, T unit, int32_t* answers) {
  LinearPass<Rows> pass(rows, target, weight, rule, state);
  Standing<T> standing(state, average, unit);
  std::vector<T> score(size_t(state.stride));
  Played played;
  played.rows = dispatch([&] {
    for (int64_t i = 0; i < rows.size; ++i) {
      if (!rows.checked) rows.check_row(i);
      standing.score(rows[i], score.data());
      if (!all_finite(score.data(), state.machines) || !pass.visit_if_it_fits(i)) return i;
      answers[i] = answer(score.data(), state.machines, rule.tie);
    }
    return rows.size;
  });
  played.found = pass.result();
  return played;
}

// The scores of all rows while a run goes on.
template <class Rows, class T = typename Rows::Value>
void standing_scores(const Rows& rows, const LinearState<T>& state, bool average, T unit, T* out) {
  Standing<T> standing(state, average, unit);
  std::vector<T> score(size_t(state.stride));
  Interrupts interrupts;
  dispatch([&] {
    for (int64_t i = 0; i < rows.size; ++i) {
      interrupts.after(work_of(rows[i]) * state.stride);
      if (!rows.checked) rows.check_row(i);
      standing.score(rows[i], score.data());
      if (!all_finite(score.data(), state.machines)) refuse_score(rows, i);
      std::copy_n(score.begin(), state.machines, out + i * state.machines);
    }
  });
}

}  // namespace rosenblatt
