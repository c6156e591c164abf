// Hapaxes: features that one text alone has. Two of three features of texts are hapaxes, and a learner has weights for
// each class of each of them. But it always moves those of one text together: its step adds the row, so each weight
// moves by its value. So while the learner runs, all hapaxes of a text are one column, whose value is their length, and
// the weight of each of them is its share of that column's weight. The other columns are ordered by how many rows have
// them, so that the weights that are needed most often lie together.
// The perceptron learns the same. AROW's variances shrink as one and not apart, which no set of texts could tell.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/growing.hpp"
#include "base/interrupts.hpp"

namespace rosenblatt {

struct MergedRows {
  Growing<float> values;
  Growing<int32_t> columns, starts;
  // Of each column before: the column that it is part of, and its share of that column's weight; 0 if no row has it.
  std::vector<int32_t> place;
  std::vector<float> share;
  int32_t size = 0;  // how many columns there are
};

// No row has a column twice.
inline MergedRows merge_hapaxes(const float* values, const int32_t* columns, const int32_t* starts, int64_t n_rows,
                                int64_t n_columns) {
  Interrupts interrupts;
  const int64_t n = starts[n_rows];
  std::vector<int32_t> rows_with(size_t(n_columns), 0);
  for (int64_t k = 0; k < n; ++k) rows_with[size_t(columns[k])] += 1;
  interrupts.after(n);

  // By counting: where columns begin that so many rows have, the most frequent first.
  MergedRows out;
  out.place.resize(size_t(n_columns));
  out.share.resize(size_t(n_columns));
  std::vector<int32_t> next(size_t(n_rows) + 2, 0);
  for (const int32_t rows : rows_with)
    if (rows > 1) next[size_t(rows) - 1] += 1;
  for (size_t rows = size_t(n_rows); rows-- > 0;) next[rows] += next[rows + 1];
  for (size_t c = 0; c < rows_with.size(); ++c) {
    if (rows_with[c] < 2) continue;
    out.place[c] = next[size_t(rows_with[c])]++;
    out.share[c] = 1;
    out.size += 1;
  }
  interrupts.after(n_columns);

  out.starts.push(0);
  for (int64_t i = 0; i < n_rows; ++i) {
    const int64_t first = starts[i], last = starts[i + 1];
    interrupts.after(last - first + 1);
    float* const value = out.values.room(last - first + 1);
    int32_t* const column = out.columns.room(last - first + 1);
    int64_t many = 0;
    double squares = 0;
    for (int64_t k = first; k < last; ++k) {
      const auto c = size_t(columns[k]);
      if (rows_with[c] > 1) {
        value[many] = values[k];
        column[many++] = out.place[c];
      } else {
        squares += double(values[k]) * double(values[k]);
      }
    }
    if (squares > 0) {
      const double length = std::sqrt(squares);
      for (int64_t k = first; k < last; ++k) {
        const auto c = size_t(columns[k]);
        if (rows_with[c] > 1) continue;
        out.place[c] = out.size;
        out.share[c] = static_cast<float>(double(values[k]) / length);
      }
      value[many] = static_cast<float>(length);
      column[many++] = out.size++;
    }
    out.values.add(many);
    out.columns.add(many);
    out.starts.push(static_cast<int32_t>(out.columns.size()));
  }
  out.values.give_back();
  out.columns.give_back();
  return out;
}

}  // namespace rosenblatt
