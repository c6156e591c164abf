// The core for a page: plain functions over plain memory. The page takes room for its arrays, calls, reads the columns
// that the call has left, and gives the room back. No maths is here. What the core throws goes to the page in its own
// words, and does not come back: the page then goes on with a new instance.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#define ROSENBLATT_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace page {

// What the last call has found, in the order in which core.js names it.
inline std::vector<std::vector<double>> columns;

template <class Values>
void add(const Values& values) {
  auto& column = columns.emplace_back();
  column.reserve(values.size());
  for (const auto value : values) column.push_back(static_cast<double>(value));
}

inline std::vector<double> times(double factor, std::vector<double> values) {
  for (double& value : values) value *= factor;
  return values;
}

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// The value of an enumeration, whose last one is `last`.
template <class Enum>
Enum value_of(double given, Enum last, const char* what) {
  expect(given >= 0 && given <= double(int(last)) && given == double(int(given)), what);
  return Enum(int(given));
}

}  // namespace page
