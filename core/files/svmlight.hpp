// The text format of svmlight and libsvm, strictly: `label qid:query index:value index:value # comment` a line.
// A block of whole lines is read alone, so that the blocks of a file can be read on all cores: of what follows from
// its place in the file it is told only whether it is the first. The first error of a block ends it; its line is
// counted from the block's first, its column in bytes, both from 1. A row's indices are sorted; none comes twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/growing.hpp"
#include "base/interrupts.hpp"
#include "files/label_text.hpp"
#include "files/number.hpp"
#include "files/text_error.hpp"

namespace rosenblatt {

struct SvmlightOptions {
  bool first = true;  // the block is the file's first: a byte order mark may come before it
  int64_t smallest = 0, largest = std::numeric_limits<int64_t>::max() - 1;  // of the indices
  bool one_more = false;  // the index largest + 1 is noted, not refused: whether it is right is known at the file's end
  bool query_id = false;  // every line must have one
};

// Values of type T, indices of type I.
template <class T, class I = int64_t>
struct SvmlightBlock {
  Growing<double> labels;     // 0 where the label is a name
  std::string label_text;     // each as written, and a line end
  Growing<I> starts, column;  // where each row starts in column and value, and where the last one ends
  Growing<T> value;
  Growing<int64_t> query;  // if asked for
  int64_t lines = 0, largest = 0;
  bool has_zero = false;           // among the indices
  std::optional<TextError> error;  // what ended the reading
  // The first label that is a name and the first index largest + 1, as the errors that they are if none may come.
  std::optional<TextError> name, one_too_many;

  SvmlightBlock() { starts.push(0); }

  int64_t size() const { return starts.size() - 1; }

  void clear() {
    starts.shorten(1);
    column.shorten(0);
    query.shorten(0);
    labels.shorten(0);
    value.shorten(0);
    label_text.clear();
    lines = largest = 0;
    has_zero = false;
    for (auto* found : {&error, &name, &one_too_many}) found->reset();
  }
};

// Reads one block after the other into the same memory: on some machines new memory costs more than the reading.
template <class T, class I = int64_t>
class SvmlightReader {
 public:
  const SvmlightBlock<T, I>& block() const { return block_; }

  const SvmlightBlock<T, I>& read(std::string_view text, const SvmlightOptions& options) {
    constexpr int64_t kMost = std::numeric_limits<I>::max();  // of indices, and of entries
    if (int64_t(text.size()) / 4 >= kMost) throw std::length_error("the block is too long");
    options_ = options;
    options_.largest = std::min(options.largest, kMost - 1);
    block_.clear();
    if (options_.first && text.starts_with("\xef\xbb\xbf")) column_of_first_ = 4, text.remove_prefix(3);
    while (!text.empty() && !block_.error) {
      const size_t length = text.find('\n');
      if (length == text.npos) {
        const std::string last = std::string(text) + '\n';  // so that every line has an end to stop at
        read_line(last.data(), text.size(), last.data() + last.size());
        break;
      }
      read_line(text.data(), length, text.data() + text.size());
      text.remove_prefix(length + 1);
    }
    return block_;
  }

 private:
  bool at_end(const char* p) const { return p == line_end_ || *p == ' ' || *p == '\t'; }
  const char* skip_blanks(const char* p) const {
    while (*p == ' ' || *p == '\t') ++p;
    return p;
  }
  std::string_view token(const char* p) const {
    const char* last = p;
    while (!at_end(last)) ++last;
    return {p, static_cast<size_t>(last - p)};
  }

  // A row counts once all of its line is right. `end` is that of the block: a number is read eight bytes at a time.
  void read_line(const char* begin, size_t length, const char* end) {
    interrupts_.after(kCommonPair);
    line_ = begin;
    line_end_ = begin + length;
    end_ = end;
    row_begin_ = block_.column.size();
    row_size_ = 0;
    sorted_ = true;
    if (const void* comment = std::memchr(begin, '#', length))
      line_end_ = static_cast<const char*>(comment);
    else if (length > 0 && line_end_[-1] == '\r')
      --line_end_;
    const char* const label = skip_blanks(begin);
    if (label != line_end_) read_row(label);
    if (!block_.error) block_.lines += 1;
    column_of_first_ = 1;
  }

