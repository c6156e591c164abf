// The online pass, binary and multi-class: take the next row, score it, and where it is a mistake, add it to the
// weights. A batch of b rows is scored with the weights before it and then added as one sum. Novikoff (1962): on
// separable rows at most (R / gamma)^2 mistakes are made, in any order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/contest.hpp"
#include "base/order.hpp"
#include "base/step.hpp"
#include "linear/pairs.hpp"
#include "linear/pocket.hpp"

namespace rosenblatt {

struct PassResult {
  int64_t mistakes = 0, updates = 0;
  double loss = 0;  // sum of margin - gap over the mistakes
};

// A score is not finite: either the row is at fault, or the weights are too large for it.
template <class Rows>
[[noreturn]] void refuse_score(const Rows& rows, int64_t i) {
  check_finite(rows, i);
  throw std::overflow_error("the score of row " + std::to_string(i) + " is too large for its type");
}

// Weights that overflow show in the next score that they are part of. After a pass there is none: they are looked at.
template <class T>
void check_weights(const LinearState<T>& state, int64_t pass) {
  if (!state.is_finite())
    throw std::overflow_error("the weights are too large for their type in pass " + std::to_string(pass + 1));
}

// A target is the class of a row, or the number that its score should be.
template <class Rows, class Target = int32_t>
class LinearPass {
 public:
  using T = typename Rows::Value;

  // `target` has one for each row; `weight` scales its step (nullptr: 1).
  LinearPass(const Rows& rows, const Target* target, const T* weight, const Rule& rule, LinearState<T>& state)
      : rows_(rows),
        target_(target),
        weight_(weight),
        rule_(rule),
        state_(state),
        bias_(static_cast<T>(state.bias)),
        score_(size_t(state.stride)) {
    if (state.pocket) pocket_.emplace(weight, rule.tie);
  }

  PassResult run(bool shuffled, uint64_t seed, uint64_t pass) {
    result_ = {};
    Order order(rows_.size, shuffled, seed, pass);
    {
      std::optional<typename Pairs<typename Rows::Row>::Loan> loan;
      if (pairs_pay()) loan.emplace(pairs_, state_);
      dispatch([&] { return visit_all(order); });
    }
    choose();
    return result_;
  }

  // These rows as one batch; how many contests each of them lost.
  std::vector<int32_t> run_batch(std::span<const int64_t> batch) {
    std::vector<int32_t> lost;
    added_.clear();
    for (const int64_t i : batch) {
      const int64_t before = result_.mistakes;
      look(i);
      lost.push_back(int32_t(result_.mistakes - before));
    }
    end_batch(int64_t(batch.size()));
    return lost;
  }

  // One visit of a run that goes on; false, and nothing has changed, if the row is too large for its type.
  bool visit_if_it_fits(int64_t i) {
    added_.clear();
    const PassResult before = result_;
    try {
      look(i);
    } catch (const std::overflow_error&) {
      result_ = before;
      return false;
    }
    for (const auto& added : added_) {
      if (fits(added)) continue;
      result_ = before;
      return false;
    }
    if (!added_.empty()) learn();
    state_.visits += 1;
    return true;
  }
  const PassResult& result() const { return result_; }

  // The row itself is fetched while another one is scored.
  void prefetch_row(int64_t i) {
    coming_ = i;
    prefetch_line(target_ + i);
  }
  void prefetch_index(int64_t first, int64_t last) const {
    rows_.prefetch_index(first, last);
    prefetch(target_ + first, target_ + last);
  }

 private:
  // Only where the rows have so many values that to copy all weights takes no time beside them; and the row that is
  // added must be the one that was scored last.
  bool pairs_pay() const {
    if constexpr (Rows::kSparse)
      return state_.spread && state_.machines == 1 && !pocket_ && rule_.batch_size == 1 &&
             rows_.starts[rows_.size] > state_.features &&
             state_.features <= std::numeric_limits<typename Rows::Row::Column>::max();
    return false;
  }

  void visit_all(Order& order) {
    for (int64_t first = 0, size; first < rows_.size; first += size) {
      size = std::min(rule_.batch_size, rows_.size - first);
      added_.clear();
      for (int64_t k = 0; k < size; ++k) look(order.next(*this));
      end_batch(size);
    }
  }

  void end_batch(int64_t size) {
    if (!added_.empty()) learn();
    if (pocket_ && (!added_.empty() || pocket_->empty(state_)) && !pocket_->take(rows_, added_, state_)) choose();
    state_.visits += size;
  }

  // Numbers have no pocket: there are no errors to count.
  void choose() {
    if constexpr (std::is_same_v<Target, int32_t>) {
      if (pocket_) pocket_->choose(rows_, target_, state_);
    }
  }

  // Scores a row and notes what its mistakes add.
  void look(int64_t i) {
    interrupts_.after(work_of(rows_[i]) * state_.stride);
    if (!rows_.checked) rows_.check_row(i);
    const Target y = target_[i];
    const auto contend = [&](const Contest<T>& contest) ROSENBLATT_ALWAYS { settle(i, contest); };
    if (state_.machines == 1) {
      const T score = score_of(i);
      if (!all_finite(&score, 1)) refuse_score(rows_, i);
      if constexpr (std::is_same_v<Target, int32_t>)
        for_each_contest(&score, 1, y, rule_, contend);
      else
        contend(contest_for_number(score, y));
      return;
    }
    if constexpr (std::is_same_v<Target, int32_t>) look_at_classes(i, y, contend);
  }

