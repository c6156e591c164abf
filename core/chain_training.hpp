// The structured perceptron for sequences (Collins 2002): decode a sentence, and where its labels z are not the right
// ones y, add Phi(y) - Phi(z), the difference of their attributes, to the weights. An attribute counts once for each
// token that has it: a unigram where y_t and z_t differ, a bigram where the pair with the label before differs.
// With a beam the difference is that of the prefixes where the best of the beam is furthest ahead of the right
// labels: the max-violation update (Huang et al. 2012), which a search that errs needs to converge.
// Passive-aggressive steps (Crammer et al. 2006) have the loss score(z) - score(y) + sqrt(wrong labels).
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "averaged_table.hpp"
#include "order.hpp"
#include "step.hpp"
#include "viterbi.hpp"

namespace rosenblatt {

struct ChainResult {
  int64_t sentences = 0, tokens = 0;  // that were wrong
};

// The training set of a chain, and what is learned from it.
class ChainTraining {
 public:
  // From this chain on. `target` is a label for each token.
  ChainTraining(const Chain& chain, const Keys& keys, std::vector<int32_t> target)
      : labels_(chain.labels),
        most_attributes_(chain.attributes),
        visits_(chain.visits),
        row_keys_(chain.keys),
        row_before_(chain.before),
        starts_(keys.corpus().starts),
        target_(std::move(target)),
        attributes_(number(keys)),
        table_(averaged_table(chain)) {
    row_.of_unigrams.resize(unigram_keys_.size());
    row_.of_blocks.resize(bigram_keys_.size() * size_t(labels_));
    std::visit(
        [&](auto& table) {
          table.expect_rows(int64_t(unigram_keys_.size()));
          table.sums.expect(unigram_keys_.size() / 2);
        },
        table_);
    for (size_t s = 0; s + 1 < starts_.size(); ++s)
      for (const auto* lists : {&attributes_.unigrams, &attributes_.bigrams})
        longest_ = std::max(longest_, lists->first[size_t(starts_[s + 1])] - lists->first[size_t(starts_[s])]);
  }

  // One pass over these sentences.
  ChainResult run(const Rule& rule, int64_t beam, const std::vector<int64_t>& sentences, bool shuffled, uint64_t seed,
                  uint64_t pass) {
    if (beam >= labels_) beam = 0;  // it keeps all
    Order order(int64_t(sentences.size()), shuffled, seed, pass);
    const Ahead ahead{*this, sentences};
    ChainResult result;
    int64_t coming = sentences.empty() ? 0 : sentences[size_t(order.next(ahead))];
    for (size_t done = 0; done < sentences.size();) {
      std::visit(
          [&]<class W>(AveragedTable<W>& table) {
            Viterbi<W> viterbi(labels_, beam);
            dispatch([&] {
              for (; done < sentences.size(); ++done) {
                if (!has_room(table)) return;
                const int64_t sentence = coming;
                if (done + 1 < sentences.size()) prefetch_rows(coming = sentences[size_t(order.next(ahead))]);
                visit(table, viterbi, rule, beam, sentence, result);
              }
            });
          },
          table_);
      if (done < sentences.size()) promote();
    }
    return result;
  }

  // What was learned.
  Chain chain() const {
    std::vector<int32_t> rows(row_keys_.size());
    std::iota(rows.begin(), rows.end(), 1);
    return chain_of(rows);
  }

  int64_t n_sentences() const { return static_cast<int64_t>(starts_.size()) - 1; }

  // Goes on in the next wider type.
  void promote() { table_ = promoted(table_); }
  const AveragedTables& table() const { return table_; }

  // How many tokens of these sentences it gets right. The weights that answer are made for their rows alone.
  int64_t right(ChainReadout readout, int64_t beam, const std::vector<int64_t>& sentences) {
    std::vector<int32_t> rows, place(row_keys_.size() + 1);
    const auto use = [&](int32_t row) {
      if (row == 0 || place[size_t(row)] > 0) return;
      rows.push_back(row);
      place[size_t(row)] = static_cast<int32_t>(rows.size());
    };
    for (const int64_t s : sentences)
      for (const int32_t number : numbers_of(s)) use(row_.of_unigrams[size_t(number)]);
    for (const int32_t row : row_.of_blocks) use(row);
    Rows used = row_;
    for (auto* all : {&used.of_unigrams, &used.of_blocks})
      for (int32_t& row : *all) row = place[size_t(row)];
    int64_t right = 0;
    std::visit(
        [&]<class W>(const ChainTable<W>& table) {
          Viterbi<W> viterbi(labels_, beam);
          dispatch([&] {
            for (const int64_t s : sentences) {
              const auto found = rows_of(table, used, s);
              if (found.size == 0) continue;
              viterbi.decode(table, found, z_.data());
              for (int64_t t = 0; t < found.size; ++t)
                right += z_[size_t(t)] == target_[size_t(starts_[size_t(s)] + t)];
            }
          });
        },
        chain_of(rows).answers(readout));
    return right;
  }

