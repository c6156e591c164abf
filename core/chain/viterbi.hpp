// The best labels of a sentence (Viterbi 1967). With e_t(j) the sum of the unigram rows of token t and T_t(i, j) that
// of its bigram rows, a label sequence scores the sum of e_t(z_t) and T_t(z_{t-1}, z_t), and
//   d_t(j) = e_t(j) + max_i (d_{t-1}(i) + T_t(i, j)).
// Of equal sequences that one wins which has the lowest last label, then the lowest label before it, and so on.
// With a beam only the best labels of each token are gone on from; of equal ones those with the lower number.
// All labels of a row are added at once. No label is noted on the way: the way back finds the lowest i with the
// maximum again, which is cheaper.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "chain/chain_table.hpp"
#include "loop/interrupts.hpp"
#include "loop/lanes.hpp"

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

// Calls work(number of parts, first part) for all parts of a row, at most four at a time: they stay in registers.
template <class Work>
ROSENBLATT_INLINE void in_fours(int64_t parts, Work work) {
  int64_t p = 0;
  for (; p + 4 <= parts; p += 4) work(std::integral_constant<int, 4>{}, p);
  if (parts - p == 3) work(std::integral_constant<int, 3>{}, p);
  if (parts - p == 2) work(std::integral_constant<int, 2>{}, p);
  if (parts - p == 1) work(std::integral_constant<int, 1>{}, p);
}

template <class W>
class Viterbi {
 public:
  using Sum = typename ChainTable<W>::Sum;

  // A beam of 0 keeps all labels.
  Viterbi(int64_t labels, int64_t beam) : labels_(labels), beam_(beam > 0 && beam < labels ? beam : 0) {}

  // Writes the best labels of a sentence that is not empty.
  ROSENBLATT_INLINE void decode(const ChainTable<W>& table, const SentenceRows& sentence, int32_t* z) {
    forward(table, sentence);
    back(sentence.size - 1, z);
  }

  // After decode: the best labels of the first t + 1 tokens, as far as the beam went.
  ROSENBLATT_INLINE void back(int64_t t, int32_t* z) {
    const W* d = score_.data() + t * stride_;
    z[t] = static_cast<int32_t>(std::max_element(d, d + labels_) - d);
    for (; t > 0; --t) {
      interrupts_.after(labels_);
      z[t - 1] = before(t, z[t]);
    }
  }
  // The score of these labels.
  Sum best(int64_t t) const {
    const W* d = score_.data() + t * stride_;
    return Sum(*std::max_element(d, d + labels_)) + taken_off_[size_t(t)];
  }
  // What label j, after label i, adds to the score at token t.
  Sum gain(int64_t t, int32_t i, int32_t j) const {
    return Sum(emission_[size_t(t * stride_ + j)]) + (t > 0 ? Sum(transition(t, i, j)) : Sum(0));
  }

 private:
  ROSENBLATT_INLINE void forward(const ChainTable<W>& table, const SentenceRows& sentence) {
    sentence_ = &sentence;
    w_ = table.w.data();
    stride_ = table.stride;
    gathered_ = kNone;
    const auto cells = size_t(sentence.size * stride_);
    if (emission_.size() < cells) {
      emission_.resize(cells);
      entered_.resize(cells);
      score_.resize(cells);
      taken_off_.resize(size_t(sentence.size));
      kept_.resize(size_t(sentence.size * beam_));
    }
    for (int64_t t = 0; t < sentence.size; ++t) {
      interrupts_.after(stride_ * (beam_ > 0 ? beam_ : labels_));
      add_up(sentence.rows.begin(t), sentence.rows.end(t), emission_.data() + t * stride_);
      if (t == 0)
        std::copy_n(emission_.data(), stride_, score_.data());
      else
        step(t);
      Sum before = t == 0 ? Sum(0) : taken_off_[size_t(t - 1)];
      if constexpr (std::is_integral_v<W>) before += take_off(score_.data() + t * stride_);
      taken_off_[size_t(t)] = before;
      if (beam_ > 0) keep(t);
    }
  }

  ROSENBLATT_INLINE void add_up(const int32_t* row, const int32_t* end, W* out) const {
    in_fours(stride_ / kWidth<W>, [&](auto count, int64_t p) ROSENBLATT_ALWAYS {
      Part<W> total[count] = {}, part;
      for (const int32_t* r = row; r < end; ++r)
        for (int k = 0; k < count; ++k) {
          load(part, w_ + *r * stride_ + (p + k) * kWidth<W>);
          total[k] += part;
        }
      for (int k = 0; k < count; ++k) store(out + (p + k) * kWidth<W>, total[k]);
    });
  }

  ROSENBLATT_INLINE void step(int64_t t) {
    gather_between(sentence_->blocks.begin(t), sentence_->blocks.end(t));
    const W* before = score_.data() + (t - 1) * stride_;
    const int32_t* kept = kept_.data() + (t - 1) * beam_;
    in_fours(stride_ / kWidth<W>, [&](auto count, int64_t p) ROSENBLATT_ALWAYS {
      if (beam_ > 0)
        enter(count, t, p, before, beam_, [&](int64_t k) { return int64_t(kept[k]); });
      else
        enter(count, t, p, before, labels_, [](int64_t k) { return k; });
    });
  }

