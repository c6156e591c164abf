// The pocket (after Gallant 1990): the first weights of a run with the fewest mistakes on the training set. To know how
// many a candidate makes, most rows must be asked, so candidates wait until there are some, and a row that is in the
// cache is asked by all of them. Their weights lie side by side, feature by feature, each a few lanes: as those of more
// classes do. Between two candidates only the features of the rows that were added change. Nothing here is pulled into
// the loop over rows, which runs mostly without a pocket.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/interrupts.hpp"
#include "linear/state.hpp"

namespace rosenblatt {

template <class T>
class Pocket {
 public:
  // `weight` has one for each row, or is nullptr: 1.
  Pocket(const T* weight, Tie tie) : weight_(weight), tie_(tie) {}
  bool empty(const LinearState<T>& state) const { return state.pocket_errors == INFINITY && count_ == 0; }

  // The weights after `added` was added are a candidate; whether there is room for another one before `choose`.
  template <class Rows>
  [[gnu::noinline]] bool take(const Rows& rows, std::span<const Added<T>> added, const LinearState<T>& state) {
    if (state.pocket_errors == 0) return true;
    if (w_.empty()) begin(rows, state);
    for (size_t k = 0; k < added.size(); ++k) {
      const int64_t row = added[k].row;
      if (k > 0 && added[k - 1].row == row) continue;  // for another class
      changed_.push_back(row);
      put(rows[row], count_, state);
    }
    return ++count_ < room_;
  }

  // The best of the candidates goes into the pocket if it is better than what is there. Rows that were mistakes before
  // are asked first (each one found moves ahead by half its rank), so that most are refused before all are asked.
  template <class Rows>
  [[gnu::noinline]] void choose(const Rows& rows, const int32_t* target, LinearState<T>& state) {
    const int64_t candidates = std::exchange(count_, 0);
    if (candidates == 0) return;
    std::vector<double> errors(static_cast<size_t>(candidates), 0.0);
    dispatch([&] {
      for (size_t k = 0; k < first_.size(); ++k) {
        const int64_t i = first_[k];
        interrupts_.after(work_of(rows[i]) * room_ * state.stride);
        if (k + kAhead < first_.size()) rows.prefetch_row(first_[k + kAhead]);
        ask(rows[i], state);
        const int64_t wrong = count(state, target[i], weight_ ? double(weight_[i]) : 1.0, errors);
        if (2 * wrong >= candidates) std::swap(first_[k], first_[k / 2]);
        if (k % kBetweenLooks == 0 && *std::min_element(errors.begin(), errors.end()) >= state.pocket_errors) break;
      }
    });
    const auto least = std::min_element(errors.begin(), errors.end());
    if (*least < state.pocket_errors) keep(least - errors.begin(), *least, state);
    for (const int64_t row : changed_) put(rows[row], 0, state);
    changed_.clear();
  }

 private:
  static constexpr int64_t kMostLanes = 32, kMostBytes = int64_t{1} << 27;
  static constexpr size_t kAhead = 4, kBetweenLooks = 16;

  // All candidates start as the weights are now.
  template <class Rows>
  void begin(const Rows& rows, const LinearState<T>& state) {
    const int64_t size = state.size();
    room_ = std::min(kMostLanes / state.stride, kMostBytes / int64_t(sizeof(T)) / size);
    if (state.stride == 1) room_ = room_ / kWidth<T> * kWidth<T>;
    room_ = std::max(room_, int64_t{1});
    w_.resize(size_t(size * room_));
    for (int64_t j = 0; j <= state.features; ++j) put_feature(j, 0, state);
    score_.resize(size_t(room_ * state.stride));
    first_.resize(size_t(rows.size));
    std::iota(first_.begin(), first_.end(), int64_t{0});
  }

  // Candidate `from` and all after it get the weights of these features as they are now.
  template <class Row>
  void put(Row x, int64_t from, const LinearState<T>& state) {
    for_each(x, 1, static_cast<T>(state.bias), state.features, [&](int64_t j, T) { put_feature(j, from, state); });
  }
  void put_feature(int64_t j, int64_t from, const LinearState<T>& state) {
    T* const lanes = w_.data() + j * room_ * state.stride;
    for (int64_t c = from; c < room_; ++c)
      std::copy_n(state.w.data() + j * state.stride, state.stride, lanes + c * state.stride);
  }

  // The same bits as when one of them answers alone.
  template <class Row>
  ROSENBLATT_INLINE void ask(Row x, const LinearState<T>& state) {
    const auto bias = static_cast<T>(state.bias);
    if (state.stride == 1 && room_ > 1)
      dots(x, w_.data(), room_, bias, state.features, score_.data());
    else
      scores(x, w_.data(), room_ * state.stride, bias, state.features, score_.data());
  }

  void keep(int64_t candidate, double errors, LinearState<T>& state) {
    state.pocket_errors = errors;
    const T* lanes = w_.data() + candidate * state.stride;
    for (int64_t j = 0; j <= state.features; ++j, lanes += room_ * state.stride)
      std::copy_n(lanes, state.stride, state.pocket.data() + j * state.stride);
  }

  // Adds the weight of a row to the errors of each candidate that gets it wrong, and returns how many do.
  ROSENBLATT_INLINE int64_t count(const LinearState<T>& state, int32_t y, double weight,
                                  std::span<double> errors) const {
    int64_t wrong = 0;
    const auto add = [&](size_t c, bool is_wrong) {
      errors[c] += is_wrong ? weight : 0.0;
      wrong += is_wrong;
    };
    const T *score = score_.data(), side = y > 0 ? T(1) : T(-1);
    if (state.machines == 1) {
      const bool wins = wins_tie(tie_, y > 0);
      for (size_t c = 0; c < errors.size(); ++c) add(c, is_mistake(side * score[c], wins, T(0), StepKind::perceptron));
      return wrong;
    }
    for (size_t c = 0; c < errors.size(); ++c, score += state.stride) {
      const int32_t other = rival(score, state.machines, y, tie_);
      add(c, is_mistake(score[y] - score[other], wins_tie(tie_, y > other), T(0), StepKind::perceptron));
    }
    return wrong;
  }

  const T* weight_;
  Tie tie_;
  int64_t room_ = 0, count_ = 0;  // of candidates
  std::vector<T> w_, score_;
  std::vector<int64_t> first_, changed_;  // rows in the order in which they are asked; rows added since the last choice
  Interrupts interrupts_;
};

}  // namespace rosenblatt
