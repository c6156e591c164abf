// Many labels: rows that list their weights are those that write them out, and a chain learns and answers the same in
// both layouts, in any number type, with more labels than it had, and in shards.
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
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

constexpr int64_t kDense = 1000, kListed = 0;  // labels that rows may have to be dense

// Weights that come, change, and go back to zero, in rows that grow in turn: as a map has them.
template <class W>
void check_rows(int64_t labels) {
  constexpr int64_t kRows = 40;
  Random random(uint64_t(labels) + sizeof(W));
  ChainTable<W> table(labels, {}, Layout::listed);
  std::map<std::pair<int64_t, int64_t>, W> expected;
  for (int64_t k = 1; k < kRows; ++k) CHECK(table.add_row() == k);
  for (int k = 0; k < 4000; ++k) {
    const int64_t row = 1 + random.below(kRows - 1),
                  label = random.below(random.below(4) == 0 ? labels : 1 + row % labels);
    const auto weight = static_cast<W>(random.below(7) - 3);
    table.set(row, label, weight);
    expected[{row, label}] = weight;
  }
  const auto check_bounds = [&](bool tight) {
    for (int64_t row = 0; row < kRows; ++row) {
      W most = 0, least = 0;
      for (int64_t j = 0; j < labels; ++j) {
        most = std::max(most, expected[{row, j}]);
        least = std::min(least, expected[{row, j}]);
      }
      CHECK(tight ? table.listed.most(row) == most && table.listed.least(row) == least
                  : table.listed.most(row) >= most && table.listed.least(row) <= least);
    }
  };
  check_bounds(false);
  table.listed.tighten();
  check_bounds(true);
  std::vector<W, Aligned<W>> sum(static_cast<size_t>(table.stride));
  std::vector<int32_t> rows;
  std::vector<W> total(static_cast<size_t>(table.stride));
  bool good = table.rows() == kRows, written_out = false;
  for (int32_t row = 0; row < kRows; ++row) {
    rows.push_back(row);
    table.add_up(rows.data(), rows.data() + rows.size(), sum.data());
    int64_t found = 0, there = 0;
    table.for_each_weight(row, [&](int64_t j, W weight) { found += weight != 0 && weight == expected[{row, j}]; });
    for (int64_t j = 0; j < labels; ++j) {
      good &= table.at(row, j) == expected[{row, j}];
      total[size_t(j)] = static_cast<W>(total[size_t(j)] + expected[{row, j}]);
      there += expected[{row, j}] != 0;
    }
    good &= found == there && std::equal(total.begin(), total.end(), sum.begin());
    written_out |= table.listed.written_out(row) != nullptr;
  }
  CHECK(good);
  CHECK(written_out == (labels > 16));
  const auto wider = widened<double>(table);
  for (const auto& [cell, weight] : expected) good &= wider.at(cell.first, cell.second) == double(weight);
  CHECK(good && wider.rows() == kRows);
}

struct Learned {
  Chain chain;
  std::vector<int64_t> wrong;
  int64_t right;
};

Learned learned(const Data& data, const Chain& from, StepKind step, int promotions, int64_t most_dense) {
  const auto templates = some_templates();
  ChainTraining training(from, Keys(templates, data.corpus), data.target, most_dense);
  while (promotions-- > 0 && training.table().index() < 2) training.promote();
  Rule rule;
  rule.step = step;
  std::vector<int64_t> wrong;
  for (uint64_t pass = 0; pass < 4; ++pass)
    wrong.push_back(training.run(rule, all_of(data.corpus), true, 7, pass).tokens);
  auto chain = training.chain();
  chain.check();
  return {std::move(chain), wrong, training.right(Readout::average, all_of(data.corpus))};
}

bool same(const Chain& a, const Chain& b) {
  return a.keys == b.keys && a.before == b.before && a.counts == b.counts && a.cell_labels == b.cell_labels &&
         a.parts == b.parts &&
         std::visit(
             [&](const auto& of) {
               bool equal = true;
               std::visit(
                   [&](const auto& others) {
                     for (size_t k = 0; k < of.w.size(); ++k)
                       equal &= double(of.w[k]) == double(others.w[k]) && double(of.sums[k]) == double(others.sums[k]);
                   },
                   b.cells);
               return equal;
             },
             a.cells);
}

