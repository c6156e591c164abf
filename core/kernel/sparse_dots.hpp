// The dot products of sparse rows with sparse rows, out[i, j] = a_i.b_j, and the squared lengths of rows.
// The values of some rows b_j are listed by column, so that a value of a_i meets only those that it is multiplied with.
// A dot is summed in the type of the values, from 0 on, in the order in which the row a_i has its columns: as in the
// product of two CSR matrices of scipy, bit for bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/rows.hpp"

namespace rosenblatt {

// The values of rows first to last by column. Columns may share a list, so that its memory is a matter of the values
// and not of the number of features; that a value is of the column is looked at when it is asked for.
template <class T, class I>
class ColumnLists {
 public:
  ColumnLists(const SparseRows<T, I>& rows, int64_t first, int64_t last) {
    const auto stored = static_cast<uint64_t>(rows.starts[last] - rows.starts[first]);
    const auto bits = static_cast<int>(std::bit_width(std::min(2 * stored, uint64_t(rows.features)) | 1));
    shift_ = 64 - bits;
    // starts_[list + 2] first counts the values, starts_[list + 1] is then where the next one goes, at last the end.
    starts_.resize((size_t{1} << bits) + 2);
    entries_.resize(stored);
    for_each_value(rows, first, last, [&](int64_t column, int64_t, T) { ++starts_[list_of(column) + 2]; });
    for (size_t list = 2; list < starts_.size(); ++list) starts_[list] += starts_[list - 1];
    for_each_value(rows, first, last, [&](int64_t column, int64_t row, T value) {
      entries_[size_t(starts_[list_of(column) + 1]++)] = {I(column), int32_t(row - first), value};
    });
  }

  // The values that for_each looks at.
  ROSENBLATT_INLINE int64_t size(int64_t column) const {
    const size_t list = list_of(column);
    return starts_[list + 1] - starts_[list];
  }

  // Calls work(row - first, value) for each value of a column, in the order of the rows.
  template <class Work>
  ROSENBLATT_INLINE void for_each(int64_t column, Work work) const {
    const size_t list = list_of(column);
    for (int64_t k = starts_[list]; k < starts_[list + 1]; ++k)
      if (const Entry& entry = entries_[size_t(k)]; entry.column == column) work(entry.row, entry.value);
  }

 private:
  struct Entry {
    I column;
    int32_t row;
    T value;
  };

  template <class Work>
  static void for_each_value(const SparseRows<T, I>& rows, int64_t first, int64_t last, Work work) {
    for (int64_t i = first; i < last; ++i) {
      const auto row = rows[i];
      for (int64_t k = 0; k < row.size; ++k) work(row.column(k), i, row.values[k]);
    }
  }
  size_t list_of(int64_t column) const { return (uint64_t(column) * 0x9e3779b97f4a7c15) >> shift_; }

  int shift_;
  std::vector<int64_t> starts_;
  std::vector<Entry> entries_;
};

template <class T, class I, class J>
void sparse_dots(const SparseRows<T, I>& a, const SparseRows<T, J>& b, T* out) {
  constexpr int64_t kListed = 1 << 17;  // rows and values at a time: 8 MB at most, unless a row alone has more
  Interrupts interrupts;
  check_columns(a);
  check_columns(b);
  interrupts.in_pieces(a.size * b.size, [=](int64_t first, int64_t last) { std::fill(out + first, out + last, T(0)); });
  for (int64_t first = 0, last; first < b.size; first = last) {
    const int64_t end = std::min(b.size, first + kListed);
    for (last = first + 1; last < end && b.starts[last + 1] - b.starts[first] <= kListed;) ++last;
    const ColumnLists<T, J> lists(b, first, last);
    for (int64_t i = 0; i < a.size; ++i) {
      const auto row = a[i];
      T* const dots = out + i * b.size + first;
      interrupts.after(work_of(row));
      for (int64_t k = 0; k < row.size; ++k) {
        interrupts.after(lists.size(row.column(k)));
        const T value = row.values[k];
        lists.for_each(row.column(k), [=](int64_t j, T other) { dots[j] += value * other; });
      }
    }
  }
}

// Eight lanes of a dense row, see lanes.hpp; the values of a sparse row one after the other, as scikit-learn has them.
template <class T>
void squared_norms(const DenseRows<T>& rows, T* out) {
  Interrupts interrupts;
  dispatch([&] {
    for (int64_t i = 0; i < rows.size; ++i) {
      interrupts.after(work_of(rows[i]));
      out[i] = squared_norm(rows[i], T(0), rows.features, static_cast<const T*>(nullptr), 1);
    }
  });
}
template <class T, class I>
void squared_norms(const SparseRows<T, I>& rows, T* out) {
  Interrupts interrupts;
  for (int64_t i = 0; i < rows.size; ++i) {
    const auto row = rows[i];
    interrupts.after(work_of(row));
    T sum = 0;
    for (int64_t k = 0; k < row.size; ++k) sum += row.values[k] * row.values[k];
    out[i] = sum;
  }
}

}  // namespace rosenblatt
