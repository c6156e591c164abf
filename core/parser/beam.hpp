// Beam search over the ways of a sentence: after each step the best ones are kept. A way that is at its end stays as it
// is while others, which have swapped more, go on. Of equal scores the way that was before the other wins, then the
// lowest action.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "parser/actions.hpp"
#include "parser/configuration.hpp"

namespace rosenblatt {

class Beam {
 public:
  static constexpr int32_t kEnded = -1;  // in the place of an action

  Beam(const Actions& actions, int64_t width) : actions_(actions), width_(size_t(width)) {}

  void begin(int32_t words) {
    steps_.clear();
    ways_.resize(1);
    ways_[0].begin(words);
    scores_.assign(1, 0);
  }

  // Whether all ways are at their ends.
  bool done() const {
    return std::all_of(ways_.begin(), ways_.end(), [](const Configuration& way) { return way.done(); });
  }
  const Configuration& best() const { return ways_[0]; }
  int64_t best_score() const { return scores_[0]; }

  // One action for each way. score(configuration) points to the scores of all actions. What is not to be decided is
  // not scored.
  template <class Score>
  void step(Score score) {
    candidates_.clear();
    for (size_t k = 0; k < ways_.size(); ++k) {
      const auto from = static_cast<int32_t>(k);
      const int32_t only = ways_[k].done() ? kEnded : actions_.only(ways_[k]);
      if (ways_[k].done() || only >= 0) {
        candidates_.push_back({scores_[k], from, only});
        continue;
      }
      const int32_t* const of = score(ways_[k]);
      for (int m = 0; m < kMoves; ++m) {
        if (!ways_[k].allows(Move(m))) continue;
        const auto [first, last] = actions_.range(Move(m));
        for (int32_t a = first; a < last; ++a) candidates_.push_back({scores_[k] + of[a], from, a});
      }
    }
    const size_t kept = std::min(width_, candidates_.size());
    const auto end = candidates_.begin() + int64_t(kept);
    std::partial_sort(candidates_.begin(), end, candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score > b.score : a.from != b.from ? a.from < b.from : a.action < b.action;
    });
    next_.resize(kept);
    scores_.resize(kept);
    auto& taken = steps_.emplace_back(kept);
    for (size_t k = 0; k < kept; ++k) {
      const auto& [of, from, action] = candidates_[k];
      next_[k] = ways_[size_t(from)];
      if (action != kEnded) actions_.make(next_[k], action);
      scores_[k] = of;
      taken[k] = {from, action};
    }
    ways_.swap(next_);
  }

  // The actions of the best way.
  std::vector<int32_t> actions_of_best() const {
    std::vector<int32_t> actions;
    size_t at = 0;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if ((*step)[at].action != kEnded) actions.push_back((*step)[at].action);
      at = size_t((*step)[at].from);
    }
    std::reverse(actions.begin(), actions.end());
    return actions;
  }

 private:
  struct Candidate {
    int64_t score;
    int32_t from, action;
  };
  struct Step {
    int32_t from, action;
  };

  const Actions& actions_;
  size_t width_;
  std::vector<Configuration> ways_, next_;
  std::vector<int64_t> scores_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<Step>> steps_;
};

}  // namespace rosenblatt
