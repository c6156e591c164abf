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

#include "corpus.hpp"
#include "text_view.hpp"

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
    for (const auto& view : templates.views) {
      const auto& texts = corpus.columns[size_t(view.column)].texts;
      std::vector<uint64_t> values(static_cast<size_t>(texts.size()));
      for (int32_t k = 0; k < texts.size(); ++k) {
        const auto shown = view_of(texts[k], view.view, view.count);
        values[size_t(k)] = shown.empty() ? 0 : present(hash_text(shown));
      }
      values_.push_back(std::move(values));
    }
    for (int32_t k = 1; k <= margin_; ++k) {
      const bool mark = templates.boundary == Boundary::mark;
      before_.push_back(mark ? present(hash_text("_B-" + std::to_string(k))) : 0);
      after_.push_back(mark ? present(hash_text("_B+" + std::to_string(k))) : 0);
    }
  }

  // What one thread needs: the values of a sentence with its margins, view by view.
  struct Scratch {
    std::vector<uint64_t> values, keys;
  };

  // For each token the keys of the unigrams, then of the bigrams, `templates.size()` in all.
  void of_sentence(int64_t sentence, Scratch& scratch) const {
    const int64_t first = corpus_.starts[size_t(sentence)], size = corpus_.starts[size_t(sentence) + 1] - first;
    const int64_t wide = size + 2 * margin_, width = templates_.size();
    scratch.values.resize(templates_.views.size() * size_t(wide));
    scratch.keys.resize(size_t(size * width));
    uint64_t* values = scratch.values.data();
    for (size_t v = 0; v < values_.size(); ++v) {
      for (int64_t k = 0; k < margin_; ++k) *values++ = before_[size_t(margin_ - 1 - k)];
      const int32_t* tokens = corpus_.columns[size_t(templates_.views[v].column)].tokens.data() + first;
      for (int64_t t = 0; t < size; ++t) *values++ = values_[v][size_t(tokens[t])];
      for (int64_t k = 0; k < margin_; ++k) *values++ = after_[size_t(k)];
    }
    uint64_t* key = scratch.keys.data();
    for (const auto& one : templates_.unigrams) write(one, scratch.values.data(), size, wide, width, key++);
    for (const auto& one : templates_.bigrams) write(one, scratch.values.data(), size, wide, width, key++);
  }

  const Templates& templates() const { return templates_; }
  const Corpus& corpus() const { return corpus_; }

 private:
  static uint64_t present(uint64_t value) { return value == 0 ? 1 : value; }

  void write(const Template& one, const uint64_t* values, int64_t size, int64_t wide, int64_t width,
             uint64_t* key) const {
    for (int64_t t = 0; t < size; ++t) key[t * width] = one.seed;
    for (const auto& piece : one.pieces) {
      const uint64_t* value = values + piece.view * wide + margin_ + piece.offset;
      for (int64_t t = 0; t < size; ++t) {
        uint64_t& joint = key[t * width];
        joint = joint == 0 || value[t] == 0 ? 0 : present(joined(joint, value[t]));
      }
    }
  }

  const Templates& templates_;
  const Corpus& corpus_;
  int64_t margin_;
  std::vector<std::vector<uint64_t>> values_;  // a view, a text
  std::vector<uint64_t> before_, after_;       // a distance from the sentence, from 1 on
};

}  // namespace rosenblatt
