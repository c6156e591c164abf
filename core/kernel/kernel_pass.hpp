// The dual pass, block by block: the score of a row is a sum of kernel values, and a mistake adds the row's own.
// The scores of a block come in with all that was learned before it. Within it every mistake adds its kernel row to
// the scores of the whole block at once: to the rows that come later, as the perceptron does, and to those before
// them, so that at the next visit of the block only what was learned since is missing. All machines (one a class; one
// for two classes) share the kernel values. It is the sequential perceptron, not a mini-batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/contest.hpp"
#include "base/interrupts.hpp"
#include "base/lanes.hpp"
#include "base/readout.hpp"
#include "base/step.hpp"

namespace rosenblatt {

// score += tau * values, each entry on its own: the same bits however the values came.
template <class T>
void add_kernel_row(double* score, double tau, const T* values, int64_t size) {
  dispatch([=] {
    for (int64_t j = 0; j < size; ++j) score[j] += tau * static_cast<double>(values[j]);
  });
}

// After `visit` visits, `tau` times a row was added to machine `cls`, whose squared length is now `norm2`.
struct DualEvent {
  int64_t visit, row;
  int32_t cls;
  double tau, norm2;
};

// A block of rows as they lie; `order` says which comes when.
template <class T>
struct KernelBlock {
  int64_t size;
  const int64_t* order;
  const int32_t* target;
  const double* weight;  // nullptr: 1
  double* score;         // machines x size
  const T* gram;         // kernel rows: that of row i, if it is there, is the place[i]-th
  const int32_t* place;  // -1: not there
  uint8_t* held;         // whether the row is a support vector
};

enum class WhenFull { pass_over, wait };  // what to do at a mistake for which there is no room

struct DualResult {
  int64_t next = 0;  // the position that waits, or the end of the block
  int64_t mistakes = 0, updates = 0;
  double loss = 0;
  std::vector<DualEvent> events;
  std::vector<int64_t> wanted;  // rows whose kernel rows are needed to go on: the one that waits, and the likely ones
};

// What the mistakes on one row add to which machines.
class Mistakes {
 public:
  struct Added {
    int32_t cls;
    double tau;
  };
  std::vector<Added> added;
  int64_t count = 0;
  double loss = 0, least_gap = 0;  // of all contests, won or lost

  Mistakes(const Rule& rule, int32_t machines) : rule_(rule), machines_(machines), score_(size_t(machines)) {}

  int32_t machines() const { return machines_; }

  // `score` has the row's score of each machine, `stride` apart. Returns whether there is a mistake.
  bool find(const double* score, int64_t stride, int32_t y, double weight) {
    added.clear();
    count = 0, loss = 0, least_gap = INFINITY;
    for (int32_t c = 0; c < machines_; ++c) {
      score_[size_t(c)] = score[c * stride];
      if (!std::isfinite(score_[size_t(c)]))
        throw std::overflow_error("a score is not finite: kernel values are too large for their type; scale the rows");
    }
    for_each_contest(score_.data(), machines_, y, rule_, [&](const Contest<double>& contest) {
      least_gap = std::min(least_gap, contest.gap);
      if (!is_mistake(contest.gap, contest.wins_tie, rule_.margin, StepKind::perceptron)) return;
      count += 1;
      loss += (rule_.margin - contest.gap) * weight;
      added.push_back({contest.up, contest.sign * weight});
      if (contest.down >= 0) added.push_back({contest.down, -weight});
    });
    return count > 0;
  }

 private:
  const Rule& rule_;
  int32_t machines_;
  std::vector<double> score_;
};

template <class T>
class KernelPass {
 public:
  // `norm2` has the squared length of each machine; `room` says how many support vectors may still come.
  KernelPass(const Rule& rule, int32_t machines, double* norm2, int64_t room, WhenFull when_full)
      : norm2_(norm2), room_(room), when_full_(when_full), mistakes_(rule, machines) {}
  int64_t room() const { return room_; }

  // Visits the rows from position `first` on; `visits` were made before this block.
  DualResult run(const KernelBlock<T>& block, int64_t first, int64_t visits) {
    DualResult result;
    result.next = first;
    for (; result.next < block.size; ++result.next) {
      const int64_t i = block.order[result.next];
      if (!is_wrong(block, i)) continue;
      const bool full = !block.held[i] && room_ == 0;
      if (full && when_full_ == WhenFull::wait) break;
      if (!full && block.place[i] < 0) {
        want(block, result);
        break;
      }
      result.mistakes += mistakes_.count;
      result.loss += mistakes_.loss;
      if (!full) learn(block, i, visits + result.next, result);
    }
    return result;
  }

 private:
  bool is_wrong(const KernelBlock<T>& block, int64_t i) {
    interrupts_.after(mistakes_.machines());
    return mistakes_.find(block.score + i, block.size, block.target[i], block.weight ? block.weight[i] : 1.0);
  }

  void learn(const KernelBlock<T>& block, int64_t i, int64_t visit, DualResult& result) {
    if (!block.held[i]) --room_;
    block.held[i] = 1;
    const T* kernel_row = block.gram + block.place[i] * block.size;
    const double own = static_cast<double>(kernel_row[i]);
    for (const auto& [cls, tau] : mistakes_.added) {
      double* score = block.score + cls * block.size;
      interrupts_.after(block.size);
      norm2_[cls] += tau * (2 * score[i] + tau * own);
      add_kernel_row(score, tau, kernel_row, block.size);
      result.events.push_back({visit, i, cls, tau, norm2_[cls]});
    }
    result.updates += 1;
  }

  // The row that waits, and those after it that are mistakes as things stand: most of them will be.
  void want(const KernelBlock<T>& block, DualResult& result) {
    for (int64_t p = result.next; p < block.size; ++p)
      if (const int64_t i = block.order[p]; block.place[i] < 0 && is_wrong(block, i)) result.wanted.push_back(i);
  }

  double* norm2_;
  int64_t room_;
  WhenFull when_full_;
  Mistakes mistakes_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
