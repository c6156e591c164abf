// Sparse rows that were written with room for every value, put together in place.
#pragma once

#include <cstdint>

namespace rosenblatt {

// `rows` rows of `width` places each lose what is 0 and what has no column (it is negative). ends[r] becomes where row
// r ends, after `before` that came before them. Returns how many values are left.
template <class T, class I>
int64_t compact(T* value, I* column, int64_t rows, int64_t width, I before, I* ends) {
  int64_t left = 0;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = r * width; k < (r + 1) * width; ++k) {
      value[left] = value[k];
      column[left] = column[k];
      left += value[k] != 0 && column[k] >= 0;
    }
    ends[r] = before + static_cast<I>(left);
  }
  return left;
}

}  // namespace rosenblatt