  // The weights of all labels after each label, in one block: mostly they are the same for all tokens.
  ROSENBLATT_INLINE void gather_between(const int32_t* block, const int32_t* end) {
    if (end - block == 1 && *block == gathered_) return;
    gathered_ = end - block == 1 ? *block : kNone;
    between_.resize(size_t(labels_ * stride_));
    for (int64_t i = 0; i < labels_; ++i) {
      rows_.clear();
      for (const int32_t* b = block; b < end; ++b) rows_.push_back(sentence_->rows_of_blocks[*b * labels_ + i]);
      add_up(rows_.data(), rows_.data() + rows_.size(), between_.data() + i * stride_);
    }
  }

  // The maximum over the labels before, for a few parts of the labels.
  template <class Count, class Label>
  ROSENBLATT_INLINE void enter(Count count, int64_t t, int64_t p, const W* before, int64_t size, Label label) {
    const W* const between = between_.data();
    Part<W> best[count], part;
    const auto from_label = [&](int64_t i, int k) ROSENBLATT_ALWAYS {
      Part<W> weights;
      load(weights, between + i * stride_ + (p + k) * kWidth<W>);
      return weights + before[i];
    };
    for (int k = 0; k < count; ++k) best[k] = from_label(label(0), k);
    for (int64_t n = 1; n < size; ++n)
      for (int k = 0; k < count; ++k) {
        part = from_label(label(n), k);
        best[k] = part > best[k] ? part : best[k];
      }
    for (int k = 0; k < count; ++k) {
      const int64_t at = t * stride_ + (p + k) * kWidth<W>;
      store(entered_.data() + at, best[k]);
      load(part, emission_.data() + at);
      store(score_.data() + at, best[k] + part);
    }
  }

  // Scores relative to that of label 0 stay small, however long the sentence is.
  ROSENBLATT_INLINE W take_off(W* score) const {
    const W lowest = score[0];
    for (int64_t j = 0; j < stride_; j += kWidth<W>) {
      Part<W> part;
      load(part, score + j);
      store(score + j, part - lowest);
    }
    return lowest;
  }

  void keep(int64_t t) {
    const W* d = score_.data() + t * stride_;
    rows_.resize(size_t(labels_));
    std::iota(rows_.begin(), rows_.end(), 0);
    std::nth_element(rows_.begin(), rows_.begin() + beam_ - 1, rows_.end(),
                     [d](int32_t a, int32_t b) { return d[a] > d[b] || (d[a] == d[b] && a < b); });
    std::copy_n(rows_.begin(), beam_, kept_.begin() + t * beam_);
    std::sort(kept_.begin() + t * beam_, kept_.begin() + (t + 1) * beam_);
  }

  ROSENBLATT_INLINE W transition(int64_t t, int64_t i, int64_t j) const {
    const int32_t *block = sentence_->blocks.begin(t), *end = sentence_->blocks.end(t);
    if (block == end) return 0;
    W total = w_[sentence_->rows_of_blocks[*block * labels_ + i] * stride_ + j];
    while (++block < end)
      total = static_cast<W>(total + w_[sentence_->rows_of_blocks[*block * labels_ + i] * stride_ + j]);
    return total;
  }

  // The lowest label before that leads to the maximum. All are looked at: leaving the loop early would cost a wrongly
  // predicted branch for each token.
  ROSENBLATT_INLINE int32_t before(int64_t t, int32_t j) const {
    const W* d = score_.data() + (t - 1) * stride_;
    const W entered = entered_[size_t(t * stride_ + j)];
    const int32_t* block = sentence_->blocks.begin(t);
    const bool gathered = sentence_->blocks.end(t) - block == 1 && *block == gathered_;
    const W* const after = between_.data() + j;
    int32_t found = 0;
    if (beam_ == 0 && gathered) {
      for (int64_t i = labels_ - 1; i >= 0; --i)
        found = static_cast<W>(d[i] + after[i * stride_]) == entered ? static_cast<int32_t>(i) : found;
      return found;
    }
    for (int64_t k = (beam_ > 0 ? beam_ : labels_) - 1; k >= 0; --k) {
      const auto i = beam_ > 0 ? kept_[size_t((t - 1) * beam_ + k)] : static_cast<int32_t>(k);
      if (static_cast<W>(d[i] + transition(t, i, j)) == entered) found = i;
    }
    return found;
  }

  static constexpr int32_t kNone = -1;

  int64_t labels_, beam_, stride_ = 0;
  int32_t gathered_ = kNone;  // the block that between_ has
  const SentenceRows* sentence_ = nullptr;
  const W* w_ = nullptr;
  std::vector<W, Aligned<W>> emission_, entered_, score_, between_;
  std::vector<Sum> taken_off_;
  std::vector<int32_t> kept_, rows_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
