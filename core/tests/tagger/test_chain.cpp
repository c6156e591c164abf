// A chain learns, in any number type and with both compilations, the same; keys, views and cells are as they should be.
#include <cmath>
#include <vector>

#include "base/in_parts.hpp"
#include "base/use_avx2.hpp"
#include "tagger/chain_training.hpp"
#include "tagger/tagging.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"
#include "tests/tagger/random_sentences.hpp"

using namespace rosenblatt;

namespace {

Chain trained(const Data& data, int64_t labels, StepKind step, int promotions) {
  const auto templates = some_templates();
  const Chain empty(labels, templates.size(), step == StepKind::perceptron);
  ChainTraining training(empty, Keys(templates, data.corpus), data.target);
  while (promotions-- > 0) training.promote();
  Rule rule;
  rule.step = step;
  int64_t before = 0, after = 0;
  for (uint64_t pass = 0; pass < 3; ++pass) {
    after = training.run(rule, all_of(data.corpus), true, 7, pass).tokens;
    if (pass == 0) before = after;
  }
  CHECK(after < before);
  const auto chain = training.chain();
  chain.check();
  CHECK(chain.visits == 3 * data.corpus.n_sentences());
  return chain;
}

std::vector<int32_t> tagged(const Chain& chain, const Data& data, int64_t threads) {
  const auto templates = some_templates();
  const Keys keys(templates, data.corpus);
  std::vector<int32_t> labels(size_t(data.corpus.n_tokens()), -1);
  const ChainTagger tagger(chain, Readout::average);
  const auto numbers = tagger.numbers_of(keys);
  in_parts(data.corpus.n_sentences(), 1, threads,
           [&](int64_t first, int64_t last) { tagger.tag_part(numbers, first, last, labels.data()); });
  return labels;
}

void check_learning(int64_t labels, StepKind step) {
  const auto data = random_sentences(uint64_t(labels), 410, labels);
  const auto chain = trained(data, labels, step, 0);
  const auto labels_found = tagged(chain, data, 1);
  CHECK(labels_found == tagged(chain, data, 3));
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    CHECK(labels_found == tagged(chain, data, 1));
    for (int promotions = 0; promotions < 3; ++promotions)
      CHECK(labels_found == tagged(trained(data, labels, step, promotions), data, 2));
  }
  const auto templates = some_templates();
  const auto again = ChainTraining(chain, Keys(templates, data.corpus), data.target).chain();
  CHECK(again.keys == chain.keys && again.before == chain.before && again.counts == chain.counts);
  CHECK(again.cell_labels == chain.cell_labels);
  std::visit(
      [&]<class Sum>(const ChainCells<Sum>& cells) {
        const auto& others = std::get<ChainCells<Sum>>(again.cells);
        CHECK(others.w == cells.w && others.sums == cells.sums);
      },
      chain.cells);
}

void check_refused() {
  Chain chain(2, 3, true);
  chain.visits = 4;
  chain.keys = {5, 9};
  chain.before = {-1, 1};
  chain.counts = {1, 2};
  chain.cell_labels = {0, 0, 1};
  chain.cells = ChainCells<int64_t>{{1, -1, 1}, {0, 3, 0}};
  chain.check();
  const auto with = [&](auto change) {
    auto other = chain;
    change(other, std::get<0>(other.cells));
    other.check();
  };
  CHECK_THROWS(with([](auto& c, auto&) { c.cell_labels[2] = 2; }), std::invalid_argument, "must rise");
  CHECK_THROWS(with([](auto& c, auto&) { c.cell_labels[2] = 0; }), std::invalid_argument, "must rise");
  CHECK_THROWS(with([](auto& c, auto&) { c.cell_labels[0] = -1; }), std::invalid_argument, "must rise");
  CHECK_THROWS(with([](auto& c, auto&) { c.counts[1] = 1; }), std::invalid_argument, "add up");
  CHECK_THROWS(with([](auto& c, auto&) { c.counts = {1, 3}; }), std::invalid_argument, "add up");
  CHECK_THROWS(with([](auto& c, auto&) { c.counts = {-1, 2}; }), std::invalid_argument, "add up");
  CHECK_THROWS(with([](auto& c, auto&) { c.keys = {5, 5}, c.before = {1, 1}; }), std::invalid_argument, "different");
  CHECK_THROWS(with([](auto& c, auto&) { c.keys[1] = 0; }), std::invalid_argument, "not be 0");
  CHECK_THROWS(with([](auto& c, auto&) { c.before[1] = 2; }), std::invalid_argument, "a label or -1");
  CHECK_THROWS(with([](auto& c, auto&) { c.before.pop_back(); }), std::invalid_argument, "one label before");
  CHECK_THROWS(with([](auto&, auto& cells) { cells.sums.pop_back(); }), std::invalid_argument, "a sum");
  CHECK_THROWS(with([](auto&, auto& cells) { cells.w[0] = int64_t{1} << 60; }), std::invalid_argument, "2^53");
  CHECK_THROWS(with([](auto&, auto& cells) { cells.sums[0] = int64_t{1} << 62; }), std::invalid_argument, "2^62");
  CHECK_THROWS(with([](auto& c, auto&) { c.visits = int64_t{1} << 62; }), std::invalid_argument, "2^48");
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e300}) {
    auto doubles = chain;
    doubles.cells = ChainCells<double>{{1, bad, 1}, {0, 3, 0}};
    CHECK_THROWS(doubles.check(), std::invalid_argument, "numbers within 2^900");
    doubles.cells = ChainCells<double>{{1, 1, 1}, {bad, 3, 0}};
    CHECK_THROWS(doubles.check(), std::invalid_argument, "numbers within 2^900");
  }
  CHECK_THROWS(Chain(2, -1, true), std::invalid_argument, "attributes must not be negative");
  CHECK_THROWS(Chain(0, 1, true), std::invalid_argument, "1 to 32767 labels, found 0");
}

