// The point of the convex hull of the rows that is nearest to the origin (Wolfe 1976): its length is the margin, it is
// the separator of largest margin, and where it is zero its weights prove that nothing separates the rows.
//   minimise |p|, p = sum of lam_i z_i, lam >= 0, sum of lam_i = 1     nearest iff z_j.p >= |p|^2 for every row j
// With columns a_i = (1, z_i) it is min |A lam - e_0| over lam >= 0 (Lawson and Hanson 1974), lam scaled to sum 1. The
// rows with lam_i > 0, the corral, are at most features + 1; they are kept as A = QR, so that no condition is squared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/rows.hpp"
#include "proofs/thin_qr.hpp"

namespace rosenblatt {

// optimal: z_j.p >= (1 - tol) |p|^2 for all rows; meets: p is zero as far as doubles can tell; stalled: no step makes
// |p| smaller in doubles; running: the passes are used up.
enum class Search { running, optimal, meets, stalled };

template <class Rows>
class NearestPoint {
 public:
  // Starts from a short row, or from the point nearest to the origin in the hull of rows of `start`.
  explicit NearestPoint(Rows& rows, const std::vector<int64_t>& start = {})
      : rows_(rows), point_(size_t(rows.features) + 1), residual_(size_t(rows.features) + 1) {
    if (rows.size == 0) throw std::invalid_argument("the nearest point needs at least one row");
    for (const int64_t i : start)
      if (i < 0 || i >= rows.size) refuse("the corral must be of rows 0 to " + std::to_string(rows.size - 1), i);
    check_all(rows);
    const int64_t shortest = measure();
    for (const int64_t i : start) add(i);
    if (corral_.empty()) add(shortest);
    weights_.assign(corral_.size(), 1 / double(corral_.size()));
    descend();
    least2_ = length2_;
  }

  // Up to `passes` passes over all rows. Each picks the rows that violate the condition most; between two passes the
  // nearest point is sought among these and the corral.
  Search run(int64_t passes, double tol) {
    const int64_t last = n_passes_ + passes;
    if (n_passes_ == 0 && passes > 0) price(tol);
    while (n_passes_ > 0) {
      if (lowest_ > 0 && lowest_ >= (1 - tol) * length2_) return Search::optimal;
      if (is_zero(kRounding)) return Search::meets;
      if (stalled_) return is_zero(kNearZero * double(point_.size())) && lowest_ <= 0 ? Search::meets : Search::stalled;
      if (n_passes_ >= last) break;
      stalled_ = !dispatch([&] { return improve(tol); });
      if (!stalled_) price(tol);
    }
    return Search::running;
  }

  const std::vector<int64_t>& corral() const { return corral_; }
  const std::vector<double>& weights() const { return weights_; }
  std::vector<double> point() const {
    std::vector<double> p(point_.begin(), point_.end() - 1);
    for (double& value : p) value = value / unit_ / unit_;
    return p;
  }
  double length() const { return std::sqrt(length2_) / unit_; }  // |sum of lam_i z_i|: the margin is not larger
  double lowest() const { return lowest_ / unit_ / unit_; }      // the smallest z_j.p, as the last pass saw it
  int64_t n_passes() const { return n_passes_; }
  int64_t n_steps() const { return n_steps_; }

 private:
  static constexpr size_t kPicked = 256;
  static constexpr int64_t kStepsBetweenRebuilds = 100;
  static constexpr double kRounding = 5e-16, kNearZero = 1e-14;

  // Finds a row whose largest value is smallest, and the unit: a power of two that brings the rows' middle size to 1,
  // the first entry of a_i. All below is in this unit; point_ is p times the unit, so that z_j.point_ is in it too.
  int64_t measure() {
    int64_t shortest = 0, exponents = 0, counted = 0;
    double least = HUGE_VAL;
    dispatch([&] {
      for (int64_t i = 0; i < rows_.size; ++i) {
        const auto row = rows_[i];
        interrupts_.after(work_of(row));
        double largest = 0;
        for (int64_t k = 0; k < row.size; ++k) largest = std::max(largest, std::abs(row.values[k]));
        if (largest < least) {
          least = largest;
          shortest = i;
        }
        if (largest == 0) continue;
        exponents += std::ilogb(largest);
        counted += 1;
      }
    });
    constexpr int64_t kFarthest = 1000;
    if (counted > 0) unit_ = std::ldexp(1.0, -int(std::clamp(exponents / counted, -kFarthest, kFarthest)));
    return shortest;
  }

  std::vector<double> column(int64_t i, double first) const {
    std::vector<double> a(residual_.size());
    a[0] = first;
    for_each(rows_[i], 1, 0.0, rows_.features, [&](int64_t j, double value) { a[size_t(j) + 1] += unit_ * value; });
    return a;
  }

  bool add(int64_t i) {
    if (!qr_.append(column(i, 1))) return false;
    corral_.push_back(i);
    return true;
  }

  void drop(size_t c) {
    qr_.remove(c);
    dropped_.push_back(corral_[c]);
    corral_.erase(corral_.begin() + std::ptrdiff_t(c));
    weights_.erase(weights_.begin() + std::ptrdiff_t(c));
  }

