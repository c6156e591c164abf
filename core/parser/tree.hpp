// Dependency trees. Node 0 is the root, which is no word; words are 1 to n, as CoNLL-U numbers them. head[i] is the
// head of word i, and head[0] is of no meaning. A tree has exactly one word whose head is the root.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rosenblatt {

// What makes heads no tree, and the word that shows it.
struct TreeProblem {
  int32_t word;  // 0: the sentence as a whole
  const char* expected;
  std::string found;
};

// `head` is of words 1 to n, without the root. No word of the problem: the heads are a tree.
inline TreeProblem problem_of_tree(std::span<const int32_t> head) {
  const auto n = static_cast<int32_t>(head.size());
  int32_t root = 0;
  for (int32_t word = 1; word <= n; ++word) {
    const int32_t to = head[size_t(word) - 1];
    if (to < 0 || to > n) return {word, "the number of a word of the sentence, or 0 for the root", std::to_string(to)};
    if (to == word) return {word, "another word as the head", std::to_string(to)};
    if (to == 0 && root != 0) return {word, "one root", "a second one, after word " + std::to_string(root)};
    if (to == 0) root = word;
  }
  // Each word leads to the root, unless the way meets itself. `seen` is the word from which a node was first met.
  std::vector<int32_t> seen(head.size() + 1);
  for (int32_t word = 1; word <= n; ++word) {
    int32_t at = word;
    for (; at != 0 && seen[size_t(at)] == 0; at = head[size_t(at) - 1]) seen[size_t(at)] = word;
    if (at != 0 && seen[size_t(at)] == word) return {at, "a tree", "a cycle through this word"};
  }
  return {0, nullptr, {}};
}

// The place of each node when the tree is read with each head between its left and its right dependents: the order in
// which its arcs do not cross. That of the words themselves, exactly if the tree is projective (Nivre 2009).
inline std::vector<int32_t> projective_order(std::span<const int32_t> head) {
  const size_t n = head.size();
  std::vector<int32_t> first(n + 2);  // the children of h are child[first[h]] to child[first[h + 1]], rising
  for (const int32_t h : head) ++first[size_t(h) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int32_t> child(n), end(first.begin(), first.end() - 1), order(n + 1);
  for (size_t d = 1; d <= n; ++d) child[size_t(end[size_t(head[d - 1])]++)] = static_cast<int32_t>(d);
  // A stack of its own: a sentence may be deeper than that of the machine.
  std::vector<std::pair<int32_t, int32_t>> open{{0, first[0]}};  // a node, and its next child
  int32_t place = 0;
  while (!open.empty()) {
    auto& [node, next] = open.back();
    const bool more = next < first[size_t(node) + 1];
    const int32_t coming = more ? child[size_t(next)] : 0;
    // The node itself comes before its first right child, or after its last one.
    const bool passed = next > first[size_t(node)] && child[size_t(next) - 1] > node;
    if (!passed && (!more || coming > node)) order[size_t(node)] = place++;
    if (more) {
      ++next;
      open.emplace_back(coming, first[size_t(coming)]);
    } else {
      open.pop_back();
    }
  }
  return order;
}

}  // namespace rosenblatt
