// Templates of a parser. A piece looks at a place: a node of the stack or the buffer, or a child of it. It shows a view
// of a column of its word, or what the configuration knows: its label, how many children it has on a side, their
// labels, how far it is from another place. A template is one or more pieces, and its key is a hash of what they show.
//
// What a piece shows is a 64-bit number with well-spread bits, looked up and not computed. The key of a template is a
// polynomial in these numbers, so that a template costs a multiplication and an addition a piece.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "parser/actions.hpp"
#include "parser/configuration.hpp"
#include "sentences/templates.hpp"

namespace rosenblatt {

enum class Child : uint8_t { self, left, left2, right, right2 };

struct TreePlace {
  bool buffer;
  int32_t depth;  // 0: the top of the stack, the next word of the buffer
  Child child;
};

enum class Shown : uint8_t { view, label, lefts, rights, left_labels, right_labels, gap };

struct TreePiece {
  Shown shown;
  int32_t view;          // an index of TreeTemplates::views, if a view is shown
  int32_t place, other;  // indexes of TreeTemplates::places; `other` for a gap
};

struct TreeTemplates {
  std::vector<ColumnView> views;
  std::vector<TreePlace> places;
  std::vector<TreePiece> pieces;                // all different ones
  std::vector<std::vector<int32_t>> templates;  // the pieces of each
  std::vector<uint64_t> seeds;                  // of the text of each

  int64_t size() const { return static_cast<int64_t>(templates.size()); }
  int32_t columns() const {
    int32_t columns = 1;
    for (const auto& view : views) columns = std::max(columns, view.column + 1);
    return columns;
  }
};

// The values of all views of the texts of a corpus.
class TreeValues {
 public:
  TreeValues(const TreeTemplates& templates, const Corpus& corpus) : templates_(templates), corpus_(corpus) {
    if (int64_t(corpus.columns.size()) < templates.columns())
      throw std::invalid_argument("the templates look at column " + std::to_string(templates.columns() - 1) +
                                  ", but there are " + std::to_string(corpus.columns.size()) + " columns");
    constexpr int64_t kWorkOfAText = 64;
    Interrupts interrupts;
    for (const auto& view : templates.views) {
      const auto& texts = corpus.columns[size_t(view.column)].texts;
      auto& values = values_.emplace_back();
      values.reserve(size_t(texts.size()));
      for (int32_t k = 0; k < texts.size(); ++k) {
        interrupts.after(kWorkOfAText + int64_t(texts[k].size()));
        values.push_back(hash_text(view_of(texts[k], view.view, view.count)));
      }
    }
  }

  // What each view shows of the nodes of a sentence: of the root, of the words, of no node.
  void of_sentence(int64_t sentence, std::vector<std::vector<uint64_t>>& values) const {
    const auto first = size_t(corpus_.starts[size_t(sentence)]), last = size_t(corpus_.starts[size_t(sentence) + 1]);
    values.resize(values_.size());
    for (size_t v = 0; v < values_.size(); ++v) {
      const int32_t* const token = corpus_.columns[size_t(templates_.views[v].column)].tokens.data();
      values[v].assign(1, kRoot);
      for (size_t t = first; t < last; ++t) values[v].push_back(values_[v][size_t(token[t])]);
      values[v].push_back(kNone);
    }
  }

  const TreeTemplates& templates() const { return templates_; }
  const Corpus& corpus() const { return corpus_; }
  int32_t words(int64_t sentence) const {
    return static_cast<int32_t>(corpus_.starts[size_t(sentence) + 1] - corpus_.starts[size_t(sentence)]);
  }

 private:
  static constexpr uint64_t kRoot = 0x8f1bbcdcbfa53e0b, kNone = 0xca62c1d6a4c2f1e5;

