// Rows that were written with room for every value become sparse rows, in place: what is 0 is left out. The columns are
// written into memory that grows with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "base/growing.hpp"

namespace rosenblatt {

// Rows of `width` places each: `numbers` numbers, then the indicators of categories, one place for each category; other
// places are not used. Columns are below `features`; those of the indicators come after those of the numbers.
template <class T, class I>
class SparseWriter {
 public:
  SparseWriter(T* values, int64_t width, int64_t numbers, int64_t features)
      : from_(values), to_(values), width_(width), numbers_(numbers), features_(features) {
    starts_.push(0);
  }

  // The next rows. For each category of a row, `chosen` has the number of the indicator that is 1; negative: none.
  void add(const int64_t* chosen, int64_t rows, int64_t categories) {
    if (std::any_of(chosen, chosen + rows * categories, [&](int64_t one) { return one >= features_ - numbers_; }))
      throw std::invalid_argument("an indicator is outside of the columns");
    I* column = columns_.room(rows * width_);
    I* start = starts_.room(rows);
    int64_t left = 0;
    for (int64_t r = 0; r < rows; ++r, from_ += width_) {
      for (int64_t k = 0; k < numbers_; ++k) {
        const T value = from_[k];
        if (to_ + left != from_ + k) to_[left] = value;  // writing values that have not moved takes twice as long
        column[left] = static_cast<I>(k);
        left += value != 0;
      }
      for (int64_t c = 0; c < categories; ++c, ++chosen) {
        if (to_[left] != 1) to_[left] = 1;
        column[left] = static_cast<I>(numbers_ + *chosen);
        left += *chosen >= 0;
      }
      start[r] = static_cast<I>(columns_.size() + left);
    }
    to_ += left;
    columns_.add(left);
    starts_.add(rows);
  }

  // The columns of the values that are left, and where rows start among them, with the end of the last; they go.
  std::pair<Growing<I>, Growing<I>> take() {
    columns_.give_back();
    return {std::exchange(columns_, {}), std::exchange(starts_, {})};
  }

 private:
  const T* from_;
  T* to_;
  int64_t width_, numbers_, features_;
  Growing<I> columns_, starts_;
};

}  // namespace rosenblatt
