// Rows that were written with room for every value become sparse rows, in place: what is 0 is left out.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace rosenblatt {

// `rows` rows of `width` places each, from `from` on. A row has `numbers` numbers, then the indicators of as many
// categories, of which `chosen` has the number of the one that is 1 (negative: none); other places are not used. What
// is left goes to `to`, which is `from` or before it, and the columns to `column`; ends[r] becomes where row r ends,
// after `before` that came before them. Returns how many values are left. Columns are below `features`.
template <class T, class I>
int64_t compact(const T* from, T* to, I* column, int64_t rows, int64_t width, int64_t numbers, const int64_t* chosen,
                int64_t categories, int64_t features, I before, I* ends) {
  int64_t left = 0;
  for (int64_t r = 0; r < rows; ++r, from += width) {
    for (int64_t k = 0; k < numbers; ++k) {
      const T value = from[k];
      if (to + left != from + k) to[left] = value;  // where nothing moves, memory that is only read takes half the time
      column[left] = static_cast<I>(k);
      left += value != 0;
    }
    for (int64_t c = 0; c < categories; ++c, ++chosen) {
      if (*chosen >= features - numbers) throw std::invalid_argument("an indicator is outside of the columns");
      if (to[left] != 1) to[left] = 1;
      column[left] = static_cast<I>(numbers + *chosen);
      left += *chosen >= 0;
    }
    ends[r] = before + static_cast<I>(left);
  }
  return left;
}

}  // namespace rosenblatt