  // The factors and the point from scratch, free of what the rotations' rounding has left in them.
  void rebuild() {
    ThinQR qr;
    std::vector<int64_t> corral;
    std::vector<double> weights;
    for (size_t c = 0; c < corral_.size(); ++c) {
      if (!qr.append(column(corral_[c], 1))) continue;
      corral.push_back(corral_[c]);
      weights.push_back(weights_[c]);
    }
    qr_ = std::move(qr);
    corral_ = std::move(corral);
    weights_ = std::move(weights);
    descend();
  }

  // The weights that minimise |p| in the corral's affine hull. What e_0 has beside A's columns stays in residual_.
  std::vector<double> affine_minimiser() {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    residual_[0] = 1;
    auto mu = qr_.solve(qr_.project(residual_));
    const double total = std::accumulate(mu.begin(), mu.end(), 0.0);
    for (double& value : mu) value /= total;
    return mu;
  }

  // Goes from the weights to the affine minimiser; where a weight falls to zero on the way, drops its row and goes on.
  void descend() {
    for (;;) {
      const auto mu = affine_minimiser();
      double theta = 1;
      size_t blocking = mu.size();
      for (size_t c = 0; c < mu.size(); ++c) {
        if (mu[c] > 0) continue;
        const double reach = weights_[c] / (weights_[c] - mu[c]);
        if (blocking < mu.size() && reach >= theta) continue;
        theta = reach;
        blocking = c;
      }
      if (blocking == mu.size()) return move_to(mu);
      for (size_t c = 0; c < mu.size(); ++c) weights_[c] = std::max(0.0, weights_[c] + theta * (mu[c] - weights_[c]));
      drop(blocking);
    }
  }

  // |p| comes from the sum of the weighted rows. The direction comes from the residual (|p|^2, -p) / (1 + |p|^2): it is
  // orthogonal to the corral to the last digit, while the sum is a small difference of large rows.
  void move_to(const std::vector<double>& weights) {
    weights_ = weights;
    std::vector<double> p(residual_.size());
    scale_ = 0;
    for (size_t c = 0; c < corral_.size(); ++c) {
      const auto z = column(corral_[c], 0);
      scale_ += weights[c] * std::sqrt(inner(z, z));
      for (size_t j = 0; j < p.size(); ++j) p[j] += weights[c] * z[j];
    }
    length2_ = inner(p, p);
    residual_[0] = 0;
    const double beside2 = inner(residual_, residual_);
    const double factor = beside2 > 0 ? -unit_ * std::sqrt(length2_ / beside2) : 0;
    for (size_t j = 1; j < residual_.size(); ++j) point_[j - 1] = factor * residual_[j];
  }

  // Whether |p| is at most `part` of the lengths that it is the sum of.
  bool is_zero(double part) const { return std::sqrt(length2_) <= part * scale_; }

  double price_row(int64_t i) {
    interrupts_.after(work_of(rows_[i]));
    return dot(rows_[i], point_.data(), 0.0, rows_.features);
  }

  void price(double tol) {
    std::vector<std::pair<double, int64_t>> worst;  // a heap, the least bad on top
    dispatch([&] {
      double lowest = HUGE_VAL, bar = (1 - tol) * length2_;
      for (int64_t i = 0; i < rows_.size; ++i) {
        const double value = price_row(i);
        lowest = std::min(lowest, value);
        if (value >= bar) continue;
        worst.emplace_back(value, i);
        std::push_heap(worst.begin(), worst.end());
        if (worst.size() <= kPicked) continue;
        std::pop_heap(worst.begin(), worst.end());
        worst.pop_back();
        bar = worst.front().first;
      }
      lowest_ = lowest;
    });
    n_passes_ += 1;
    pool_.clear();
    for (const auto& [value, i] : worst) pool_.push_back(i);
  }

  // Steps until no row of the pool violates the condition; whether |p| fell. A row leaves the pool when it is tried,
  // and comes back only by a step that makes |p| smaller than ever: so this ends.
  bool improve(double tol) {
    const double before = least2_;
    while (!pool_.empty() && !is_zero(kRounding)) {
      size_t chosen = 0;
      double lowest = HUGE_VAL;
      for (size_t c = 0; c < pool_.size(); ++c) {
        const double value = price_row(pool_[c]);
        if (value >= lowest) continue;
        lowest = value;
        chosen = c;
      }
      if (lowest >= (1 - tol) * length2_) break;
      const int64_t row = pool_[chosen];
      pool_.erase(pool_.begin() + std::ptrdiff_t(chosen));
      if (std::find(corral_.begin(), corral_.end(), row) == corral_.end()) step(row);
    }
    return least2_ < before;
  }

  void step(int64_t row) {
    if (++n_steps_ % kStepsBetweenRebuilds == 0) rebuild();
    if (!add(row)) return;
    weights_.push_back(0);
    dropped_.clear();
    descend();
    if (length2_ >= least2_) return;
    least2_ = length2_;
    pool_.insert(pool_.end(), dropped_.begin(), dropped_.end());
  }

  const Rows& rows_;
  double unit_ = 1, length2_ = 0, least2_ = 0, scale_ = 0, lowest_ = -HUGE_VAL;
  int64_t n_passes_ = 0, n_steps_ = 0;
  bool stalled_ = false;
  ThinQR qr_;
  std::vector<int64_t> corral_, pool_, dropped_;  // the pool: rows that may enter the corral
  std::vector<double> weights_, point_, residual_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
