// CSV gives its cells or its first error, however the lines come; short numbers are as exact as long ones.
#include <cmath>
#include <string>
#include <vector>

#include "base/order.hpp"
#include "base/row_writer.hpp"
#include "base/sparse_writer.hpp"
#include "files/table.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

std::vector<std::string> cells_of(const TableBlock& block) {
  std::vector<std::string> cells;
  for (int64_t row = 0; row < block.size(); ++row)
    for (int64_t column = 0; column < block.width; ++column) cells.emplace_back(block.cell(row, column));
  return cells;
}

using Cells = std::vector<std::string>;

// Pieces of any size: what is unfinished waits for more.
void check_pieces() {
  const std::string text = "\xef\xbb\xbf x ,\"y, z\"\r\n\n1,\"a \"\"b\"\"\nc\"\n\xc2\xa0,2\xe3\x80\x80\n";
  for (size_t cut = text.find('\n') + 1; cut < text.size(); cut = text.find('\n', cut) + 1) {
    TableReader reader(",", 100, 0);
    reader.add(text.substr(0, cut));
    reader.read(3);
    reader.add(text.substr(cut));
    reader.end();
    reader.read(3);
    CHECK(!reader.error() && reader.size() == 3 && reader.lines() == 5);
    const TableBlock block = reader.take();
    CHECK(cells_of(block) == Cells{"x", "y, z", "1", "a \"b\"\nc", "", "2"});
    CHECK(block.line[0] == 1 && block.line[1] == 4 && block.line[2] == 5);
  }
}

void check_error(const std::string& text, int64_t line, int64_t column, const char* expected, const char* found) {
  TableReader reader(",", 20, 0);
  reader.add(text);
  reader.end();
  reader.read(100);
  CHECK(reader.error() && reader.error()->line == line && reader.error()->column == column);
  CHECK(reader.error() && reader.error()->expected == expected && reader.error()->found == found);
}

void check_errors() {
  check_error("a,b\n1\n", 2, 2, "2 cells, as in the header", "1");
  check_error("a\n1,2\n", 2, 2, "1 cell, as in the header", "2");
  check_error("a,b\n1,\xff\n1\n", 2, 2, "UTF-8", "the byte 0xff");
  check_error("a,b\n1\n1,\xff\n", 2, 2, "2 cells, as in the header", "1");
  check_error(std::string("a,b\n1,\0\n", 8), 2, 2, "text", "a character 0");
  check_error("a,\"b\n", 1, 1, "CSV", "an error: unexpected end of data");
  check_error("a,\"b\"c\n", 1, 1, "CSV", "an error: ',' expected after '\"'");
  check_error("a\rb\n", 1, 1, "CSV", "an error: a carriage return that does not end a line");
  check_error("a,b\n\"1234567890\n1234567890\n\",\n", 3, 1, "a line of at most 20 bytes", "a longer one");
}

// Numbers of up to eight bytes have a way of their own.
void check_short_numbers() {
  Random random(1);
  for (int k = 0; k < 100'000; ++k) {
    std::string text = random.below(2) ? "-" : "";
    for (int64_t size = 1 + random.below(9); size > 0; --size) text += "0123456789."[random.below(11)];
    const std::string padded = text + ',' + std::string(64, '\0');
    double ours = -1, theirs = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), theirs);
    const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
    const char* const end = padded.data() + padded.size();
    CHECK(read_number(std::string_view(padded.data(), text.size()), end, ours) == all);
    CHECK(!all || std::memcmp(&ours, &theirs, 8) == 0);
  }
}

// "" where the marks are not those of a number.
std::string plain_of(const char* cell, const CellForm& form) {
  std::string plain;
  return form.write_plain(cell, plain) ? plain : "";
}

