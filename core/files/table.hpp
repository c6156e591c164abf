// Tables as text: CSV, strictly. All rows as long as the first, UTF-8, `"` around what has delimiters or line ends
// in it, `""` for a quote there. Cells stay text, without the blanks at their ends, until someone asks for numbers.
// Whole lines are given as they come from a file, and blocks of as many rows as wanted are taken. Errors count lines
// and cells from 1; a row is on its last line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/growing.hpp"
#include "files/cell_form.hpp"
#include "files/marks.hpp"
#include "files/text_error.hpp"
#include "files/utf8.hpp"
#include "sentences/corpus.hpp"

namespace rosenblatt {

// A row is no longer than whoever reads the file allows, so that a quote that is never closed does not take all memory;
// this is what a cell can be at most, and a block.
inline constexpr size_t kLongestCell = (size_t{1} << 30) - 1, kLargestBlock = (size_t{1} << 34) - 1;  // bytes

struct TableBlock {
  // Where a cell lies in the text.
  class Cell {
   public:
    Cell(size_t start, size_t size) : both_(start << 30 | size) {}
    size_t start() const { return both_ >> 30; }
    size_t size() const { return both_ & kLongestCell; }

   private:
    uint64_t both_;
  };

  Growing<char> text;     // at least Marks::kAhead bytes can be read after it
  Growing<Cell> cells;    // row after row
  Growing<int64_t> line;  // of each row
  int64_t width = 0;

  int64_t size() const { return line.size(); }
  // Adds a cell that is not in the text yet; false, and nothing is added, if the block has no room for it.
  bool add_cell(std::string_view cell) {
    if (cell.size() > kLongestCell || size_t(text.size()) + cell.size() > kLargestBlock) return false;
    cells.push({size_t(text.size()), cell.size()});
    text.append(cell.data(), int64_t(cell.size()));
    return true;
  }
  // So that numbers can be read up to the end of the text.
  void pad() { std::fill_n(text.room(Marks::kAhead), Marks::kAhead, '\0'); }
  std::string_view cell(int64_t row, int64_t column) const {
    const Cell cell = cells[row * width + column];
    return {text.data() + cell.start(), cell.size()};
  }

  // Writes the numbers of a column, NaN for a missing one and for what is no number; how many of these there are.
  int64_t read_numbers(int64_t column, int64_t first, int64_t last, const CellForm& form, double* numbers) const {
    const char* const end = text.data() + text.size() + Marks::kAhead;
    std::string plain;
    int64_t strange = 0;
    for (int64_t row = first; row < last; ++row, ++numbers) {
      const std::string_view found = cell(row, column);
      *numbers = std::numeric_limits<double>::quiet_NaN();
      if (form.is_missing_number(found)) continue;
      double number;
      if (form.read(found, end, plain, number))
        *numbers = number;
      else
        strange += !form.is_missing(found);
    }
    return strange;
  }

  // Numbers the texts of a column in the order of their coming; all that stand for a missing value are the empty one.
  Texts read_codes(int64_t column, int64_t first, int64_t last, const CellForm& form, int32_t* codes) const {
    Texts texts, merged;
    for (int64_t row = first; row < last; ++row) codes[row - first] = texts.intern(cell(row, column));
    const auto stands_for_nothing = [&](std::string_view found) { return !found.empty() && form.is_missing(found); };
    int32_t k = 0;
    while (k < texts.size() && !stands_for_nothing(texts[k])) ++k;
    if (k == texts.size()) return texts;
    std::vector<int32_t> code(size_t(texts.size()));
    for (k = 0; k < texts.size(); ++k) code[size_t(k)] = merged.intern(form.is_missing(texts[k]) ? "" : texts[k]);
    for (int64_t row = first; row < last; ++row, ++codes) *codes = code[size_t(*codes)];
    return merged;
  }
};

class TableReader {
 public:
  // `longest`: the most bytes of a row of many lines, their ends not counted; `lines`: how many came before; `like`:
  // what messages call the first row, which says how many cells the others have.
  TableReader(std::string delimiter, int64_t longest, int64_t lines, std::string like = "the header")
      : delimiter_(std::move(delimiter)), like_(std::move(like)), longest_(longest), n_lines_(lines) {}

