// The structured perceptron for sequences (Collins 2002): decode a sentence, and where its labels z are not the right
// ones y, add Phi(y) - Phi(z), the difference of their attributes, to the weights. An attribute counts once for each
// token that has it: a unigram where y_t and z_t differ, a bigram where the pair with the label before differs.
// Where labels share weights by their parts, a unigram also counts where the parts of y_t and z_t differ.
// Passive-aggressive steps (Crammer et al. 2006) have the loss score(z) - score(y) + sqrt(wrong labels).
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/order.hpp"
#include "base/step.hpp"
#include "tagger/averaged_table.hpp"
#include "tagger/chain_mix.hpp"
#include "tagger/pruned_viterbi.hpp"
#include "tagger/training_rows.hpp"

namespace rosenblatt {

struct ChainResult {
  int64_t sentences = 0, tokens = 0;  // that were wrong
};

// The training set of a chain, and what is learned from it. A run that is interrupted leaves it half-trained.
class ChainTraining {
 public:
  // From this chain on. `target` is a label for each token; attributes of fewer than `min_count` tokens are left out.
  ChainTraining(const Chain& chain, const Keys& keys, std::vector<int32_t> target,
                int64_t most_dense_labels = kMostDenseLabels, int64_t min_count = 1)
      : labels_(chain.labels),
        most_attributes_(chain.attributes),
        units_(chain.units),
        most_added_(chain.most_added()),
        parts_(chain.parts),
        visits_(chain.visits),
        integers_(chain.cells.index() == 0),
        layout_(layout_for(chain.labels, most_dense_labels)),
        rows_(chain, keys, min_count),
        most_changes_(rows_.most_of_a_sentence()),
        target_(std::move(target)),
        z_(size_t(rows_.longest_sentence())),
        table_(averaged_table(chain, layout_)) {
    make_room();
  }

  // Forgets what was learned, to begin again from zero weights.
  void restart() {
    rows_.restart();
    visits_ = 0;
    table_ = averaged_table(Chain(labels_, most_attributes_, integers_, units_, parts_), layout_);
    make_room();
  }

  // The next pass starts from this mix, whatever was learned before. What that was only saves time: see take_rows.
  void start_from(const ChainMix& mix) {
    try {
      take(mix);
    } catch (...) {
      restart();  // attributes may have rows already that the table does not have yet
      throw;
    }
  }
  // After start_from and a pass: the cells that the pass has changed, and what their sums have grown by.
  Chain changed() const {
    return chain_of(std::visit([](const auto& table) { return table.sums.changed(); }, table_));
  }

