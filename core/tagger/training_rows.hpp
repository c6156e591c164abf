// The attributes of a training set, and the row of weights of each: 0 until an update touches it. A bigram has a row
// for each label before. Rows of a sentence are prefetched as soon as they are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tagger/attributes.hpp"
#include "tagger/chain.hpp"
#include "tagger/chain_mix.hpp"
#include "tagger/viterbi.hpp"

namespace rosenblatt {

class TrainingRows {
 public:
  // The row of each attribute.
  struct Rows {
    std::vector<int32_t> of_unigrams, of_blocks;
  };

  // What the chain knows keeps its rows. Attributes that fewer than `min_count` tokens have are left out.
  TrainingRows(const Chain& chain, const Keys& keys, int64_t min_count)
      : labels_(chain.labels),
        keys_(chain.keys),
        before_(chain.before),
        starts_(keys.corpus().starts),
        attributes_(number(keys)) {
    rows_.of_unigrams.resize(unigram_keys_.size());
    rows_.of_blocks.resize(bigram_keys_.size() * size_t(labels_));
    if (min_count > 1) {
      attributes_.unigrams.drop_rare(unigram_keys_.size(), min_count);
      attributes_.bigrams.drop_rare(bigram_keys_.size(), min_count);
    }
  }

  // No attribute has a row any more.
  void restart() {
    keys_.clear();
    before_.clear();
    taken_.clear();
    looked_at_ = 0;
    for (auto* rows : {&rows_.of_unigrams, &rows_.of_blocks}) std::fill(rows->begin(), rows->end(), 0);
  }

  // The rows become those of a mix that these sentences have attributes of, in its order; what one pass has added is
  // forgotten. Rows of the same mix that were taken before need not be looked up again: nothing else depends on them.
  void take_rows(const MixedRows& mix) {
    if (!numbers_) number_keys();
    if (!mix.begin_with(looked_at_, mark_)) {
      looked_at_ = 0;
      taken_.clear();
    }
    for (; keys_.size() > taken_.size(); keys_.pop_back(), before_.pop_back())
      *row_of(keys_.back(), before_.back()) = 0;
    mark_ = kNoMark;  // until all is done
    Interrupts interrupts;
    for (; looked_at_ < mix.keys.size(); ++looked_at_) {
      interrupts.after(kWorkOfACell);
      int32_t* const row = row_of(mix.keys[looked_at_], mix.before[looked_at_]);
      if (row == nullptr) continue;
      keys_.push_back(mix.keys[looked_at_]);
      before_.push_back(mix.before[looked_at_]);
      taken_.push_back(static_cast<int32_t>(looked_at_));
      *row = static_cast<int32_t>(taken_.size());
    }
    mark_ = mix.marks[looked_at_];
  }
  // After take_rows: the place in the mix, from 0 on, of each row.
  const std::vector<int32_t>& taken() const { return taken_; }

  int64_t n_sentences() const { return static_cast<int64_t>(starts_.size()) - 1; }
  int64_t n_unigrams() const { return static_cast<int64_t>(unigram_keys_.size()); }
  int64_t start(int64_t sentence) const { return starts_[size_t(sentence)]; }
  const Rows& all() const { return rows_; }
  // Of rows from 1 on: the keys of their attributes, and the labels before.
  const std::vector<uint64_t>& keys() const { return keys_; }
  const std::vector<int32_t>& before() const { return before_; }

  // The most tokens of a sentence.
  int64_t longest_sentence() const {
    int64_t longest = 0;
    for (int64_t s = 0; s < n_sentences(); ++s) longest = std::max(longest, start(s + 1) - start(s));
    return longest;
  }
  // The most unigrams, or bigrams, of a sentence.
  int64_t most_of_a_sentence() const {
    int64_t longest = 0;
    for (int64_t s = 0; s < n_sentences(); ++s)
      for (const auto* lists : {&attributes_.unigrams, &attributes_.bigrams})
        longest = std::max(longest, lists->first[size_t(start(s + 1))] - lists->first[size_t(start(s))]);
    return longest;
  }

  // The unigrams of a sentence.
  ROSENBLATT_INLINE std::span<const int32_t> unigrams_of(int64_t sentence) const {
    const auto& [first, numbers] = attributes_.unigrams;
    const int64_t from = first[size_t(start(sentence))], to = first[size_t(start(sentence + 1))];
    return {numbers.data() + from, size_t(to - from)};
  }

  // For a sentence that comes soon, and for the one that comes next.
  ROSENBLATT_INLINE void prefetch_attributes(int64_t sentence) const {
    const auto numbers = unigrams_of(sentence);
    for (size_t n = 0; n < numbers.size(); n += 16) prefetch_line(numbers.data() + n);
  }
  ROSENBLATT_INLINE void prefetch_rows(int64_t sentence) const {
    for (const int32_t number : unigrams_of(sentence)) prefetch_line(rows_.of_unigrams.data() + number);
  }

  // The weights of a sentence in this table; they are valid until the next call.
  template <class W>
  ROSENBLATT_INLINE SentenceRows of_sentence(const ChainTable<W>& table, const Rows& of, int64_t sentence) {
    const auto numbers = unigrams_of(sentence);
    if (found_.size() < numbers.size()) found_.resize(numbers.size());
    const int32_t* const row_of = of.of_unigrams.data();
    int32_t* const found = found_.data();
    for (size_t k = 0; k < numbers.size(); ++k) table.prefetch(found[k] = row_of[numbers[k]]);
    const int64_t first = start(sentence);
    const auto& [unigrams, bigrams] = attributes_;
    const int32_t* const blocks = bigrams.numbers.data() + bigrams.first[size_t(first)];
    return {start(sentence + 1) - first,
            {unigrams.first.data() + first, found},
            {bigrams.first.data() + first, blocks},
            of.of_blocks.data()};
  }

