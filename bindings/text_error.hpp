// What is wrong with a text file as Python sees it: line, column, expected, and the bytes that were found.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "files/text_error.hpp"

using PythonTextError = std::optional<std::tuple<int64_t, int64_t, std::string, nanobind::bytes>>;

inline PythonTextError to_python(const std::optional<rosenblatt::TextError>& error) {
  if (!error) return {};
  return std::tuple(error->line, error->column, error->expected,
                    nanobind::bytes(error->found.data(), error->found.size()));
}
