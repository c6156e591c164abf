// Numbers are exactly rounded; a block of svmlight text gives its rows or its first error, wherever it is cut.
#include <cmath>
#include <string>
#include <vector>

#include "base/order.hpp"
#include "files/svmlight.hpp"
#include "files/svmlight_rows.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

template <class T>
T number(const std::string& text) {
  const std::string line = text + '\n';
  T value = -1;
  const char* const stop = read_number(line.data(), line.data() + line.size(), value);
  CHECK(stop == line.data() + text.size());
  return value;
}

// As the C library reads it, to the bit.
void check_number(const std::string& text) {
  const double wide = std::strtod(text.c_str(), nullptr);
  const float narrow = std::strtof(text.c_str(), nullptr);
  if (std::isfinite(wide)) CHECK(std::bit_cast<uint64_t>(number<double>(text)) == std::bit_cast<uint64_t>(wide));
  if (std::isfinite(narrow)) CHECK(std::bit_cast<uint32_t>(number<float>(text)) == std::bit_cast<uint32_t>(narrow));
}

void check_numbers() {
  for (const char* text : {"0",
                           "-0",
                           "+1",
                           "1.",
                           ".5",
                           "-.5e1",
                           "1e5",
                           "1E-5",
                           "00012",
                           "0.1",
                           "123456789012345678901234567890",
                           "1e22",
                           "1e23",
                           "9007199254740993",
                           "9007199254740992e22",
                           "4.9e-324",
                           "2e-324",
                           "3e-324",
                           "1e-400",
                           "0e999999999999",
                           "1.7976931348623157e308",
                           "3.4028235e38",
                           "1.1754944e-38",
                           "1e-45",
                           "7.0e-46",
                           "1e000000000000000000000005",
                           "18446744073709551617",
                           "1.8446744073709551617",
                           "16777217",
                           "16777217.000000000000000001",
                           "0.000000000000000000000000000000000000000000001"})
    check_number(text);
  Random random(1);
  char text[64];
  for (int k = 0; k < 20'000; ++k) {
    const uint64_t bits = random.next();
    const auto wide = std::bit_cast<double>(bits);
    const auto narrow = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::isfinite(wide)) {
      const std::string shortest(text, write_number(text, wide));
      CHECK(std::bit_cast<uint64_t>(number<double>(shortest)) == bits);
      std::snprintf(text, sizeof text, "%.*g", 1 + int(bits % 20), wide);
      check_number(text);
    }
    if (std::isfinite(narrow)) {
      const std::string shortest(text, write_number(text, narrow));
      CHECK(std::bit_cast<uint32_t>(number<float>(shortest)) == static_cast<uint32_t>(bits));
      // Halfway to the next float, the hard case of rounding twice.
      const double halfway = (double(narrow) + double(std::nextafter(narrow, 2 * narrow))) / 2;
      std::snprintf(text, sizeof text, "%.*g", 7 + int(bits % 11), halfway);
      check_number(text);
    }
    std::snprintf(text, sizeof text, "%.*f", int(bits % 12), double(int64_t(bits >> 44) - 500'000) / 4096);
    check_number(text);
  }
  for (const double whole : {100000.0, -3.0, 0.0, 9007199254740992.0}) {
    std::snprintf(text, sizeof text, "%.0f", whole);
    char out[kLongestNumber];
    CHECK(std::string(out, write_number(out, whole)) == text);
  }
  for (const std::string none : {"", "-", ".", "e5", "nan", "inf", "-inf", "+-1", "1e309", "-1e309", "x"}) {
    double value;
    const std::string line = none + '\n';
    CHECK(read_number(line.data(), line.data() + line.size(), value) == nullptr);
  }
  CHECK(is_too_large<double>("-1e309") && is_too_large<float>("1e39") && !is_too_large<double>("1e39"));
  CHECK(!is_too_large<double>("1e309x") && !is_too_large<double>("inf") && !is_too_large<double>("-"));
}

SvmlightOptions options(int64_t smallest, int64_t largest, bool one_more = false, bool query_id = false) {
  SvmlightOptions result;
  result.smallest = smallest;
  result.largest = largest;
  result.one_more = one_more;
  result.query_id = query_id;
  return result;
}

std::string text_of(const std::optional<TextError>& error) {
  if (!error) return "none";
  return std::to_string(error->line) + ':' + std::to_string(error->column) + ": " + error->expected + ", " +
         error->found;
}

template <class T = double>
std::string error(const std::string& text, const SvmlightOptions& limits = {}) {
  return text_of(SvmlightReader<T>().read(text, limits).error);
}

template <class T>
std::vector<T> list(const Growing<T>& values) {
  return {values.begin(), values.end()};
}

void check_rows() {
  SvmlightReader<double> reader;
  const auto& block = reader.read(
      "\xef\xbb\xbf# first\n\n+1 qid:7 3:0.5 1:2 # both\r\n \t-1.5e0\tqid:-2\t2:-1 \r\n\r\nspam#\nx\xc3\xb6 10:1e2",
      {});
  CHECK(!block.error && block.lines == 7);
  CHECK(list(block.labels) == std::vector<double>{1, -1.5, 0, 0});
  CHECK(block.label_text == "+1\n-1.5e0\nspam\nx\xc3\xb6\n");
  CHECK(list(block.starts) == std::vector<int64_t>{0, 2, 3, 3, 4});
  CHECK(list(block.column) == std::vector<int64_t>{1, 3, 2, 10});
  CHECK(list(block.value) == std::vector<double>{2, 0.5, -1, 100});
  CHECK(block.query.size() == 0 && block.largest == 10 && !block.has_zero);
  CHECK(text_of(block.name) == "6:1: a number as label, as in the lines before, spam");
  CHECK(list(reader.read("1 qid:7\n0 qid:9223372036854775807 0:1", options(0, 5, false, true)).query) ==
        std::vector<int64_t>{7, std::numeric_limits<int64_t>::max()});
  CHECK(reader.block().has_zero && reader.block().lines == 2 && !reader.block().name);
  CHECK(list(reader.read("1 00000000000000000000000000000012:1", {}).column) == std::vector<int64_t>{12});
}

void check_errors() {
  CHECK(error("1 1:1\n2 1:1 2:abc 3:1\n") == "2:9: a number after ':', abc");
  CHECK(error("1 1:1.5x") == "1:5: a number after ':', 1.5x");
  CHECK(error("1 1:") == "1:5: a number after ':', ");
  CHECK(error("1 1: 2:1") == "1:5: a number after ':',  ");
  CHECK(error("1 1:NaN") == "1:5: a finite number after ':', NaN");
  CHECK(error("1 1:-Infinity") == "1:5: a finite number after ':', -Infinity");
  CHECK(error("1 1:1e999") == "1:5: a number within the range of float64 after ':', 1e999");
  CHECK(error<float>("1 1:1e39") == "1:5: a number within the range of float32 after ':', 1e39");
  CHECK(error("1 1:1 2") == "1:7: index:value, 2");
  CHECK(error("1 x:1") == "1:3: index:value, x:1");
  CHECK(error("1 -1:1") == "1:3: index:value, -1:1");
  CHECK(error("1 1:1 qid:2") == "1:7: index:value, qid:2");
  CHECK(error("1 1:1\r2:1\n") == "1:5: a number after ':', 1\r2:1");
  CHECK(error("1 qid:x 1:1") == "1:7: a 64-bit integer after 'qid:', x");
  CHECK(error("1 qid:9223372036854775808") == "1:7: a 64-bit integer after 'qid:', 9223372036854775808");
  CHECK(error("1 1:1", options(0, 5, false, true)) == "1:3: 'qid:' after the label, 1:1");
  CHECK(error("1 2:1 1:1 2:2 x") == "1:11: an index that the line does not have yet, 2:2");
  CHECK(error("1 2:1 2:2") == "1:7: an index that the line does not have yet, 2:2");
  CHECK(error("1 6:1", options(0, 5)) == "1:3: an index of at most 5, 6");
  CHECK(error("1 0:1", options(1, 5)) == "1:3: an index of at least 1, 0");
  CHECK(error("1 9223372036854775807:1") == "1:3: an index of at most 9223372036854775806, 9223372036854775807");
  CHECK(error("1 18446744073709551617:1") == "1:3: an index of at most 9223372036854775806, 18446744073709551617");
  CHECK(error("1:1 2:1") == "1:1: a label, 1:1");
  CHECK(error("1\n\xef\xbb\xbf"
              "1 2:1") ==
        "2:1: a label, \xef\xbb\xbf"
        "1");
  CHECK(error("\xef\xbb\xbfnan") == "1:4: a finite number or a name as label, nan");
  CHECK(error("-1e999") == "1:1: a label within the range of float64, -1e999");
  CHECK(error("a\x01") == "1:1: a label of printable text, a\x01");
  CHECK(error("\xc3\x28") == "1:1: a label in UTF-8, \xc3\x28");
  CHECK(error(std::string(255, 'a')) == "none");
  CHECK(error(std::string(256, 'a')) == "1:1: a label of at most 255 bytes, " + std::string(100, 'a'));

  SvmlightReader<double> reader;
  const auto& block = reader.read("1 5:1\n2 6:1\n3 6:1\n", options(0, 5, true));
  CHECK(!block.error && text_of(block.one_too_many) == "2:3: an index of at most 5, 6");
  CHECK(error("1 7:1", options(0, 5, true)) == "1:3: an index of at most 6, 7");
}

void check_utf8() {
  for (const char* good : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(is_utf8(good));
  for (const char* bad : {"\x80", "\xc1\xbf", "\xc3", "\xc3\x28", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xef\xbf",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    CHECK(!is_utf8(bad));
}

void check_narrow() {
  SvmlightReader<float, int32_t> reader;
  const auto& block = reader.read("1 2147483647:1 3:0.5\n-1 12345:0.25\n", options(0, 2147483646, true));
  CHECK(!block.error && block.largest == 2147483647);
  CHECK(list(block.column) == std::vector<int32_t>{3, 2147483647, 12345});
  CHECK(list(block.starts) == std::vector<int32_t>{0, 2, 3} && list(block.value) == std::vector<float>{0.5F, 1, 0.25F});
  CHECK(text_of(block.one_too_many) == "1:3: an index of at most 2147483646, 2147483647");
  for (const char* text : {"1 2147483647:1", "1 4294967297:1"})
    CHECK(text_of(reader.read(text, {}).error) == "1:3: an index of at most 2147483646, " + std::string(text, 2, 10));
}

void check_gathered() {
  SvmlightReader<float> reader;
  SvmlightRows<float> rows;
  rows.append(SvmlightReader<float, int32_t>().read("1 1:0.5 2:1\n", {}));
  CHECK(rows.column.index() == 0);
  rows.append(reader.read("a 4294967297:-2\n-0\n", {}));
  CHECK(rows.column.index() == 1 && list(std::get<1>(rows.column)) == std::vector<int64_t>{1, 2, 4294967297});
  CHECK(list(rows.starts) == std::vector<int64_t>{0, 2, 3, 3} && rows.largest == 4294967297);
  rows.append(reader.read("# nothing\n", {}));
  CHECK(rows.largest == 4294967297 && !rows.has_zero);
  CHECK(rows.label_text == "1\na\n-0\n" && list(rows.value) == std::vector<float>{0.5F, 1, -2});

  const auto written = [&](const Labels& labels, const int64_t* query, int64_t base) {
    const Growing<char> text = write_svmlight(rows.value.data(), std::get<1>(rows.column).data(), rows.starts.data(), 3,
                                              labels, query, base, 0, 3);
    return std::string(text.begin(), text.end());
  };
  const int64_t query[] = {3, -1, 2};
  CHECK(written(rows.labels.data(), query, 0) == "1 qid:3 1:0.5 2:1\n0 qid:-1 4294967297:-2\n-0 qid:2\n");
  CHECK(written(LabelTexts{"ab\0c\0\0def", 3}, nullptr, 1) == "ab 2:0.5 3:1\nc 4294967298:-2\ndef\n");
  CHECK(written(query, nullptr, 0) == "3 1:0.5 2:1\n-1 4294967297:-2\n2\n");
  rows.append(reader.read("1 0:1\n", {}));
  rows.append(reader.read("1 1:1\n", {}));
  CHECK(rows.largest == 4294967297 && rows.has_zero && rows.labels.size() == 5);
  const int64_t falls[] = {0, 2, 1, 3};
  CHECK_THROWS(
      write_svmlight(rows.value.data(), std::get<1>(rows.column).data(), falls, 3, Labels(query), nullptr, 0, 0, 3),
      std::invalid_argument, "indptr must rise");
}

void check_ends() {
  SvmlightReader<double> reader;
  CHECK_ENDS(4, SvmlightReader<double>().read("1 1:1\n2\n# a\n1 2:0.5\n", {}));
  std::string line = "1";  // one line, in pieces
  for (int k = 1; k < 500'000; ++k) line += " " + std::to_string(k) + ":0.5";
  CHECK_ENDS(5, reader.read(line, {}));
  CHECK(reader.read(line, {}).column.size() == 499'999 && !reader.block().error);
  SvmlightRows<double> rows;
  rows.append(reader.read("1 1:1 2:2\n2\n", {}));
  const auto write = [&](int64_t base, int64_t column) {
    auto& columns = std::get<0>(rows.column);
    columns[1] = static_cast<int32_t>(column);
    const int32_t starts[] = {0, 2, 2};
    write_svmlight(rows.value.data(), columns.data(), starts, 2, Labels(rows.labels.data()), nullptr, base, 0, 2);
  };
  CHECK_ENDS(4, write(0, 2));
  CHECK_THROWS(write(0, -1), std::invalid_argument, "negative or too large (row 0)");
  CHECK_THROWS(write(std::numeric_limits<int64_t>::max(), 2), std::invalid_argument, "negative or too large (row 0)");
}

}  // namespace

int main() {
  check_ends();
  check_numbers();
  check_rows();
  check_errors();
  check_utf8();
  check_narrow();
  check_gathered();
  return check::report();
}
