// At most B support vectors, whatever comes: when there is one too many, the oldest or a random one goes, or, for rbf,
// the least of them is merged with another. Slots hold the vectors that are there, one slot more than the budget.
//   Merging (Wang, Crammer and Vucetic 2012): m and n become z = h m + (1 - h) n, and with q = k(m, n) their
//   coefficients a, b become a k(m, z) + b k(n, z), k(m, z) = q^((1-h)^2), k(n, z) = q^(h^2). The larger the square of
//   that, the less is lost. Exponents e = gamma d^2 of z follow from those of m and n, so no vector is needed here:
//   e(z, x) = h e(m, x) + (1 - h) e(n, x) - h (1 - h) e(m, n).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernel/kernel_pass.hpp"
#include "loop/order.hpp"

namespace rosenblatt {

enum class Removal { oldest, random, merge };

struct Slots {
  int64_t count;     // budget + 1
  int32_t machines;  // coefficients a slot
  double* coef;
  int64_t* born;   // the visit that brought it; -1: the slot is free
  double* values;  // count x (count + size): kernel values, or for merging exponents, with the slots and the block
};

// What became of a slot: row `row` of the block came into it, or it was merged with `other`, or (both -1) it was freed.
struct Move {
  int64_t slot, row, other;
  double h;
};

struct BudgetResult {
  int64_t mistakes = 0, updates = 0;
  double loss = 0;
  std::vector<Move> moves;
};

class BudgetPass {
 public:
  BudgetPass(const Rule& rule, Removal removal, Slots slots, Random random)
      : removal_(removal), slots_(slots), random_(random), mistakes_(rule, slots.machines) {}

  // `gram` is size x size, of the same kind as the slots' values; `slot_of` is the slot of each row of the block, or
  // -1.
  BudgetResult run(int64_t size, const int64_t* order, const int32_t* target, const double* weight, const double* gram,
                   int64_t* slot_of, int64_t visits) {
    size_ = size;
    width_ = slots_.count + size;
    score_.assign(size_t(size * slots_.machines), 0.0);
    row_in_.assign(size_t(slots_.count), -1);
    kernel_row_.resize(size_t(size));
    result_ = {};
    for (int64_t i = 0; i < size; ++i)
      if (slot_of[i] >= 0) row_in_[size_t(slot_of[i])] = i;
    for (int64_t s = 0; s < slots_.count; ++s) add(s, coef(s), 1);
    for (int64_t p = 0; p < size; ++p) {
      const int64_t i = order[p];
      interrupts_.after(slots_.machines);
      if (!mistakes_.find(score_.data() + i, size, target[i], weight ? weight[i] : 1.0)) continue;
      result_.mistakes += mistakes_.count;
      result_.loss += mistakes_.loss;
      result_.updates += 1;
      if (slot_of[i] < 0) slot_of[i] = bring(i, gram + i * size, visits + p);
      learn(slot_of[i]);
      if (std::count(slots_.born, slots_.born + slots_.count, -1) == 0) remove_one(slot_of[i], slot_of);
    }
    return std::move(result_);
  }

 private:
  double* coef(int64_t s) const { return slots_.coef + s * slots_.machines; }
  double* values(int64_t s) const { return slots_.values + s * width_; }
  double kernel_value(double stored) const { return removal_ == Removal::merge ? std::exp(-stored) : stored; }

  // Adds `sign` times the given coefficients of slot s to the scores of the block.
  void add(int64_t s, const double* coefficients, double sign) {
    if (std::all_of(coefficients, coefficients + slots_.machines, [](double a) { return a == 0; })) return;
    const double* stored = values(s) + slots_.count;
    interrupts_.after(size_ * slots_.machines);
    for (int64_t j = 0; j < size_; ++j) kernel_row_[size_t(j)] = kernel_value(stored[j]);
    for (int32_t c = 0; c < slots_.machines; ++c)
      if (coefficients[c] != 0)
        add_kernel_row(score_.data() + c * size_, sign * coefficients[c], kernel_row_.data(), size_);
  }

  // Row i of the block goes into a free slot.
  int64_t bring(int64_t i, const double* kernel_row, int64_t visit) {
    const int64_t s = std::find(slots_.born, slots_.born + slots_.count, -1) - slots_.born;
    slots_.born[s] = visit;
    row_in_[size_t(s)] = i;
    std::fill_n(coef(s), slots_.machines, 0.0);
    for (int64_t t = 0; t < slots_.count; ++t) values(s)[t] = values(t)[s] = values(t)[slots_.count + i];
    std::copy_n(kernel_row, size_, values(s) + slots_.count);
    values(s)[s] = kernel_row[i];
    result_.moves.push_back({s, i, -1, 0});
    return s;
  }

  void learn(int64_t s) {
    std::vector<double> change(size_t(slots_.machines));
    for (const auto& [cls, tau] : mistakes_.added) change[size_t(cls)] += tau, coef(s)[cls] += tau;
    add(s, change.data(), 1);
  }