  // Further lines, all of them with their ends; if the last has none, it is the last of the file.
  void add(std::string_view lines) {
    if (later_ || error_ || lines.empty()) return;
    const int64_t before = block_.text.size();
    if (size_t(before) + lines.size() > kLargestBlock) {
      later_ = TextError{n_lines_ + 1, 1, "CSV", "an error: rows of more than 16 GiB to be read at once"};
      return;
    }
    if (n_lines_ == 0 && before == 0 && lines.starts_with("\xef\xbb\xbf")) at_ = 3;
    block_.text.append(lines.data(), int64_t(lines.size()));
    last_ = lines.back() != '\n';
    if (last_) block_.text.push('\n');
    check_text(before);
    pad(block_.text);
  }

  // No more lines come.
  void end() { last_ = true; }

  // Reads rows until there are as many, the lines are used up, or there is an error.
  void read(int64_t rows) {
    const char* const text = block_.text.data();
    const char *p = text + at_, *const end = text + block_.text.size();
    Marks marks(delimiter_[0]);
    if (p < end) marks.begin(p);
    while (block_.size() < rows && p < end && !error_) {
      const char* stop;
      p = read_common(p, marks, stop);
      at_ = p - text;
      if (!(*p == '"' ? read_quoted(p, end, stop) : read_plain(p, marks, stop))) break;
      if (is_delimiter(stop)) {
        p = stop + delimiter_.size();
      } else {
        while (*stop == '\r') ++stop;
        p = stop + 1;
        if (*stop != '\n')
          fail_as_csv(n_lines_ + 1, "a carriage return that does not end a line");
        else
          end_row(stop);
      }
      at_ = p - text;
    }
    if (block_.size() < rows && !error_) error_ = later_;
  }

  // The rows so far, which must end where a row does. Those that come are the next block's.
  TableBlock take() {
    TableBlock taken = std::exchange(block_, {});
    block_.width = taken.width;
    block_.text.append(taken.text.data() + at_, taken.text.size() - at_);
    pad(block_.text);
    taken.text.shorten(at_ + Marks::kAhead);
    taken.text.give_back();
    taken.text.shorten(at_);
    pad(taken.text);
    at_ = row_start_ = row_cells_ = 0;
    return taken;
  }

  bool ended() const { return last_; }
  bool between_rows() const { return block_.cells.size() == row_cells_; }
  int64_t size() const { return block_.size(); }
  // How many lines have come.
  int64_t lines() const { return n_lines_ + std::count(block_.text.begin() + at_, block_.text.end(), '\n'); }
  const std::optional<TextError>& error() const { return error_; }

 private:
  static void pad(Growing<char>& text) { std::fill_n(text.room(Marks::kAhead), Marks::kAhead, '\0'); }

  bool is_delimiter(const char* p) const {
    return *p == delimiter_[0] && (delimiter_.size() == 1 || std::string_view(p).starts_with(delimiter_));
  }

  bool fail(int64_t line, int64_t column, std::string expected, std::string found) {
    error_ = TextError{line, column, std::move(expected), std::move(found)};
    return false;
  }
  bool fail_as_csv(int64_t line, const std::string& found) { return fail(line, 1, "CSV", "an error: " + found); }
  bool fail_as_too_large(int64_t line) {
    return fail_as_csv(line, "field larger than field limit (" + std::to_string(kLongestCell) + ")");
  }

  void add_cell(std::string_view cell) {
    constexpr auto may_be_blank = [](char c) { return static_cast<unsigned char>(c - 0x21) > 0x5d; };
    if (!cell.empty() && (may_be_blank(cell.front()) || may_be_blank(cell.back()))) cell = without_blanks(cell);
    block_.cells.push({static_cast<size_t>(cell.data() - block_.text.data()), cell.size()});
  }

  // The most common cells from p on: no quotes, one byte between them, not the last of a row. Where the next one
  // begins; if that has no quotes, `stop` is the first mark in it.
  const char* read_common(const char* p, Marks& marks, const char*& stop) {
    const char delimiter = delimiter_.size() == 1 ? delimiter_[0] : '\n';
    for (; *p != '"'; p = stop + 1) {
      stop = marks.next(p);
      if (*stop != delimiter || *stop == '\n' || stop - p > int64_t{kLongestCell}) break;
      add_cell({p, size_t(stop - p)});
    }
    return p;
  }

  // The cell at p, which goes to the next delimiter or line end; `stop` is the first mark in it.
  bool read_plain(const char* p, Marks& marks, const char*& stop) {
    while (!is_delimiter(stop) && *stop != '\n' && *stop != '\r') stop = marks.next(stop + 1);
    const std::string_view cell(p, size_t(stop - p));
    if (cell.size() > kLongestCell) return fail_as_too_large(n_lines_ + 1);
    add_cell(cell);
    return true;
  }

