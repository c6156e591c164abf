// Tagging with a chain: the keys of a sentence are looked up, the rows of those that are known are decoded. The tagger
// never changes, so that any number of threads may use it, and no sentence needs another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tagger/attributes.hpp"
#include "tagger/chain.hpp"
#include "tagger/nbest.hpp"
#include "tagger/pruned_viterbi.hpp"

namespace rosenblatt {

class ChainTagger {
 public:
  ChainTagger(const Chain& chain, Readout readout, int64_t most_dense_labels = kMostDenseLabels)
      : labels_(chain.labels),
        attributes_(chain.attributes),
        scale_(chain.scale(readout)),
        tables_(chain.answers(readout, layout_for(chain.labels, most_dense_labels))),
        found_(chain.before, Chain::kNone) {
    Interrupts interrupts;
    int32_t blocks = 0;
    for (size_t k = 0; k < chain.keys.size(); ++k) {
      interrupts.after(kWorkOfACell);
      const uint64_t key = chain.keys[k];
      const int32_t before = chain.before[k];
      const auto row = static_cast<int32_t>(k + 1);
      if (before == Chain::kNone) {
        found_.of(true).intern(key, row);
        continue;
      }
      const int32_t block = found_.of(false).intern(key, blocks);
      blocks = std::max(blocks, block + 1);
      blocks_.resize(size_t(blocks) * size_t(labels_));
      blocks_[size_t(block) * size_t(labels_) + size_t(before)] = row;
    }
  }

  int64_t attributes() const { return attributes_; }

  // What tag_part needs of a corpus, made once for all parts.
  AttributeNumbers numbers_of(const Keys& keys) const {
    return AttributeNumbers(keys, [&](uint64_t key, bool unigram) { return found_.of(unigram).find(key); });
  }

  // Writes a label for each token of the sentences first to last; `out` has room for those of the whole corpus.
  void tag_part(const AttributeNumbers& numbers, int64_t first, int64_t last, int32_t* out) const {
    std::visit(
        [&]<class W>(const ChainTable<W>& table) {
          Decoder<W> decoder;
          Found found;
          dispatch([&] {
            for (int64_t s = first; s < last; ++s) {
              const auto sentence = rows_of(numbers, s, found);
              for (const int32_t row : found.attributes.unigrams.numbers) table.prefetch(row);
              if (sentence.size > 0) decoder.decode(table, sentence, out + numbers.corpus().starts[size_t(s)]);
            }
          });
        },
        tables_);
  }

  // The `count` best label sequences of each sentence, with their scores, best first.
  std::vector<std::vector<Scored>> best(const Keys& keys, int64_t count) const {
    const auto numbers = numbers_of(keys);
    Found found;
    std::vector<std::vector<Scored>> best;
    for (int64_t s = 0; s < keys.corpus().n_sentences(); ++s) {
      std::visit([&](const auto& table) { best.push_back(best_sequences(table, rows_of(numbers, s, found), count)); },
                 tables_);
      for (auto& one : best.back()) one.score /= scale_;
    }
    return best;
  }

 private:
  struct Found {
    AttributeNumbers::Scratch scratch;
    Attributes attributes;
  };

  ROSENBLATT_INLINE SentenceRows rows_of(const AttributeNumbers& numbers, int64_t sentence, Found& found) const {
    const auto find = [&](uint64_t key, bool unigram) { return found_.of(unigram).find(key); };
    numbers.of_sentence(sentence, found_, find, found.scratch);
    auto& [unigrams, bigrams] = found.attributes;
    unigrams.clear();
    bigrams.clear();
    found.attributes.add_sentence(found.scratch, numbers.templates());
    return {int64_t(unigrams.first.size()) - 1,
            {unigrams.first.data(), unigrams.numbers.data()},
            {bigrams.first.data(), bigrams.numbers.data()},
            blocks_.data()};
  }

  int64_t labels_, attributes_;
  double scale_;
  ChainTables tables_;
  KeyMaps found_;  // the row of a unigram, the block of a bigram
  std::vector<int32_t> blocks_;
};

}  // namespace rosenblatt