  void remove_one(int64_t newest, int64_t* slot_of) {
    if (removal_ == Removal::merge) {
      merge_least(slot_of);
      return;
    }
    int64_t s = std::min_element(slots_.born, slots_.born + slots_.count) - slots_.born;
    if (removal_ == Removal::random) {
      s = random_.below(slots_.count - 1);
      s += s >= newest;
    }
    const std::vector<double> gone(coef(s), coef(s) + slots_.machines);
    leave(s, slot_of);
    release(s);
    add(s, gone.data(), -1);
    // A machine that has nothing left scores 0, not what rounding left of it: a tie is a tie.
    for (int32_t c = 0; c < slots_.machines; ++c)
      if (gone[size_t(c)] != 0 && is_empty(c)) std::fill_n(score_.begin() + c * size_, size_, 0.0);
    result_.moves.push_back({s, -1, -1, 0});
  }

  bool is_empty(int32_t c) const {
    for (int64_t s = 0; s < slots_.count; ++s)
      if (coef(s)[c] != 0) return false;
    return true;
  }

  void leave(int64_t s, int64_t* slot_of) {
    if (row_in_[size_t(s)] >= 0) slot_of[row_in_[size_t(s)]] = -1;
    row_in_[size_t(s)] = -1;
  }

  void release(int64_t s) {
    slots_.born[s] = -1;
    std::fill_n(coef(s), slots_.machines, 0.0);
  }

  double dot(int64_t s, int64_t t) const {
    double total = 0;
    for (int32_t c = 0; c < slots_.machines; ++c) total += coef(s)[c] * coef(t)[c];
    return total;
  }

  // The squared length of the merged coefficient, from aa = |a|^2, bb = |b|^2, ab = a.b and the exponent e of k(m, n).
  static double merged(double aa, double bb, double ab, double e, double h) {
    const double u = std::exp(-e * (1 - h) * (1 - h)), v = std::exp(-e * h * h);
    return aa * u * u + bb * v * v + 2 * ab * u * v;
  }

  // The partner is the one with the least loss where h is the share of |a|; the best h is then searched for.
  void merge_least(int64_t* slot_of) {
    int64_t m = 0;
    for (int64_t s = 1; s < slots_.count; ++s)
      if (dot(s, s) < dot(m, m)) m = s;
    const double aa = dot(m, m);
    int64_t n = -1;
    double least = 0;
    for (int64_t s = 0; s < slots_.count; ++s) {
      if (s == m) continue;
      const double bb = dot(s, s), ab = dot(m, s), e = values(m)[s];
      const double h = std::sqrt(aa) / std::max(std::sqrt(aa) + std::sqrt(bb), 1e-300);
      const double loss = aa + bb + 2 * ab * std::exp(-e) - merged(aa, bb, ab, e, h);
      if (n < 0 || loss < least) n = s, least = loss;
    }
    merge(m, n, best_share(aa, dot(n, n), dot(m, n), values(m)[n]), slot_of);
  }

  // The best of 33 places between m and n, then a golden section around it.
  static double best_share(double aa, double bb, double ab, double e) {
    constexpr int kPlaces = 32;
    int best = 0;
    for (int k = 1; k <= kPlaces; ++k)
      if (merged(aa, bb, ab, e, double(k) / kPlaces) > merged(aa, bb, ab, e, double(best) / kPlaces)) best = k;
    double low = std::max(0.0, double(best - 1) / kPlaces), high = std::min(1.0, double(best + 1) / kPlaces);
    for (int step = 0; step < 30; ++step) {
      const double cut = 0.381966011250105 * (high - low), left = low + cut, right = high - cut;
      const bool on_the_left = merged(aa, bb, ab, e, left) >= merged(aa, bb, ab, e, right);
      (on_the_left ? high : low) = on_the_left ? right : left;
    }
    return (low + high) / 2;
  }

  void merge(int64_t m, int64_t n, double h, int64_t* slot_of) {
    const double e = values(m)[n];
    const double u = std::exp(-e * (1 - h) * (1 - h)), v = std::exp(-e * h * h);
    add(m, coef(m), -1);
    add(n, coef(n), -1);
    for (int32_t c = 0; c < slots_.machines; ++c) coef(m)[c] = u * coef(m)[c] + v * coef(n)[c];
    for (int64_t j = 0; j < width_; ++j)
      values(m)[j] = std::max(0.0, h * values(m)[j] + (1 - h) * values(n)[j] - h * (1 - h) * e);
    for (int64_t t = 0; t < slots_.count; ++t) values(t)[m] = values(m)[t];
    values(m)[m] = 0;
    add(m, coef(m), 1);
    leave(m, slot_of);
    leave(n, slot_of);
    release(n);
    result_.moves.push_back({m, -1, n, h});
  }

  Removal removal_;
  Slots slots_;
  Random random_;
  Mistakes mistakes_;
  int64_t size_ = 0, width_ = 0;
  std::vector<double> score_, kernel_row_;
  std::vector<int64_t> row_in_;
  Interrupts interrupts_;
  BudgetResult result_;
};

}  // namespace rosenblatt