  // The cell whose first quote is at p. False: its last quote has not come yet, or there is an error.
  bool read_quoted(const char* p, const char* end, const char*& stop) {
    int64_t lines = 0, doubled = 0;
    const char* const first = ++p;
    for (;; ++p) {
      if (p == end) return last_ && !later_ ? fail_as_csv(n_lines_ + lines, "unexpected end of data") : false;
      if (*p == '"') {
        if (p[1] != '"') break;
        ++doubled;
        ++p;
      }
      if (size_t(p - first) > kLongestCell) return fail_as_too_large(n_lines_ + lines + 1);
      if (*p != '\n') continue;
      ++lines;
      const auto* line_end = static_cast<const char*>(std::memchr(p + 1, '\n', size_t(end - p - 1)));
      const int64_t more = line_end ? 0 : later_bytes_;  // of the line, which may have been taken away
      if ((line_end ? line_end : p + 1) - (block_.text.data() + row_start_) - row_lines_ - lines + more > longest_)
        return fail(n_lines_ + lines + 1, 1, "a line of at most " + std::to_string(longest_) + " bytes",
                    "a longer one");
    }
    stop = p + 1;
    n_lines_ += lines;
    row_lines_ += lines;
    if (!is_delimiter(stop) && *stop != '\n' && *stop != '\r')
      return fail_as_csv(n_lines_ + 1, "'" + delimiter_ + "' expected after '\"'");
    char* out = block_.text.data() + (first - block_.text.data());
    if (doubled > 0)
      for (const char* from = first; from != p; ++from) {
        from += *from == '"';
        *out++ = *from;
      }
    add_cell({first, size_t(p - first - doubled)});
    return true;
  }

  void end_row(const char* line_end) {
    const int64_t count = block_.cells.size() - row_cells_;
    ++n_lines_;
    row_lines_ = 0;
    const char* const begin = block_.text.data() + std::exchange(row_start_, line_end + 1 - block_.text.data());
    if (count == 1 && block_.cells[row_cells_].size() == 0 && std::find(begin, line_end, '"') == line_end)
      return block_.cells.shorten(row_cells_);  // a blank line; one of quotes alone is a row, whose cell is empty
    if (block_.width == 0) block_.width = count;
    const int64_t width = block_.width;
    if (count != width)
      fail(n_lines_, std::min(count, width) + 1,
           std::to_string(width) + (width == 1 ? " cell" : " cells") + ", as in " + like_, std::to_string(count));
    row_cells_ += count;
    block_.line.push(n_lines_);
  }

  // Looks at the text from `before` on. What is not UTF-8, or has a character 0, is an error once the lines before it
  // are read, and ends the text.
  void check_text(int64_t before) {
    const std::string_view text(block_.text.data() + before, size_t(block_.text.size() - before));
    const size_t wrong = std::min(utf8_size(text), text.find('\0'));
    if (wrong >= text.size()) return;
    const size_t start = text.rfind('\n', wrong) + 1;
    const std::string_view line = text.substr(start, text.find('\n', wrong) - start);
    const size_t good = utf8_size(line), place = std::min(good, line.find('\0', good == line.size() ? 0 : good));
    int64_t column = 1;
    for (size_t k = line.find(delimiter_); k < place; k = line.find(delimiter_, k + delimiter_.size())) ++column;
    char byte[16];
    std::snprintf(byte, sizeof byte, "the byte 0x%02x", static_cast<unsigned>(static_cast<unsigned char>(line[place])));
    later_bytes_ = int64_t(line.size());
    block_.text.shorten(before + int64_t(start));
    at_ = std::min(at_, block_.text.size());  // it is beyond if a byte order mark begins the line
    later_ = good < line.size() ? TextError{lines() + 1, column, "UTF-8", byte}
                                : TextError{lines() + 1, column, "text", "a character 0"};
  }

  TableBlock block_;
  std::string delimiter_, like_;
  int64_t longest_;
  bool last_ = false;
  int64_t at_ = 0;         // where in the text the next cell begins
  int64_t row_start_ = 0;  // where its row does, which of the cells is the first of it, and how many line ends it has
  int64_t row_cells_ = 0, row_lines_ = 0;
  int64_t n_lines_ = 0;  // line ends before the next cell
  std::optional<TextError> later_, error_;
  int64_t later_bytes_ = 0;  // of the line with the error that comes later
};

}  // namespace rosenblatt
