// What is wrong with a text file as Python sees it: line, column, expected, and the bytes that were found.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "text/text_error.hpp"

inline nanobind::object to_python(const std::optional<rosenblatt::TextError>& error) {
  if (!error) return nanobind::none();
  return nanobind::make_tuple(error->line, error->column, error->expected,
                              nanobind::bytes(error->found.data(), error->found.size()));
}
