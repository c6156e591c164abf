// What a parser has learned, at rest: the weights that were ever changed, a row for each key, as a model file has them.
// Averages are lazy, see readout.hpp: with sums = sum of visits * change, (visits * w - sums) / visits is the mean of
// the weights after each visit. All of these are integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/cells.hpp"
#include "base/interrupts.hpp"

namespace rosenblatt {

// Row k has the next counts[k] cells, with rising actions. Keys rise.
struct ParseWeights {
  static constexpr int64_t kMostVisits = int64_t{1} << 31;  // so that visits * w, and the sums, are far from 2^63

  int32_t actions;
  int64_t templates;  // the most keys that a configuration can have
  int64_t visits = 0;
  std::vector<uint64_t> keys;
  std::vector<int32_t> counts, cell_actions, w;
  std::vector<int64_t> sums;

  ParseWeights(int64_t actions, int64_t templates) : actions(static_cast<int32_t>(actions)), templates(templates) {
    if (actions < 1 || actions > 0x7fff) throw std::invalid_argument("expected 1 to 32767 actions");
    if (templates < 1 || templates > (1 << 16)) throw std::invalid_argument("expected 1 to 65536 templates");
  }

  // So that no sum of a configuration's weights overflows.
  int32_t largest_weight() const { return static_cast<int32_t>((int64_t{1} << 30) / templates); }

  // Times `visits` if it is an average.
  int64_t answer(size_t cell, Readout readout) const {
    return readout == Readout::last || visits == 0 ? w[cell] : visits * w[cell] - sums[cell];
  }

  // The cells whose answers are farther from 0 than `least`.
  ParseWeights pruned(Readout readout, double least) const {
    const double scale = readout == Readout::last ? 1 : double(std::max(visits, int64_t{1}));
    ParseWeights kept(actions, templates);
    kept.visits = visits;
    Interrupts interrupts;
    size_t cell = 0;
    for (size_t k = 0; k < keys.size(); ++k) {
      interrupts.after(kWorkOfACell * (1 + counts[k]));
      const size_t before = kept.w.size();
      for (int32_t n = 0; n < counts[k]; ++n, ++cell) {
        if (std::abs(double(answer(cell, readout))) <= least * scale) continue;
        kept.cell_actions.push_back(cell_actions[cell]);
        kept.w.push_back(w[cell]);
        kept.sums.push_back(sums[cell]);
      }
      if (kept.w.size() == before) continue;
      kept.keys.push_back(keys[k]);
      kept.counts.push_back(static_cast<int32_t>(kept.w.size() - before));
    }
    return kept;
  }

  void check() const {
    const size_t n_cells = cell_actions.size();
    insist(visits >= 0 && visits <= kMostVisits, "visits must be from 0 to 2^31");
    insist(keys.size() == counts.size(), "there must be one count a key");
    insist(n_cells == w.size() && n_cells == sums.size(), "cells must have an action, a weight and a sum");
    insist(keys.size() < (size_t{1} << 30) && n_cells < (size_t{1} << 30), "there must be fewer than 2^30 cells");
    Interrupts interrupts;
    size_t cell = 0;
    for (size_t k = 0; k < keys.size(); ++k) {
      interrupts.after(kWorkOfACell);
      insist(keys[k] > (k == 0 ? 0 : keys[k - 1]), "keys must rise, and not be 0");
      insist(counts[k] >= 0 && size_t(counts[k]) <= n_cells - cell, "counts must add up to the number of cells");
      for (int32_t n = 0, last = -1; n < counts[k]; ++n, ++cell) {
        insist(cell_actions[cell] > last && cell_actions[cell] < actions, "the actions of a row must rise");
        last = cell_actions[cell];
        insist(w[cell] >= -largest_weight() && w[cell] <= largest_weight(), "a weight is too large");
        insist(std::abs(double(sums[cell])) < 0x1p61, "sums must be within 2^61");
      }
    }
    insist(cell == n_cells, "counts must add up to the number of cells");
  }
};

}  // namespace rosenblatt
