// Parsing: the best action again and again, or the best way of a beam.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lanes.hpp"
#include "parser/actions.hpp"
#include "parser/answering_table.hpp"
#include "parser/beam.hpp"
#include "parser/tree_templates.hpp"

namespace rosenblatt {

class TreeParser {
 public:
  TreeParser(const ParseWeights& weights, Actions actions, Readout readout, int64_t beam)
      : actions_(std::move(actions)), beam_(beam), table_(weights, readout) {
    if (weights.actions != actions_.size()) throw std::invalid_argument("the weights are for other actions");
  }

  int64_t templates() const { return table_.templates(); }

  // Writes a head and a label for each token of the sentences first to last; there is room for those of the corpus.
  void parse_part(const TreeValues& values, int64_t first, int64_t last, int32_t* heads, int32_t* labels) const {
    TreeKeys keys(values, actions_);
    AnsweringTable::Scratch scratch;
    Configuration greedy;
    Beam beam(actions_, beam_);
    Interrupts interrupts;
    dispatch([&] {
      for (int64_t s = first; s < last; ++s) {
        const int32_t words = values.words(s);
        keys.begin(s);
        const auto score = [&](const Configuration& c) ROSENBLATT_ALWAYS {
          interrupts.after(kWorkOfAKey * table_.templates());
          table_.score(keys.of(c), scratch);
          return scratch.scores.data();
        };
        if (beam_ == 1)
          decide(greedy, words, score);
        else
          for (beam.begin(words); !beam.done();) beam.step(score);
        const Configuration& found = beam_ == 1 ? greedy : beam.best();
        const int64_t start = values.corpus().starts[size_t(s)];
        for (int32_t word = 1; word <= words; ++word) {
          heads[start + word - 1] = found.node(word).head;
          labels[start + word - 1] = found.node(word).label;
        }
      }
    });
  }

 private:
  static constexpr int64_t kWorkOfAKey = 16;

  template <class Score>
  ROSENBLATT_INLINE void decide(Configuration& c, int32_t words, const Score& score) const {
    for (c.begin(words); !c.done();) {
      const int32_t only = actions_.only(c);
      actions_.make(c, only >= 0 ? only : actions_.best(c, score(c)));
    }
  }

  Actions actions_;
  int64_t beam_;
  AnsweringTable table_;
};

}  // namespace rosenblatt
