// The votes of every hypothesis of a dual run: the list of its mistakes is replayed on a block of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel_pass.hpp"

namespace rosenblatt {

// The answers of one hypothesis: each machine's scores times its `scale`.
inline void kernel_answers(const double* score, int64_t rows, int32_t machines, Tie tie, const double* scale,
                           double* best, int64_t* answer) {
  const bool last = tie == Tie::positive;  // of equal ones
  dispatch([=] {
    if (machines == 1) {
      for (int64_t j = 0; j < rows; ++j) answer[j] = score[j] > 0 || (last && score[j] == 0);
      return;
    }
    std::fill_n(best, rows, -INFINITY);
    for (int32_t c = 0; c < machines; ++c) {
      for (int64_t j = 0; j < rows; ++j) {
        const double s = score[c * rows + j] * scale[c];
        const bool better = s > best[j] || (last && s == best[j]);
        best[j] = better ? s : best[j];
        answer[j] = better ? c : answer[j];
      }
    }
  });
}

// `votes` (classes x rows) gets the visits from `first` to `last` that the hypotheses with this answer survived.
// `values` has the kernel row of each support vector, which is what an event's row is a number of.
template <class T>
void kernel_vote(const T* values, int64_t rows, std::span<const DualEvent> events, int64_t first, int64_t last,
                 int32_t machines, Tie tie, bool normalise, double* votes) {
  std::vector<double> score(size_t(rows * machines)), best(static_cast<size_t>(rows)), scale(size_t(machines), 1.0);
  std::vector<int64_t> answer(static_cast<size_t>(rows));
  int64_t since = first;
  Interrupts interrupts;
  const auto survived_until = [&](int64_t visit) {
    if (visit <= since) return;
    kernel_answers(score.data(), rows, machines, tie, scale.data(), best.data(), answer.data());
    for (int64_t j = 0; j < rows; ++j) votes[answer[size_t(j)] * rows + j] += double(visit - since);
    since = visit;
  };
  for (const auto& event : events) {
    if (event.visit >= last) break;
    interrupts.after(rows * (machines + 1));
    survived_until(event.visit);
    add_kernel_row(score.data() + event.cls * rows, event.tau, values + event.row * rows, rows);
    if (normalise) scale[size_t(event.cls)] = event.norm2 > 0 ? 1 / std::sqrt(event.norm2) : 0;
  }
  survived_until(last);
}

}  // namespace rosenblatt