std::vector<int32_t> tagged(const Chain& chain, const Data& data, int64_t threads, int64_t most_dense) {
  const auto templates = some_templates();
  const Keys keys(templates, data.corpus);
  std::vector<int32_t> labels(size_t(data.corpus.n_tokens()), -1);
  const ChainTagger tagger(chain, Readout::average, most_dense);
  const auto numbers = tagger.numbers_of(keys);
  in_parts(data.corpus.n_sentences(), 1, threads,
           [&](int64_t first, int64_t last) { tagger.tag_part(numbers, first, last, labels.data()); });
  return labels;
}

// A chain that goes on with more labels than it had: each keeps its weights.
Chain with_more_labels(const Chain& chain, int64_t labels) {
  Chain more = chain;
  more.labels = labels;
  if (!chain.parts.empty()) {
    for (int32_t& label : more.cell_labels)
      if (label >= chain.labels) label += static_cast<int32_t>(labels - chain.labels);
    for (int64_t j = chain.labels; j < labels; ++j) more.parts.push_back(static_cast<int32_t>(j % 3));
  }
  more.check();
  return more;
}

void check_learning(int64_t labels, StepKind step, bool shared) {
  const auto data = random_sentences(uint64_t(labels), 60, labels);
  const auto few = random_sentences(3, 30, 4);
  std::vector<int32_t> parts;
  for (int64_t j = 0; shared && j < labels; ++j) parts.push_back(static_cast<int32_t>(j % 3));
  const Chain empty(labels, some_templates().size(), step == StepKind::perceptron, 1, parts);
  const auto both = [&](const Chain& from, int promotions) {
    const auto dense = learned(data, from, step, promotions, kDense);
    const auto listed = learned(data, from, step, promotions, kListed);
    CHECK(dense.wrong == listed.wrong && dense.right == listed.right && same(dense.chain, listed.chain));
    return listed.chain;
  };
  const Chain chain = both(empty, 0);
  for (int promotions = 1; promotions < 3; ++promotions) CHECK(same(chain, both(empty, promotions)));
  if (labels > 4) {
    std::vector<int32_t> of_few(parts.begin(), parts.begin() + (shared ? 4 : 0));
    const Chain start(4, empty.attributes, step == StepKind::perceptron, 1, of_few);
    both(with_more_labels(learned(few, start, step, 0, kDense).chain, labels), 0);
  }
  const auto templates = some_templates();
  const Keys keys(templates, data.corpus);
  const auto expected = tagged(chain, data, 1, kDense);
  for (const int64_t threads : {1, 3}) CHECK(tagged(chain, data, threads, kListed) == expected);
  const auto best = [&](int64_t most_dense) {
    std::vector<std::pair<double, std::vector<int32_t>>> found;
    for (const auto& sentence : ChainTagger(chain, Readout::average, most_dense).best(keys, 2))
      for (const auto& one : sentence) found.emplace_back(one.score, one.labels);
    return found;
  };
  if (labels < 20) CHECK(best(kListed) == best(kDense));
}

constexpr auto kAlone = [](int64_t size, auto work) { work(0, size); };

// Two shards that are mixed after each pass.
Chain mixed(const Data& data, const Chain& empty, const Rule& rule, int64_t most_dense) {
  const auto templates = some_templates();
  std::vector<ChainTraining> shards;
  for (const int64_t odd : {0, 1}) {
    std::vector<int64_t> own;
    std::vector<int32_t> target;
    for (int64_t s = odd; s < data.corpus.n_sentences(); s += 2) {
      own.push_back(s);
      const auto first = data.target.begin() + data.corpus.starts[size_t(s)];
      target.insert(target.end(), first, data.target.begin() + data.corpus.starts[size_t(s) + 1]);
    }
    shards.emplace_back(empty, Keys(templates, data.corpus.part(own)), target, most_dense);
  }
  ChainMix mix(empty);
  for (uint64_t pass = 0; pass < 3; ++pass) {
    std::vector<Chain> changed;
    std::vector<int64_t> wrong;
    for (auto& shard : shards) {
      shard.start_from(mix);
      std::vector<int64_t> all(size_t(shard.n_sentences()));
      std::iota(all.begin(), all.end(), int64_t{0});
      wrong.push_back(shard.run(rule, all, true, 3, pass).sentences);
      changed.push_back(shard.changed());
      changed.back().check();
    }
    mix.mix({&changed[0], &changed[1]}, wrong, kAlone);
  }
  return mix.chain();
}

