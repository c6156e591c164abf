// Viterbi's search where labels are many: the same answers, ties included, from a few labels of each token. Every label
// of a token gets its score d_t(j), as in viterbi.hpp; but only a label that may be part of the best sequence is gone
// on from. With m(i) and l(i) the largest and the least weight of any label after label i, that is each i with
//   d(i) + m(i) >= max_k d(k) + l(k):
// whatever label comes next, any other i leads to it with a lower score than that k does. Bounds may be too far apart,
// which costs time, never too close. This holds to the last bit in floating point too, since sums that are rounded
// still rise with what is added. (In the spirit of CarpeDiem, Esposito and Radicioni 2009, and Kaji et al. 2010.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/interrupts.hpp"
#include "base/lanes.hpp"
#include "tagger/chain_table.hpp"
#include "tagger/viterbi.hpp"

namespace rosenblatt {

template <class W>
class PrunedViterbi {
 public:
  // Writes the best labels of a sentence that is not empty.
  ROSENBLATT_INLINE void decode(const ChainTable<W>& table, const SentenceRows& sentence, int32_t* z) {
    start(table, sentence);
    const int64_t last = sentence.size - 1;
    for (int64_t t = 0; t <= last; ++t) {
      interrupts_.after(stride_);
      for (const int32_t* row = sentence.rows.begin(t); row < sentence.rows.end(t); ++row) table.listed.prefetch(*row);
      table.emission(sentence.rows.begin(t), sentence.rows.end(t), score_.data());
      if (t > 0) step(t);
      if constexpr (std::is_integral_v<W>) take_off(score_.data(), stride_);
      if (t < last) go_on_from(t);
    }
    const auto best = std::max_element(score_.begin(), score_.begin() + labels_);
    z[last] = static_cast<int32_t>(best - score_.begin());
    for (int64_t t = last; t > 0; --t) z[t - 1] = before(t, z[t]);
  }

 private:
  // A label that is gone on from, and its score.
  struct Way {
    int32_t label;
    W score;
  };

  ROSENBLATT_INLINE void start(const ChainTable<W>& table, const SentenceRows& sentence) {
    table_ = &table;
    sentence_ = &sentence;
    labels_ = table.labels;
    stride_ = table.stride;
    bounded_ = kNone;
    score_.resize(size_t(stride_));
    most_.resize(size_t(stride_));
    least_.resize(size_t(stride_));
    zeros_.resize(size_t(stride_));
    ways_.clear();
    first_way_.assign(1, 0);
  }

  // The scores become those of token t; until then they are its emission.
  ROSENBLATT_INLINE void step(int64_t t) {
    const Way* const way = ways_.data() + first_way_[size_t(t - 1)];
    const size_t count = first_way_[size_t(t)] - first_way_[size_t(t - 1)];
    interrupts_.after(stride_ * int64_t(count));
    if (after_.size() < count) after_.resize(count);
    find_weights_after(t, way, count);
    in_fours(stride_ / kWidth<W>, [&](auto parts, int64_t p) ROSENBLATT_ALWAYS {
      Part<W> best[parts], part;
      const auto by_way = [&](size_t k, int q) ROSENBLATT_ALWAYS {
        Part<W> weights;
        load(weights, after_[k] + (p + q) * kWidth<W>);
        return weights + way[k].score;
      };
      for (int q = 0; q < parts; ++q) best[q] = by_way(0, q);
      for (size_t k = 1; k < count; ++k)
        for (int q = 0; q < parts; ++q) {
          part = by_way(k, q);
          best[q] = part > best[q] ? part : best[q];
        }
      for (int q = 0; q < parts; ++q) {
        W* const score = score_.data() + (p + q) * kWidth<W>;
        load(part, score);
        store(score, best[q] + part);
      }
    });
  }

  // The weights of all labels at token t after the label of each way: where they are, or summed into a room of theirs.
  ROSENBLATT_INLINE void find_weights_after(int64_t t, const Way* way, size_t count) {
    const int32_t *const block = sentence_->blocks.begin(t), *const end = sentence_->blocks.end(t);
    size_t summed = 0;
    for (size_t k = 0; k < count; ++k) {
      const int32_t row = end - block == 1 ? row_after(*block, way[k].label) : 0;
      after_[k] = end - block > 1                ? nullptr
                  : table_->listed.is_empty(row) ? zeros_.data()
                                                 : table_->listed.written_out(row);
      summed += after_[k] == nullptr;
    }
    if (between_.size() < summed * size_t(stride_)) between_.resize(summed * size_t(stride_));
    W* room = between_.data();
    for (size_t k = 0; k < count; ++k) {
      if (after_[k] != nullptr) continue;
      rows_.clear();
      for (const int32_t* b = block; b < end; ++b) rows_.push_back(row_after(*b, way[k].label));
      table_->add_up(rows_.data(), rows_.data() + rows_.size(), room);
      after_[k] = room;
      room += stride_;
    }
  }
  ROSENBLATT_INLINE int32_t row_after(int32_t block, int64_t i) const {
    return sentence_->rows_of_blocks[block * labels_ + i];
  }

