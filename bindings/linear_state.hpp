// Weights that Python holds, as the state of a linear run.
#pragma once

#include "arrays.hpp"
#include "base/readout.hpp"

// Weights as the core has them: (features + 1) x stride, stride 1 or a multiple of the lanes. Rows may have fewer
// features.
template <class T>
rosenblatt::LinearState<std::remove_const_t<T>> state_of(const Array<T, 2>& w, int64_t of_rows, int32_t n_rows,
                                                         double bias) {
  const auto features = int64_t(w.shape(0)) - 1, stride = int64_t(w.shape(1));
  expect(of_rows <= features, "the weights must have one entry more than the rows have features");
  expect(std::isfinite(bias), "bias must be finite");
  expect(n_rows >= 1 && n_rows <= stride && (stride == 1 || (n_rows > 1 && stride % rosenblatt::kLanes == 0)),
         "weights of more than one row must be padded to a multiple of eight");
  using Value = std::remove_const_t<T>;
  return {const_cast<Value*>(w.data()), features, stride, n_rows, static_cast<Value>(bias)};
}

template <class A, class B>
bool same_shape(const A& a, const B& b) {
  return a.shape(0) == b.shape(0) && a.shape(1) == b.shape(1);
}
