// Templates make attributes of a token: a template names texts around the token, as "the word before and this tag",
// and their values, put into the template's literal text, are an attribute. An attribute is known by a 64-bit key, so
// that the same template makes the same key in every corpus; two attributes of a million share one with a chance of
// less than one in ten million.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/interrupts.hpp"
#include "sentences/corpus.hpp"
#include "sentences/text_view.hpp"

namespace rosenblatt {

// Before and after a sentence are marks, _B-1, _B-2, ..., and _B+1, _B+2, ... (as CRF++ has it), or nothing: an
// attribute that looks there is then not made.
enum class Boundary : uint8_t { mark, drop };

struct ColumnView {
  int32_t column;
  View view;
  int32_t count;  // of characters, for a prefix or a suffix
};

struct Piece {
  int32_t offset;  // of the token that is looked at
  int32_t view;    // an index of Templates::views
};

struct Template {
  uint64_t seed;  // of its literal text
  std::vector<Piece> pieces;
};

// Unigrams weigh a label; bigrams a label after another one.
struct Templates {
  std::vector<ColumnView> views;
  std::vector<Template> unigrams, bigrams;
  Boundary boundary = Boundary::mark;

  int64_t size() const { return static_cast<int64_t>(unigrams.size() + bigrams.size()); }
  int32_t margin() const {
    int32_t margin = 0;
    for (const auto* templates : {&unigrams, &bigrams})
      for (const auto& one : *templates)
        for (const auto& piece : one.pieces) margin = std::max(margin, std::abs(piece.offset));
    return margin;
  }
  int32_t columns() const {
    int32_t columns = 1;
    for (const auto& view : views) columns = std::max(columns, view.column + 1);
    return columns;
  }
};

inline uint64_t joined(uint64_t key, uint64_t value) { return mix(key ^ value) + 0x9e3779b97f4a7c15; }

// The keys of the attributes of one sentence after the other. 0 is no attribute.
class Keys {
 public:
  Keys(const Templates& templates, const Corpus& corpus)
      : templates_(templates), corpus_(corpus), margin_(templates.margin()) {
    if (int64_t(corpus.columns.size()) < templates.columns())
      throw std::invalid_argument("the templates look at column " + std::to_string(templates.columns() - 1) +
                                  ", but there are " + std::to_string(corpus.columns.size()) + " columns");
    const bool mark = templates.boundary == Boundary::mark;
    Interrupts interrupts;
    for (const auto& view : templates.views) {
      const auto& texts = corpus.columns[size_t(view.column)].texts;
      auto& values = values_.emplace_back();
      for (int32_t k = 0; k < texts.size(); ++k) {
        interrupts.after(kWorkOfAText + int64_t(texts[k].size()));
        const auto shown = view_of(texts[k], view.view, view.count);
        values.push_back(shown.empty() ? 0 : present(hash_text(shown)));
      }
      for (const char* side : {"_B-", "_B+"})
        for (int64_t k = 1; k <= margin_; ++k)
          values.push_back(mark ? present(hash_text(side + std::to_string(k))) : 0);
    }
  }

  // The texts of a sentence in a column, with its margins: what lies there is numbered after the texts, the places
  // before the sentence first, the nearest first.
  void texts_of(int64_t sentence, int32_t column, std::vector<int32_t>& texts) const {
    const auto& [known, tokens] = corpus_.columns[size_t(column)];
    const auto first = size_t(corpus_.starts[size_t(sentence)]), last = size_t(corpus_.starts[size_t(sentence) + 1]);
    const auto margin = static_cast<int32_t>(margin_);
    texts.resize(last - first + 2 * size_t(margin));
    int32_t* text = texts.data();
    for (int32_t k = margin; k > 0; --k) *text++ = known.size() + k - 1;
    text = std::copy(tokens.data() + first, tokens.data() + last, text);
    for (int32_t k = 0; k < margin; ++k) *text++ = known.size() + margin + k;
  }

  // The keys of a template that looks at one text, for each text and each place of the margins.
  std::vector<uint64_t> of_texts(const Template& one) const {
    auto keys = values_[size_t(one.pieces[0].view)];
    for (uint64_t& key : keys) key = extended(one.seed, key);
    return keys;
  }

  // The keys of a template for the tokens first to last of a sentence; `texts` by column.
  void of_tokens(const Template& one, const std::vector<std::vector<int32_t>>& texts, int64_t first, int64_t last,
                 uint64_t* keys) const {
    std::fill_n(keys, last - first, one.seed);
    for (const auto& piece : one.pieces) {
      const uint64_t* const values = values_[size_t(piece.view)].data();
      const int32_t* const text = texts[column_of(piece)].data() + margin_ + piece.offset + first;
      for (int64_t t = 0; t < last - first; ++t) keys[t] = extended(keys[t], values[text[t]]);
    }
  }

  // How many combinations of texts a template can look at, and that of each token of a sentence; `most` if more.
  int64_t combinations(const Template& one, int64_t most) const {
    int64_t count = 1;
    for (const auto& piece : one.pieces) count = std::min(most, count * texts_in(piece));
    return count;
  }
  void combinations_of(const Template& one, const std::vector<std::vector<int32_t>>& texts, int64_t size,
                       uint64_t* combinations) const {
    std::fill_n(combinations, size, 0);
    for (const auto& piece : one.pieces) {
      const auto count = uint64_t(texts_in(piece));
      const int32_t* const text = texts[column_of(piece)].data() + margin_ + piece.offset;
      for (int64_t t = 0; t < size; ++t) combinations[t] = combinations[t] * count + uint64_t(text[t]);
    }
  }

  int64_t margin() const { return margin_; }
  const Templates& templates() const { return templates_; }
  const Corpus& corpus() const { return corpus_; }

 private:
  static constexpr int64_t kWorkOfAText = 64;

  size_t column_of(const Piece& piece) const { return size_t(templates_.views[size_t(piece.view)].column); }
  int64_t texts_in(const Piece& piece) const { return std::ssize(values_[size_t(piece.view)]); }

  static uint64_t present(uint64_t value) { return value == 0 ? 1 : value; }
  static uint64_t extended(uint64_t key, uint64_t value) {
    const uint64_t both = present(joined(key, value));
    return key == 0 || value == 0 ? 0 : both;
  }

  const Templates& templates_;
  const Corpus& corpus_;
  int64_t margin_;
  std::vector<std::vector<uint64_t>> values_;  // a view, a text
};

}  // namespace rosenblatt
