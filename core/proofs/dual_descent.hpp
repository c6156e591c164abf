// The separator of largest margin for many sparse rows: coordinate descent on the dual of the hard-margin SVM (Hsieh,
// Chang, Lin, Keerthi and Sundararajan 2008).
//   minimise |w|^2 / 2 - sum of alpha_i, w = sum of alpha_i z_i, alpha >= 0
//   row by row: alpha_i <- max(0, alpha_i - (z_i.w - 1) / |z_i|^2)
// At any moment min z_i.w / |w| <= margin <= |w| / sum of alpha_i; both ends go to the margin. If it is zero, alpha
// grows without end and the right one goes to zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/order.hpp"
#include "base/rows.hpp"

namespace rosenblatt {

template <class Rows>
class DualDescent {
 public:
  DualDescent(Rows& rows, uint64_t seed)
      : rows_(rows), seed_(seed), norm2_(size_t(rows.size)), alpha_(size_t(rows.size)), w_(size_t(rows.features) + 1) {
    if (rows.size == 0) throw std::invalid_argument("dual descent needs at least one row");
    check_all(rows);
    for (int64_t i = 0; i < rows.size; ++i) {
      interrupts_.after(work_of(rows[i]));
      const double norm2 = squared_norm(rows[i], 0.0, rows.features, static_cast<double*>(nullptr), 1);
      if (!(norm2 > 0)) refuse("dual descent needs rows of a positive squared length", i);
      if (!std::isfinite(norm2)) refuse("the squared length of a row is too large for its type", i);
      norm2_[size_t(i)] = norm2;
    }
  }

  // An epoch visits all rows, and then a few times those that still matter. Ends early when no row asks for a change.
  void run(int64_t epochs) {
    for (; epochs > 0 && !still_; --epochs) {
      active_.resize(size_t(rows_.size));
      std::iota(active_.begin(), active_.end(), int64_t{0});
      const double worst = visit();
      still_ = worst == 0;
      for (int turn = 0; turn < kTurns && visit() > kMuchLess * worst;) ++turn;
    }
  }

  double lowest() const {
    double lowest = HUGE_VAL;
    Interrupts interrupts;
    dispatch([&] {
      for (int64_t i = 0; i < rows_.size; ++i) {
        interrupts.after(work_of(rows_[i]));
        lowest = std::min(lowest, score(i));
      }
    });
    return lowest;
  }
  double total() const { return std::accumulate(alpha_.begin(), alpha_.end(), 0.0); }
  double squared_length() const {
    return squared_norm(DenseRow<double>{w_.data(), rows_.features}, 0.0, 0, static_cast<double*>(nullptr), 1);
  }
  const std::vector<double>& alpha() const { return alpha_; }
  std::vector<double> weights() const { return {w_.begin(), w_.end() - 1}; }

  // For the order, which counts in places of active_.
  void prefetch_row(int64_t k) const { rows_.prefetch_row(active_[size_t(k)]); }
  void prefetch_index(int64_t first, int64_t last) const {
    rows_.prefetch_index(active_[size_t(first)], active_[size_t(last) - 1] + 1);
  }

 private:
  static constexpr int kTurns = 10;
  static constexpr double kMuchLess = 0.1;

  double score(int64_t i) const { return dot(rows_[i], w_.data(), 0.0, rows_.features); }

  // Visits the active rows in a random order; returns the largest violation that it met. A row with alpha = 0 that is
  // right by more than the largest violation of the visit before will hardly get a weight soon: it is active no more.
  double visit() {
    double worst = 0;
    std::vector<char> stays(active_.size(), 1);
    Order order(int64_t(active_.size()), true, seed_, n_visits_++);
    dispatch([&] {
      double* w = w_.data();
      for (size_t k = 0; k < active_.size(); ++k) {
        const auto place = size_t(order.next(*this));
        const int64_t i = active_[place];
        interrupts_.after(work_of(rows_[i]));
        const double gap = score(i) - 1, before = alpha_[size_t(i)];
        const double after = std::max(0.0, before - gap / norm2_[size_t(i)]);
        if (before == 0 && gap > worst_before_) stays[place] = 0;
        if (after == before) continue;
        worst = std::max(worst, before > 0 ? std::abs(gap) : -gap);
        const double change = after - before;
        alpha_[size_t(i)] = after;
        for_each(rows_[i], 1, 0.0, rows_.features, [=](int64_t j, double value) { w[j] += change * value; });
      }
    });
    size_t kept = 0;
    for (size_t k = 0; k < active_.size(); ++k)
      if (stays[k]) active_[kept++] = active_[k];
    active_.resize(kept);
    worst_before_ = worst;
    return worst;
  }

  const Rows& rows_;
  const uint64_t seed_;
  uint64_t n_visits_ = 0;
  double worst_before_ = HUGE_VAL;
  bool still_ = false;
  std::vector<double> norm2_, alpha_, w_;
  std::vector<int64_t> active_;  // ascending
  Interrupts interrupts_;
};

}  // namespace rosenblatt