void check_forms() {
  const CellForm german({"-", "12,50"}, ",", ".", ""), dollars({}, ".", "", "$"), euros({}, ",", "", "\xe2\x82\xac");
  CHECK(plain_of("1.234.567,8", german) == "1234567.8" && plain_of("-0,5", german) == "-0.5");
  CHECK(plain_of("1234,5e-3", german) == "1234.5e-3" && plain_of("1.234", german) == "1234");
  for (const char* wrong : {"1.5", "1.23,4", ".123", "1234.567", "1.2345", "1,2,3", "1.234.56", "-", ""})
    CHECK(plain_of(wrong, german).empty());
  CHECK(plain_of("-$1,234.56", dollars) == "-1234.56" && plain_of("$-5", dollars) == "-5");
  CHECK(plain_of("5 $", dollars) == "5" && plain_of("12", dollars) == "12" && plain_of("$", dollars).empty());
  CHECK(plain_of("1.234,50 \xe2\x82\xac", euros) == "1234.50");
  CHECK(plain_of("$0,125", dollars).empty() && plain_of("0.125", euros).empty() && plain_of("0.125", german) == "0125");
  CHECK(plain_of("$0,000.50", dollars) == "0000.50");

  TableReader reader(";", 100, 0, "the first row");
  reader.add("12,50;a\n1.000,5;-\n;a\n-;b\nx;12,50\n");
  reader.end();
  reader.read(9);
  CHECK(!reader.error());
  const TableBlock block = reader.take();
  double numbers[5];
  CHECK(block.read_numbers(0, 0, 5, german, numbers) == 1);  // x
  CHECK(std::isnan(numbers[0]) && numbers[1] == 1000.5 && std::isnan(numbers[2]) && std::isnan(numbers[3]));
  int32_t codes[5];
  const Texts texts = block.read_codes(1, 0, 5, german, codes);
  CHECK(texts.size() == 3 && texts[0] == "a" && texts[1].empty() && texts[2] == "b");
  CHECK(std::vector(codes, codes + 5) == std::vector<int32_t>{0, 1, 0, 2, 1});
}

void check_sparse_writer() {
  // two numbers, an indicator among three, and a place that is not used
  std::vector<double> value = {1, 2, 9, 9, 0, 3, 9, 9, -0.0, 4, 1, 9};
  const std::vector<int64_t> chosen = {2, 0, -1, 3};
  SparseWriter<double, int32_t> writer(value.data(), 4, 2, 5);
  CHECK_THROWS(writer.add(chosen.data() + 3, 1, 1), std::invalid_argument, "an indicator is outside");
  writer.add(chosen.data(), 2, 1);
  writer.add(chosen.data() + 2, 1, 1);
  const auto [columns, starts] = writer.take();
  CHECK(std::vector(value.begin(), value.begin() + 6) == std::vector<double>{1, 2, 1, 3, 1, 4});
  CHECK(std::vector(columns.begin(), columns.end()) == std::vector<int32_t>{0, 1, 4, 1, 2, 1});
  CHECK(std::vector(starts.begin(), starts.end()) == std::vector<int32_t>{0, 3, 5, 6});
}

void check_row_writer() {
  const std::vector<double> a = {1, 2}, b = {3, 4};
  RowWriter writer(3);
  writer.add({a.data(), b.data()}, 2);
  writer.add({b.data(), a.data()}, 1);
  CHECK(writer.size() == 3);
  const Growing<double> values = writer.take();
  CHECK(std::vector(values.begin(), values.end()) == std::vector<double>{1, 3, 1, 2, 4, 1, 3, 1, 1});
  CHECK(writer.size() == 0 && writer.take().size() == 0);

  std::vector<double> column(100);
  for (int k = 0; k < 100; ++k) column[size_t(k)] = k;
  RowWriter many(3);
  for (const int64_t rows : {0, 1, 15, 16, 17, 33, 100}) {
    many.add({column.data(), column.data()}, rows);
    const Growing<double> found = many.take();
    CHECK(found.size() == 3 * rows);
    for (int64_t k = 0; k < found.size(); ++k) CHECK(found[k] == (k % 3 == 2 ? 1 : double(k / 3)));
  }
}

}  // namespace

int main() {
  check_pieces();
  check_errors();
  check_short_numbers();
  check_forms();
  check_sparse_writer();
  check_row_writer();
  return check::report();
}