  const TreeTemplates& templates_;
  const Corpus& corpus_;
  std::vector<std::vector<uint64_t>> values_;  // a view, a text
};

// The keys of configurations, one after the other. One for each thread.
class TreeKeys {
 public:
  TreeKeys(const TreeValues& values, const Actions& actions)
      : values_(values),
        actions_(actions),
        node_(values.templates().places.size()),
        shown_(values.templates().pieces.size()),
        keys_(values.templates().templates.size()) {
    const auto& templates = values.templates();
    for (size_t k = 0; k < templates.templates.size(); ++k) {
      ends_.push_back(static_cast<int32_t>(pieces_.size() + templates.templates[k].size()));
      pieces_.insert(pieces_.end(), templates.templates[k].begin(), templates.templates[k].end());
    }
    for (uint64_t count = 0; count < std::size(count_); ++count) count_[count] = mix(0x636f756e74 + count);
  }

  void begin(int64_t sentence) { values_.of_sentence(sentence, of_nodes_); }

  // Never 0, which is no key.
  ROSENBLATT_INLINE const std::vector<uint64_t>& of(const Configuration& c) {
    const auto& templates = values_.templates();
    for (size_t p = 0; p < node_.size(); ++p) node_[p] = find(c, templates.places[p]);
    for (size_t k = 0; k < shown_.size(); ++k) shown_[k] = show(c, templates.pieces[k]);
    const int32_t* piece = pieces_.data();
    for (size_t k = 0; k < keys_.size(); ++k) {
      uint64_t key = templates.seeds[k];
      for (const int32_t* const end = pieces_.data() + ends_[k]; piece < end; ++piece)
        key = key * kFactor + shown_[size_t(*piece)];
      keys_[k] = key + (key == 0);
    }
    return keys_;
  }

 private:
  static constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;

  ROSENBLATT_INLINE static int32_t find(const Configuration& c, const TreePlace& place) {
    const int32_t node = place.buffer ? c.buffer(size_t(place.depth)) : c.stack(size_t(place.depth));
    switch (place.child) {
      case Child::self: return node;
      case Child::left: return c.node(node).left;
      case Child::left2: return c.node(node).left2;
      case Child::right: return c.node(node).right;
      case Child::right2: return c.node(node).right2;
    }
    return node;
  }
  // Small numbers are told apart, large ones are not.
  ROSENBLATT_INLINE uint64_t count(int32_t number) const { return count_[std::min(number, kMostCount)]; }
  ROSENBLATT_INLINE uint64_t show(const Configuration& c, const TreePiece& piece) const {
    const int32_t node = node_[size_t(piece.place)];
    switch (piece.shown) {
      case Shown::view: return of_nodes_[size_t(piece.view)][size_t(node)];
      case Shown::label: return actions_.hash(c.node(node).label);
      case Shown::lefts: return count(c.node(node).lefts);
      case Shown::rights: return count(c.node(node).rights);
      case Shown::left_labels: return c.node(node).left_labels;
      case Shown::right_labels: return c.node(node).right_labels;
      case Shown::gap: return gap(c, node, node_[size_t(piece.other)]);
    }
    return 0;
  }
  // How far apart in the sentence: 1, 2, 3, 4, up to 7, up to 11, more; or that one of them is not there.
  ROSENBLATT_INLINE uint64_t gap(const Configuration& c, int32_t a, int32_t b) const {
    if (a == c.none() || b == c.none()) return count_[0];
    const int32_t far = a < b ? b - a : a - b;
    return count_[far < 5 ? far : far < 8 ? 5 : far < 12 ? 6 : 7];
  }

  static constexpr int32_t kMostCount = 7;

  const TreeValues& values_;
  const Actions& actions_;
  std::vector<std::vector<uint64_t>> of_nodes_;  // a view, a node
  std::vector<int32_t> node_;                    // of each place
  std::vector<uint64_t> shown_;                  // by each piece
  std::vector<uint64_t> keys_;
  std::vector<int32_t> pieces_, ends_;  // of all templates
  uint64_t count_[kMostCount + 1];
};

}  // namespace rosenblatt
