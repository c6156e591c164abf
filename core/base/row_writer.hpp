// Columns that come part by part, written side by side as rows, into memory that grows without a copy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/growing.hpp"

namespace rosenblatt {

class RowWriter {
 public:
  explicit RowWriter(int64_t width) : width_(width) {}

  // Further `rows` rows of as many values as there are columns; the places after these are 1.
  void add(const std::vector<const double*>& columns, int64_t rows) {
    constexpr int64_t kAtOnce = 16;  // rows: of each column the values of two cache lines
    double* const out = values_.room(rows * width_);
    for (int64_t first = 0; first < rows; first += kAtOnce) {
      const int64_t last = std::min(rows, first + kAtOnce);
      double* place = out;
      for (const double* const column : columns) {
        for (int64_t r = first; r < last; ++r) place[r * width_] = column[r];
        ++place;
      }
      for (; place != out + width_; ++place)
        for (int64_t r = first; r < last; ++r) place[r * width_] = 1;
    }
    values_.add(rows * width_);
  }

  // All values so far, row after row; nothing is left.
  Growing<double> take() {
    values_.give_back();
    return std::exchange(values_, {});
  }

  int64_t width() const { return width_; }
  int64_t size() const { return values_.size() / width_; }

 private:
  int64_t width_;
  Growing<double> values_;
};

}  // namespace rosenblatt