  void read_row(const char* p) {
    double number = 0;
    const std::string_view label = read_label(p, number);
    if (!block_.error) p = read_query(skip_blanks(p + label.size()));
    if (!block_.error) read_features(p);
    if (!sorted_ && !sort_row()) return;
    if (block_.error) return;
    block_.labels.push(number);
    block_.label_text.append(label).push_back('\n');
    if (options_.query_id) block_.query.push(query_);
    if (row_size_ > 0) {
      block_.has_zero |= block_.column[row_begin_] == 0;
      block_.largest = std::max(block_.largest, int64_t{block_.column[row_begin_ + row_size_ - 1]});
    }
    block_.column.add(row_size_);
    block_.value.add(row_size_);
    block_.starts.push(static_cast<I>(block_.column.size()));
  }

  std::string_view read_label(const char* p, double& number) {
    const std::string_view label = token(p);
    const char* const stop = read_number(p, end_, number);
    if (stop == p + label.size()) return label;
    number = 0;
    if (is_too_large<double>(label))
      fail(p, "a label within the range of float64");
    else if (const char* wanted = wanted_of_name(label))
      fail(p, wanted);
    else if (!block_.name)
      block_.name = error_at(p, "a number as label, as in the lines before");
    return label;
  }

  const char* read_query(const char* p) {
    const std::string_view text = token(p);
    if (!text.starts_with("qid:")) {
      if (options_.query_id) fail(p, "'qid:' after the label");
      return p;
    }
    const char *const first = p + 4, *const last = p + text.size();
    const auto result = std::from_chars(first, last, query_);
    if (result.ec != std::errc() || result.ptr != last) fail(first, "a 64-bit integer after 'qid:'");
    return last;
  }

  void read_features(const char* p) {
    const int64_t most = (line_end_ - p) / 4 + 1;  // "1:2 " has four bytes
    column_ = block_.column.room(most);
    value_ = block_.value.room(most);
    features_ = p;
    previous_ = -1;
    while ((p = skip_blanks(read_common_pairs(skip_blanks(p)))) != line_end_)
      if ((p = read_pair(p)) == nullptr) break;
  }

  // Pairs as most are, as long as they come: a rising index of up to seven digits, a digit, a point and up to seven
  // digits, one blank. The next index is taken to have as many digits as the last: the processor predicts that branch
  // and begins with the value, for which it would have to wait if the index had to be measured first.
  static constexpr int64_t kCommonPair = 7 + 1 + 1 + 1 + 1 + 8;  // bytes that are read
  static constexpr std::ptrdiff_t kPiece = 1 << 20;  // the rest of a long line comes after a look for an interrupt
  const char* read_common_pairs(const char* p) {
    if (std::endian::native != std::endian::little) return p;
    const char *const line_end = line_end_, *const begin = p, *const end = p + std::min(end_ - p, kPiece);
    const int64_t largest = options_.largest;
    I* const column = column_;
    T* const value = value_;
    int64_t previous = std::max(previous_, options_.smallest - 1), size = row_size_;
    unsigned width = 1;
    while (end - p > kCommonPair) {
      const uint64_t digits = bytes_at(p) << (64 - 8 * width);
      if (p[width] != ':' || no_digits(digits)) {
        width = count_digits(no_digits(bytes_at(p)));
        if (width == 0 || p[width] != ':') break;
        continue;
      }
      const auto index = static_cast<int64_t>(eight_digits(digits));
      const char* number = p + width + 1;
      const bool negative = *number == '-';
      if (negative) ++number;
      const auto whole = static_cast<unsigned char>(*number - '0');
      const uint64_t decimals = bytes_at(number + 2);
      const unsigned count = count_digits(no_digits(decimals));
      const char* const after = number + 2 + count;
      const uint64_t mantissa = eight_digits((decimals << 8 | whole) << (56 - 8 * count));
      T found;
      if (index <= previous || index > largest || whole > 9 || number[1] != '.' ||
          (*after != ' ' && after != line_end) || !scale(mantissa, -int64_t{count}, found))
        break;
      column[size] = static_cast<I>(previous = index);
      value[size] = negative ? -found : found;
      ++size;
      p = after;
      if (p == line_end) break;
      ++p;
    }
    interrupts_.after(p - begin);
    row_size_ = size;
    previous_ = size > 0 ? column_[size - 1] : -1;
    return p;
  }

