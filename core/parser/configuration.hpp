// The configurations of the arc-hybrid system with swaps (Kuhlmann et al. 2011; de Lhoneux, Stymne, Nivre 2017). There
// are a stack, at whose bottom the root lies for good, and a buffer of the words that are to come:
//   shift   stack, b | buffer           ->  stack | b, buffer
//   left    stack | s, b | buffer       ->  stack, b | buffer           the head of s is b
//   right   stack | t | s, buffer       ->  stack | t, buffer           the head of s is t, a word
//   root    root | s, no buffer         ->  root                        the head of s is the root: the last one
//   swap    stack | s, b | buffer       ->  stack, b | s | buffer       if s comes before b in the sentence
// A sentence gets one root, and a tree: each word leaves once, with a head that is still there.
#pragma once

#include <cstdint>
#include <vector>

namespace rosenblatt {

enum class Move : uint8_t { shift, left, right, root, swap };
inline constexpr int kMoves = 5;
enum class Place : uint8_t { buffer, stack, gone };

class Configuration {
 public:
  static constexpr int32_t kNoLabel = -1;

  // What is known of a node. The last child is the one that came last, which is the outermost.
  struct Node {
    int32_t head, label;
    int32_t left, left2, right, right2;  // the last child on a side, and the one before it
    int32_t lefts, rights;               // how many there are
    uint64_t left_labels, right_labels;  // the sums of `hash` of their labels
    Place place;
  };

  // All words are in the buffer.
  void begin(int32_t words) {
    words_ = words;
    const int32_t none = words + 1;
    nodes_.assign(size_t(words) + 2, Node{none, kNoLabel, none, none, none, none, 0, 0, 0, 0, Place::buffer});
    nodes_[0].place = Place::stack;
    stack_.assign(1, 0);
    buffer_.clear();
    for (int32_t word = words; word > 0; --word) buffer_.push_back(word);
  }

  int32_t words() const { return words_; }
  int32_t none() const { return words_ + 1; }  // the node that stands for no node; it has no children
  const Node& node(int32_t k) const { return nodes_[size_t(k)]; }
  // The k-th from the top, or the k-th to come; `none` if there are fewer.
  int32_t stack(size_t k) const { return k < stack_.size() ? stack_[stack_.size() - 1 - k] : none(); }
  int32_t buffer(size_t k) const { return k < buffer_.size() ? buffer_[buffer_.size() - 1 - k] : none(); }
  const std::vector<int32_t>& coming() const { return buffer_; }  // the next one last

  bool done() const { return buffer_.empty() && stack_.size() == 1; }
  bool allows(Move move) const {
    const bool more = !buffer_.empty();
    switch (move) {
      case Move::shift: return more;
      case Move::left: return more && stack_.size() > 1;
      case Move::right: return stack_.size() > 2;
      case Move::root: return !more && stack_.size() == 2;
      case Move::swap: return more && stack_.size() > 1 && stack_.back() < buffer_.back();
    }
    return false;
  }

  // A move that is allowed. `hash` is of the label of the arc, if there is one.
  void make(Move move, int32_t label, uint64_t hash) {
    if (move == Move::shift) {
      push(buffer_.back());
      buffer_.pop_back();
      return;
    }
    const int32_t top = stack_.back();
    stack_.pop_back();
    if (move == Move::swap) {
      nodes_[size_t(top)].place = Place::buffer;
      buffer_.insert(buffer_.end() - 1, top);
      return;
    }
    const int32_t to = move == Move::left ? buffer_.back() : stack_.back();
    Node &word = nodes_[size_t(top)], &head = nodes_[size_t(to)];
    word.head = to;
    word.label = label;
    word.place = Place::gone;
    if (move == Move::left) {
      head.left2 = head.left;
      head.left = top;
      head.lefts += 1;
      head.left_labels += hash;
    } else {
      head.right2 = head.right;
      head.right = top;
      head.rights += 1;
      head.right_labels += hash;
    }
  }

 private:
  void push(int32_t node) {
    nodes_[size_t(node)].place = Place::stack;
    stack_.push_back(node);
  }

  int32_t words_ = 0;
  std::vector<Node> nodes_;
  std::vector<int32_t> stack_, buffer_;
};

}  // namespace rosenblatt