  // One pass over these sentences.
  ChainResult run(const Rule& rule, const std::vector<int64_t>& sentences, bool shuffled, uint64_t seed,
                  uint64_t pass) {
    Order order(int64_t(sentences.size()), shuffled, seed, pass);
    const Ahead ahead{rows_, sentences};
    ChainResult result;
    int64_t coming = sentences.empty() ? 0 : sentences[size_t(order.next(ahead))];
    for (size_t done = 0; done < sentences.size();) {
      std::visit(
          [&]<class W>(AveragedTable<W>& table) {
            Decoder<W> decoder;
            table.listed.tighten();
            dispatch([&] {
              for (; done < sentences.size(); ++done) {
                if (!has_room(table)) return;
                const int64_t sentence = coming;
                if (done + 1 < sentences.size()) coming = sentences[size_t(order.next(ahead))];
                if (table.is_listed()) rows_.prefetch_rows(coming);  // few labels are decoded before it could pay
                visit(table, decoder, rule, sentence, result);
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
    std::vector<int32_t> rows(rows_.keys().size());
    std::iota(rows.begin(), rows.end(), 1);
    return chain_of(rows);
  }

  int64_t labels() const { return labels_; }
  const std::vector<int32_t>& parts() const { return parts_; }
  int64_t attributes() const { return most_attributes_; }
  int64_t units() const { return units_; }
  int64_t n_sentences() const { return rows_.n_sentences(); }

  // Goes on in the next wider type.
  void promote() { table_ = promoted(table_); }
  const AveragedTables& table() const { return table_; }

  // How many tokens of these sentences it gets right. The weights that answer are made for their rows alone.
  int64_t right(Readout readout, const std::vector<int64_t>& sentences) {
    int64_t right = 0;
    decode_each(readout, sentences, [&](int64_t first, int64_t size) {
      for (int64_t t = 0; t < size; ++t) right += z_[size_t(t)] == target_[size_t(first + t)];
    });
    return right;
  }

  // The labels of the tokens of these sentences.
  std::vector<int32_t> tags(Readout readout, const std::vector<int64_t>& sentences) {
    std::vector<int32_t> tags;
    decode_each(readout, sentences,
                [&](int64_t, int64_t size) { tags.insert(tags.end(), z_.begin(), z_.begin() + size); });
    return tags;
  }

 private:
  // Calls use(first token, tokens) for each of these sentences that has any, with its labels in z_.
  template <class Use>
  void decode_each(Readout readout, const std::vector<int64_t>& sentences, Use use) {
    const auto [used, places] = rows_.used_by(sentences);
    std::visit(
        [&, &places = places]<class W>(const ChainTable<W>& table) {  // clang before 16 captures no binding by itself
          Decoder<W> decoder;
          dispatch([&] {
            for (const int64_t s : sentences) {
              const auto found = rows_.of_sentence(table, places, s);
              if (found.size == 0) continue;
              decoder.decode(table, found, z_.data());
              use(rows_.start(s), found.size);
            }
          });
        },
        chain_of(used).answers(readout, layout_));
  }

  void take(const ChainMix& mix) {
    units_ = mix.units();
    visits_ = mix.visits();
    rows_.take_rows(mix.rows());
    std::visit(
        [&]<class W>(const ChainTable<W>& from) {
          if (!std::holds_alternative<AveragedTable<W>>(table_)) {
            table_ = AveragedTable<W>(ChainTable<W>(labels_, parts_, layout_), {});
            make_room();
          }
          auto& table = std::get<AveragedTable<W>>(table_);
          table.take_rows(from, rows_.taken());
          table.sums.clear();
        },
        mix.table());
  }

  void make_room() {
    std::visit(
        [&](auto& table) {
          table.expect_rows(rows_.n_unigrams());
          table.sums.expect_rows(rows_.n_unigrams());
        },
        table_);
  }

  // Fetches what comes soon.
  struct Ahead {
    const TrainingRows& rows;
    const std::vector<int64_t>& sentences;
    void prefetch_row(int64_t k) const { rows.prefetch_attributes(sentences[size_t(k)]); }
    void prefetch_index(int64_t, int64_t) const {}
  };

  // The chain that has these rows.
  Chain chain_of(const std::vector<int32_t>& rows) const {
    Chain chain(labels_, most_attributes_, table_.index() < 2, units_, parts_);
    chain.visits = visits_;
    chain.keys.reserve(rows.size());
    chain.before.reserve(rows.size());
    for (const int32_t row : rows) {
      chain.keys.push_back(rows_.keys()[size_t(row - 1)]);
      chain.before.push_back(rows_.before()[size_t(row - 1)]);
    }
    std::visit([&](const auto& table) { put_cells(table, rows, chain); }, table_);
    return chain;
  }

  // Whether the next update cannot overflow: it changes a weight by at most 1 for each attribute of a sentence.
  template <class W>
  bool has_room(const ChainTable<W>& table) const {
    if constexpr (std::is_integral_v<W>)
      return double(table.largest) <= largest_weight<W>(most_added_) &&
             double(table.largest) + double(most_changes_) * double(units_) <= double(std::numeric_limits<W>::max());
    return true;
  }

  template <class W>
  ROSENBLATT_INLINE void visit(AveragedTable<W>& table, Decoder<W>& decoder, const Rule& rule, int64_t sentence,
                               ChainResult& result) {
    const auto found = rows_.of_sentence(table, rows_.all(), sentence);
    if (found.size > 0) {
      decoder.decode(table, found, z_.data());
      const int32_t* y = target_.data() + rows_.start(sentence);
      int64_t wrong = 0;
      for (int64_t t = 0; t < found.size; ++t) wrong += z_[size_t(t)] != y[t];
      if (wrong > 0) {
        result.sentences += 1;
        result.tokens += wrong;
        learn(table, rule, sentence, y, found.size);
        decoder.forget();
      }
    }
    visits_ += 1;
  }

  // Calls change(row, label, +1 or -1) for each difference of the attributes of y and z.
  template <class W, class Change>
  void differences(AveragedTable<W>& table, int64_t sentence, const int32_t* y, int64_t size, Change change) {
    const int32_t* z = z_.data();
    for (int64_t t = 0; t < size; ++t) {
      const int64_t token = rows_.start(sentence) + t;
      const bool differs = y[t] != z[t], before = t > 0 && y[t - 1] != z[t - 1];
      if (differs)
        rows_.for_each_unigram(token, table, [&](int64_t row) {
          change(row, y[t], 1);
          change(row, z[t], -1);
          if (!parts_.empty() && parts_[size_t(y[t])] != parts_[size_t(z[t])]) {
            change(row, static_cast<int32_t>(labels_) + parts_[size_t(y[t])], 1);
            change(row, static_cast<int32_t>(labels_) + parts_[size_t(z[t])], -1);
          }
        });
      if (t > 0 && (differs || before))
        rows_.for_each_bigram(token, y[t - 1], z[t - 1], table, [&](int64_t after_y, int64_t after_z) {
          change(after_y, y[t], 1);
          change(after_z, z[t], -1);
        });
    }
  }

  template <class W>
  void learn(AveragedTable<W>& table, const Rule& rule, int64_t sentence, const int32_t* y, int64_t size) {
    using Sum = typename ChainTable<W>::Sum;
    changes_.clear();
    differences(table, sentence, y, size, [&](int64_t row, int32_t label, int sign) {
      interrupts_.after(kWorkOfAChange);
      changes_.push_back({row, label, sign});
      table.sums.prefetch(row);
    });
    if constexpr (std::is_same_v<W, double>) {
      if (rule.step != StepKind::perceptron) return aggress(table, rule, y, size);
    }
    for (const auto& [row, label, sign] : changes_) {
      interrupts_.after(kWorkOfAChange);
      table.add(row, label, static_cast<W>(sign * units_), static_cast<Sum>(visits_));
    }
  }

  void aggress(AveragedTable<double>& table, const Rule& rule, const int32_t* y, int64_t size) {
    std::sort(changes_.begin(), changes_.end(), [&](const Change& a, const Change& b) {
      interrupts_.after(1);
      return a < b;
    });
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
    for (const auto& [row, label, count] : changes_) {
      interrupts_.after(kWorkOfAChange);
      table.add(row, label, tau * count, double(visits_));
    }
  }

  static constexpr int64_t kWorkOfAChange = 16;

  // How often the weight of a label in a row is added, or taken away.
  struct Change {
    int64_t row;
    int32_t label;
    int count;
    auto operator<=>(const Change&) const = default;
  };

  int64_t labels_, most_attributes_, units_, most_added_;
  std::vector<int32_t> parts_;
  int64_t visits_;
  bool integers_;
  Layout layout_;
  TrainingRows rows_;
  int64_t most_changes_;  // of one weight by an update, at the most
  std::vector<int32_t> target_, z_;
  AveragedTables table_;
  std::vector<Change> changes_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
