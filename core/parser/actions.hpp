// The actions of a parser: a move, and the label of the arc that it makes. One model scores all of them. They are
// numbered: shift, left with each label, right with each label, root with each label, swap; of equal scores the lowest
// number wins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parser/configuration.hpp"
#include "sentences/corpus.hpp"

namespace rosenblatt {

// first to last - 1.
struct ActionRange {
  int32_t first, last;
};

class Actions {
 public:
  static constexpr int32_t kShift = 0;
  static constexpr int64_t kMost = 0x7fff;

  // The labels, of `labels` in all, that arcs between words have, and those of the arc from the root.
  Actions(int32_t labels, std::vector<int32_t> of_arcs, std::vector<int32_t> of_root)
      : labels_(labels), of_arcs_(std::move(of_arcs)), of_root_(std::move(of_root)) {
    for (const auto* list : {&of_arcs_, &of_root_}) {
      if (list->empty()) throw std::invalid_argument("arcs and the root need at least one label each");
      for (size_t k = 0; k < list->size(); ++k)
        if ((*list)[k] < (k == 0 ? 0 : (*list)[k - 1] + 1) || (*list)[k] >= labels)
          throw std::invalid_argument("labels of arcs must rise, from 0 to the number of labels");
    }
    if (2 * of_arcs_.size() + of_root_.size() + 2 > size_t(kMost))
      throw std::invalid_argument("there are more labels than a parser can have: " + std::to_string(labels));
    hash_.resize(size_t(labels) + 1);
    for (size_t k = 0; k < hash_.size(); ++k) hash_[k] = mix(0x6c6162656cULL + k);
  }

  int32_t labels() const { return labels_; }
  const std::vector<int32_t>& of_arcs() const { return of_arcs_; }
  const std::vector<int32_t>& of_root() const { return of_root_; }
  int32_t size() const { return swap() + 1; }

  ActionRange range(Move move) const {
    const auto arcs = static_cast<int32_t>(of_arcs_.size()), roots = static_cast<int32_t>(of_root_.size());
    switch (move) {
      case Move::shift: return {kShift, 1};
      case Move::left: return {1, 1 + arcs};
      case Move::right: return {1 + arcs, 1 + 2 * arcs};
      case Move::root: return {1 + 2 * arcs, 1 + 2 * arcs + roots};
      case Move::swap: return {1 + 2 * arcs + roots, 2 + 2 * arcs + roots};
    }
    return {0, 0};
  }
  Move move(int32_t action) const {
    for (int m = 0; m < kMoves; ++m)
      if (action < range(Move(m)).last) return Move(m);
    throw std::invalid_argument("there is no such action");
  }
  // The label of an action that makes an arc.
  int32_t label(Move move, int32_t action) const {
    const auto place = size_t(action - range(move).first);
    return move == Move::root ? of_root_[place] : of_arcs_[place];
  }
  // The action that makes an arc with this label; -1 if there is none.
  int32_t of_label(Move move, int32_t label) const {
    const auto& list = move == Move::root ? of_root_ : of_arcs_;
    const auto found = std::lower_bound(list.begin(), list.end(), label);
    return found == list.end() || *found != label ? -1 : range(move).first + int32_t(found - list.begin());
  }

  // Every label has a hash, and so has none.
  const std::vector<uint64_t>& hashes() const { return hash_; }
  uint64_t hash(int32_t label) const { return hash_[size_t(label + 1)]; }

  void make(Configuration& c, int32_t action) const {
    const Move of = move(action);
    if (of == Move::shift || of == Move::swap) return c.make(of, Configuration::kNoLabel, 0);
    const int32_t arc = label(of, action);
    c.make(of, arc, hash(arc));
  }

  // The only action that is allowed, or -1: then there is nothing to decide.
  int32_t only(const Configuration& c) const {
    int32_t found = -1;
    for (int m = 0; m < kMoves; ++m) {
      if (!c.allows(Move(m))) continue;
      const auto [first, last] = range(Move(m));
      if (found >= 0 || last - first > 1) return -1;
      found = first;
    }
    return found;
  }

  // The action with the highest score among those that are allowed.
  template <class Score>
  int32_t best(const Configuration& c, const Score* score) const {
    int32_t best = -1;
    for (int m = 0; m < kMoves; ++m)
      if (c.allows(Move(m))) best = better(best, range(Move(m)), score);
    return best;
  }
  // `best`, unless one of the range is better.
  template <class Score>
  static int32_t better(int32_t best, ActionRange range, const Score* score) {
    for (int32_t a = range.first; a < range.last; ++a)
      if (best < 0 || score[a] > score[best]) best = a;
    return best;
  }

 private:
  int32_t swap() const { return range(Move::swap).first; }

  int32_t labels_;
  std::vector<int32_t> of_arcs_, of_root_;
  std::vector<uint64_t> hash_;
};

}  // namespace rosenblatt
