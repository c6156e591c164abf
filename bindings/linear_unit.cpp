// The linear unit: a run of gradient descent, E with its gradient, and the longest row.
#include "neighbours/linear_unit.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "rows.hpp"

using namespace rosenblatt;

namespace {

template <class Kind, class T>
LinearUnit<Kind> unit_of(Kind& rows, const Array<const T, 1>& y, const MaybeVector<T>& weight, T* w, size_t size,
                         double bias) {
  expect(int64_t(y.shape(0)) == rows.size, "one target a row");
  expect(!weight || int64_t(weight->shape(0)) == rows.size, "one weight a row");
  expect(int64_t(size) == rows.features + 1, "the weights must have one entry more than the rows have features");
  check_all(rows);
  return {rows, y.data(), weight ? weight->data() : nullptr, static_cast<T>(bias), w};
}

std::tuple<NumpyArray<double>, const char*> descend(const Rows& given, const AnyArray& y, const MaybeAnyArray& weight,
                                                    const AnyArray& w, double bias, const std::string& method,
                                                    double eta0, double power_t, double tol, int64_t max_iter,
                                                    std::optional<uint64_t> seed) {
  expect(method == "batch" || method == "stochastic", "method must be batch or stochastic");
  const DescentPlan plan{method == "batch" ? Descent::batch : Descent::stochastic,
                         eta0,
                         power_t,
                         tol,
                         max_iter,
                         seed.has_value(),
                         seed.value_or(0)};
  std::vector<double> losses;
  const Outcome outcome = with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto targets = array_beside_rows<const T, 1>(y, "y");
    const auto weights = array_beside_rows<const T, 1>(weight, "weight");
    const auto start = array_beside_rows<T, 1>(w, "w");
    auto unit = unit_of(rows, targets, weights, start.data(), start.size(), bias);
    nb::gil_scoped_release unlocked;
    return unit.run(plan, losses);
  });
  const char* const names[] = {"converged", "out of passes", "diverged"};
  return {to_numpy(std::move(losses)), names[int(outcome)]};
}

std::tuple<double, NumpyArray<double>> squared_error(const Rows& given, const AnyArray& y, const MaybeAnyArray& weight,
                                                     const AnyArray& w, double bias) {
  std::vector<double> gradient;
  const double loss = with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto targets = array_beside_rows<const T, 1>(y, "y");
    const auto weights = array_beside_rows<const T, 1>(weight, "weight");
    const auto at = array_beside_rows<const T, 1>(w, "w");
    auto unit = unit_of(rows, targets, weights, static_cast<T*>(nullptr), at.size(), bias);
    nb::gil_scoped_release unlocked;
    const double found = unit.look(at.data());
    for (const double g : unit.downhill()) gradient.push_back(-g);
    return found;
  });
  return {loss, to_numpy(std::move(gradient))};
}

double largest_norm2(const Rows& given, const MaybeAnyArray& weight, double bias) {
  return with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto weights = array_beside_rows<const T, 1>(weight, "weight");
    expect(!weights || int64_t(weights->shape(0)) == rows.size, "one weight a row");
    nb::gil_scoped_release unlocked;
    check_all(rows);
    return largest_squared_norm(rows, weights ? weights->data() : nullptr, static_cast<T>(bias));
  });
}

}  // namespace

void bind_linear_unit(nb::module_& m) {
  using namespace nb::literals;
  m.def("descend", &descend, "rows"_a, "y"_a, "weight"_a.none(), nb::kw_only(), "w"_a, "bias"_a, "method"_a, "eta0"_a,
        "power_t"_a, "tol"_a, "max_iter"_a, "seed"_a.none());
  m.def("squared_error", &squared_error, "rows"_a, "y"_a, "weight"_a.none(), "w"_a, "bias"_a);
  m.def("largest_squared_norm", &largest_norm2, "rows"_a, "weight"_a.none(), "bias"_a);
}