  template <class Contend>
  void look_at_classes(int64_t i, int32_t y, Contend contend) {
    rows_.prefetch_row(coming_);
    scores(rows_[i], state_.w.data(), state_.stride, bias_, state_.features, score_.data());
    if (!all_finite(score_.data(), state_.machines)) refuse_score(rows_, i);
    for_each_contest(score_.data(), state_.machines, y, rule_, contend);
  }

  T score_of(int64_t i) {
    if constexpr (Rows::kSparse) {
      if (!pairs_.empty()) return pairs_.score(rows_[i], rows_[coming_]);
    }
    return dot(rows_[i], state_.w.data(), bias_, state_.features, rows_[coming_]);
  }

  void settle(int64_t i, const Contest<T>& contest) {
    const T margin = static_cast<T>(rule_.margin);
    const auto [up, down, sign, gap, wins_tie] = contest;
    if (!is_mistake(gap, wins_tie, margin, rule_.step)) return;
    const T weight = weight_ ? weight_[i] : T(1);
    const T loss = margin - gap;
    result_.mistakes += 1;
    result_.loss += static_cast<double>(loss * weight);
    const T norm2 = rule_.step == StepKind::perceptron ? T(0) : variance(i, up) + (down < 0 ? T(0) : variance(i, down));
    if (!std::isfinite(norm2))
      throw std::overflow_error("the squared length of row " + std::to_string(i) + " is too large for its type");
    const T tau = step_length(rule_, loss, norm2, weight);
    const T beta = rule_.step == StepKind::arow ? step_length(rule_, T(1), norm2, weight) : T(0);
    added_.push_back({i, up, sign * tau, beta});
    if (down >= 0) added_.push_back({i, down, -tau, beta});
  }

  // |x|^2, or with AROW the variance of its score for one class.
  T variance(int64_t i, int32_t c) const {
    if (!pairs_.empty()) return pairs_.variance();
    const T bias = rule_.norm_of_constant ? bias_ : T(0);
    const T* const spread = state_.spread ? state_.spread.data() + c : nullptr;
    return squared_norm(rows_[i], bias, state_.features, spread, state_.stride);
  }

  // Whether the weights stay so small that no score, sum or average of them overflows.
  bool fits(const Added<T>& added) const {
    constexpr T kMost = sizeof(T) == 4 ? static_cast<T>(1e30) : static_cast<T>(1e150);
    bool small = true;
    const T *const w = state_.w.data() + added.cls, *const spread = state_.spread.data();
    for_each(rows_[added.row], state_.stride, bias_, state_.features, [&](int64_t j, T value) {
      const T factor = spread ? spread[j + added.cls] : T(1);
      small &= std::abs(w[j] + added.tau * factor * value) <= kMost;
    });
    return small;
  }

  void learn() {
    for (const auto& added : added_) {
      add(added);
      if (state_.keeps_mistakes) state_.mistakes.push_back({state_.visits, added.row, added.cls, double(added.tau)});
    }
    result_.updates += 1;
  }

  void add(const Added<T>& added) {
    const auto x = rows_[added.row];
    T* w = state_.w.data() + added.cls;
    const T tau = added.tau;
    if constexpr (Rows::kSparse) {
      if (!pairs_.empty()) return pairs_.add(x, tau, added.beta, state_.sums.data(), state_.age());
    }
    if (state_.spread) {
      T* spread = state_.spread.data() + added.cls;
      double* sums = state_.sums ? state_.sums.data() + added.cls : nullptr;
      const double age = state_.age();
      for_each(x, state_.stride, bias_, state_.features, [=](int64_t j, T value) {
        const T scaled = spread[j] * value;
        w[j] += tau * scaled;
        if (sums) sums[j] += age * double(tau * scaled);
        spread[j] = std::max(T(0), spread[j] - added.beta * scaled * scaled);  // rounding may go below 0
      });
    } else if (state_.sums) {
      double* sums = state_.sums.data() + added.cls;
      const double age = state_.age();
      for_each(x, state_.stride, bias_, state_.features, [=](int64_t j, T value) {
        const T change = tau * value;
        w[j] += change;
        sums[j] += age * double(change);
      });
    } else {
      for_each(x, state_.stride, bias_, state_.features, [=](int64_t j, T value) { w[j] += tau * value; });
    }
  }

  const Rows& rows_;
  const Target* target_;
  const T* weight_;
  const Rule& rule_;
  LinearState<T>& state_;
  const T bias_;
  PassResult result_;
  std::vector<T> score_;
  std::vector<Added<T>> added_;
  Pairs<typename Rows::Row> pairs_;
  std::optional<Pocket<T>> pocket_;
  int64_t coming_ = 0;  // the row to be fetched next
  Interrupts interrupts_;
};

// The scores of rows first to last under each row of weights; no row needs another, so that parts may run at once.
template <class Rows, class T = typename Rows::Value>
void score_rows(const Rows& rows, const LinearWeights<T>& weights, int64_t first, int64_t last, T* out) {
  std::vector<T> score(size_t(weights.stride));
  Interrupts interrupts;
  dispatch([&] {
    for (int64_t i = first; i < last; ++i) {
      interrupts.after(work_of(rows[i]) * weights.stride);
      if (!rows.checked) rows.check_row(i);
      T* const scored = out + i * weights.machines;
      if (weights.machines == 1) {
        const auto coming = rows[std::min(i + Order::kAhead, last - 1)];
        *scored = dot(rows[i], weights.w, weights.bias, weights.features, coming);
      } else {
        weights.score(rows[i], score.data());
        std::copy_n(score.begin(), weights.machines, scored);
      }
      if (!all_finite(scored, weights.machines)) refuse_score(rows, i);
    }
  });
}

}  // namespace rosenblatt