 private:
  // The row of each attribute (0: none yet), for a bigram one a label before.
  struct Rows {
    std::vector<int32_t> of_unigrams, of_blocks;
  };

  // Fetches the attributes of a sentence that comes soon.
  struct Ahead {
    const ChainTraining& training;
    const std::vector<int64_t>& sentences;
    void prefetch_row(int64_t k) const {
      const auto numbers = training.numbers_of(sentences[size_t(k)]);
      for (size_t n = 0; n < numbers.size(); n += 16) __builtin_prefetch(numbers.data() + n);
    }
    void prefetch_index(int64_t, int64_t) const {}
  };

  // The unigrams of a sentence.
  ROSENBLATT_INLINE std::span<const int32_t> numbers_of(int64_t sentence) const {
    const auto& [first, numbers] = attributes_.unigrams;
    const int64_t from = first[size_t(starts_[size_t(sentence)])], to = first[size_t(starts_[size_t(sentence) + 1])];
    return {numbers.data() + from, size_t(to - from)};
  }

  // The rows of the next sentence are looked up while this one is decoded.
  ROSENBLATT_INLINE void prefetch_rows(int64_t sentence) const {
    for (const int32_t number : numbers_of(sentence)) __builtin_prefetch(row_.of_unigrams.data() + number);
  }

  // The chain that has these rows.
  Chain chain_of(const std::vector<int32_t>& rows) const {
    Chain chain(labels_, most_attributes_, table_.index() < 2);
    chain.visits = visits_;
    for (const int32_t row : rows) {
      chain.keys.push_back(row_keys_[size_t(row - 1)]);
      chain.before.push_back(row_before_[size_t(row - 1)]);
    }
    std::visit([&](const auto& table) { put_cells(table, rows, chain); }, table_);
    return chain;
  }

  // What the chain knows comes first.
  Attributes number(const Keys& keys) {
    KeyMap map(row_keys_.size());
    for (size_t k = 0; k < row_keys_.size(); ++k) {
      const uint64_t key = row_keys_[k];
      const int32_t before = row_before_[k];
      const bool unigram = before == Chain::kNone;
      auto& known = unigram ? unigram_keys_ : bigram_keys_;
      const auto attribute = static_cast<size_t>(map.intern(key, static_cast<int32_t>(known.size())));
      if (attribute == known.size()) known.push_back(key);
      auto& rows = unigram ? row_.of_unigrams : row_.of_blocks;
      const size_t at = unigram ? attribute : attribute * size_t(labels_) + size_t(before);
      rows.resize(std::max(rows.size(), at + 1));
      rows[at] = static_cast<int32_t>(k + 1);
    }
    return Attributes(keys, map, unigram_keys_, bigram_keys_);
  }

  // Whether the next update cannot overflow: it changes a weight by at most one for each attribute of a sentence.
  template <class W>
  bool has_room(const ChainTable<W>& table) const {
    if constexpr (std::is_integral_v<W>)
      return double(table.largest) <= largest_weight<W>(most_attributes_) &&
             double(table.largest) + double(longest_) <= double(std::numeric_limits<W>::max());
    return true;
  }

  template <class W>
  ROSENBLATT_INLINE SentenceRows rows_of(const ChainTable<W>& table, const Rows& of, int64_t sentence) {
    const int64_t first = starts_[size_t(sentence)], last = starts_[size_t(sentence) + 1];
    const auto numbers = numbers_of(sentence);
    if (rows_.size() < numbers.size()) rows_.resize(numbers.size());
    if (int64_t(z_.size()) < last - first) z_.resize(size_t(last - first));
    const int32_t* const row_of = of.of_unigrams.data();
    int32_t* const rows = rows_.data();
    for (size_t k = 0; k < numbers.size(); ++k) table.prefetch(rows[k] = row_of[numbers[k]]);
    const auto& [unigrams, bigrams] = attributes_;
    const int32_t* const blocks = bigrams.numbers.data() + bigrams.first[size_t(first)];
    return {last - first,
            {unigrams.first.data() + first, rows},
            {bigrams.first.data() + first, blocks},
            of.of_blocks.data()};
  }

  template <class W>
  ROSENBLATT_INLINE void visit(AveragedTable<W>& table, Viterbi<W>& viterbi, const Rule& rule, int64_t beam,
                               int64_t sentence, ChainResult& result) {
    const auto found = rows_of(table, row_, sentence);
    if (found.size > 0) {
      viterbi.decode(table, found, z_.data());
      const int32_t* y = target_.data() + starts_[size_t(sentence)];
      int64_t wrong = 0;
      for (int64_t t = 0; t < found.size; ++t) wrong += z_[size_t(t)] != y[t];
      if (wrong > 0) {
        result.sentences += 1;
        result.tokens += wrong;
        learn(table, rule, sentence, y, beam > 0 ? violation(viterbi, found.size, y) : found.size);
      }
    }
    visits_ += 1;
  }

