// From counts to rows: each feature has a scale, which says how much it tells, and each row has length one.
// See plain_text.py for the same, plainly.
//   value = (1 + ln count) * scale; for `binary` the count is 1
//   tfidf:        scale = 1 + ln((1 + texts) / (1 + texts with the feature))
//   log, binary:  scale = 1
//   ratio:        scale = the largest |ln(p / q)| of a class: the share of this feature among all that its texts have
//                 (p), and that the other texts have (q), each feature counted once more (Wang and Manning 2012)
// Features of words and of parts of words are made rows of length one apart, so that the many parts do not drown the
// words; then parts count kPartShare as much as words.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/growing.hpp"
#include "base/interrupts.hpp"
#include "base/lanes.hpp"
#include "base/rows.hpp"
#include "text/features.hpp"

namespace rosenblatt {

enum class Weighting { tfidf, log, binary, ratio };

constexpr double kPartShare = 0.6;  // of 0.3 to 1, measured on three sets of short texts; flat from 0.5 to 0.8

// Counted texts, and which of them are meant, in which order.
struct SomeTexts {
  const float* counts;
  const int32_t *features, *starts;
  const int64_t* rows;
  int64_t size;

  template <class Each>  // each(number among these, feature, count)
  void for_each(Each each) const {
    Interrupts interrupts;
    for (int64_t k = 0; k < size; ++k) {
      interrupts.after(starts[rows[k] + 1] - starts[rows[k]] + 1);
      for (int32_t at = starts[rows[k]]; at < starts[rows[k] + 1]; ++at) each(k, features[at], counts[at]);
    }
  }
};

// Rows of the features that are known.
struct ScaledTexts {
  Growing<float> values;
  Growing<int32_t> columns, starts;
};

// A set of features, of which each has a number in ascending order: bits, and how many there are before them. It lies
// in one or two megabytes, whose place is known at once; a hash table of a million features would take eight times as
// much.
class FeatureRanks {
 public:
  explicit FeatureRanks(const TextShape& shape) : words_((shape.size() + 63) / 64) {}

  void add(int32_t feature) { words_[size_t(feature) >> 6].bits |= uint64_t{1} << (feature & 63); }
  // After the last one: all features.
  std::vector<int32_t> number() {
    std::vector<int32_t> features;
    for (size_t w = 0; w < words_.size(); ++w) {
      words_[w].before = int64_t(features.size());
      for (uint64_t bits = words_[w].bits; bits; bits &= bits - 1)
        features.push_back(int32_t(w << 6) + std::countr_zero(bits));
    }
    return features;
  }
  // The number of a feature; -1: it is not in the set.
  ROSENBLATT_INLINE int32_t find(int32_t feature) const {
    const Word word = words_[size_t(feature) >> 6];
    const uint64_t below = (uint64_t{1} << (feature & 63)) - 1;
    return word.bits & (below + 1) ? int32_t(word.before + std::popcount(word.bits & below)) : -1;
  }

 private:
  struct Word {
    uint64_t bits = 0;
    int64_t before = 0;
  };
  std::vector<Word> words_;
};

class TextScales {
 public:
  // Features ascend; each is a column, with its scale.
  TextScales(const TextShape& shape, Weighting weighting, std::vector<int32_t> features, std::vector<float> scales)
      : shape_(shape),
        weighting_(weighting),
        features_(std::move(features)),
        scales_(std::move(scales)),
        columns_(shape) {
    for (const int32_t feature : features_) columns_.add(feature);
    columns_.number();
  }

  const std::vector<int32_t>& features() const { return features_; }
  const std::vector<float>& scales() const { return scales_; }
  const TextShape& shape() const { return shape_; }

  // Features that are not known are left out.
  ScaledTexts rows(const SomeTexts& texts) const {
    ScaledTexts out;
    out.starts.push(0);
    Interrupts interrupts;
    for (int64_t k = 0; k < texts.size; ++k) {
      const int32_t first = texts.starts[texts.rows[k]], last = texts.starts[texts.rows[k] + 1];
      interrupts.after(last - first + 1);
      float* const values = out.values.room(last - first);
      int32_t* const columns = out.columns.room(last - first);
      const auto [words, n] = look_up(texts, first, last, columns, values);
      const double squares[2] = {weigh(columns, values, 0, words), weigh(columns, values, words, n)};
      const bool both = squares[0] > 0 && squares[1] > 0;
      const double share = both ? kPartShare : 1, all = both ? std::sqrt(1 + share * share) : 1;
      scale(values, values + words, 1 / all, squares[0]);
      scale(values + words, values + n, share / all, squares[1]);
      out.values.add(n);
      out.columns.add(n);
      out.starts.push(static_cast<int32_t>(out.columns.size()));
    }
    out.values.give_back();
    out.columns.give_back();
    return out;
  }

 private:
  // The columns of the features that are known, and their counts; how many are words, and how many there are. The
  // scales are fetched meanwhile: most of them come from afar.
  std::pair<int64_t, int64_t> look_up(const SomeTexts& texts, int32_t first, int32_t last, int32_t* columns,
                                      float* counts) const {
    int64_t n = 0, words = 0;
    dispatch([&] {  // which counts bits in one step
      for (int32_t at = first; at < last; ++at) {
        const int32_t column = columns_.find(texts.features[at]);
        if (column < 0) continue;
        prefetch_line(scales_.data() + column);
        words += !shape_.is_part(texts.features[at]);
        columns[n] = column;
        counts[n++] = texts.counts[at];
      }
    });
    return {words, n};
  }

  // Counts become values; the sum of their squares.
  double weigh(const int32_t* columns, float* values, int64_t first, int64_t last) const {
    double squares = 0;
    for (int64_t k = first; k < last; ++k) {
      const double count = weighting_ == Weighting::binary ? 1 : double(values[k]);
      const double value = (count == 1 ? 1 : 1 + std::log(count)) * double(scales_[size_t(columns[k])]);
      squares += value * value;
      values[k] = static_cast<float>(value);
    }
    return squares;
  }

  static void scale(float* first, float* last, double length, double squares) {
    if (squares == 0) return;
    const double factor = length / std::sqrt(squares);
    for (; first < last; ++first) *first = static_cast<float>(double(*first) * factor);
  }

  TextShape shape_;
  Weighting weighting_;
  std::vector<int32_t> features_;
  std::vector<float> scales_;
  FeatureRanks columns_;
};

}  // namespace rosenblatt