void check_mixing(int64_t labels, StepKind step) {
  const auto data = random_sentences(uint64_t(labels), 60, labels);
  const bool integers = step == StepKind::perceptron;
  std::vector<int32_t> parts;
  for (int64_t j = 0; j < labels; ++j) parts.push_back(static_cast<int32_t>(j % 3));
  const Chain empty(labels, some_templates().size(), integers, integers ? 64 : 1, parts);
  Rule rule;
  rule.step = step;
  const auto chain = mixed(data, empty, rule, kListed);
  chain.check();
  CHECK(same(chain, mixed(data, empty, rule, kDense)) && !chain.keys.empty());
  ChainMix mix(empty);
  const Chain other(labels, empty.attributes, integers, empty.units);
  CHECK_THROWS(mix.mix({&other}, {1}, kAlone), std::invalid_argument, "the parts of the mix");
}

void check_ends() {
  const auto data = random_sentences(2, 10, 9);
  const auto templates = some_templates();
  const auto tokens = data.corpus.n_tokens();
  const Chain empty(9, templates.size(), true, 1, {0, 0, 1, 1, 2, 2, 3, 3, 4});
  const auto training = [&] { return ChainTraining(empty, Keys(templates, data.corpus), data.target, kListed); };
  CHECK_ENDS(2 * tokens, training().run(Rule(), all_of(data.corpus), false, 0, 0));
  const auto chain = learned(data, empty, StepKind::perceptron, 0, kListed).chain;
  const Keys keys(templates, data.corpus);
  const ChainTagger tagger(chain, Readout::average, kListed);
  const auto numbers = tagger.numbers_of(keys);
  std::vector<int32_t> labels(static_cast<size_t>(tokens));
  CHECK_ENDS(tokens, tagger.tag_part(numbers, 0, data.corpus.n_sentences(), labels.data()));
  CHECK_ENDS(tokens, tagger.best(keys, 2));
  ChainTraining again(chain, keys, data.target, kListed);
  CHECK_ENDS(int64_t(chain.keys.size()), again.promote());
}

void check_refused() {
  CHECK_THROWS(Chain(2, 3, true, 1, {0}), std::invalid_argument, "each label must have a part");
  CHECK_THROWS(Chain(2, 3, true, 1, {0, -1}), std::invalid_argument, "a part must be from 0");
  CHECK_THROWS(Chain(2, 3, true, 1, {0, 2}), std::invalid_argument, "a part must be from 0");
  std::vector<int32_t> own(20000);
  for (size_t j = 0; j < own.size(); ++j) own[j] = static_cast<int32_t>(j);
  CHECK_THROWS(Chain(20000, 3, true, 1, own), std::invalid_argument, "at most 32767 labels and parts");
  Chain chain(2, 3, true, 1, {0, 0});
  chain.keys = {5, 9};
  chain.before = {-1, 1};
  chain.counts = {2, 1};
  chain.cell_labels = {1, 2, 0};
  chain.cells = ChainCells<int64_t>{{1, -1, 1}, {0, 3, 0}};
  chain.check();
  chain.cell_labels = {1, 3, 0};
  CHECK_THROWS(chain.check(), std::invalid_argument, "must rise");
  chain.cell_labels = {1, 2, 2};  // parts are shared by unigrams alone
  CHECK_THROWS(chain.check(), std::invalid_argument, "must rise");
}

}  // namespace

int main() {
  for (const int64_t labels : {1, 7, 16, 17, 100}) {
    check_rows<int16_t>(labels);
    check_rows<int32_t>(labels);
    check_rows<double>(labels);
  }
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    for (const int64_t labels : {1, 3, 17, 70})
      for (const auto step : {StepKind::perceptron, StepKind::pa1})
        for (const bool shared : {false, true}) check_learning(labels, step, shared);
  }
  for (const int64_t labels : {5, 70})
    for (const auto step : {StepKind::perceptron, StepKind::pa1}) check_mixing(labels, step);
  check_ends();
  check_refused();
  return check::report();
}
