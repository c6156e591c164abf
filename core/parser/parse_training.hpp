// How a parser learns. Greedy: each configuration is an example, with as many right answers as the oracle has moves of
// the least cost; where the best action is none of them, the best of them is added and the wrong one taken away. Going
// on from wrong actions too, exploring, teaches what to do after mistakes (Goldberg and Nivre 2012).
// With a beam a sentence is an example: the structured perceptron, updated where the best way of the beam is furthest
// ahead of the right one (max-violation, Huang et al. 2012). The right way is a fixed one, see Oracle::next.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/order.hpp"
#include "parser/actions.hpp"
#include "parser/beam.hpp"
#include "parser/learning_table.hpp"
#include "parser/oracle.hpp"
#include "parser/tree_templates.hpp"

namespace rosenblatt {

struct ParseResult {
  int64_t mistakes = 0, sentences = 0;  // updates, and sentences that had one
};

// The training set of a parser, and what is learned from it. A run that is interrupted leaves it half-trained. The
// templates and the corpus must outlive it.
class ParseTraining {
 public:
  // Token t has the head heads[t], a word of its sentence or 0, and the label labels[t].
  ParseTraining(const ParseWeights& weights, Actions actions, const TreeTemplates& templates, const Corpus& corpus,
                std::span<const int32_t> heads, std::span<const int32_t> labels)
      : templates_(templates.size()),
        actions_(std::move(actions)),
        values_(templates, corpus),
        keys_(values_, actions_),
        table_(weights) {
    if (weights.actions != actions_.size()) throw std::invalid_argument("the weights are for other actions");
    for (int64_t s = 0; s < corpus.n_sentences(); ++s) {
      const auto first = size_t(corpus.starts[size_t(s)]), size = size_t(values_.words(s));
      interrupts_.after(int64_t(size));
      if (problem_of_tree(heads.subspan(first, size)).expected) throw std::invalid_argument("the heads are no tree");
      trees_.emplace_back(heads.subspan(first, size), labels.subspan(first, size));
      for (size_t t = first; t < first + size; ++t)
        if (actions_.of_label(heads[t] == 0 ? Move::root : Move::right, labels[t]) < 0)
          throw std::invalid_argument("a label is not among those of the actions");
    }
  }

  ParseTraining(const ParseTraining&) = delete;  // its parts point to each other
  ParseTraining& operator=(const ParseTraining&) = delete;

  int64_t n_sentences() const { return static_cast<int64_t>(trees_.size()); }
  ParseWeights weights() const { return table_.weights(); }
  // Forgets what was learned.
  void restart() { table_ = LearningTable(ParseWeights(actions_.size(), templates_)); }

  // One pass over these sentences. `exploration` is how often a greedy parser goes on from its own action.
  ParseResult run(int64_t beam, double exploration, const std::vector<int64_t>& sentences, bool shuffled, uint64_t seed,
                  uint64_t pass) {
    NoPrefetch ahead;
    Order order(int64_t(sentences.size()), shuffled, seed, pass);
    constexpr uint64_t kExplore = 0x6578706c6f7265;  // "explore" in ASCII: these draws must not repeat the order's
    Random random(mix(mix(seed ^ kExplore) + pass));
    const auto follows = static_cast<uint64_t>(std::clamp(exploration, 0.0, 1.0) * 0x1p53);
    Beam ways(actions_, beam);
    ParseResult result;
    for (size_t done = 0; done < sentences.size(); ++done) {
      const int64_t s = sentences[size_t(order.next(ahead))];
      keys_.begin(s);
      const int64_t mistakes = beam == 1 ? decide(s, [&] { return (random.next() >> 11) < follows; }) : search(ways, s);
      result.mistakes += mistakes;
      result.sentences += mistakes > 0;
    }
    return result;
  }

 private:
  const std::vector<uint64_t>& scored(const Configuration& c) {
    interrupts_.after(kWorkOfAKey * templates_);
    const auto& keys = keys_.of(c);
    table_.score(keys, scores_);
    return keys;
  }

