// The linear unit: a run of gradient descent, E with its gradient, and the longest row.
#include "neighbours/linear_unit.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <string>

#include "arrays.hpp"

using namespace rosenblatt;

namespace {

// Lets Python see a Ctrl-C now and then; its exception ends the run.
class Interrupts {
 public:
  void operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <class Rows, class T>
LinearUnit<Rows> unit_of(Rows& rows, const Array<const T, 1>& y, const MaybeVector<T>& weight, T* w, size_t size,
                         double bias) {
  expect(int64_t(y.shape(0)) == rows.size, "one target a row");
  expect(!weight || int64_t(weight->shape(0)) == rows.size, "one weight a row");
  expect(int64_t(size) == rows.features + 1, "the weights must have one entry more than the rows have features");
  check_all(rows);
  return {rows, y.data(), weight ? weight->data() : nullptr, static_cast<T>(bias), w};
}

template <class H, class T>
nb::tuple descend(H& held, Array<const T, 1> y, MaybeVector<T> weight, Array<T, 1> w, double bias,
                  const std::string& method, double eta0, double power_t, double tol, int64_t max_iter,
                  std::optional<uint64_t> seed) {
  expect(method == "batch" || method == "stochastic", "method must be batch or stochastic");
  const DescentPlan plan{method == "batch" ? Descent::batch : Descent::stochastic,
                         eta0,
                         power_t,
                         tol,
                         max_iter,
                         seed.has_value(),
                         seed.value_or(0)};
  auto unit = unit_of(held.rows, y, weight, w.data(), w.size(), bias);
  std::vector<double> losses;
  Outcome outcome;
  {
    nb::gil_scoped_release unlocked;
    outcome = unit.run(plan, losses, Interrupts());
  }
  const char* const words[] = {"converged", "out of passes", "diverged"};
  return nb::make_tuple(to_numpy(std::move(losses)), words[int(outcome)]);
}

template <class H, class T>
nb::tuple squared_error(H& held, Array<const T, 1> y, MaybeVector<T> weight, Array<const T, 1> w, double bias) {
  auto unit = unit_of(held.rows, y, weight, static_cast<T*>(nullptr), w.size(), bias);
  double loss;
  {
    nb::gil_scoped_release unlocked;
    loss = unit.look(w.data());
  }
  auto gradient = unit.downhill();
  for (double& g : gradient) g = -g;
  return nb::make_tuple(loss, to_numpy(std::move(gradient)));
}

template <class H, class T>
double largest_norm2(H& held, MaybeVector<T> weight, double bias) {
  expect(!weight || int64_t(weight->shape(0)) == held.rows.size, "one weight a row");
  nb::gil_scoped_release unlocked;
  check_all(held.rows);
  return largest_squared_norm(held.rows, weight ? weight->data() : nullptr, static_cast<T>(bias));
}

}  // namespace

void bind_linear_unit(nb::module_& m) {
  using namespace nb::literals;
  for_each_rows([&]<class H>(const char*) {
    using T = typename decltype(H::rows)::Value;
    m.def("descend", &descend<H, T>, "rows"_a, "y"_a.noconvert(), "weight"_a.noconvert().none(), nb::kw_only(),
          "w"_a.noconvert(), "bias"_a, "method"_a, "eta0"_a, "power_t"_a, "tol"_a, "max_iter"_a, "seed"_a.none());
    m.def("squared_error", &squared_error<H, T>, "rows"_a, "y"_a.noconvert(), "weight"_a.noconvert().none(),
          "w"_a.noconvert(), "bias"_a);
    m.def("largest_squared_norm", &largest_norm2<H, T>, "rows"_a, "weight"_a.noconvert().none(), "bias"_a);
  });
}
