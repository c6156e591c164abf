// The state of a linear run as Python has it: its arrays are numpy's, which it shares.
#pragma once

#include <cmath>
#include <variant>

#include "arrays.hpp"
#include "linear/state.hpp"

// Of weights of one type or the other.
struct AnyLinearState {
  std::variant<rosenblatt::LinearState<float>, rosenblatt::LinearState<double>> of;
};

// The state whose weights have the type of the rows.
template <class T>
rosenblatt::LinearState<T>& state_beside_rows(AnyLinearState& any) {
  if (auto* const state = std::get_if<rosenblatt::LinearState<T>>(&any.of)) return *state;
  throw nb::type_error("rows and weights must be of one type");
}

// The layout of weights: (features + 1) x stride, stride 1 or a multiple of the lanes.
template <class T>
rosenblatt::LinearWeights<T> weights_of(const Array<const T, 2>& w, int32_t machines, double bias) {
  expect(w.shape(0) >= 1, "the weights must have one entry more than the rows have features");
  expect(std::isfinite(bias), "bias must be finite");
  expect(machines >= 1 && int64_t(w.shape(1)) == rosenblatt::stride_of(machines),
         "weights of more than one row must be padded to a multiple of eight");
  return {w.data(), int64_t(w.shape(0)) - 1, int64_t(w.shape(1)), machines, static_cast<T>(bias)};
}

// Rows may have fewer features than the weights.
template <class Kind, class T>
void expect_wide_enough(const rosenblatt::LinearWeights<T>& weights, const Kind& rows) {
  expect(rows.features <= weights.features, "the weights must have one entry more than the rows have features");
}

// What a row learns from: its class, or the number that its score should be.
template <class Kind, class Target, class T>
void expect_examples(const Kind& rows, const Array<const Target, 1>& target,
                     const std::optional<Array<const T, 1>>& weight, const rosenblatt::Rule& rule,
                     const rosenblatt::LinearState<T>& state) {
  expect_wide_enough(state.weights(), rows);
  expect(int64_t(target.shape(0)) == rows.size, "one target a row");
  expect(!weight || int64_t(weight->shape(0)) == rows.size, "one weight a row");
  expect(bool(state.spread) == (rule.step == rosenblatt::StepKind::arow), "spread goes with AROW");
  const auto may_change = [](const auto& array) { return !array || array.is_writable(); };
  expect(may_change(state.w) && may_change(state.spread) && may_change(state.sums) && may_change(state.pocket),
         "a state that cannot be written to must be copied before it learns");
  for (size_t i = 0; i < target.shape(0); ++i) {
    if constexpr (std::is_same_v<Target, int32_t>)
      expect(target(i) >= 0 && target(i) < std::max(state.machines, 2), "a target is not a class");
    else
      expect(std::isfinite(target(i)), "a target is not finite");
  }
}

nb::class_<AnyLinearState> bind_linear_state(nb::module_& m);
