// The enumerations of the core by the names that their values have in Python.
#pragma once

#include <map>
#include <string>

#include "arrays.hpp"
#include "base/step.hpp"

template <class Enum>
Enum value_named(const std::string& name, const std::map<std::string, Enum>& values) {
  const auto found = values.find(name);
  if (found != values.end()) return found->second;
  std::string expected;
  for (const auto& value : values) expected += (expected.empty() ? "'" : ", '") + value.first + "'";
  throw std::invalid_argument("expected one of " + expected + ", found '" + name + "'");
}

inline rosenblatt::Tie tie_named(const std::string& name) {
  using rosenblatt::Tie;
  return value_named<Tie>(name, {{"mistake", Tie::mistake}, {"positive", Tie::positive}, {"negative", Tie::negative}});
}

inline rosenblatt::StepKind step_named(const std::string& name) {
  using rosenblatt::StepKind;
  return value_named<StepKind>(name, {{"perceptron", StepKind::perceptron},
                                      {"pa", StepKind::pa},
                                      {"pa1", StepKind::pa1},
                                      {"pa2", StepKind::pa2},
                                      {"arow", StepKind::arow}});
}
