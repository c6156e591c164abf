// What texts tell of their features: how many texts have each, and how many of each class. Texts come in any number of
// parts, so that a file larger than memory, and texts without end, are counted as a list is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "text/scales.hpp"

namespace rosenblatt {

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

// Features are numbered in the order in which they come. `of_classes`: texts are counted for each class too.
class TextCounts {
 public:
  TextCounts(const TextShape& shape, bool of_classes) : shape_(shape), of_classes_(of_classes) {}

  // Further texts, and the class of each, below n_classes. The classes may become more, but not fewer.
  void add(const SomeTexts& texts, const int32_t* target, size_t n_classes) {
    add(texts, target, n_classes, [this](int32_t feature) ROSENBLATT_ALWAYS {
      const auto number = size_t(numbers_.take(feature));
      if (number == features_.size()) {
        features_.push_back(feature);
        texts_with_.push_back(0);
        if (of_classes_) of_class_.resize(of_class_.size() + room_);
      }
      return number;
    });
  }

  // The scales that texts tell which are all there is: their features are numbered at once, in ascending order.
  static TextScales learn(const TextShape& shape, Weighting weighting, const SomeTexts& texts, const int32_t* target,
                          size_t n_classes) {
    FeatureRanks ranks(shape);
    texts.for_each([&](int64_t, int32_t feature, float) { ranks.add(feature); });
    TextCounts counts(shape, weighting == Weighting::ratio);
    counts.features_ = ranks.number();
    counts.texts_with_.resize(counts.features_.size());
    counts.add(texts, target, n_classes,
               [&](int32_t feature) ROSENBLATT_ALWAYS { return size_t(ranks.find(feature)); });
    std::vector<float> scales = counts.scales_by_number(weighting);
    return {shape, weighting, std::move(counts.features_), std::move(scales)};
  }

  // From now on the classes do not count.
  void forget_classes() {
    of_classes_ = false;
    of_class_ = {};
  }

  const std::vector<int32_t>& features() const { return features_; }
  const std::vector<int32_t>& texts_with() const { return texts_with_; }
  const TextShape& shape() const { return shape_; }
  int64_t size() const { return n_texts_; }
  bool of_classes() const { return of_classes_; }

  // The features in ascending order, with their scales. `ratio` needs the classes.
  TextScales scales(Weighting weighting) const {
    std::vector<size_t> order(features_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return features_[a] < features_[b]; });
    const std::vector<float> by_number = scales_by_number(weighting);
    std::vector<int32_t> features;
    std::vector<float> scales;
    for (const size_t number : order) {
      features.push_back(features_[number]);
      scales.push_back(by_number[number]);
    }
    return {shape_, weighting, std::move(features), std::move(scales)};
  }

 private:
  // Of words and of parts of words: how many features texts of each class have, of all classes, and of different ones.
  struct Shares {
    std::vector<double> of_class[2];
    double all[2] = {0, 0}, features[2] = {0, 0};
  };

  template <class Number>
  void add(const SomeTexts& texts, const int32_t* target, size_t n_classes, Number number_of) {
    if (of_classes_ && n_classes > room_) make_room(n_classes);
    n_classes_ = n_classes;
    dispatch([&] {
      texts.for_each([&](int64_t k, int32_t feature, float) ROSENBLATT_ALWAYS {
        const size_t number = number_of(feature);
        texts_with_[number] += 1;
        if (of_classes_) of_class_[number * room_ + size_t(target[k])] += 1;
      });
    });
    n_texts_ += texts.size;
  }

  std::vector<float> scales_by_number(Weighting weighting) const {
    const Shares shares = weighting == Weighting::ratio ? shares_of_classes() : Shares{};
    std::vector<float> scales(features_.size());
    for (size_t number = 0; number < scales.size(); ++number)
      scales[number] = static_cast<float>(scale_of(number, weighting, shares));
    return scales;
  }

  void make_room(size_t n_classes) {
    const size_t room = std::max(n_classes, 2 * room_);
    std::vector<int32_t> wider(features_.size() * room);
    for (size_t number = 0; number < features_.size(); ++number)
      std::copy_n(of_class_.begin() + int64_t(number * room_), room_, wider.begin() + int64_t(number * room));
    of_class_ = std::move(wider);
    room_ = room;
  }

  Shares shares_of_classes() const {
    Shares shares;
    for (auto& of_class : shares.of_class) of_class.resize(n_classes_);
    for (size_t number = 0; number < features_.size(); ++number) {
      const bool part = shape_.is_part(features_[number]);
      shares.features[part] += 1;
      shares.all[part] += texts_with_[number];
      for (size_t c = 0; c < n_classes_; ++c) shares.of_class[part][c] += of_class_[number * room_ + c];
    }
    return shares;
  }

  double scale_of(size_t number, Weighting weighting, const Shares& shares) const {
    const double texts_with = texts_with_[number];
    if (weighting == Weighting::tfidf) return 1 + std::log((1 + double(n_texts_)) / (1 + texts_with));
    if (weighting != Weighting::ratio) return 1;
    const bool part = shape_.is_part(features_[number]);
    double largest = 0;
    for (size_t c = 0; c < n_classes_; ++c) {
      const double total = shares.of_class[part][c], of_class = of_class_[number * room_ + c];
      const double p = (of_class + 1) / (total + shares.features[part]);
      const double q = (texts_with - of_class + 1) / (shares.all[part] - total + shares.features[part]);
      largest = std::max(largest, std::abs(std::log(p / q)));
    }
    return largest;
  }

  TextShape shape_;
  bool of_classes_;
  FeatureNumbers numbers_;
  std::vector<int32_t> features_, texts_with_, of_class_;
  size_t n_classes_ = 0, room_ = 0;  // room for the classes of each feature
  int64_t n_texts_ = 0;
};

}  // namespace rosenblatt
