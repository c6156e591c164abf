// Any bytes at all: no crash, the same rows and the same error however they are split into blocks and however wide the
// indices are, numbers as the standard library reads them, and what was read, written and read again is the same.
#include <cmath>
#include <string>
#include <string_view>

#include "files/svmlight.hpp"
#include "files/svmlight_rows.hpp"
#include "fuzz/require.hpp"

using namespace rosenblatt;

namespace {

template <class T>
bool same(const Growing<T>& a, const Growing<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](T x, T y) { return std::memcmp(&x, &y, sizeof(T)) == 0; });
}

bool same(const std::optional<TextError>& a, const std::optional<TextError>& b) {
  if (!a || !b) return !a && !b;
  return a->line == b->line && a->column == b->column && a->expected == b->expected && a->found == b->found;
}

template <class T>
struct Result {
  SvmlightRows<T> rows;
  std::optional<TextError> error, name, one_too_many;
};

// Blocks of lines; the bits of `cuts` say after which of them to cut, over and over.
template <class T, class I = int64_t>
Result<T> read_in_blocks(std::string_view text, SvmlightOptions options, uint64_t cuts) {
  Result<T> result;
  SvmlightReader<T, I> reader;
  int64_t line = 0;
  const auto place = [&](const std::optional<TextError>& error, std::optional<TextError>& to) {
    if (!error || to) return;
    to = error;
    to->line += line;
  };
  while (!text.empty() && !result.error) {
    size_t size = 0;
    do {
      size = std::min(text.find('\n', size), text.size() - 1) + 1;
      cuts = std::rotr(cuts, 1);
    } while (size < text.size() && !(cuts & 1));
    const auto& block = reader.read(text.substr(0, size), options);
    place(block.error, result.error);
    place(block.name, result.name);
    place(block.one_too_many, result.one_too_many);
    result.rows.append(block);
    line += block.lines;
    text.remove_prefix(size);
    options.first = false;
  }
  return result;
}

template <class T>
void check_rows(const SvmlightRows<T>& rows, const SvmlightOptions& options) {
  const auto n = rows.labels.size();
  require(rows.starts.size() == n + 1 && rows.starts[n] == rows.value.size(), "the rows hold all entries");
  require(std::count(rows.label_text.begin(), rows.label_text.end(), '\n') == n, "a text for each label");
  require(rows.query.size() == (options.query_id ? n : 0), "a query for each row, if asked for");
  for (const T value : rows.value) require(std::isfinite(value), "values are finite");
  for (const double label : rows.labels) require(std::isfinite(label), "labels are finite");
  std::visit(
      [&](const auto& column) {
        require(column.size() == rows.value.size(), "an index for each value");
        for (int64_t r = 0; r < n; ++r)
          for (int64_t k = rows.starts[r]; k < rows.starts[r + 1]; ++k) {
            require(k == rows.starts[r] || column[k - 1] < column[k], "indices rise");
            require(column[k] >= options.smallest && column[k] <= options.largest + options.one_more, "within limits");
          }
      },
      rows.column);
}

template <class T>
void check_written(const Result<T>& result, SvmlightOptions options) {
  const SvmlightRows<T>& rows = result.rows;
  if (result.name || rows.column.index() != 0 || options.query_id) return;
  const auto& column = std::get<0>(rows.column);
  Growing<int32_t> starts;
  for (const int64_t start : rows.starts) starts.push(static_cast<int32_t>(start));
  const Growing<char> text = write_svmlight(rows.value.data(), column.data(), starts.data(), rows.value.size(),
                                            Labels(rows.labels.data()), nullptr, 0, 0, rows.labels.size());
  const auto again = read_in_blocks<T>({text.data(), static_cast<size_t>(text.size())}, options, ~uint64_t{0}).rows;
  require(same(again.labels, rows.labels) && same(again.starts, rows.starts) && same(again.value, rows.value) &&
              same(std::get<0>(again.column), column),
          "written and read again is the same");
}

template <class T>
void check_same(const Result<T>& whole, const Result<T>& parts) {
  require(same(whole.error, parts.error) && same(whole.name, parts.name), "the same error");
  require(same(whole.one_too_many, parts.one_too_many), "the same index that may be one too many");
  require(same(whole.rows.labels, parts.rows.labels) && whole.rows.label_text == parts.rows.label_text, "same labels");
  require(same(whole.rows.starts, parts.rows.starts) && same(whole.rows.value, parts.rows.value), "the same values");
  require(whole.rows.column.index() == parts.rows.column.index(), "the same width of the indices");
  std::visit(
      [&]<class Column>(const Column& column) {
        require(same(column, std::get<Column>(parts.rows.column)), "the same indices");
      },
      whole.rows.column);
  require(whole.rows.has_zero == parts.rows.has_zero && whole.rows.largest == parts.rows.largest, "the same limits");
}

template <class T>
void check_text(std::string_view text, SvmlightOptions options, uint64_t cuts) {
  const Result<T> whole = read_in_blocks<T>(text, options, 0);
  check_same(whole, read_in_blocks<T>(text, options, cuts));
  check_rows(whole.rows, options);
  check_written(whole, options);
  options.largest = std::min(options.largest, int64_t{std::numeric_limits<int32_t>::max()} - 1);
  check_same(read_in_blocks<T>(text, options, 0), read_in_blocks<T, int32_t>(text, options, cuts));
}

template <class T>
void check_number(std::string_view text) {
  const std::string line = std::string(text.substr(0, text.find('\n'))) + '\n';
  T ours = 0, theirs = 0;
  const char* const stop = read_number(line.data(), line.data() + line.size(), ours);
  const char* const first = line.data() + (line[0] == '+' && line[1] != '-');
  if constexpr (requires { std::from_chars(first, first, theirs); }) {  // nobody to ask in libc++ before version 20
    const auto result = std::from_chars(first, line.data() + line.size(), theirs);
    if (stop == nullptr)
      return require(result.ec != std::errc() || !std::isfinite(theirs), "what is no number to us is none to others");
    require(result.ptr == stop, "the number ends at the same byte");
    if (result.ec == std::errc())
      require(std::memcmp(&ours, &theirs, sizeof(T)) == 0, "the same number");
    else
      require(ours == 0, "out of range, and not too large");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t bits = 0x9e3779b97f4a7c15;  // which options and which cuts: all follows from the bytes
  for (size_t k = 0; k < size; ++k) bits = (bits ^ data[k]) * 0x100000001b3;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  SvmlightOptions options;
  options.smallest = static_cast<int64_t>(bits >> 60 & 1);
  if (bits >> 61 & 1) options.largest = static_cast<int64_t>(bits >> 50 & 127) + 1;
  options.one_more = bits >> 62 & 1;
  options.query_id = (bits >> 56 & 7) == 0;
  check_text<double>(text, options, bits);
  check_text<float>(text, options, ~bits);
  check_number<double>(text);
  check_number<float>(text);
  return 0;
}
