// Small treebanks by lot, for tests.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "base/order.hpp"
#include "parser/tree.hpp"
#include "parser/tree_templates.hpp"

namespace rosenblatt {

struct RandomTreebank {
  Corpus corpus;
  std::vector<int32_t> heads, labels;  // label 0 is that of the root
  static constexpr int32_t kLabels = 4;

  RandomTreebank(int32_t sentences, int32_t longest, uint64_t seed) {
    Random random(seed);
    corpus.columns.resize(2);
    for (int32_t s = 0; s < sentences; ++s) {
      const auto n = static_cast<int32_t>(1 + random.below(longest));
      std::vector<int32_t> head(static_cast<size_t>(n));
      do {
        for (int32_t d = 1; d <= n; ++d) head[size_t(d) - 1] = static_cast<int32_t>(random.below(n + 1));
      } while (problem_of_tree(head).expected);
      for (const int32_t h : head) {
        heads.push_back(h);
        labels.push_back(h == 0 ? 0 : static_cast<int32_t>(1 + random.below(kLabels - 1)));
        for (Column& column : corpus.columns) column.tokens.push_back(column.texts.intern(word(random)));
      }
      corpus.starts.push_back(corpus.starts.back() + n);
    }
  }

  std::vector<int64_t> all() const {
    std::vector<int64_t> all(size_t(corpus.n_sentences()));
    std::iota(all.begin(), all.end(), int64_t{0});
    return all;
  }
  static Actions actions() { return Actions(kLabels, {1, 2, 3}, {0}); }
  static TreeTemplates templates() {
    TreeTemplates templates;
    templates.views = {{0, View::text, 0}, {1, View::lower, 0}};
    for (const bool buffer : {false, true})
      for (const int32_t depth : {0, 1}) templates.places.push_back({buffer, depth, Child::self});
    templates.places.push_back({false, 0, Child::left});
    templates.places.push_back({true, 0, Child::left2});
    for (int32_t place = 0; place < 6; ++place) {
      templates.pieces.push_back({Shown::view, place % 2, place, place});
      templates.pieces.push_back({Shown(1 + place), 0, place, 0});
    }
    for (int32_t piece = 0; piece < 12; ++piece) {
      templates.templates.push_back({piece});
      templates.templates.push_back({piece, (piece + 5) % 12});
    }
    for (uint64_t k = 0; k < templates.templates.size(); ++k) templates.seeds.push_back(mix(k + 1));
    return templates;
  }

 private:
  // So many that a parser can know each by heart.
  static std::string word(Random& random) {
    std::string word;
    for (int k = 0; k < 3; ++k) word.push_back(static_cast<char>('a' + random.below(26)));
    return word;
  }
};

}  // namespace rosenblatt
