// The engines that decide whether the rows can be separated. Each keeps its state, so that Python runs it in chunks.
#include <nanobind/stl/optional.h>

#include <memory>
#include <variant>

#include "proofs/dual_descent.hpp"
#include "proofs/peel.hpp"
#include "proofs/separate.hpp"
#include "rows.hpp"

using namespace rosenblatt;

namespace {

// One class for Python for dense and sparse rows of doubles. It has a rows object of its own, on the same memory.
template <template <class> class Engine>
class Any {
 public:
  template <class... Arguments>
  explicit Any(const Rows& given, Arguments&&... arguments) : given_(given) {
    with_rows(given, [&]<class Kind>(Kind& rows) {
      if constexpr (std::is_same_v<ValueOf<Kind>, double>) {
        nb::gil_scoped_release unlocked;
        held_ = std::make_unique<Of<Kind>>(rows, std::forward<Arguments>(arguments)...);
      } else {
        throw nb::type_error("expected rows of float64, found rows of float32");
      }
    });
  }

  // The result of `get`, which does not read the rows.
  template <class Get>
  auto ask(Get get) {
    return std::visit([&](auto& held) { return get(held->engine); }, held_);
  }
  // The same for a slow function that reads the rows, which Python may have changed since the last call.
  template <class Get>
  auto work(Get get) {
    auto rows = given_.for_a_call();
    nb::gil_scoped_release unlocked;
    std::visit([](auto& any) { check_columns(any); }, rows);
    return ask(get);
  }

 private:
  template <class Kind>
  struct Of {
    Kind rows;
    Engine<Kind> engine;

    template <class... Arguments>
    explicit Of(const Kind& given, Arguments&&... arguments)
        : rows(given), engine(rows, std::forward<Arguments>(arguments)...) {}
  };
  template <class Kind>
  using Held = std::unique_ptr<Of<Kind>>;

  Rows given_;
  std::variant<Held<DenseRows<double>>, Held<SparseRows<double, int32_t>>, Held<SparseRows<double, int64_t>>> held_;
};

// An accessor for Python.
template <class Held, class Get>
auto of(Get get) {
  return [get](Held& self) { return self.ask(get); };
}

using Nearest = Any<NearestPoint>;

const char* run_nearest(Nearest& self, int64_t passes, double tol) {
  const char* const names[] = {"running", "optimal", "meets", "stalled"};
  expect_visits(self.ask([](auto& engine) { return engine.n_passes(); }), passes);
  expect(tol >= 0 && tol < 1, "tol must be from 0 to below 1");
  return names[int(self.work([=](auto& engine) { return engine.run(passes, tol); }))];
}

void bind_nearest(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Nearest>(
      m, "NearestPoint",
      "The nearest point of the rows' hull to the origin; `run` says running, optimal, meets or stalled.")
      .def(
          "__init__",
          [](Nearest* self, const Rows& given, const MaybeVector<int64_t>& corral) {
            const auto start =
                corral ? std::vector<int64_t>(corral->data(), corral->data() + corral->size()) : std::vector<int64_t>();
            new (self) Nearest(given, start);
          },
          "rows"_a, "corral"_a = nb::none())
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
      .def(nb::init<const Rows&, uint64_t>(), "rows"_a, "seed"_a)
      .def(
          "run", [](Descending& self, int64_t epochs) { self.work([=](auto& e) { e.run(epochs); }); }, "epochs"_a)
      .def("lowest", [](Descending& self) { return self.work([](auto& e) { return e.lowest(); }); })
      .def_prop_ro("total", of<Descending>([](auto& e) { return e.total(); }))
      .def_prop_ro("squared_length", of<Descending>([](auto& e) { return e.squared_length(); }))
      .def_prop_ro("alpha", of<Descending>([](auto& e) { return to_numpy(std::vector(e.alpha())); }))
      .def_prop_ro("weights", of<Descending>([](auto& e) { return to_numpy(e.weights()); }));
}

using Peeled = Any<Peel>;

NumpyArray<double> peel_weights(Peeled& self, Array<const double, 1> w) {
  std::vector<double> weights(w.data(), w.data() + w.size());
  expect(int64_t(weights.size()) == self.ask([](auto& peel) { return peel.features(); }),
         "w must have one weight a column");
  self.work([&](auto& peel) { peel.set_weights(weights.data()); });
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
  m.def("peel", [](const Rows& given) { return Peeled(given); }, "rows"_a);
}

}  // namespace

void bind_separate(nb::module_& m) {
  bind_nearest(m);
  bind_dual_descent(m);
  bind_peel(m);
}
