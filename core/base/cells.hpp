// What the weights of taggers and parsers have in common at rest, as a model file has them: rows of cells.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace rosenblatt {

enum class Readout { last, average };

constexpr int64_t kWorkOfACell = 16;  // for Interrupts

// The arrays of a model may come from a file, so whatever is relied on is checked.
inline void insist(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace rosenblatt
