// A parser learns, greedily and with a beam; it finds trees; threads, AVX2 and what was learned before change nothing.
#include <vector>

#include "base/in_parts.hpp"
#include "base/use_avx2.hpp"
#include "parser/parse_training.hpp"
#include "parser/parsing.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"
#include "tests/parser/random_treebank.hpp"

using namespace rosenblatt;

namespace {

struct Found {
  std::vector<int32_t> heads, labels;
  bool operator==(const Found&) const = default;
};

Found parsed(const RandomTreebank& data, const ParseWeights& weights, Readout readout, int64_t beam,
             int64_t threads = 1) {
  const auto templates = RandomTreebank::templates();
  const TreeValues values(templates, data.corpus);
  const TreeParser parser(weights, RandomTreebank::actions(), readout, beam);
  Found found{std::vector<int32_t>(data.heads.size()), std::vector<int32_t>(data.heads.size())};
  in_parts(data.corpus.n_sentences(), 1, threads, [&](int64_t first, int64_t last) {
    parser.parse_part(values, first, last, found.heads.data(), found.labels.data());
  });
  return found;
}

ParseWeights trained(const RandomTreebank& data, int64_t beam, double exploration, uint64_t passes) {
  const auto templates = RandomTreebank::templates();
  const auto actions = RandomTreebank::actions();
  ParseTraining training(ParseWeights(actions.size(), templates.size()), actions, templates, data.corpus, data.heads,
                         data.labels);
  int64_t first = 0, last = 0;
  for (uint64_t pass = 0; pass < passes; ++pass) {
    last = training.run(beam, exploration, data.all(), true, 7, pass).mistakes;
    if (pass == 0) first = last;
  }
  CHECK(last < first);
  const auto weights = training.weights();
  weights.check();
  training.restart();
  CHECK(training.weights().keys.empty());
  return weights;
}

bool same(const ParseWeights& a, const ParseWeights& b) {
  return a.visits == b.visits && a.keys == b.keys && a.counts == b.counts && a.cell_actions == b.cell_actions &&
         a.w == b.w && a.sums == b.sums;
}

void learns_and_parses(int64_t beam, double exploration) {
  const RandomTreebank data(30, 7, 3);
  const auto weights = trained(data, beam, exploration, 30);
  CHECK(same(weights, trained(data, beam, exploration, 30)));
  const Found found = parsed(data, weights, Readout::last, beam);
  int64_t right = 0;
  for (size_t t = 0; t < found.heads.size(); ++t)
    right += found.heads[t] == data.heads[t] && found.labels[t] == data.labels[t];
  CHECK(4 * right > 3 * int64_t(found.heads.size()));
  for (const auto readout : {Readout::last, Readout::average}) {
    const Found one = parsed(data, weights, readout, beam);
    for (int64_t s = 0; s < data.corpus.n_sentences(); ++s) {
      const auto start = size_t(data.corpus.starts[size_t(s)]), end = size_t(data.corpus.starts[size_t(s) + 1]);
      CHECK(problem_of_tree({one.heads.data() + start, end - start}).expected == nullptr);
    }
    CHECK(one == parsed(data, weights, readout, beam, 3));
    use_avx2(false);
    CHECK(one == parsed(data, weights, readout, beam));
    use_avx2(true);
  }
}

void prunes() {
  const RandomTreebank data(30, 7, 3);
  const auto weights = trained(data, 1, 0.9, 5);
  CHECK(same(weights.pruned(Readout::last, -1), weights));
  const auto none = weights.pruned(Readout::average, 1e9);
  CHECK(none.keys.empty() && none.w.empty() && none.visits == weights.visits);
  const auto some = weights.pruned(Readout::last, 1);
  some.check();
  CHECK(some.w.size() < weights.w.size() && !some.w.empty());
  for (const int32_t w : some.w) CHECK(std::abs(w) > 1);
}

// The next pass from weights at rest is the next pass.
void goes_on() {
  const RandomTreebank data(20, 6, 5);
  const auto templates = RandomTreebank::templates();
  const auto actions = RandomTreebank::actions();
  const auto make = [&](const ParseWeights& from, ParseResult& result, uint64_t first, uint64_t last) {
    ParseTraining training(from, actions, templates, data.corpus, data.heads, data.labels);
    for (uint64_t pass = first; pass < last; ++pass) result = training.run(1, 0.5, data.all(), true, 1, pass);
    return training.weights();
  };
  ParseResult once, twice;
  const ParseWeights empty(actions.size(), templates.size());
  const auto all = make(empty, once, 0, 4);
  const auto rest = make(make(empty, twice, 0, 2), twice, 2, 4);
  CHECK(same(all, rest) && once.mistakes == twice.mistakes && once.sentences == twice.sentences);
}

void refuses() {
  const auto actions = RandomTreebank::actions();
  CHECK(actions.size() == 9);
  CHECK_THROWS(Actions(2, {}, {0}), std::invalid_argument, "at least one label");
  CHECK_THROWS(Actions(2, {1, 0}, {0}), std::invalid_argument, "must rise");
  CHECK_THROWS(Actions(2, {2}, {0}), std::invalid_argument, "must rise");
  const RandomTreebank data(5, 5, 1);
  const auto templates = RandomTreebank::templates();
  const ParseWeights empty(actions.size(), templates.size());
  auto heads = data.heads;
  heads[0] = -1;
  CHECK_THROWS(ParseTraining(empty, actions, templates, data.corpus, heads, data.labels), std::invalid_argument,
               "no tree");
  auto labels = data.labels;
  for (int32_t& label : labels) label = 0;
  CHECK_THROWS(ParseTraining(empty, actions, templates, data.corpus, data.heads, labels), std::invalid_argument,
               "not among those");
  auto weights = trained(data, 1, 0, 3);
  weights.cell_actions[0] = actions.size();
  CHECK_THROWS(weights.check(), std::invalid_argument, "must rise");
}

// Interrupts are asked for words, not only for sentences.
void can_be_ended() {
  const RandomTreebank data(2, 9, 2);
  const auto templates = RandomTreebank::templates();
  const auto actions = RandomTreebank::actions();
  const ParseWeights empty(actions.size(), templates.size());
  const auto words = int64_t(data.heads.size());
  CHECK_ENDS(
      words,
      ParseTraining(empty, actions, templates, data.corpus, data.heads, data.labels).run(1, 0, data.all(), true, 1, 0));
  CHECK_ENDS(
      words,
      ParseTraining(empty, actions, templates, data.corpus, data.heads, data.labels).run(3, 0, data.all(), true, 1, 0));
  CHECK_ENDS(words, parsed(data, trained(data, 1, 0, 9), Readout::last, 1));
}

}  // namespace

int main() {
  learns_and_parses(1, 0);
  learns_and_parses(1, 0.9);
  learns_and_parses(3, 0);
  prunes();
  goes_on();
  refuses();
  can_be_ended();
  return check::report();
}
