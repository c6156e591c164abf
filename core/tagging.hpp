// Tagging with a chain: the keys of a sentence are looked up, the rows of those that are known are decoded. The tagger
// never changes, so that any number of threads may use it, and no sentence needs another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

#include "attributes.hpp"
#include "chain_weights.hpp"
#include "nbest.hpp"
#include "viterbi.hpp"

namespace rosenblatt {

class ChainTagger {
 public:
  ChainTagger(const Chain& chain, ChainReadout readout, int64_t beam)
      : labels_(chain.labels),
        beam_(beam),
        scale_(chain.scale(readout)),
        tables_(chain.answers(readout)),
        found_(chain.rows.size()) {
    int32_t blocks = 0;
    for (size_t k = 0; k < chain.rows.size(); ++k) {
      const auto [key, before] = chain.rows[k];
      const auto row = static_cast<int32_t>(k + 1);
      if (before == ChainRow::kNone) {
        found_.intern(key, row);
        continue;
      }
      const int32_t block = found_.intern(key, blocks);
      blocks = std::max(blocks, block + 1);
      blocks_.resize(size_t(blocks) * size_t(labels_));
      blocks_[size_t(block) * size_t(labels_) + size_t(before)] = row;
    }
  }

  // Writes a label for each token, on up to `threads` threads.
  void tag(const Keys& keys, int64_t threads, int32_t* out) const {
    constexpr int64_t kSentencesWorthAThread = 200;
    const int64_t count = keys.corpus().n_sentences();
    const int64_t parts = std::clamp(count / kSentencesWorthAThread, int64_t{1}, std::max(threads, int64_t{1}));
    std::vector<std::future<void>> running;
    for (int64_t p = 1; p < parts; ++p)
      running.push_back(
          std::async(std::launch::async, [&, p] { tag_part(keys, count * p / parts, count * (p + 1) / parts, out); }));
    tag_part(keys, 0, count / parts, out);
    for (auto& part : running) part.get();
  }

  // The `count` best label sequences of a sentence, with their scores, best first.
  std::vector<Scored> best(const Keys& keys, int64_t sentence, int64_t count) const {
    Found found;
    return std::visit(
        [&](const auto& table) {
          auto best = best_sequences(table, rows_of(keys, sentence, found), count);
          for (auto& one : best) one.score /= scale_;
          return best;
        },
        tables_);
  }

 private:
  struct Found {
    Keys::Scratch scratch;
    std::vector<int64_t> row_first, block_first;
    std::vector<int32_t> rows, blocks;
  };

  ROSENBLATT_INLINE SentenceRows rows_of(const Keys& keys, int64_t sentence, Found& found) const {
    keys.of_sentence(sentence, found.scratch);
    for (const uint64_t key : found.scratch.keys) found_.prefetch(key);
    const auto n_unigrams = keys.templates().unigrams.size(), n_bigrams = keys.templates().bigrams.size();
    const size_t size = found.scratch.keys.size() / (n_unigrams + n_bigrams);
    found.row_first.assign(1, 0);
    found.block_first.assign(1, 0);
    found.rows.resize(size * n_unigrams + 1);
    found.blocks.resize(size * n_bigrams + 1);
    const uint64_t* key = found.scratch.keys.data();
    int32_t *row = found.rows.data(), *block = found.blocks.data();
    for (size_t t = 0; t < size; ++t) {
      for (size_t k = 0; k < n_unigrams; ++k, ++key) {
        *row = *key == 0 ? KeyMap::kUnknown : found_.find(*key);
        row += *row != KeyMap::kUnknown;
      }
      for (size_t k = 0; k < n_bigrams; ++k, ++key) {
        *block = *key == 0 ? KeyMap::kUnknown : found_.find(*key);
        block += *block != KeyMap::kUnknown;
      }
      found.row_first.push_back(row - found.rows.data());
      found.block_first.push_back(block - found.blocks.data());
    }
    return {int64_t(size),
            {found.row_first.data(), found.rows.data()},
            {found.block_first.data(), found.blocks.data()},
            blocks_.data()};
  }

  void tag_part(const Keys& keys, int64_t first, int64_t last, int32_t* out) const {
    std::visit(
        [&]<class W>(const ChainTable<W>& table) {
          Viterbi<W> viterbi(labels_, beam_);
          Found found;
          dispatch([&] {
            for (int64_t s = first; s < last; ++s) {
              const auto sentence = rows_of(keys, s, found);
              if (sentence.size > 0) viterbi.decode(table, sentence, out + keys.corpus().starts[size_t(s)]);
            }
          });
        },
        tables_);
  }

  int64_t labels_, beam_;
  double scale_;
  ChainTables tables_;
  KeyMap found_;  // the row of a unigram, the block of a bigram
  std::vector<int32_t> blocks_;
};

}  // namespace rosenblatt