  // Any pair. Returns where it ends, or null: it is an error.
  const char* read_pair(const char* p) {
    const char* const first = p;
    interrupts_.after(kCommonPair);
    uint64_t index = 0;
    p = read_digits(p, end_, index);
    if (*p != ':' || p == first) return fail(first, "index:value"), nullptr;
    if ((p - first > 19 || index > static_cast<uint64_t>(options_.largest) ||
         index < static_cast<uint64_t>(options_.smallest)) &&
        !unusual_index(first, p, index))
      return nullptr;
    const char* const number = ++p;
    p = read_number(p, end_, value_[row_size_]);
    if (p == nullptr || !at_end(p)) return fail_number(number), nullptr;
    column_[row_size_] = static_cast<I>(index);
    sorted_ &= column_[row_size_] > previous_;
    previous_ = column_[row_size_++];
    return p;
  }

  // An index of more than 19 digits, or outside of the limits; false: it is an error.
  bool unusual_index(const char* first, const char* last, uint64_t& index) {
    const char* digit = first;
    while (*digit == '0') ++digit;
    const bool too_long = last - digit > 19;
    if (!too_long && last - first > 19) read_digits(digit, end_, index = 0);
    const auto largest = static_cast<uint64_t>(options_.largest);
    const std::string_view found(first, static_cast<size_t>(last - first));
    if (too_long || index > largest + options_.one_more) {
      fail(first, "an index of at most " + std::to_string(largest + options_.one_more), found);
      return false;
    }
    if (index < static_cast<uint64_t>(options_.smallest)) {
      fail(first, "an index of at least " + std::to_string(options_.smallest), found);
      return false;
    }
    if (index > largest && !block_.one_too_many)
      block_.one_too_many = error_at(first, "an index of at most " + std::to_string(largest), found);
    return true;
  }

  // Sorts the row by index. An index that comes twice is an error at its second place, before any later in the line.
  bool sort_row() {
    I* const column = &block_.column[row_begin_];
    T* const value = &block_.value[row_begin_];
    struct Entry {
      I column;
      int64_t place;
      T value;
    };
    std::vector<Entry> row;
    for (int64_t k = 0; k < row_size_; ++k) row.push_back({column[k], k, value[k]});
    std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.place < b.place;
    });
    int64_t again = row_size_;
    for (size_t k = 1; k < row.size(); ++k)
      if (row[k].column == row[k - 1].column) again = std::min(again, row[k].place);
    if (again < row_size_) {
      const char* p = skip_blanks(features_);
      for (int64_t k = 0; k < again; ++k) p = skip_blanks(p + token(p).size());
      fail(p, "an index that the line does not have yet");
      return false;
    }
    for (size_t k = 0; k < row.size(); ++k) column[k] = row[k].column, value[k] = row[k].value;
    return true;
  }

  void fail_number(const char* p) {
    const std::string_view found = token(p);
    if (is_not_finite(found)) return fail(p, "a finite number after ':'");
    if (!is_too_large<T>(found)) return fail(p, "a number after ':'");
    fail(p, sizeof(T) == 4 ? "a number within the range of float32 after ':'"
                           : "a number within the range of float64 after ':'");
  }

  void fail(const char* p, std::string expected, std::optional<std::string_view> found = {}) {
    block_.error = error_at(p, std::move(expected), found);
  }

  TextError error_at(const char* p, std::string expected, std::optional<std::string_view> found = {}) const {
    std::string_view text = found.value_or(token(p));
    if (text.empty() && p != line_end_) text = {p, 1};
    return {block_.lines + 1, p - line_ + column_of_first_, std::move(expected),
            std::string(text.substr(0, TextError::kShown))};
  }

  SvmlightOptions options_;
  SvmlightBlock<T, I> block_;
  const char *line_ = nullptr, *line_end_ = nullptr, *end_ = nullptr, *features_ = nullptr;
  int64_t row_begin_ = 0, row_size_ = 0, previous_ = -1, query_ = 0, column_of_first_ = 1;
  I* column_ = nullptr;  // of the row
  T* value_ = nullptr;
  bool sorted_ = true;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
