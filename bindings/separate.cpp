// The engines that decide whether the rows can be separated. Each keeps its state, so that Python runs it in chunks.
#include "separate/separate.hpp"

#include <nanobind/stl/optional.h>

#include <variant>

#include "rows.hpp"
#include "separate/dual_descent.hpp"
#include "separate/peel.hpp"

using namespace rosenblatt;

namespace {

// One class for Python whatever the rows are; they must be doubles.
template <template <class> class Engine>
struct Any {
  std::variant<Engine<DenseRows<double>>, Engine<SparseRows<double, int32_t>>, Engine<SparseRows<double, int64_t>>>
      engine;

  template <class Kind, class... Arguments>
  explicit Any(Kind& rows, Arguments&&... arguments)
      : engine(std::in_place_type<Engine<Kind>>, rows, std::forward<Arguments>(arguments)...) {}
};

// A method or accessor for Python: what `get` makes of the engine, whatever its rows.
template <class Held, class Get>
auto of(Get get) {
  return [get](Held& self) { return std::visit(get, self.engine); };
}

// What `work` makes of rows of doubles.
template <class Work>
auto with_doubles(Rows& given, Work work) {
  return std::visit(
      [&]<class Kind>(Kind& rows) -> std::invoke_result_t<Work, DenseRows<double>&> {
        if constexpr (std::is_same_v<ValueOf<Kind>, double>)
          return work(rows);
        else
          throw nb::type_error("expected rows of float64, found rows of float32");
      },
      given.any);
}

using Nearest = Any<NearestPoint>;

const char* run_nearest(Nearest& self, int64_t passes, double tol) {
  const char* const names[] = {"running", "optimal", "meets", "stalled"};
  nb::gil_scoped_release unlocked;
  return names[int(std::visit([=](auto& engine) { return engine.run(passes, tol); }, self.engine))];
}

void bind_nearest(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Nearest>(
      m, "NearestPoint",
      "The nearest point of the rows' hull to the origin; `run` says running, optimal, meets or stalled.")
      .def(
          "__init__",
          [](Nearest* self, Rows& given, const MaybeVector<int64_t>& corral) {
            const auto start =
                corral ? std::vector<int64_t>(corral->data(), corral->data() + corral->size()) : std::vector<int64_t>();
            nb::gil_scoped_release unlocked;
            with_doubles(given, [&](auto& rows) { new (self) Nearest(rows, start); });
          },
          "rows"_a, "corral"_a = nb::none(), nb::keep_alive<1, 2>())
      .def("run", &run_nearest, "passes"_a, "tol"_a)
      .def_prop_ro("corral", of<Nearest>([](auto& e) { return to_numpy(std::vector(e.corral())); }))
      .def_prop_ro("weights", of<Nearest>([](auto& e) { return to_numpy(std::vector(e.weights())); }))
      .def_prop_ro("point", of<Nearest>([](auto& e) { return to_numpy(e.point()); }))
      .def_prop_ro("length", of<Nearest>([](auto& e) { return e.length(); }))
      .def_prop_ro("lowest", of<Nearest>([](auto& e) { return e.lowest(); }))
      .def_prop_ro("n_passes", of<Nearest>([](auto& e) { return e.n_passes(); }))
      .def_prop_ro("n_steps", of<Nearest>([](auto& e) { return e.n_steps(); }));
}

using Descending = Any<DualDescent>;

void bind_dual_descent(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Descending>(m, "DualDescent",
                         "The largest margin by coordinate descent: it lies between lowest() / |w| and |w| / total.")
      .def(
          "__init__",
          [](Descending* self, Rows& given, uint64_t seed) {
            nb::gil_scoped_release unlocked;
            with_doubles(given, [&](auto& rows) { new (self) Descending(rows, seed); });
          },
          "rows"_a, "seed"_a, nb::keep_alive<1, 2>())
      .def(
          "run", [](Descending& self, int64_t epochs) { std::visit([=](auto& e) { e.run(epochs); }, self.engine); },
          "epochs"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("lowest", of<Descending>([](auto& e) { return e.lowest(); }), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("total", of<Descending>([](auto& e) { return e.total(); }))
      .def_prop_ro("squared_length", of<Descending>([](auto& e) { return e.squared_length(); }))
      .def_prop_ro("alpha", of<Descending>([](auto& e) { return to_numpy(std::vector(e.alpha())); }))
      .def_prop_ro("weights", of<Descending>([](auto& e) { return to_numpy(e.weights()); }));
}

using Peeled = Any<Peel>;

NumpyArray<double> peel_weights(Peeled& self, Array<const double, 1> w) {
  std::vector<double> weights(w.data(), w.data() + w.size());
  std::visit(
      [&](auto& peel) {
        expect(int64_t(weights.size()) == peel.features(), "w must have one weight a column");
        nb::gil_scoped_release unlocked;
        peel.set_weights(weights.data());
      },
      self.engine);
  return to_numpy(std::move(weights));
}

void bind_peel(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Peeled>(m, "Peel",
                     "What peeling left and took: column columns[k] took the rows taken[starts[k]:starts[k + 1]].")
      .def("weights", &peel_weights, "w"_a)
      .def_prop_ro("core", of<Peeled>([](auto& p) { return to_numpy(std::vector(p.core())); }))
      .def_prop_ro("columns", of<Peeled>([](auto& p) { return to_numpy(std::vector(p.columns())); }))
      .def_prop_ro("signs", of<Peeled>([](auto& p) { return to_numpy(std::vector(p.signs())); }))
      .def_prop_ro("taken", of<Peeled>([](auto& p) { return to_numpy(std::vector(p.taken())); }))
      .def_prop_ro("starts", of<Peeled>([](auto& p) { return to_numpy(std::vector(p.starts())); }));
  m.def(
      "peel", [](Rows& given) { return with_doubles(given, [](auto& rows) { return Peeled(rows); }); }, "rows"_a,
      nb::keep_alive<0, 1>(), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

void bind_separate(nb::module_& m) {
  bind_nearest(m);
  bind_dual_descent(m);
  bind_peel(m);
}
