// The linear unit: gradient descent on E(w) = 1/2 sum of c (y - w.x)^2, a sum and not a mean, as the lecture has it.
//   batch:      w <- w + eta * sum of c (y - w.x) x     E falls at every step iff eta < 2 / lambda_max(X'CX)
//   stochastic: w <- w + eta * c (y - w.x) x            row after row; bounded if eta < 2 / max of c |x|^2
// E and the gradient are summed in double whatever the rows are, so that float rows lose nothing but their own digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/order.hpp"
#include "base/rows.hpp"

namespace rosenblatt {

enum class Descent { batch, stochastic };
enum class Outcome { converged, out_of_passes, diverged };

struct DescentPlan {
  Descent method = Descent::batch;
  double eta0 = 1, power_t = 0;  // step t = 1, 2, ... has the rate eta0 / t^power_t
  double tol = 0;                // negative: go on for all passes
  int64_t max_iter = 1;
  bool shuffled = false;
  uint64_t seed = 0;

  double rate(int64_t t) const { return power_t == 0 ? eta0 : eta0 / std::pow(double(t), power_t); }
};

// R^2: the largest c |x|^2.
template <class Rows, class T>
double largest_squared_norm(const Rows& rows, const T* weight, T bias) {
  double largest = 0;
  Interrupts interrupts;
  for (int64_t i = 0; i < rows.size; ++i) {
    interrupts.after(work_of(rows[i]));
    const T norm2 = squared_norm<decltype(rows[i]), T>(rows[i], bias, rows.features, nullptr, 1);
    largest = std::max(largest, double(norm2) * (weight ? double(weight[i]) : 1.0));
  }
  return largest;
}

template <class Rows>
class LinearUnit {
 public:
  using T = typename Rows::Value;

  // `w` has one weight a feature and one for the constant feature; `weight` are the c (nullptr: 1).
  LinearUnit(const Rows& rows, const T* y, const T* weight, T bias, T* w)
      : rows_(rows), y_(y), weight_(weight), bias_(bias), w_(w), downhill_(size_t(rows.features) + 1) {}

  // Passes until it converges; `losses` gets E at the start and after each pass.
  //   batch converges when the gradient is `tol` of the one at w = 0, stochastic when in five passes E has found no
  //   low that is deeper by `tol` of E at w = 0; both when a pass changes no weight.
  Outcome run(const DescentPlan& plan, std::vector<double>& losses) {
    const std::vector<T> zero(downhill_.size());
    const double loss_at_zero = look(zero.data()), slope_at_zero = slope();
    losses.assign(1, look(w_));
    const double scale = std::max(loss_at_zero, losses[0]), enough = plan.tol * std::max(slope_at_zero, slope());
    if (!std::isfinite(kFarAboveStart * scale)) return Outcome::diverged;
    // At a constant rate a rise of the batch's E proves divergence: E is a sum of a_k q_k^t with a_k, q_k >= 0. The
    // other runs may rise for a while.
    const bool falls = plan.method == Descent::batch && plan.power_t == 0;
    const double rise = scale * (falls ? std::sqrt(double(std::numeric_limits<T>::epsilon())) : kFarAboveStart);
    double least = losses[0], low = losses[0];
    for (int64_t pass = 0, quiet = 0; pass < plan.max_iter; ++pass) {
      const bool moved = plan.method == Descent::batch ? step(plan.rate(pass + 1)) : visit_all(plan, pass);
      const double loss = plan.method == Descent::batch ? look(w_) : look<false>(w_);
      losses.push_back(loss);
      if (!(loss <= least + rise)) return Outcome::diverged;  // also if it is not a number
      least = std::min(least, loss);
      quiet = loss < low - plan.tol * loss_at_zero ? 0 : quiet + 1;
      if (quiet == 0) low = loss;
      const bool still = plan.method == Descent::batch ? slope() <= enough : quiet >= kPatience && loss <= scale;
      if (!moved || (plan.tol >= 0 && still)) return Outcome::converged;
    }
    return Outcome::out_of_passes;
  }

  // E(w); leaves minus its gradient in downhill() if asked for it.
  template <bool with_gradient = true>
  double look(const T* w) {
    double twice = 0;
    if constexpr (with_gradient) std::fill(downhill_.begin(), downhill_.end(), 0.0);
    dispatch([&] {
      double* downhill = downhill_.data();
      for (int64_t i = 0; i < rows_.size; ++i) {
        const auto x = rows_[i];
        interrupts_.after(work_of(x));
        const double error = double(y_[i] - dot(x, w, bias_, rows_.features));
        const double pull = (weight_ ? double(weight_[i]) : 1.0) * error;
        twice += pull * error;
        if constexpr (with_gradient)
          for_each(x, 1, bias_, rows_.features, [=](int64_t j, T value) { downhill[j] += pull * double(value); });
      }
    });
    return twice / 2;
  }

  const std::vector<double>& downhill() const { return downhill_; }

  void prefetch_row(int64_t i) const { rows_.prefetch_row(i); }
  void prefetch_index(int64_t first, int64_t last) const {
    rows_.prefetch_index(first, last);
    prefetch(y_ + first, y_ + last);
  }

 private:
  static constexpr int64_t kPatience = 5;
  static constexpr double kFarAboveStart = 1000;

  double slope() const {
    double squares = 0;
    for (const double g : downhill_) squares += g * g;
    return std::sqrt(squares);
  }

  // Both steps return whether a weight changed.
  bool step(double eta) {
    bool moved = false;
    for (size_t j = 0; j < downhill_.size(); ++j) {
      const T before = w_[j];
      w_[j] = static_cast<T>(double(before) + eta * downhill_[j]);
      moved |= w_[j] != before;
    }
    return moved;
  }

  bool visit_all(const DescentPlan& plan, int64_t pass) {
    Order order(rows_.size, plan.shuffled, plan.seed, uint64_t(pass));
    const std::vector<T> before(w_, w_ + downhill_.size());
    dispatch([&] {
      T* w = w_;
      for (int64_t k = 0; k < rows_.size; ++k) {
        const int64_t i = order.next(*this);
        const auto x = rows_[i];
        interrupts_.after(work_of(x));
        const T error = y_[i] - dot(x, w, bias_, rows_.features);
        const T eta = static_cast<T>(plan.rate(pass * rows_.size + k + 1));
        const T pull = eta * (weight_ ? weight_[i] : T(1)) * error;
        for_each(x, 1, bias_, rows_.features, [=](int64_t j, T value) { w[j] += pull * value; });
      }
    });
    return !std::equal(before.begin(), before.end(), w_);
  }

  const Rows& rows_;
  const T* y_;
  const T* weight_;
  const T bias_;
  T* w_;
  std::vector<double> downhill_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