  // Notes the labels of token t that the next token is reached from.
  ROSENBLATT_INLINE void go_on_from(int64_t t) {
    bound(sentence_->blocks.begin(t + 1), sentence_->blocks.end(t + 1));
    // What is no label scores less than all labels do, and has bounds of zero.
    std::fill(score_.begin() + labels_, score_.end(), std::numeric_limits<W>::lowest());
    const auto sum_of = [&](const auto& bounds, int64_t j) ROSENBLATT_ALWAYS {
      Part<W> score, part;
      load(score, score_.data() + j);
      load(part, bounds.data() + j);
      return score + part;
    };
    Part<W> tops = sum_of(least_, 0);
    for (int64_t j = kWidth<W>; j < stride_; j += kWidth<W>) {
      const Part<W> part = sum_of(least_, j);
      tops = part > tops ? part : tops;
    }
    W top = tops[0];
    for (int k = 1; k < kWidth<W>; ++k) top = std::max(top, W(tops[k]));
    for (int64_t j = 0; j < stride_; j += kWidth<W>) {
      const auto may = sum_of(most_, j) >= top;
      uint64_t any[4];
      std::memcpy(any, &may, sizeof any);
      if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
      for (int k = 0; k < kWidth<W>; ++k)
        if (may[k]) ways_.push_back({static_cast<int32_t>(j + k), score_[size_t(j + k)]});
    }
    if (ways_.size() == first_way_.back()) ways_.push_back({0, score_[0]});  // scores that are no numbers any more
    first_way_.push_back(ways_.size());
  }

  // The bounds on the weights after each label: mostly they are the same for all tokens.
  ROSENBLATT_INLINE void bound(const int32_t* block, const int32_t* end) {
    if (end - block == 1 && *block == bounded_) return;
    bounded_ = end - block == 1 ? *block : kNone;
    interrupts_.after(labels_ * (end - block));
    std::fill(most_.begin(), most_.end(), W(0));
    std::fill(least_.begin(), least_.end(), W(0));
    for (; block < end; ++block)
      for (int64_t i = 0; i < labels_; ++i) {
        const int32_t row = row_after(*block, i);
        most_[size_t(i)] = static_cast<W>(most_[size_t(i)] + table_->listed.most(row));
        least_[size_t(i)] = static_cast<W>(least_[size_t(i)] + table_->listed.least(row));
      }
  }

  // The lowest label before that leads to the best score of label j.
  ROSENBLATT_INLINE int32_t before(int64_t t, int32_t j) {
    const Way* way = ways_.data() + first_way_[size_t(t - 1)];
    const Way* const end = ways_.data() + first_way_[size_t(t)];
    interrupts_.after(end - way);
    const Way* found = way;
    W best = 0;
    for (const Way* one = way; one < end; ++one) {
      W total = 0;
      for (const int32_t* b = sentence_->blocks.begin(t); b < sentence_->blocks.end(t); ++b)
        total = static_cast<W>(total + table_->listed.at(row_after(*b, one->label), j));
      total = static_cast<W>(total + one->score);
      if (one > way && total <= best) continue;
      best = total;
      found = one;
    }
    return found->label;
  }

  static constexpr int32_t kNone = -1;

  int64_t labels_ = 0, stride_ = 0;
  int32_t bounded_ = kNone;  // the block that the bounds are of
  const ChainTable<W>* table_ = nullptr;
  const SentenceRows* sentence_ = nullptr;
  std::vector<W, Aligned<W>> score_, most_, least_, zeros_, between_;
  std::vector<Way> ways_;  // those of a token after those of the one before
  std::vector<size_t> first_way_;
  std::vector<const W*> after_;
  std::vector<int32_t> rows_;
  Interrupts interrupts_;
};

// The search that fits a table.
template <class W>
class Decoder {
 public:
  // To be called when the weights have changed, or are those of another table.
  void forget() { full_.forget(); }

  ROSENBLATT_INLINE void decode(const ChainTable<W>& table, const SentenceRows& sentence, int32_t* z) {
    if (table.is_listed())
      pruned_.decode(table, sentence, z);
    else
      full_.decode(table, sentence, z);
  }

 private:
  Viterbi<W> full_;
  PrunedViterbi<W> pruned_;
};

}  // namespace rosenblatt
