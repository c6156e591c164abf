// Chains of shards are mixed to the means of their weights and of the sums of these, whatever type they are kept in and
// whatever a shard remembers; what does not fit together is refused.
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "base/in_parts.hpp"
#include "tagger/chain_training.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"
#include "tests/tagger/random_sentences.hpp"

using namespace rosenblatt;

namespace {

constexpr int64_t kLabels = 4;

using Cells = std::map<std::tuple<uint64_t, int32_t, int32_t>, std::pair<double, double>>;

// The weight and the sum of each cell.
Cells cells_of(const Chain& chain) {
  Cells cells;
  std::visit(
      [&](const auto& of) {
        chain.for_each_cell([&](int64_t row, int32_t label, size_t k) {
          const auto at = size_t(row - 1);
          cells[{chain.keys[at], chain.before[at], label}] = {double(of.w[k]), double(of.sums[k])};
        });
      },
      chain.cells);
  return cells;
}

// A shard of the sentences, a third of them.
ChainTraining shard_of(const Data& data, int64_t number, bool integers) {
  const auto n = data.corpus.n_sentences();
  std::vector<int64_t> own;
  for (int64_t s = n * number / 3; s < n * (number + 1) / 3; ++s) own.push_back(s);
  const auto first = data.corpus.starts[size_t(own.front())], last = data.corpus.starts[size_t(own.back()) + 1];
  const auto templates = some_templates();
  return ChainTraining(Chain(kLabels, templates.size(), integers), Keys(templates, data.corpus.part(own)),
                       {data.target.begin() + first, data.target.begin() + last});
}

struct Learned {
  std::vector<Chain> chains;
  std::vector<int64_t> mistakes;
  std::vector<const Chain*> pointers() const {
    std::vector<const Chain*> all;
    for (const Chain& chain : chains) all.push_back(&chain);
    return all;
  }
};

// On this thread alone, or on several.
constexpr auto kAlone = [](int64_t size, auto work) { work(int64_t{0}, size); };
constexpr auto kOnThree = [](int64_t size, auto work) { in_parts(size, 1, 3, work); };

Learned learn(std::vector<ChainTraining>& shards, const ChainMix& mix, const Rule& rule, uint64_t pass,
              int promotions) {
  Learned learned;
  for (auto& shard : shards) {
    shard.start_from(mix);
    for (int k = 0; k < promotions && shard.table().index() < 2; ++k) shard.promote();
    std::vector<int64_t> all(size_t(shard.n_sentences()));
    for (size_t s = 0; s < all.size(); ++s) all[s] = int64_t(s);
    learned.mistakes.push_back(shard.run(rule, all, true, 7, pass).sentences);
    learned.chains.push_back(shard.changed());
    learned.chains.back().check();
  }
  return learned;
}

std::vector<ChainTraining> shards_of(const Data& data, bool integers) {
  std::vector<ChainTraining> shards;
  for (int64_t s = 0; s < 3; ++s) shards.push_back(shard_of(data, s, integers));
  return shards;
}

// The same by a map from cells to numbers.
Cells mixed_plainly(const Cells& before, const Learned& learned, double visits, bool integers) {
  const auto total = double(std::accumulate(learned.mistakes.begin(), learned.mistakes.end(), int64_t{0}));
  const auto mean = [&](double sum) { return integers ? std::floor(sum / total + 0.5) : sum / total; };
  std::map<Cells::key_type, std::pair<double, double>> sums;
  for (size_t s = 0; s < learned.chains.size(); ++s)
    for (const auto& [cell, learned_of] : cells_of(learned.chains[s])) {
      const auto found = before.find(cell);
      const double more = learned_of.first - (found == before.end() ? 0 : found->second.first);
      sums[cell].first += double(learned.mistakes[s]) * more;
      sums[cell].second += double(learned.mistakes[s]) * (visits * more - learned_of.second);
    }
  Cells after = before;
  for (const auto& [cell, sum] : sums) {
    const double more = mean(sum.first);
    after[cell].first += more;
    after[cell].second += visits * more - mean(sum.second);
  }
  return after;
}

void check_mixing(StepKind step, int promotions) {
  const auto data = random_sentences(5, 90, kLabels);
  const bool integers = step == StepKind::perceptron;
  Rule rule;
  rule.step = step;
  auto shards = shards_of(data, integers);
  ChainMix mix(Chain(kLabels, some_templates().size(), integers, integers ? 4096 : 1)), copy = mix;
  for (uint64_t pass = 0; pass < 4; ++pass) {
    const auto before = cells_of(mix.chain());
    const auto learned = learn(shards, mix, rule, pass, promotions);
    auto fresh = shards_of(data, integers);
    const auto again = learn(fresh, ChainMix(mix.chain()), rule, pass, 0);  // that remember nothing
    CHECK(learned.mistakes == again.mistakes && learned.mistakes[0] > 0 && learned.mistakes[1] > 0);
    for (size_t s = 0; s < 3; ++s) {
      CHECK(learned.chains[s].keys == again.chains[s].keys && learned.chains[s].before == again.chains[s].before);
      CHECK(cells_of(learned.chains[s]) == cells_of(again.chains[s]));
    }
    mix.mix(learned.pointers(), learned.mistakes, kAlone);
    copy.mix(again.pointers(), again.mistakes, kOnThree);
    const auto chain = mix.chain();
    chain.check();
    CHECK(chain.visits == 30 * int64_t(pass + 1));
    const auto found = cells_of(chain), expected = mixed_plainly(before, learned, double(chain.visits), integers);
    CHECK(found == expected && found == cells_of(copy.chain()));
    CHECK(chain.keys == copy.chain().keys && chain.before == copy.chain().before);
  }
}

void check_one_learner_and_none() {
  const auto data = random_sentences(6, 60, kLabels);
  for (const bool integers : {true, false}) {
    Rule rule;
    rule.step = integers ? StepKind::perceptron : StepKind::pa1;
    auto shards = shards_of(data, integers);
    ChainMix mix(Chain(kLabels, some_templates().size(), integers, integers ? 3 : 1));
    for (uint64_t pass = 0; pass < 2; ++pass) {
      const auto learned = learn(shards, mix, rule, pass, 0);
      auto expected = cells_of(mix.chain());
      for (const auto& [cell, of] : cells_of(learned.chains[1]))
        expected[cell] = {of.first, expected[cell].second + of.second};
      mix.mix(learned.pointers(), {0, 2, 0}, kOnThree);
      CHECK(cells_of(mix.chain()) == expected);
      mix.mix(learned.pointers(), {0, 0, 0}, kAlone);
      CHECK(cells_of(mix.chain()) == expected);
      const Chain none(kLabels, some_templates().size(), integers, integers ? 3 : 1);
      mix.mix({&none, &none}, {1, 1}, kOnThree);  // wrong sentences, but no attributes
      CHECK(cells_of(mix.chain()) == expected);
    }
  }
}

// Weights that are too large for one type go to the next.
void check_room() {
  Chain chain(2, 3, true);
  chain.keys = {5, 9};
  chain.before = {-1, 1};
  chain.counts = {1, 1};
  chain.cell_labels = {0, 1};
  for (const int64_t large : {int64_t{3}, int64_t{100'000}, int64_t{1} << 40}) {
    chain.cells = ChainCells<int64_t>{{large, -large}, {0, 1}};
    chain.visits = 2;
    ChainMix mix(Chain(2, 3, true));
    mix.mix({&chain, &chain}, {1, 2}, kAlone);
    const auto cells = cells_of(mix.chain());
    CHECK((cells.at({5, -1, 0}) == std::pair(double(large), 0.0)));
    CHECK((cells.at({9, 1, 1}) == std::pair(double(-large), 1.0)));
    CHECK(mix.table().index() == (large == 3 ? 0 : large == 100'000 ? 1 : 2));
  }
  // What is added up is too large for 64 bits.
  chain.cells = ChainCells<int64_t>{{3, -3}, {int64_t{5} << 40, 1}};
  chain.visits = int64_t{1} << 40;
  ChainMix mix(Chain(2, 3, true));
  mix.mix({&chain, &chain}, {int64_t{1} << 46, int64_t{1} << 47}, kAlone);
  const auto cells = cells_of(mix.chain());
  CHECK((cells.at({5, -1, 0}) == std::pair(3.0, 0x5p40)));
  CHECK((cells.at({9, 1, 1}) == std::pair(-3.0, 1.0)));
  CHECK(mix.table().index() == 0);
}

void check_refused() {
  const Chain chain(2, 3, true);
  ChainMix mix(chain);
  const auto with = [&](const Chain& shard, std::vector<int64_t> mistakes) { mix.mix({&shard}, mistakes, kAlone); };
  CHECK_THROWS(with(chain, {}), std::invalid_argument, "must have a share");
  CHECK_THROWS(with(chain, {-1}), std::invalid_argument, "from 0 to 2^48");
  CHECK_THROWS(with(chain, {(int64_t{1} << 48) + 1}), std::invalid_argument, "from 0 to 2^48");
  CHECK_THROWS(with(Chain(3, 3, true), {1}), std::invalid_argument, "labels, attributes and units");
  CHECK_THROWS(with(Chain(2, 4, true), {1}), std::invalid_argument, "labels, attributes and units");
  CHECK_THROWS(with(Chain(2, 3, true, 2), {1}), std::invalid_argument, "labels, attributes and units");
  CHECK_THROWS(Chain(2, 3, true, 0), std::invalid_argument, "units must be from 1 to 2^20");
  Chain large = chain;
  large.keys = {5};
  large.before = {-1};
  large.counts = {1};
  large.cell_labels = {0};
  large.cells = ChainCells<int64_t>{{int64_t{1} << 50}, {0}};
  large.check();
  Chain late = chain;
  late.visits = int64_t{1} << 48;
  CHECK_THROWS(mix.mix({&large, &late}, {1, 1}, kAlone), std::invalid_argument, "too large");
  CHECK(mix.chain().keys.empty() && mix.visits() == 0);
}

void check_ends() {
  const auto data = random_sentences(2, 30, kLabels);
  auto shards = shards_of(data, true);
  ChainMix mix(Chain(kLabels, some_templates().size(), true, 8));
  const auto learned = learn(shards, mix, Rule(), 0, 0);
  const auto rows = int64_t(learned.chains[0].keys.size());
  CHECK_ENDS(rows, ChainMix(mix).mix(learned.pointers(), learned.mistakes, kAlone));
  mix.mix(learned.pointers(), learned.mistakes, kAlone);
  CHECK_ENDS(rows, mix.chain());
  CHECK_ENDS(rows, ChainMix(learned.chains[0]));
  CHECK_ENDS(rows, shard_of(data, 0, true).start_from(mix));
  CHECK_ENDS(rows, shards[0].start_from(mix));
  CHECK_ENDS(data.corpus.n_sentences(), data.corpus.part(all_of(data.corpus)));
  // One that was ended goes on as if nothing had been.
  auto fresh = shards_of(data, true);
  const auto found = learn(shards, mix, Rule(), 1, 0), expected = learn(fresh, mix, Rule(), 1, 0);
  for (size_t s = 0; s < 3; ++s) CHECK(cells_of(found.chains[s]) == cells_of(expected.chains[s]));
}

}  // namespace

int main() {
  for (int promotions = 0; promotions < 3; ++promotions) check_mixing(StepKind::perceptron, promotions);
  check_mixing(StepKind::pa1, 0);
  check_one_learner_and_none();
  check_room();
  check_refused();
  check_ends();
  return check::report();
}
