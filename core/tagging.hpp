// Tagging with a chain: the keys of a sentence are looked up, the rows of those that are known are decoded. The tagger
// never changes, so that any number of threads may use it, and no sentence needs another.
#pragma once

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
        rows_(chain.keys.size()) {
    for (size_t k = 0; k < chain.keys.size(); ++k) rows_.intern(chain.keys[k], chain.rows[k]);
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
          auto best = best_sequences(table, rows_of(keys, table, sentence, found), count);
          for (auto& one : best) one.score /= scale_;
          return best;
        },
        tables_);
  }

 private:
  struct Found {
    Keys::Scratch scratch;
    std::vector<int64_t> first, bigrams;
    std::vector<int32_t> rows;
  };

  template <class Table>
  ROSENBLATT_INLINE SentenceRows rows_of(const Keys& keys, const Table& table, int64_t sentence, Found& found) const {
    keys.of_sentence(sentence, found.scratch);
    for (const uint64_t key : found.scratch.keys) rows_.prefetch(key);
    const auto n_unigrams = keys.templates().unigrams.size(), width = n_unigrams + keys.templates().bigrams.size();
    const size_t size = width == 0 ? 0 : found.scratch.keys.size() / width;
    found.first.assign(1, 0);
    found.bigrams.clear();
    found.rows.clear();
    const uint64_t* key = found.scratch.keys.data();
    for (size_t t = 0; t < size; ++t) {
      for (size_t k = 0; k < width; ++k, ++key) {
        if (k == n_unigrams) found.bigrams.push_back(int64_t(found.rows.size()));
        if (*key == 0) continue;
        const int32_t row = rows_.find(*key);
        if (row == KeyMap::kUnknown) continue;
        __builtin_prefetch(table.w.data() + row * table.stride);
        found.rows.push_back(row);
      }
      if (n_unigrams == width) found.bigrams.push_back(int64_t(found.rows.size()));
      found.first.push_back(int64_t(found.rows.size()));
    }
    return {int64_t(size), found.first.data(), found.bigrams.data(), found.rows.data()};
  }

  void tag_part(const Keys& keys, int64_t first, int64_t last, int32_t* out) const {
    std::visit(
        [&]<class W>(const ChainTable<W>& table) {
          Viterbi<W> viterbi(labels_, beam_);
          Found found;
          dispatch([&] {
            for (int64_t s = first; s < last; ++s) {
              const auto sentence = rows_of(keys, table, s, found);
              if (sentence.size > 0) viterbi.decode(table, sentence, out + keys.corpus().starts[size_t(s)]);
            }
          });
        },
        tables_);
  }

  int64_t labels_, beam_;
  double scale_;
  ChainTables tables_;
  KeyMap rows_;
};

}  // namespace rosenblatt
