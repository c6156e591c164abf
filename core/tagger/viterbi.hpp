// The best labels of a sentence (Viterbi 1967). With e_t(j) the sum of the unigram rows of token t and T_t(i, j) that
// of its bigram rows, a label sequence scores the sum of e_t(z_t) and T_t(z_{t-1}, z_t), and
//   d_t(j) = e_t(j) + max_i (d_{t-1}(i) + T_t(i, j)).
// Of equal sequences that one wins which has the lowest last label, then the lowest label before it, and so on.
// All labels of a row are added at once. No label is noted on the way: the way back finds the lowest i with the
// maximum again, which is cheaper. T mostly is the same for all tokens: it is kept from sentence to sentence, in both
// directions. This is for few labels; for many see pruned_viterbi.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/interrupts.hpp"
#include "base/lane_bits.hpp"
#include "base/lanes.hpp"
#include "tagger/chain_table.hpp"

namespace rosenblatt {

// A list for each token of a sentence: token t has all[first[t] - first[0]] to all[first[t + 1] - first[0]].
struct TokenLists {
  const int64_t* first;
  const int32_t* all;

  const int32_t* begin(int64_t t) const { return all + (first[t] - first[0]); }
  const int32_t* end(int64_t t) const { return all + (first[t + 1] - first[0]); }
};

// The weights of a sentence: the rows of unigrams, which whoever finds them prefetches, and the blocks of bigrams.
// Block b has the row rows_of_blocks[b * labels + i] for label i before.
struct SentenceRows {
  int64_t size;
  TokenLists rows, blocks;
  const int32_t* rows_of_blocks;
};

// Scores relative to that of label 0 stay small, however long the sentence is.
template <class W>
ROSENBLATT_INLINE void take_off(W* score, int64_t stride) {
  const W lowest = score[0];
  for (int64_t j = 0; j < stride; j += kWidth<W>) {
    Part<W> part;
    load(part, score + j);
    store(score + j, part - lowest);
  }
}

template <class W>
class Viterbi {
 public:
  // To be called when the weights have changed, or are those of another table.
  void forget() { gathered_ = kNone; }

  // Writes the best labels of a sentence that is not empty.
  ROSENBLATT_INLINE void decode(const ChainTable<W>& table, const SentenceRows& sentence, int32_t* z) {
    forward(table, sentence);
    int64_t t = sentence.size - 1;
    const W* d = score_.data() + t * stride_;
    z[t] = static_cast<int32_t>(std::max_element(d, d + labels_) - d);
    for (; t > 0; --t) {
      interrupts_.after(labels_);
      z[t - 1] = before(t, z[t]);
    }
  }

 private:
  ROSENBLATT_INLINE void forward(const ChainTable<W>& table, const SentenceRows& sentence) {
    table_ = &table;
    sentence_ = &sentence;
    labels_ = table.labels;
    stride_ = table.stride;
    const auto cells = size_t(sentence.size * stride_);
    if (emission_.size() < cells) {
      emission_.resize(cells);
      entered_.resize(cells);
      score_.resize(cells);
    }
    for (int64_t t = 0; t < sentence.size; ++t) {
      interrupts_.after(stride_ * labels_);
      table.emission(sentence.rows.begin(t), sentence.rows.end(t), emission_.data() + t * stride_);
      if (t == 0)
        std::copy_n(emission_.data(), stride_, score_.data());
      else
        step(t);
      if constexpr (std::is_integral_v<W>) take_off(score_.data() + t * stride_, stride_);
    }
  }

  ROSENBLATT_INLINE void step(int64_t t) {
    gather_between(sentence_->blocks.begin(t), sentence_->blocks.end(t));
    const W* before = score_.data() + (t - 1) * stride_;
    in_fours(stride_ / kWidth<W>, [&](auto count, int64_t p) ROSENBLATT_ALWAYS { enter(count, t, p, before); });
  }