  void count_visit() {
    if (++table_.visits >= ParseWeights::kMostVisits)
      throw std::length_error("a parser cannot make more than 2^31 visits");
  }

  // Greedy. explores() tells whether to go on from a wrong action.
  template <class Explores>
  int64_t decide(int64_t sentence, Explores explores) {
    const Oracle oracle(trees_[size_t(sentence)]);
    int64_t mistakes = 0;
    for (c_.begin(values_.words(sentence)); !c_.done();) {
      if (const int32_t only = actions_.only(c_); only >= 0) {
        actions_.make(c_, only);
        continue;
      }
      const auto& keys = scored(c_);
      const int32_t found = actions_.best(c_, scores_.data()), right = best_right(oracle);
      if (found != right) {
        interrupts_.after(4 * kWorkOfAKey * templates_);
        table_.add(keys, right, 1);
        table_.add(keys, found, -1);
        ++mistakes;
      }
      count_visit();
      actions_.make(c_, explores() ? found : right);
    }
    return mistakes;
  }

  // The best of the actions that cost least. An arc of the tree must have its label; any other may have any.
  int32_t best_right(const Oracle& oracle) const {
    const Costs costs = oracle.costs(c_);
    const int32_t least = *std::min_element(costs.begin(), costs.end());
    int32_t best = -1;
    for (int m = 0; m < kMoves; ++m) {
      const auto move = Move(m);
      if (costs[size_t(m)] != least) continue;
      ActionRange range = actions_.range(move);
      if (oracle.makes_right_arc(c_, move)) {
        const int32_t action = actions_.of_label(move, oracle.right_label(c_));
        range = {action, action + 1};
      }
      best = Actions::better(best, range, scores_.data());
    }
    return best;
  }

  // With a beam.
  int64_t search(Beam& ways, int64_t sentence) {
    const Oracle oracle(trees_[size_t(sentence)]);
    const int32_t words = values_.words(sentence);
    right_.clear();
    right_scores_.clear();
    int64_t total = 0;
    for (c_.begin(words); !c_.done();) {
      int32_t action = actions_.only(c_);
      if (action < 0) {
        const Move move = oracle.next(c_);
        const bool arc = move != Move::shift && move != Move::swap;
        action = arc ? actions_.of_label(move, oracle.right_label(c_)) : actions_.range(move).first;
        scored(c_);
        total += scores_[size_t(action)];
      }
      right_.push_back(action);
      right_scores_.push_back(total);
      actions_.make(c_, action);
    }
    // The prefix with the greatest violation, the longest of equal ones.
    int64_t most = 0;
    size_t length = 0;
    std::vector<int32_t> wrong;
    ways.begin(words);
    for (size_t k = 0; !ways.done(); ++k) {
      ways.step([&](const Configuration& c) {
        scored(c);
        return scores_.data();
      });
      const int64_t ahead = ways.best_score() - right_scores_[std::min(k, right_.size() - 1)];
      if (ahead < most) continue;
      auto found = ways.actions_of_best();
      const size_t here = std::min(k + 1, right_.size());
      if (std::equal(found.begin(), found.end(), right_.begin(), right_.begin() + int64_t(here))) continue;
      most = ahead;
      length = here;
      wrong = std::move(found);
    }
    const bool mistaken = ways.actions_of_best() != right_;
    if (mistaken) {
      add_way(words, {right_.data(), length}, 1);
      add_way(words, wrong, -1);
    }
    count_visit();
    return mistaken;
  }

  void add_way(int32_t words, std::span<const int32_t> way, int32_t change) {
    c_.begin(words);
    for (const int32_t action : way) {
      interrupts_.after(4 * kWorkOfAKey * templates_);
      if (actions_.only(c_) < 0) table_.add(keys_.of(c_), action, change);
      actions_.make(c_, action);
    }
  }

  static constexpr int64_t kWorkOfAKey = 16;

  int64_t templates_;
  Actions actions_;
  TreeValues values_;
  TreeKeys keys_;
  LearningTable table_;
  std::vector<RightTree> trees_;
  Configuration c_;
  std::vector<int32_t> scores_, right_;
  std::vector<int64_t> right_scores_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
