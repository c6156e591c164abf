// The words of Python as the enumerations of the core.
#pragma once

#include <map>
#include <string>

#include "arrays.hpp"
#include "loop/step.hpp"

template <class Enum>
Enum word(const std::map<std::string, Enum>& words, const std::string& given) {
  const auto found = words.find(given);
  expect(found != words.end(), given.c_str());
  return found->second;
}

inline rosenblatt::Tie tie_of(const std::string& tie) {
  using rosenblatt::Tie;
  return word<Tie>({{"mistake", Tie::mistake}, {"positive", Tie::positive}, {"negative", Tie::negative}}, tie);
}

inline rosenblatt::StepKind step_of(const std::string& step) {
  using rosenblatt::StepKind;
  return word<StepKind>({{"perceptron", StepKind::perceptron},
                         {"pa", StepKind::pa},
                         {"pa1", StepKind::pa1},
                         {"pa2", StepKind::pa2},
                         {"arow", StepKind::arow}},
                        step);
}
