// A kernel run, visit by visit: the score, whether it was a mistake, and the lectures' alpha after it, for tables of a
// lecture's size, whose kernel values are all at hand. What is a mistake is said by kernel_pass.hpp, which learns from
// the same rows in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/kernel_pass.hpp"
#include "lessons/recorder.hpp"
#include "lessons/turns.hpp"

namespace rosenblatt {

// One entry a visit, but for `alpha`, whose entries are as in Recorded's `weights`, and `mistakes`.
struct KernelRecorded {
  std::vector<int64_t> pass, row, k;
  std::vector<int32_t> mistake;
  std::vector<Why> why;
  std::vector<double> score;      // of each machine, before the visit; in units
  std::vector<double> alpha;      // machines x rows at the start and after each update, signed: tau summed up
  std::vector<double> norm2;      // the squared length of all machines, as often
  std::vector<int64_t> mistakes;  // of each pass
};

class KernelRecorder {
 public:
  // `gram` has the kernel values of all rows with all rows. Alpha is noted times `unit`: see step.hpp.
  KernelRecorder(const double* gram, int64_t rows, const int32_t* target, const Rule& rule, int32_t machines,
                 double unit)
      : gram_(gram),
        rows_(rows),
        target_(target),
        unit_(unit),
        score_(size_t(machines * rows), 0.0),
        alpha_(score_.size(), 0.0),
        mistakes_(rule, machines) {
    note_alpha();
  }

  KernelRecorded& run(const Turns& turns, int64_t passes, int64_t visits) {
    run_passes(0, visits > 0 ? passes : 0, [&](int64_t pass) {
      const auto order = turns.of_pass(uint64_t(pass), [&](int64_t i) { return look(i); });
      const int64_t visited = std::min(int64_t(order.size()), visits);
      recorded_.mistakes.push_back(0);
      for (int64_t place = 0; place < visited; ++place) visit(pass + 1, order[size_t(place)]);
      visits -= visited;
      return recorded_.mistakes.back() > 0 && visits > 0;
    });
    return recorded_;
  }

 private:
  Looked<double> look(int64_t i) {
    interrupts_.after(mistakes_.machines());
    const bool mistake = mistakes_.find(score_.data() + i, rows_, target_[i], 1.0);
    return {mistakes_.least_gap, mistake};
  }

  void visit(int64_t pass, int64_t i) {
    const auto [gap, mistake] = look(i);
    const bool was_zero = std::all_of(alpha_.begin(), alpha_.end(), [](double a) { return a == 0; });
    for (int32_t c = 0; c < mistakes_.machines(); ++c) recorded_.score.push_back(score_[at(c, i)]);
    if (mistake) learn(i);
    recorded_.pass.push_back(pass);
    recorded_.row.push_back(i);
    recorded_.k.push_back(k_);
    recorded_.mistake.push_back(int32_t(mistakes_.count));
    recorded_.why.push_back(mistake ? reason(was_zero, k_ == 1, gap) : Why::none);
    recorded_.mistakes.back() += mistakes_.count;
  }

  void learn(int64_t i) {
    for (const auto& [cls, tau] : mistakes_.added) {
      const double* const values = gram_ + i * rows_;
      norm2_ += tau * (2 * score_[at(cls, i)] + tau * values[i]);
      add_kernel_row(score_.data() + cls * rows_, tau, values, rows_);
      alpha_[at(cls, i)] += tau;
    }
    ++k_;
    note_alpha();
  }

  void note_alpha() {
    interrupts_.after(int64_t(alpha_.size()));
    for (const double a : alpha_) recorded_.alpha.push_back(a * unit_);
    recorded_.norm2.push_back(norm2_ * unit_ * unit_);
  }

  size_t at(int32_t machine, int64_t row) const { return size_t(machine * rows_ + row); }

  const double* gram_;
  int64_t rows_;
  const int32_t* target_;
  double unit_, norm2_ = 0;
  int64_t k_ = 0;
  std::vector<double> score_, alpha_;
  Mistakes mistakes_;
  KernelRecorded recorded_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
