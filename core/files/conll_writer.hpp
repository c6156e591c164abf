// A CoNLL text with columns added or replaced, every other byte as it was: what is no token, the kind of blanks and
// line ends. A -DOCSTART- line gets its last field again as a new one, because conlleval wants all lines equally wide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "files/conll.hpp"

namespace rosenblatt {

// Whether a text can be a field.
inline bool is_field(std::string_view text, ConllFormat format) {
  const auto gap = text.find_first_of(format == ConllFormat::universal ? "\t" : " \t");
  return !text.empty() && gap == text.npos && !wanted_of_text(text);
}

// Token t has texts[numbers[t]] in column `place` of the text, or in a new last one.
struct NewColumn {
  std::optional<size_t> place;
  std::vector<std::string> texts;
  std::vector<int32_t> numbers;

  const std::string& operator[](size_t token) const {
    if (token >= numbers.size()) throw std::invalid_argument("expected a text for every token, found fewer");
    return texts.at(static_cast<size_t>(numbers[token]));
  }
};

// The text with these columns; those that are added come in their order.
inline std::string write_conll(std::string_view text, ConllFormat format, std::vector<NewColumn> columns) {
  std::string out;
  out.reserve(text.size());
  for (const NewColumn& column : columns) {
    for (const std::string& field : column.texts)
      if (!is_field(field, format))
        throw std::invalid_argument("expected a column of printable texts without blanks, found '" + field + "'");
    out.reserve(out.capacity() + 8 * column.numbers.size());
  }
  // Those that replace a field go first, from left to right.
  const auto place_of = [](const NewColumn& column) { return column.place.value_or(SIZE_MAX); };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const NewColumn& a, const NewColumn& b) { return place_of(a) < place_of(b); });
  for (size_t k = 1; k < columns.size(); ++k)
    if (columns[k].place && columns[k].place == columns[k - 1].place)
      throw std::invalid_argument("expected each column once");
  const auto end_of = [](std::string_view field) { return field.data() + field.size(); };
  if (text.starts_with(kByteOrderMark)) out.append(kByteOrderMark), text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> fields;
  Interrupts interrupts;
  size_t token = 0;
  while (!text.empty()) {
    const char* rest = text.data();
    const auto copy_to = [&](const char* end) { out.append(rest, end), rest = end; };
    const std::string_view line = take_line(text);
    interrupts.after(text.data() - rest);
    const ConllLine kind = split_line(line, format, fields);
    if (kind == ConllLine::token || kind == ConllLine::document) {
      const bool is_token = kind == ConllLine::token;
      for (const NewColumn& column : columns) {
        if (!column.place) {
          copy_to(end_of(fields.back()));
          out.push_back(end_of(fields[0]) == end_of(line) ? ' ' : *end_of(fields[0]));
          out.append(is_token ? std::string_view(column[token]) : fields.back());
        } else if (is_token) {
          copy_to(fields.at(*column.place).data());
          out.append(column[token]);
          rest = end_of(fields[*column.place]);
        }
      }
      token += is_token;
    }
    copy_to(text.data());
  }
  for (const NewColumn& column : columns)
    if (token != column.numbers.size()) throw std::invalid_argument("expected a text for every token, found more");
  return out;
}

}  // namespace rosenblatt