  // Calls work(row) for each unigram of a token, and work(row after label a, row after label b) for each bigram; rows
  // that are not there yet are added to the table.
  template <class Table, class Work>
  void for_each_unigram(int64_t token, Table& table, Work work) {
    const auto& [first, numbers] = attributes_.unigrams;
    for (int64_t k = first[size_t(token)]; k < first[size_t(token) + 1]; ++k) {
      const auto number = size_t(numbers[k]);
      work(touched(table, rows_.of_unigrams[number], unigram_keys_, number, Chain::kNone));
    }
  }
  template <class Table, class Work>
  void for_each_bigram(int64_t token, int32_t a, int32_t b, Table& table, Work work) {
    const auto& [first, numbers] = attributes_.bigrams;
    for (int64_t k = first[size_t(token)]; k < first[size_t(token) + 1]; ++k) {
      const auto number = size_t(numbers[k]);
      const auto row_after = [&](int32_t label) {
        int32_t& row = rows_.of_blocks[number * size_t(labels_) + size_t(label)];
        return touched(table, row, bigram_keys_, number, label);
      };
      const int64_t after_a = row_after(a);
      work(after_a, row_after(b));
    }
  }

  // The rows that these sentences have, and all rows as places among them, counted from 1.
  std::pair<std::vector<int32_t>, Rows> used_by(const std::vector<int64_t>& sentences) const {
    std::vector<int32_t> used, place(keys_.size() + 1);
    const auto use = [&](int32_t row) {
      if (row == 0 || place[size_t(row)] > 0) return;
      used.push_back(row);
      place[size_t(row)] = static_cast<int32_t>(used.size());
    };
    Interrupts interrupts;
    for (const int64_t s : sentences)
      for (const int32_t number : unigrams_of(s)) {
        interrupts.after(1);
        use(rows_.of_unigrams[size_t(number)]);
      }
    for (const int32_t row : rows_.of_blocks) use(row);
    Rows places = rows_;
    for (auto* rows : {&places.of_unigrams, &places.of_blocks})
      for (int32_t& row : *rows) row = place[size_t(row)];
    return {std::move(used), std::move(places)};
  }

 private:
  Attributes number(const Keys& keys) {
    // Templates make about as many attributes as there are tokens: a map that begins so large hardly ever grows.
    KeyMaps maps(before_, Chain::kNone, size_t(keys.corpus().n_tokens()));
    Interrupts interrupts;
    for (size_t k = 0; k < keys_.size(); ++k) {
      interrupts.after(kWorkOfACell);
      const bool unigram = before_[k] == Chain::kNone;
      auto& known = unigram ? unigram_keys_ : bigram_keys_;
      const auto attribute = static_cast<size_t>(maps.of(unigram).intern(keys_[k], static_cast<int32_t>(known.size())));
      if (attribute == known.size()) known.push_back(keys_[k]);
      auto& rows = unigram ? rows_.of_unigrams : rows_.of_blocks;
      const size_t at = unigram ? attribute : attribute * size_t(labels_) + size_t(before_[k]);
      rows.resize(std::max(rows.size(), at + 1));
      rows[at] = static_cast<int32_t>(k + 1);
    }
    return Attributes(keys, maps, unigram_keys_, bigram_keys_);
  }

  // The row of an attribute. Its key is only looked at if it has none yet: keys lie far away.
  template <class Table>
  int64_t touched(Table& table, int32_t& row, const std::vector<uint64_t>& keys, size_t number, int32_t before) {
    if (row == 0) {
      row = table.add_row();
      keys_.push_back(keys[number]);
      before_.push_back(before);
    }
    return row;
  }

  // The numbers of all attributes by their keys.
  void number_keys() {
    KeyMaps numbers(unigram_keys_.size(), bigram_keys_.size());
    Interrupts interrupts;
    for (const bool unigram : {true, false}) {
      const auto& keys = unigram ? unigram_keys_ : bigram_keys_;
      for (size_t k = 0; k < keys.size(); ++k) {
        interrupts.after(kWorkOfACell);
        numbers.of(unigram).intern(keys[k], static_cast<int32_t>(k));
      }
    }
    numbers_ = std::move(numbers);
  }
  // Where the row of an attribute stands; nowhere, if these sentences do not have it.
  int32_t* row_of(uint64_t key, int32_t before) {
    const bool unigram = before == Chain::kNone;
    const int32_t number = numbers_->of(unigram).find(key);
    if (number == KeyMap::kUnknown) return nullptr;
    return unigram ? &rows_.of_unigrams[size_t(number)]
                   : &rows_.of_blocks[size_t(number) * size_t(labels_) + size_t(before)];
  }

  int64_t labels_;
  std::vector<uint64_t> keys_;
  std::vector<int32_t> before_;
  std::vector<int64_t> starts_;
  std::vector<uint64_t> unigram_keys_, bigram_keys_;
  Rows rows_;
  Attributes attributes_;  // declared after the members that number() fills
  std::vector<int32_t> found_;
  std::optional<KeyMaps> numbers_;  // for take_rows
  std::vector<int32_t> taken_;
  size_t looked_at_ = 0;  // rows of the mix
  static constexpr uint64_t kNoMark = 1;
  uint64_t mark_ = kNoMark;  // of these
};

}  // namespace rosenblatt
