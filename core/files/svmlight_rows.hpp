// The rows of svmlight text as a CSR matrix: gathered from the blocks that were read, and written as text again.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <variant>

#include "base/growing.hpp"
#include "base/interrupts.hpp"
#include "files/number.hpp"
#include "files/svmlight.hpp"

namespace rosenblatt {

// Appends block after block. The indices are as in the file and 32 bits wide until one needs more.
template <class T>
struct SvmlightRows {
  Growing<double> labels;
  std::string label_text;
  Growing<int64_t> starts, query;
  Growing<T> value;
  std::variant<Growing<int32_t>, Growing<int64_t>> column;
  int64_t largest = 0;
  bool has_zero = false;

  SvmlightRows() { starts.push(0); }

  template <class I>
  void append(const SvmlightBlock<T, I>& block) {
    const int64_t before = value.size(), rows = block.size(), entries = block.value.size();
    labels.append(block.labels.data(), rows);
    label_text += block.label_text;
    int64_t* const start = starts.room(rows);
    for (int64_t r = 0; r < rows; ++r) start[r] = before + block.starts[r + 1];
    starts.add(rows);
    query.append(block.query.data(), block.query.size());
    value.append(block.value.data(), entries);
    largest = std::max(largest, block.largest);
    has_zero |= block.has_zero;
    if (largest > std::numeric_limits<int32_t>::max()) widen();
    std::visit([&](auto& mine) { convert(block.column, mine); }, column);
  }

 private:
  template <class From, class To>
  static void convert(const Growing<From>& from, Growing<To>& to) {
    To* const out = to.room(from.size());
    for (int64_t k = 0; k < from.size(); ++k) out[k] = static_cast<To>(from[k]);
    to.add(from.size());
  }

  void widen() {
    if (column.index() == 1) return;
    Growing<int64_t> wide;
    convert(std::get<0>(column), wide);
    column = std::move(wide);
  }
};

// The labels of rows: numbers, or texts that fill `width` bytes each, NULs after the shorter ones.
struct LabelTexts {
  const char* texts;
  int64_t width;
};
using Labels = std::variant<const double*, const int64_t*, LabelTexts>;

// One line a row, first to last: label, query if there is one, entries with `base` added to their columns.
template <class T, class I>
Growing<char> write_svmlight(const T* value, const I* column, const I* starts, int64_t entries, const Labels& labels,
                             const int64_t* query, int64_t base, int64_t first, int64_t last) {
  Growing<char> text;
  Interrupts interrupts;
  for (int64_t r = first; r < last; ++r) {
    const auto begin = static_cast<int64_t>(starts[r]), end = static_cast<int64_t>(starts[r + 1]);
    if (begin < 0 || end < begin || end > entries) throw std::invalid_argument("indptr must rise from 0 to the end");
    const auto* const names = std::get_if<LabelTexts>(&labels);
    const int64_t label_size = names ? names->width : kLongestNumber;
    char* const start = text.room(label_size + 26 + (end - begin) * (22 + kLongestNumber));
    char* out = start;
    if (names) {
      const char* const name = names->texts + r * names->width;
      out = std::copy(name, std::find(name, name + names->width, '\0'), out);
    } else if (const auto* numbers = std::get_if<const double*>(&labels)) {
      out = write_number(out, (*numbers)[r]);
    } else {
      out = write_number(out, std::get<const int64_t*>(labels)[r]);
    }
    if (query) out = write_number(std::copy_n(" qid:", 5, out), query[r]);
    interrupts.after(kLongestNumber);
    for (int64_t k = begin; k < end; ++k) {
      interrupts.after(kLongestNumber);
      if (column[k] < 0 || column[k] > std::numeric_limits<int64_t>::max() - base)
        throw std::invalid_argument("a column index is negative or too large (row " + std::to_string(r) + ")");
      *out++ = ' ';
      out = write_number(out, static_cast<int64_t>(column[k]) + base);
      *out++ = ':';
      out = write_number(out, value[k]);
    }
    *out++ = '\n';
    text.add(out - start);
  }
  return text;
}

}  // namespace rosenblatt
