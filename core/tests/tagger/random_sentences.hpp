// Random sentences with labels, and templates that look at them, for the tests of chains.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/order.hpp"
#include "sentences/templates.hpp"

namespace rosenblatt {

struct Data {
  Corpus corpus;
  std::vector<int32_t> target;
};

// Random sentences, one of them empty, with labels that mostly follow from the words.
inline Data random_sentences(uint64_t seed, int64_t sentences, int64_t labels) {
  Random random(seed);
  Data data;
  data.corpus.columns.resize(2);
  for (int64_t s = 0; s < sentences; ++s) {
    for (int64_t t = s == 1 ? 0 : 1 + random.below(9); t > 0; --t) {
      const int64_t word = random.below(30);
      for (auto& column : data.corpus.columns)
        column.tokens.push_back(
            column.texts.intern("w" + std::to_string(&column == &data.corpus.columns[0] ? word : word % 4)));
      data.target.push_back(static_cast<int32_t>(random.below(5) == 0 ? random.below(labels) : word % labels));
    }
    data.corpus.starts.push_back(int64_t(data.target.size()));
  }
  return data;
}

inline Templates some_templates() {
  Templates templates;
  templates.views = {{0, View::text, 0}, {1, View::suffix, 1}};
  templates.unigrams = {{1, {{0, 0}}}, {2, {{-1, 0}, {0, 1}}}, {3, {{2, 1}}}};
  templates.bigrams = {{4, {}}, {5, {{0, 1}}}};
  return templates;
}

inline std::vector<int64_t> all_of(const Corpus& corpus) {
  std::vector<int64_t> all(size_t(corpus.n_sentences()));
  std::iota(all.begin(), all.end(), int64_t{0});
  return all;
}

}  // namespace rosenblatt
