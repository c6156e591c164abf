// Any bytes at all: no crash, the same rows and the same error however the lines come and however many rows are taken
// at a time, and numbers as the standard library reads them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "files/table.hpp"

using namespace rosenblatt;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

struct Result {
  std::vector<std::string> cells;
  std::vector<int64_t> lines;
  std::optional<TextError> error;
};

// A number in any notation is one once it is written plainly; what is missing has no number and no text.
void check_form(const TableBlock& block, int64_t row, int64_t column, std::string_view cell) {
  const std::vector<std::string> missing = {"a", "1", "1.5"};
  for (const CellForm& form : {CellForm(missing, ",", ".", "$"), CellForm(missing, ".", ",", ""),
                               CellForm(missing, ",", "", "%"), CellForm({}, ".", "", "\xe2\x82\xac")}) {
    double number, expected;
    const bool is_number = block.read_numbers(column, row, row + 1, form, &number) == 0;
    int32_t code;
    const Texts texts = block.read_codes(column, row, row + 1, form, &code);
    require(code == 0 && texts[0] == (form.is_missing(cell) ? "" : cell), "the text, or none");
    std::string plain;
    if (form.is_missing(cell)) {
      require(is_number && std::isnan(number), "a missing cell has no number");
    } else if (is_number) {
      require(form.write_plain(cell, plain), "a number can be written plainly");
      plain.append(size_t{Marks::kAhead}, '\0');
      const std::string_view digits(plain.data(), plain.size() - size_t{Marks::kAhead});
      require(read_number(digits, plain.data() + plain.size(), expected) && expected == number, "the same number");
    } else {
      require(std::isnan(number), "what is no number is NaN");
    }
  }
}

void check_cells(const TableBlock& block, Result& result) {
  require(block.cells.size() == block.size() * block.width, "all rows are as long");
  for (int64_t row = 0; row < block.size(); ++row) {
    for (int64_t column = 0; column < block.width; ++column) {
      const std::string_view cell = block.cell(row, column);
      require(is_utf8(cell) && without_blanks(cell) == cell, "a cell is a text without blanks at its ends");
      double ours, theirs = 0;
      const bool is_number = block.read_numbers(column, row, row + 1, CellForm(), &ours) == 0;
      const std::string_view digits = cell.substr(cell.starts_with('+') && !cell.starts_with("+-"));
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), theirs);
      const bool all = read.ptr == digits.data() + digits.size() && !cell.empty();
      if (cell.empty())
        require(is_number && std::isnan(ours), "an empty cell is missing");
      else if (is_number)
        require(all && (read.ec != std::errc() ? ours == 0 : std::memcmp(&ours, &theirs, 8) == 0), "the same number");
      else
        require(!all || read.ec != std::errc() || !std::isfinite(theirs), "what is no number to us is none to others");
      check_form(block, row, column, cell);
      result.cells.emplace_back(cell);
    }
    result.lines.push_back(block.line[row]);
  }
}

// The bits of `cuts` say after which lines to cut, over and over, and how many rows to take.
Result read_in_parts(std::string_view text, const std::string& delimiter, int64_t longest, uint64_t cuts) {
  Result result;
  TableReader reader(delimiter, longest, 0);
  int64_t wanted = 1;
  const auto take = [&](bool all) {
    for (;;) {
      reader.read(wanted);
      if (reader.error() || (reader.size() < wanted && !(all && reader.size() > 0))) break;
      check_cells(reader.take(), result);
      wanted = static_cast<int64_t>(1 + (cuts & 3));
    }
  };
  while (!text.empty() && !reader.error()) {
    size_t size = 0;
    do {
      size = std::min(text.find('\n', size), text.size() - 1) + 1;
      cuts = std::rotr(cuts, 1);
    } while (size < text.size() && !(cuts & 1));
    reader.add(text.substr(0, size));
    text.remove_prefix(size);
    take(false);
  }
  reader.end();
  take(true);
  result.error = reader.error();
  require(result.error || reader.between_rows(), "a row has an end, or there is an error");
  return result;
}

void check(std::string_view text, const std::string& delimiter, int64_t longest, uint64_t bits) {
  const Result one = read_in_parts(text, delimiter, longest, 0), other = read_in_parts(text, delimiter, longest, bits);
  require(one.error.has_value() == other.error.has_value(), "an error in both");
  const size_t n = std::min(one.cells.size(), other.cells.size());  // a block with an error in it is not taken
  require(one.error || one.cells.size() == other.cells.size(), "as many cells");
  require(std::equal(one.cells.begin(), one.cells.begin() + int64_t(n), other.cells.begin()), "the same cells");
  require(std::equal(one.lines.begin(), one.lines.begin() + int64_t(std::min(one.lines.size(), other.lines.size())),
                     other.lines.begin()),
          "the same lines");
  if (!one.error) return;
  const TextError &a = *one.error, &b = *other.error;
  require(a.line == b.line && a.column == b.column && a.expected == b.expected && a.found == b.found, "the same error");
  require(a.line >= 1 && a.column >= 1, "a place in the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t bits = 0x9e3779b97f4a7c15;  // which options and which cuts: all follows from the bytes
  for (size_t k = 0; k < size; ++k) bits = (bits ^ data[k]) * 0x100000001b3;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* const delimiters[] = {",", ",", ";", "\t", "1", "\xe2\x86\x92", ".", "e"};
  check(text, delimiters[bits >> 61], bits >> 58 & 1 ? 1 << 24 : 1 + static_cast<int64_t>(bits >> 50 & 127), bits);
  return 0;
}
