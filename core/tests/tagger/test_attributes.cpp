// Each token gets the numbers of its attributes, whether combinations of texts are few or many for their tokens.
#include <algorithm>
#include <set>
#include <vector>

#include "tagger/attributes.hpp"
#include "tests/check.hpp"
#include "tests/tagger/random_sentences.hpp"

using namespace rosenblatt;

namespace {

// The keys of the attributes of each token, template by template.
std::vector<std::vector<uint64_t>> keys_of(const Keys& keys, const std::vector<Template>& templates) {
  const Corpus& corpus = keys.corpus();
  std::vector<std::vector<uint64_t>> found(size_t(corpus.n_tokens()));
  std::vector<std::vector<int32_t>> texts(corpus.columns.size());
  for (int64_t s = 0; s < corpus.n_sentences(); ++s) {
    const int64_t first = corpus.starts[size_t(s)], size = corpus.starts[size_t(s) + 1] - first;
    for (size_t c = 0; c < texts.size(); ++c) keys.texts_of(s, int32_t(c), texts[c]);
    for (const auto& one : templates) {
      std::vector<uint64_t> of_tokens(static_cast<size_t>(size));
      keys.of_tokens(one, texts, 0, size, of_tokens.data());
      for (int64_t t = 0; t < size; ++t)
        if (of_tokens[size_t(t)] != 0) found[size_t(first + t)].push_back(of_tokens[size_t(t)]);
    }
  }
  return found;
}

void check_numbers(const NumberLists& lists, const std::vector<uint64_t>& keys,
                   const std::vector<std::vector<uint64_t>>& expected) {
  CHECK(std::set<uint64_t>(keys.begin(), keys.end()).size() == keys.size());
  CHECK(lists.first.size() == expected.size() + 1);
  for (size_t t = 0; t < expected.size(); ++t) {
    std::vector<uint64_t> found;
    for (int64_t k = lists.first[t]; k < lists.first[t + 1]; ++k) found.push_back(keys[size_t(lists.numbers[k])]);
    CHECK(found == expected[t]);
  }
}

void check_attributes(int64_t sentences, Boundary boundary, bool few) {
  const auto data = random_sentences(3, sentences, 5);
  auto templates = some_templates();
  templates.boundary = boundary;
  const Keys keys(templates, data.corpus);
  // The word before and the ending of this one, of 30 and 4 texts and what lies two places before and after each.
  const int64_t combinations = keys.combinations(templates.unigrams[1], 1000);
  CHECK(combinations == 34 * 8 && (combinations <= data.corpus.n_tokens()) == few);
  CHECK(keys.combinations(templates.unigrams[1], 100) == 100);
  KeyMaps maps(size_t{0}, size_t{0});
  std::vector<uint64_t> unigrams, bigrams;
  const Attributes attributes(keys, maps, unigrams, bigrams);
  check_numbers(attributes.unigrams, unigrams, keys_of(keys, templates.unigrams));
  check_numbers(attributes.bigrams, bigrams, keys_of(keys, templates.bigrams));
}

}  // namespace

int main() {
  for (const auto boundary : {Boundary::mark, Boundary::drop}) {
    check_attributes(40, boundary, false);
    check_attributes(400, boundary, true);
  }
  return check::report();
}
