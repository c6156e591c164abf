// Where the elements of a JSON array are, without a value made of any: to count them, and to read a few at a time.
//
// Only brackets and quotes are looked at. Of text that is no array of JSON some places are found, all of them inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rosenblatt {

struct JsonElements {
  int64_t count = 0;           // of all elements
  std::vector<int64_t> marks;  // of the first of them: the opening bracket, each comma, the closing bracket
};

// Where a string ends that begins at `i`: behind its second quote.
inline size_t after_json_string(std::string_view text, size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

// The elements of the array that `text` is; marks for at most `most` of them.
inline JsonElements json_elements(std::string_view text, int64_t most) {
  JsonElements found;
  int64_t depth = 0;
  bool any = false;  // something since the last mark
  const auto mark = [&](size_t i) {
    if (static_cast<int64_t>(found.marks.size()) <= most) found.marks.push_back(static_cast<int64_t>(i));
  };
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      any = true;
      i = after_json_string(text, i);
      continue;
    }
    if (c == '[' || c == '{') {
      any = depth > 0;
      if (depth++ == 0) mark(i);
    } else if (c == ']' || c == '}') {
      if (--depth <= 0) {
        found.count += any || found.count > 0;
        if (found.count > 0) mark(i);
        return found;
      }
    } else if (c == ',' && depth == 1) {
      found.count += 1;
      mark(i);
    } else if (c > ' ') {
      any = true;
    }
    ++i;
  }
  if (found.count > 0 || any) mark(text.size());
  found.count += found.count > 0 || any;
  return found;
}

}  // namespace rosenblatt
