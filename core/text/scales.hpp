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
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/growing.hpp"
#include "base/interrupts.hpp"
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

// Features that are known, each with a number: a table that grows with them, however many there might be.
class FeatureNumbers {
 public:
  // The number of a feature; -1: it is not known.
  ROSENBLATT_INLINE int32_t find(int32_t feature) const {
    size_t at = place(feature);
    while (slots_[at].feature != feature && slots_[at].feature != kFree) at = (at + 1) & (slots_.size() - 1);
    return slots_[at].number;
  }
  // The number of a feature, which gets the next one if it has none.
  int32_t take(int32_t feature) {
    if (2 * size_t(size_) >= slots_.size()) grow();
    size_t at = place(feature);
    while (slots_[at].feature != feature && slots_[at].feature != kFree) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].feature == kFree) slots_[at] = {feature, size_++};
    return slots_[at].number;
  }
  int32_t size() const { return size_; }

 private:
  static constexpr int32_t kFree = -1;
  struct Slot {
    int32_t feature = kFree, number = -1;
  };
  ROSENBLATT_INLINE size_t place(int32_t feature) const {
    return (uint64_t(uint32_t(feature)) * 0x9e3779b97f4a7c15) >> 32 & (slots_.size() - 1);
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(4 * slots_.size()));
    for (const Slot& slot : old) {
      if (slot.feature == kFree) continue;
      size_t at = place(slot.feature);
      while (slots_[at].feature != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1 << 10);
  int32_t size_ = 0;
};

// A feature as a column of rows, -1 if it is not known, and its scale.
struct ScaledFeature {
  int32_t column;
  double scale;
};

inline void scale_values(float* first, float* last, double length, double squares) {
  if (squares == 0) return;
  const double factor = length / std::sqrt(squares);
  for (; first < last; ++first) *first = static_cast<float>(double(*first) * factor);
}

// The rows of texts, of length one; `known` gives the `ScaledFeature` of a feature.
template <class Known>
ScaledTexts scaled_rows(const TextShape& shape, Weighting weighting, const SomeTexts& texts, Known known) {
  ScaledTexts out;
  out.starts.push(0);
  Interrupts interrupts;
  for (int64_t k = 0; k < texts.size; ++k) {
    const int32_t first = texts.starts[texts.rows[k]], last = texts.starts[texts.rows[k] + 1];
    interrupts.after(last - first + 1);
    float* const values = out.values.room(last - first);
    int32_t* const columns = out.columns.room(last - first);
    double squares[2] = {0, 0};
    int64_t n = 0, words = 0;
    for (int32_t at = first; at < last; ++at) {
      const ScaledFeature feature = known(texts.features[at]);
      if (feature.column < 0) continue;
      const double count = weighting == Weighting::binary ? 1 : double(texts.counts[at]);
      const double value = (count == 1 ? 1 : 1 + std::log(count)) * feature.scale;
      const bool is_part = shape.is_part(texts.features[at]);
      squares[is_part] += value * value;
      words += !is_part;
      values[n] = static_cast<float>(value);
      columns[n++] = feature.column;
    }
    const bool both = squares[0] > 0 && squares[1] > 0;
    const double share = both ? kPartShare : 1, all = both ? std::sqrt(1 + share * share) : 1;
    scale_values(values, values + words, 1 / all, squares[0]);
    scale_values(values + words, values + n, share / all, squares[1]);
    out.values.add(n);
    out.columns.add(n);
    out.starts.push(static_cast<int32_t>(out.columns.size()));
  }
  out.values.give_back();
  out.columns.give_back();
  return out;
}

class TextScales {
 public:
  // Features ascend; each is a column, with its scale.
  TextScales(const TextShape& shape, Weighting weighting, std::vector<int32_t> features, std::vector<float> scales)
      : shape_(shape), weighting_(weighting), features_(std::move(features)), scales_(std::move(scales)) {
    number_columns();
  }

  const std::vector<int32_t>& features() const { return features_; }
  const std::vector<float>& scales() const { return scales_; }
  const TextShape& shape() const { return shape_; }

  // Features that are not known are left out.
  ScaledTexts rows(const SomeTexts& texts) const {
    return scaled_rows(shape_, weighting_, texts, [this](int32_t feature) ROSENBLATT_ALWAYS {
      const int32_t column = columns_.find(feature);
      return ScaledFeature{column, column < 0 ? 0 : double(scales_[size_t(column)])};
    });
  }

 private:
  void number_columns() {
    for (const int32_t feature : features_) columns_.take(feature);
  }

  TextShape shape_;
  Weighting weighting_;
  std::vector<int32_t> features_;
  std::vector<float> scales_;
  FeatureNumbers columns_;
};

}  // namespace rosenblatt
