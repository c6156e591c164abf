// On every tree of up to six words: the costs of the oracle are those that a search of all ways finds, as long as
// nothing is swapped; and with swaps every way of moves without cost leads to the tree, projective or not.
#include <functional>
#include <map>
#include <vector>

#include "parser/oracle.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

constexpr int32_t kWords = 6;

// Calls work(heads) for every tree of n words.
void for_each_tree(int32_t n, const std::function<void(const std::vector<int32_t>&)>& work) {
  std::vector<int32_t> head(static_cast<size_t>(n));
  for (;;) {
    if (problem_of_tree(head).expected == nullptr) work(head);
    size_t k = 0;
    while (k < head.size() && head[k] == n) head[k++] = 0;
    if (k == head.size()) return;
    ++head[k];
  }
}

// Arcs cross, or pass over the root's: by the definition, arc by arc.
bool crosses(const std::vector<int32_t>& head) {
  const auto n = static_cast<int32_t>(head.size());
  const auto ends = [&](int32_t d) { return std::minmax(d, head[size_t(d) - 1]); };
  for (int32_t d = 1; d <= n; ++d)
    for (int32_t e = 1; e <= n; ++e) {
      const auto [a, b] = ends(d);
      const auto [c, f] = ends(e);
      if (a < c && c < b && b < f) return true;
    }
  return false;
}

std::vector<int32_t> key_of(const Configuration& c) {
  std::vector<int32_t> key;
  for (size_t k = 0; c.stack(k) != c.none(); ++k) key.push_back(c.stack(k));
  key.push_back(-1);
  key.insert(key.end(), c.coming().begin(), c.coming().end());
  return key;
}

Configuration after(Configuration c, Move move) {
  c.make(move, 0, 0);
  return c;
}

// The most right arcs that can still be made, found by all ways without swaps. What was made before does not matter.
class Search {
 public:
  explicit Search(const RightTree& tree) : tree_(tree) {}
  int32_t most(const Configuration& c) {
    if (c.done()) return 0;
    const auto [place, fresh] = known_.try_emplace(key_of(c), -1);
    if (!fresh) return place->second;
    int32_t best = -1;
    for (int m = 0; m < kMoves - 1; ++m)
      if (c.allows(Move(m))) best = std::max(best, made(c, Move(m)) + most(after(c, Move(m))));
    return known_[key_of(c)] = best;
  }
  int32_t made(const Configuration& c, Move move) const { return Oracle(tree_).makes_right_arc(c, move); }
  size_t seen() const { return known_.size(); }

 private:
  const RightTree& tree_;
  std::map<std::vector<int32_t>, int32_t> known_;
};

void check_costs(const RightTree& tree, const Configuration& c, Search& search,
                 std::map<std::vector<int32_t>, bool>& visited, bool& equal) {
  if (c.done() || !visited.try_emplace(key_of(c), true).second) return;
  const Costs costs = Oracle(tree).costs(c);
  const int32_t before = search.most(c);
  for (int m = 0; m < kMoves - 1; ++m) {
    const auto move = Move(m);
    const int32_t cost = costs[size_t(m)];
    equal = equal && (cost == Oracle::kForbidden) == !c.allows(move);
    if (!c.allows(move)) continue;
    equal = equal && cost == before - search.made(c, move) - search.most(after(c, move));
    check_costs(tree, after(c, move), search, visited, equal);
  }
}

// Whether every way of moves without cost makes the tree.
bool all_ways_lead(const RightTree& tree, const Configuration& c, std::map<std::vector<int32_t>, bool>& visited) {
  if (c.done()) {
    for (int32_t d = 1; d <= c.words(); ++d)
      if (c.node(d).head != tree.head[size_t(d)]) return false;
    return true;
  }
  if (!visited.try_emplace(key_of(c), true).second) return true;
  const Costs costs = Oracle(tree).costs(c);
  if (*std::min_element(costs.begin(), costs.end()) != 0) return false;
  for (int m = 0; m < kMoves; ++m) {
    if (costs[size_t(m)] != 0) continue;
    const auto move = Move(m);
    const bool arc = move != Move::shift && move != Move::swap;
    if (arc && !Oracle(tree).makes_right_arc(c, move)) return false;
    if (!all_ways_lead(tree, after(c, move), visited)) return false;
  }
  return true;
}

// The way of Oracle::next makes the tree too.
bool next_leads(const RightTree& tree, Configuration c) {
  while (!c.done()) {
    const Move move = Oracle(tree).next(c);
    if (!c.allows(move)) return false;
    c.make(move, 0, 0);
  }
  for (int32_t d = 1; d <= c.words(); ++d)
    if (c.node(d).head != tree.head[size_t(d)]) return false;
  return true;
}

void on_every_tree() {
  int trees = 0, crossing = 0;
  for (int32_t n = 1; n <= kWords; ++n)
    for_each_tree(n, [&](const std::vector<int32_t>& head) {
      const RightTree tree(head, head);
      ++trees;
      crossing += crosses(head);
      CHECK(tree.projective == !crosses(head));
      Configuration c;
      c.begin(n);
      std::map<std::vector<int32_t>, bool> visited;
      CHECK(all_ways_lead(tree, c, visited));
      CHECK(next_leads(tree, c));
      if (!tree.projective) return;
      Search search(tree);
      CHECK(search.most(c) == n);
      visited.clear();
      bool equal = true;
      check_costs(tree, c, search, visited, equal);
      CHECK(equal);
    });
  // Cayley: n^(n-1) trees; of them 1, 2, 7, 30, 143, 728 are projective.
  CHECK(trees == 1 + 2 + 9 + 64 + 625 + 7776);
  CHECK(trees - crossing == 1 + 2 + 7 + 30 + 143 + 728);
}

void problems() {
  const auto problem = [](std::vector<int32_t> head) { return problem_of_tree(head); };
  CHECK(problem({}).expected == nullptr);
  CHECK(problem({0}).expected == nullptr);
  CHECK(problem({2, 0}).expected == nullptr);
  CHECK(problem({1}).word == 1);
  CHECK(problem({0, 3}).word == 2);
  CHECK(problem({0, -1}).word == 2);
  CHECK(problem({0, 0}).word == 2);
  CHECK(problem({0, 3, 2}).word == 2);
  CHECK(std::string(problem({2, 1}).expected) == "a tree");
}

// A chain of a million words is no deeper than the memory.
void long_sentence() {
  constexpr int32_t kLong = 1'000'000;
  std::vector<int32_t> head(kLong);
  for (int32_t d = 0; d < kLong; ++d) head[size_t(d)] = d;
  CHECK(problem_of_tree(head).expected == nullptr);
  CHECK(projective_order(head)[kLong] == kLong);
}

}  // namespace

int main() {
  on_every_tree();
  problems();
  long_sentence();
  return check::report();
}