  // The length of the prefix with the greatest violation, the longest of equal ones; z_ becomes its labels.
  template <class W>
  int64_t violation(const Viterbi<W>& viterbi, int64_t size, const int32_t* y) {
    using Sum = typename Viterbi<W>::Sum;
    Sum right = 0, most = 0;
    int64_t length = size;
    for (int64_t t = 0; t < size; ++t) {
      right += viterbi.gain(t, t > 0 ? y[t - 1] : 0, y[t]);
      const Sum ahead = viterbi.best(t) - right;
      if (ahead < most) continue;
      prefix_.resize(size_t(t + 1));
      viterbi.back(t, prefix_.data());
      if (std::equal(prefix_.begin(), prefix_.end(), y)) continue;
      most = ahead;
      length = t + 1;
      std::copy(prefix_.begin(), prefix_.end(), z_.begin());
    }
    return length;
  }

  // Calls change(row, label, +1 or -1) for each difference of the attributes of y and z.
  template <class W, class Change>
  void differences(AveragedTable<W>& table, int64_t sentence, const int32_t* y, int64_t size, Change change) {
    const auto& [unigrams, bigrams] = attributes_;
    const int64_t start = starts_[size_t(sentence)];
    const int32_t* z = z_.data();
    for (int64_t t = 0; t < size; ++t) {
      const auto token = size_t(start + t);
      const bool differs = y[t] != z[t], before = t > 0 && y[t - 1] != z[t - 1];
      if (differs)
        for (int64_t k = unigrams.first[token]; k < unigrams.first[token + 1]; ++k) {
          const auto unigram = size_t(unigrams.numbers[k]);
          const int64_t row = touch(table, row_.of_unigrams[unigram], unigram_keys_[unigram], Chain::kNone);
          change(row, y[t], 1);
          change(row, z[t], -1);
        }
      if (t > 0 && (differs || before))
        for (int64_t k = bigrams.first[token]; k < bigrams.first[token + 1]; ++k) {
          const auto bigram = size_t(bigrams.numbers[k]);
          const auto row_after = [&](int32_t label) {
            int32_t& row = row_.of_blocks[bigram * size_t(labels_) + size_t(label)];
            return touch(table, row, bigram_keys_[bigram], label);
          };
          change(row_after(y[t - 1]), y[t], 1);
          change(row_after(z[t - 1]), z[t], -1);
        }
    }
  }

  template <class W>
  void learn(AveragedTable<W>& table, const Rule& rule, int64_t sentence, const int32_t* y, int64_t size) {
    using Sum = typename ChainTable<W>::Sum;
    changes_.clear();
    differences(table, sentence, y, size, [&](int64_t row, int32_t label, int sign) {
      changes_.push_back({row, label, sign});
      table.sums.prefetch(row, label);
    });
    if constexpr (std::is_same_v<W, double>) {
      if (rule.step != StepKind::perceptron) return aggress(table, rule, y, size);
    }
    for (const auto& [row, label, sign] : changes_)
      table.add(row, label, static_cast<W>(sign), static_cast<Sum>(visits_));
  }

  void aggress(AveragedTable<double>& table, const Rule& rule, const int32_t* y, int64_t size) {
    std::sort(changes_.begin(), changes_.end());
    int64_t wrong = 0;
    for (int64_t t = 0; t < size; ++t) wrong += y[t] != z_[size_t(t)];
    double loss = std::sqrt(double(wrong)), norm2 = 0;
    size_t kept = 0;
    for (size_t k = 0; k < changes_.size(); ++kept) {
      Change sum{changes_[k].row, changes_[k].label, 0};
      for (; k < changes_.size() && changes_[k].row == sum.row && changes_[k].label == sum.label; ++k)
        sum.count += changes_[k].count;
      changes_[kept] = sum;
      loss -= sum.count * table.at(sum.row, sum.label);
      norm2 += double(sum.count) * sum.count;
    }
    changes_.resize(kept);
    if (!(loss > 0)) return;
    const double tau = step_length(rule, loss, norm2);
    if (!std::isfinite(tau)) throw std::overflow_error("the weights are too large for their type");
    for (const auto& [row, label, count] : changes_) table.add(row, label, tau * count, double(visits_));
  }

  template <class W>
  int64_t touch(AveragedTable<W>& table, int32_t& row, uint64_t key, int32_t before) {
    if (row == 0) {
      row = table.add_row();
      row_keys_.push_back(key);
      row_before_.push_back(before);
    }
    return row;
  }

  // How often the weight of a label in a row is added, or taken away.
  struct Change {
    int64_t row;
    int32_t label;
    int count;
    auto operator<=>(const Change&) const = default;
  };

  int64_t labels_, most_attributes_, visits_;
  std::vector<uint64_t> row_keys_;   // of rows from 1 on
  std::vector<int32_t> row_before_;  // and their labels before
  std::vector<int64_t> starts_;
  std::vector<int32_t> target_;
  std::vector<uint64_t> unigram_keys_, bigram_keys_;
  Rows row_;
  Attributes attributes_;  // after what it fills
  AveragedTables table_;
  int64_t longest_ = 0;
  std::vector<int32_t> rows_, z_, prefix_;
  std::vector<Change> changes_;
};

}  // namespace rosenblatt
