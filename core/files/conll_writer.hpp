// A CoNLL text with a column added or replaced, every other byte as it was: what is no token, the kind of blanks and
// line ends. A -DOCSTART- line gets its last field again as the new one, for conlleval wants all lines equally wide.
#pragma once

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

// Token t gets texts[numbers[t]] as its column `column`, or as a new last one.
inline std::string write_conll(std::string_view text, ConllFormat format, std::optional<size_t> column,
                               const std::vector<std::string>& texts, const std::vector<int32_t>& numbers) {
  for (const std::string& field : texts)
    if (!is_field(field, format))
      throw std::invalid_argument("expected a column of printable texts without blanks, found '" + field + "'");
  std::string out;
  out.reserve(text.size() + 8 * numbers.size());
  const auto add = [&](const char* from, const char* to) { out.append(from, static_cast<size_t>(to - from)); };
  const auto end_of = [](std::string_view field) { return field.data() + field.size(); };
  if (text.starts_with(kByteOrderMark)) out.append(kByteOrderMark), text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> fields;
  Interrupts interrupts;
  size_t token = 0;
  while (!text.empty()) {
    const char* rest = text.data();
    const std::string_view line = take_line(text);
    interrupts.after(text.data() - rest);
    const ConllLine kind = split_line(line, format, fields);
    if (kind == ConllLine::token || (kind == ConllLine::document && !column)) {
      std::string_view field = fields.back();
      if (kind == ConllLine::token) {
        if (token == numbers.size()) throw std::invalid_argument("expected a text for every token, found fewer");
        field = texts.at(static_cast<size_t>(numbers[token++]));
      }
      if (column) {
        add(rest, fields.at(*column).data());
        rest = end_of(fields[*column]);
      } else {
        add(rest, end_of(fields.back()));
        rest = end_of(fields.back());
        out.push_back(end_of(fields[0]) == end_of(line) ? ' ' : *end_of(fields[0]));
      }
      out.append(field);
    }
    add(rest, text.data());
  }
  if (token != numbers.size()) throw std::invalid_argument("expected a text for every token, found more");
  return out;
}

}  // namespace rosenblatt