  // The weights of all labels after each label, in one block. Those of a block that stays are also turned round.
  ROSENBLATT_INLINE void gather_between(const int32_t* block, const int32_t* end) {
    if (end - block == 1 && *block == gathered_) return;
    gathered_ = end - block == 1 ? *block : kNone;
    between_.resize(size_t(labels_ * stride_));
    for (int64_t i = 0; i < labels_; ++i) {
      rows_.clear();
      for (const int32_t* b = block; b < end; ++b) rows_.push_back(sentence_->rows_of_blocks[*b * labels_ + i]);
      table_->add_up(rows_.data(), rows_.data() + rows_.size(), between_.data() + i * stride_);
    }
    if (gathered_ == kNone) return;
    into_.resize(size_t(labels_ * stride_));
    for (int64_t i = 0; i < labels_; ++i)
      for (int64_t j = 0; j < labels_; ++j) into_[size_t(j * stride_ + i)] = between_[size_t(i * stride_ + j)];
  }

  // The maximum over the labels before, for a few parts of the labels.
  template <class Count>
  ROSENBLATT_INLINE void enter(Count count, int64_t t, int64_t p, const W* before) {
    const W* const between = between_.data() + p * kWidth<W>;
    const int64_t at = t * stride_ + p * kWidth<W>;
    const W* const emission = emission_.data() + at;
    W *const entered = entered_.data() + at, *const score = score_.data() + at;
    Part<W> best[count], part;
    const auto from_label = [&](int64_t i, int k) ROSENBLATT_ALWAYS {
      Part<W> weights;
      load(weights, between + i * stride_ + k * kWidth<W>);
      return weights + before[i];
    };
    written_out<count>([&](int k) ROSENBLATT_ALWAYS { best[k] = from_label(0, k); });
    for (int64_t i = 1; i < labels_; ++i)
      written_out<count>([&](int k) ROSENBLATT_ALWAYS {
        part = from_label(i, k);
        best[k] = part > best[k] ? part : best[k];
      });
    written_out<count>([&](int k) ROSENBLATT_ALWAYS {
      store(entered + k * kWidth<W>, best[k]);
      load(part, emission + k * kWidth<W>);
      store(score + k * kWidth<W>, best[k] + part);
    });
  }

  // The lowest label before that leads to the maximum; what follows the labels in a row comes after them. All are
  // looked at: leaving the loop early would cost a wrongly predicted branch for each token.
  ROSENBLATT_INLINE int32_t before(int64_t t, int32_t j) const {
    const W* const d = score_.data() + (t - 1) * stride_;
    const W entered = entered_[size_t(t * stride_ + j)];
    const int32_t *const block = sentence_->blocks.begin(t), *const end = sentence_->blocks.end(t);
    if (end - block == 1 && *block == gathered_) return first_equal(d, into_.data() + j * stride_, entered);
    int32_t found = 0;
    for (int64_t i = labels_ - 1; i >= 0; --i) {
      W total = 0;
      for (const int32_t* b = block; b < end; ++b)
        total = static_cast<W>(total + table_->at(sentence_->rows_of_blocks[*b * labels_ + i], j));
      if (static_cast<W>(d[i] + total) == entered) found = static_cast<int32_t>(i);
    }
    return found;
  }

  // The lowest label whose score and weight are together as much as was entered with. Two parts are looked at together:
  // which of the two has it could hardly be predicted.
  ROSENBLATT_INLINE int32_t first_equal(const W* scores, const W* weights, W entered) const {
    const auto equal = [&](int64_t i) ROSENBLATT_ALWAYS {
      Part<W> score, weight;
      load(score, scores + i);
      load(weight, weights + i);
      return uint64_t{bits_of<W>(score + weight == entered)};
    };
    for (int64_t i = 0; i < labels_; i += 2 * kWidth<W>) {
      uint64_t bits = equal(i);
      if (i + kWidth<W> < stride_) bits |= equal(i + kWidth<W>) << 32;
      if (bits != 0) return static_cast<int32_t>(i) + std::countr_zero(bits) / int(sizeof(W));
    }
    return 0;  // scores that are no numbers any more
  }

  static constexpr int32_t kNone = -1;

  int64_t labels_ = 0, stride_ = 0;
  int32_t gathered_ = kNone;  // the block that between_ has, and into_
  const ChainTable<W>* table_ = nullptr;
  const SentenceRows* sentence_ = nullptr;
  std::vector<W, Aligned<W>> emission_, entered_, score_;
  std::vector<W, Aligned<W>> between_, into_;  // all labels after label i; all labels before label j
  std::vector<int32_t> rows_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
