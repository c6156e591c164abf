// What each move costs: how many arcs of the right tree can no longer be made after it, and could be before. For
// projective trees without swaps this is exact (Goldberg and Nivre 2012, 2013), with the root at the bottom of the
// stack, where it takes its one word last. A swap is due where two words stand against the tree's projective order;
// then it is the only right move (de Lhoneux, Stymne, Nivre 2017: static for swaps, dynamic for the others).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "parser/configuration.hpp"
#include "parser/tree.hpp"

namespace rosenblatt {

// The right tree of a sentence, which must be one.
struct RightTree {
  std::vector<int32_t> head, label;   // of nodes; those of the root mean nothing
  std::vector<int32_t> order;         // see projective_order
  std::vector<int32_t> first, child;  // the words of head h: child[first[h]] to child[first[h + 1]]
  bool projective = true;

  RightTree() = default;
  RightTree(std::span<const int32_t> heads, std::span<const int32_t> labels)
      : head{-1}, label{-1}, order(projective_order(heads)), first(heads.size() + 2), child(heads.size()) {
    head.insert(head.end(), heads.begin(), heads.end());
    label.insert(label.end(), labels.begin(), labels.end());
    projective = std::is_sorted(order.begin(), order.end());
    for (const int32_t h : heads) ++first[size_t(h) + 1];
    for (size_t h = 1; h < first.size(); ++h) first[h] += first[h - 1];
    std::vector<int32_t> end(first.begin(), first.end() - 1);
    for (size_t d = 1; d < head.size(); ++d) child[size_t(end[size_t(head[d])]++)] = static_cast<int32_t>(d);
  }
};

using Costs = std::array<int32_t, kMoves>;

class Oracle {
 public:
  static constexpr int32_t kForbidden = std::numeric_limits<int32_t>::max();

  explicit Oracle(const RightTree& tree) : tree_(tree) {}

  Costs costs(const Configuration& c) const {
    Costs costs;
    for (int m = 0; m < kMoves; ++m) costs[size_t(m)] = c.allows(Move(m)) ? 0 : kForbidden;
    const int32_t s = c.stack(0), t = c.stack(1), b = c.buffer(0);
    if (costs[size_t(Move::swap)] == 0) {
      if (swap_is_due(s, b)) {
        for (int32_t& cost : costs) cost = std::max(cost, 1);
        costs[size_t(Move::swap)] = 0;
        return costs;
      }
      costs[size_t(Move::swap)] = 1;
    }
    if (c.allows(Move::left) || c.allows(Move::right)) {
      // A word that is to be swapped back into the buffer can still meet all that is there.
      const bool back = comes_back(c, s);
      const int32_t lost = dependents(c, s, Place::buffer) + (back ? dependents(c, s, Place::stack) : 0);
      const int32_t head = tree_.head[size_t(s)];
      const bool to_come = c.node(head).place == Place::buffer, below = c.node(head).place == Place::stack;
      add(costs, Move::left, lost + (head != b && (to_come || head == t || (back && below))));
      add(costs, Move::right, lost + (to_come || (back && below && head != t)));
    }
    if (c.allows(Move::shift) && !comes_back(c, b)) {
      const int32_t head = tree_.head[size_t(b)];
      add(costs, Move::shift, dependents(c, b, Place::stack) + (head != s && c.node(head).place == Place::stack));
    }
    return costs;
  }

  // The move of a fixed way to the right tree, from a configuration on it: an arc as soon as it can be.
  Move next(const Configuration& c) const {
    const Costs found = costs(c);
    for (const Move move : {Move::swap, Move::left, Move::right, Move::root})
      if (found[size_t(move)] == 0 && (move == Move::swap || makes_right_arc(c, move))) return move;
    return Move::shift;
  }

  // Whether the arc that a move makes is one of the tree: then its label must be right too.
  bool makes_right_arc(const Configuration& c, Move move) const {
    const int32_t head = tree_.head[size_t(c.stack(0))];
    return move == Move::left ? head == c.buffer(0) : move != Move::swap && move != Move::shift && head == c.stack(1);
  }
  int32_t right_label(const Configuration& c) const { return tree_.label[size_t(c.stack(0))]; }

 private:
  static void add(Costs& costs, Move move, int32_t cost) {
    if (costs[size_t(move)] != kForbidden) costs[size_t(move)] += cost;
  }
  bool swap_is_due(int32_t s, int32_t b) const { return tree_.order[size_t(s)] > tree_.order[size_t(b)]; }
  // Whether a word has to be swapped with one that comes later.
  bool comes_back(const Configuration& c, int32_t word) const {
    if (tree_.projective) return false;
    return std::any_of(c.coming().begin(), c.coming().end(),
                       [&](int32_t other) { return other > word && swap_is_due(word, other); });
  }
  int32_t dependents(const Configuration& c, int32_t head, Place place) const {
    int32_t count = 0;
    for (int32_t k = tree_.first[size_t(head)]; k < tree_.first[size_t(head) + 1]; ++k)
      count += c.node(tree_.child[size_t(k)]).place == place;
    return count;
  }

  const RightTree& tree_;
};

}  // namespace rosenblatt
