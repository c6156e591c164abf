// Peeling: a column whose values have one sign in all rows that remain satisfies, with a large enough weight, all of
// its rows. They are taken away, which may leave other columns with one sign, and so on. Rows can be separated if and
// only if those that remain, the core, can. Each stored value is looked at a fixed number of times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/rows.hpp"

namespace rosenblatt {

template <class Rows>
class Peel {
 public:
  explicit Peel(Rows& rows) : rows_(rows) {
    Interrupts interrupts;
    check_all(rows);
    list_columns(interrupts);
    std::vector<char> gone(size_t(rows.size)), queued(size_t(rows.features));
    std::vector<int64_t> queue;
    const auto consider = [&](int64_t c) {
      if (queued[size_t(c)] || (positive_[size_t(c)] > 0) == (negative_[size_t(c)] > 0)) return;
      queued[size_t(c)] = 1;
      queue.push_back(c);
    };
    for (int64_t c = 0; c < rows.features; ++c) consider(c);
    for (size_t next = 0; next < queue.size(); ++next) {
      const int64_t c = queue[next];
      if (positive_[size_t(c)] + negative_[size_t(c)] == 0) continue;  // others took its rows
      columns_.push_back(c);
      signs_.push_back(positive_[size_t(c)] > 0 ? 1 : -1);
      for (int64_t k = starts_of_[size_t(c)]; k < starts_of_[size_t(c) + 1]; ++k) {
        const int64_t i = rows_of_[size_t(k)];
        if (gone[size_t(i)]) continue;
        gone[size_t(i)] = 1;
        taken_.push_back(i);
        for_each_value(i, interrupts, [&](int64_t j, double value) {
          (value > 0 ? positive_ : negative_)[size_t(j)] -= 1;
          consider(j);
        });
      }
      starts_.push_back(int64_t(taken_.size()));
    }
    for (int64_t i = 0; i < rows.size; ++i)
      if (!gone[size_t(i)]) core_.push_back(i);
    positive_ = negative_ = starts_of_ = rows_of_ = {};
  }

  int64_t features() const { return rows_.features; }
  const std::vector<int64_t>& core() const { return core_; }
  const std::vector<int64_t>& columns() const { return columns_; }  // in the order of peeling
  const std::vector<int8_t>& signs() const { return signs_; }
  const std::vector<int64_t>& taken() const { return taken_; }    // the rows, column by column
  const std::vector<int64_t>& starts() const { return starts_; }  // column k took rows starts[k] to starts[k + 1]

  // Gives the peeled columns weights that satisfy their rows, from the last peeled to the first: a row has no column
  // that was peeled before it was taken. In each row the column outweighs what speaks against it by half of what all
  // the other columns weigh, and its weight is at least 1. A chain of many columns can overflow to infinity.
  void set_weights(double* w) const {
    Interrupts interrupts;
    for (const int64_t c : columns_) w[c] = 0;
    for (size_t k = columns_.size(); k-- > 0;) {
      double magnitude = 1;
      for (int64_t t = starts_[k]; t < starts_[k + 1]; ++t) {
        double rest = 0, weight = 0, own = 0;
        for_each_value(taken_[size_t(t)], interrupts, [&](int64_t j, double value) {
          rest += value * w[j];
          weight += std::abs(value * w[j]);
          if (j == columns_[k]) own += std::abs(value);
        });
        magnitude = std::max(magnitude, (weight / 2 - rest) / own);
      }
      w[columns_[k]] = magnitude * signs_[k];
    }
  }

 private:
  template <class Look>
  void for_each_value(int64_t i, Interrupts& interrupts, Look look) const {
    interrupts.after(work_of(rows_[i]));
    for_each(rows_[i], 1, 0.0, rows_.features, [&](int64_t j, double value) {
      if (value != 0) look(j, value);
    });
  }

  // Which rows have a value in each column, and how many of either sign.
  void list_columns(Interrupts& interrupts) {
    const auto features = size_t(rows_.features);
    positive_.resize(features);
    negative_.resize(features);
    for (int64_t i = 0; i < rows_.size; ++i)
      for_each_value(i, interrupts,
                     [&](int64_t j, double value) { (value > 0 ? positive_ : negative_)[size_t(j)] += 1; });
    starts_of_.resize(features + 1);
    for (size_t c = 0; c < features; ++c) starts_of_[c + 1] = starts_of_[c] + positive_[c] + negative_[c];
    rows_of_.resize(size_t(starts_of_.back()));
    std::vector<int64_t> end(starts_of_.begin(), starts_of_.end() - 1);
    for (int64_t i = 0; i < rows_.size; ++i)
      for_each_value(i, interrupts, [&](int64_t j, double) { rows_of_[size_t(end[size_t(j)]++)] = i; });
  }

  const Rows& rows_;
  std::vector<int64_t> positive_, negative_, starts_of_, rows_of_;
  std::vector<int64_t> core_, columns_, taken_, starts_ = {0};
  std::vector<int8_t> signs_;
};

}  // namespace rosenblatt