// A unigram and a bigram that have the same key are two attributes all the same.
void check_same_keys() {
  const auto data = random_sentences(3, 20, 3);
  Templates templates = some_templates();
  templates.bigrams = templates.unigrams;
  ChainTraining training(Chain(3, templates.size(), true), Keys(templates, data.corpus), data.target);
  for (uint64_t pass = 0; pass < 3; ++pass) training.run(Rule(), all_of(data.corpus), false, 0, pass);
  const auto chain = training.chain();
  chain.check();
  const ChainTagger tagger(chain, Readout::last);
  const Keys keys(templates, data.corpus);
  std::vector<int32_t> labels(data.target.size());
  tagger.tag_part(tagger.numbers_of(keys), 0, data.corpus.n_sentences(), labels.data());
  int64_t right = 0;
  for (size_t t = 0; t < labels.size(); ++t) right += labels[t] == data.target[t];
  CHECK(right == training.right(Readout::last, all_of(data.corpus)) && right > int64_t(labels.size()) / 2);
}

void check_ends() {
  const auto data = random_sentences(2, 10, 3);
  const auto templates = some_templates();
  const auto tokens = data.corpus.n_tokens();
  for (const auto step : {StepKind::perceptron, StepKind::pa1}) {
    Rule rule;
    rule.step = step;
    const Chain empty(3, templates.size(), step == StepKind::perceptron);
    const auto training = [&] { return ChainTraining(empty, Keys(templates, data.corpus), data.target); };
    CHECK_ENDS(tokens, training());
    CHECK_ENDS(2 * tokens, training().run(rule, all_of(data.corpus), false, 0, 0));
  }
  const auto chain = trained(data, 3, StepKind::perceptron, 0);
  const Keys keys(templates, data.corpus);
  const ChainTagger tagger(chain, Readout::average);
  const auto numbers = tagger.numbers_of(keys);
  std::vector<int32_t> labels(static_cast<size_t>(tokens));
  CHECK_ENDS(tokens, tagger.tag_part(numbers, 0, data.corpus.n_sentences(), labels.data()));
  CHECK_ENDS(tokens, tagger.best(keys, 2));
  CHECK_ENDS(30, tagger.numbers_of(keys));
  CHECK_ENDS(int64_t(chain.keys.size()), ChainTagger(chain, Readout::average));
  CHECK_ENDS(int64_t(chain.keys.size()), chain.check());
  ChainTraining again(chain, keys, data.target);
  CHECK_ENDS(int64_t(chain.keys.size()), again.chain());
  CHECK_ENDS(tokens, again.right(Readout::average, all_of(data.corpus)));
}

void check_views() {
  CHECK(view_of("Häuser-3", View::lower, 0) == "häuser-3");
  CHECK(view_of("ÄÖ ΣΩ ЖЁ ŽŁ", View::lower, 0) == "äö σω жё žł");
  CHECK(view_of("Äpfel", View::prefix, 2) == "Äp");
  CHECK(view_of("größe", View::suffix, 2) == "ße");
  CHECK(view_of("ab", View::suffix, 3).empty());
  CHECK(view_of("Ab-12.5%", View::shape, 0) == "Xx-d.d%");
  CHECK(view_of("ÄäÉ", View::shape, 0) == "XxX");
  CHECK(view_of("\xff\xc3", View::prefix, 1) == "\xff");
  CHECK(view_of("\xff\xc3", View::suffix, 1) == "\xc3");
  CHECK(view_of("B52", View::digit, 0) == "yes" && view_of("B", View::digit, 0).empty());
  CHECK(view_of("aÉ", View::upper, 0) == "yes" && view_of("aé", View::upper, 0).empty());
  CHECK(view_of("a-b", View::hyphen, 0) == "yes" && view_of("ab", View::hyphen, 0).empty());
}

}  // namespace

int main() {
  for (const int64_t labels : {2, 5, 17})
    for (const auto step : {StepKind::perceptron, StepKind::pa1}) check_learning(labels, step);
  check_learning(33, StepKind::perceptron);
  check_same_keys();
  check_ends();
  check_refused();
  check_views();
  return check::report();
}
