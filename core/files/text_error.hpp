// What is wrong with a text file, and where.
#pragma once

#include <cstdint>
#include <string>

namespace rosenblatt {

// Lines and columns from 1, columns in bytes. What was found is as in the file, its beginning, or nothing: the end of
// the line.
struct TextError {
  static constexpr size_t kShown = 100;  // bytes of what was found

  int64_t line = 0, column = 0;
  std::string expected, found;
};

}  // namespace rosenblatt
