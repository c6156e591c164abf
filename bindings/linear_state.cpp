// _core.LinearState: it shares the memory of numpy arrays, and shows it to Python as arrays.
#include "linear_state.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "unlocked.hpp"

using namespace rosenblatt;

namespace {

enum class Field { w, spread, sums, pocket };

template <Field field, class T>
auto& field_of(LinearState<T>& state) {
  if constexpr (field == Field::w) return state.w;
  if constexpr (field == Field::spread) return state.spread;
  if constexpr (field == Field::sums) return state.sums;
  if constexpr (field == Field::pocket) return state.pocket;
}

// The memory of a numpy array, which lives at least as long as every object that shares it.
template <class T, class A>
std::shared_ptr<const T[]> memory_of(A array) {
  const T* const values = array.data();
  return {values, [array = std::move(array)](const T*) mutable {
            nb::gil_scoped_acquire locked;
            array = A();
          }};
}

template <class T>
SharedArray<T> shared(const AnyArray& given, const char* name, size_t rows, size_t stride) {
  const auto checked = [&](auto array) {
    expect(array.shape(0) == rows && array.shape(1) == stride, "arrays of a state must have the shape of its weights");
    return array;
  };
  if (Array<T, 2> array; nb::try_cast(given, array, false)) return {memory_of<T>(checked(array)), array.data()};
  return {memory_of<T>(checked(array_beside_rows<const T, 2>(given, name))), nullptr};
}

template <Field field>
void set(AnyLinearState& self, const MaybeAnyArray& given) {
  constexpr const char* kNames[] = {"w", "spread", "sums", "pocket"};
  std::visit(
      [&]<class T>(LinearState<T>& state) {
        auto& array = field_of<field>(state);
        using Value = std::remove_const_t<std::remove_pointer_t<decltype(array.data())>>;
        const auto rows = size_t(state.features + 1), stride = size_t(state.stride);
        array = given ? shared<Value>(*given, kNames[int(field)], rows, stride) : SharedArray<Value>();
      },
      self.of);
}

// Shares the memory, so that it lives as long as the numpy array does.
template <class T>
AnyArray view_of(const SharedArray<T>& array, int64_t rows, int64_t stride) {
  auto* const shared = new SharedArray<T>(array);
  nb::capsule owner(shared, [](void* p) noexcept { delete static_cast<SharedArray<T>*>(p); });
  const std::initializer_list<size_t> shape{size_t(rows), size_t(stride)};
  if (array.is_writable())
    return AnyArray(nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(shared->data(), shape, owner)));
  return AnyArray(nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<2>>(array.data(), shape, owner)));
}

template <Field field>
MaybeAnyArray get(AnyLinearState& self) {
  return std::visit(
      [](auto& state) -> MaybeAnyArray {
        const auto& array = field_of<field>(state);
        return array ? std::optional(view_of(array, state.features + 1, state.stride)) : std::nullopt;
      },
      self.of);
}

AnyLinearState state_of(const AnyArray& w, int32_t machines, double bias, int64_t visits, int64_t unaveraged,
                        const MaybeAnyArray& spread, const MaybeAnyArray& sums, const MaybeAnyArray& pocket,
                        double pocket_errors, bool keep_mistakes) {
  expect_visits(visits, 0);
  expect(unaveraged >= 0, "the visits that are not averaged must not be negative");
  expect(pocket_errors >= 0, "the errors of the pocket must not be negative");
  const auto make = [&]<class T>(const Array<const T, 2>& array) {
    LinearState<T> state(weights_of(array, machines, bias).features, machines, bias, {});
    state.visits = visits;
    state.unaveraged = unaveraged;
    state.pocket_errors = pocket_errors;
    state.keeps_mistakes = keep_mistakes;
    return AnyLinearState{std::move(state)};
  };
  auto state = with_array<Array<const float, 2>, Array<const double, 2>>(
      w, "w must be C-contiguous, of float32 or float64, in 2 dimensions", make);
  set<Field::w>(state, w);
  set<Field::spread>(state, spread);
  set<Field::sums>(state, sums);
  set<Field::pocket>(state, pocket);
  return state;
}

AnyArray average_of(const AnyLinearState& self, double unit) {
  expect(std::isfinite(unit), "unit must be finite");
  return std::visit(
      [&]<class T>(const LinearState<T>& given) {
        expect(bool(given.sums), "an average needs sums");
        const LinearState<T> state = given;
        std::shared_ptr<T[]> mean(new T[size_t(state.size())]);
        unlocked([&] { state.fill_average(static_cast<T>(unit), mean.get()); });
        return view_of(SharedArray<T>(mean, mean.get()), state.features + 1, state.stride);
      },
      self.of);
}

// Visit, row, class and step of each mistake since the last call.
using Mistakes = std::tuple<NumpyArray<int64_t>, NumpyArray<int64_t>, NumpyArray<int32_t>, NumpyArray<double>>;

Mistakes take_mistakes(AnyLinearState& self) {
  std::vector<int64_t> visit, row;
  std::vector<int32_t> cls;
  std::vector<double> tau;
  std::visit(
      [&](auto& state) {
        for (const auto& event : std::exchange(state.mistakes, {})) {
          visit.push_back(event.visit);
          row.push_back(event.row);
          cls.push_back(event.cls);
          tau.push_back(event.tau);
        }
      },
      self.of);
  return {to_numpy(std::move(visit)), to_numpy(std::move(row)), to_numpy(std::move(cls)), to_numpy(std::move(tau))};
}

}  // namespace

nb::class_<AnyLinearState> bind_linear_state(nb::module_& m) {
  using namespace nb::literals;
  const auto maybe = nb::for_setter(nb::arg("array").none());
  const auto number = [](auto read) {
    return [read](const AnyLinearState& self) { return std::visit(read, self.of); };
  };
  return nb::class_<AnyLinearState>(
             m, "LinearState",
             "All that passes of a linear run change; arrays are shared, not copied. `run` gives the mistakes and the "
             "loss of each pass, and the updates of all, `take_mistakes` the visit, row, class and step of each "
             "mistake "
             "kept, `play` the class that each row was taken for, rows, mistakes and updates.")
      .def(
          "__init__",
          [](AnyLinearState* self, const AnyArray& w, int32_t machines, double bias, int64_t visits, int64_t unaveraged,
             const MaybeAnyArray& spread, const MaybeAnyArray& sums, const MaybeAnyArray& pocket, double pocket_errors,
             bool keep_mistakes) {
            new (self) AnyLinearState(
                state_of(w, machines, bias, visits, unaveraged, spread, sums, pocket, pocket_errors, keep_mistakes));
          },
          "w"_a, "n_machines"_a, "bias"_a, nb::kw_only(), "visits"_a = 0, "unaveraged"_a = 0, "spread"_a = nb::none(),
          "sums"_a = nb::none(), "pocket"_a = nb::none(), "pocket_errors"_a = std::numeric_limits<double>::infinity(),
          "keep_mistakes"_a = false)
      .def_prop_rw(
          "w", [](AnyLinearState& self) { return *get<Field::w>(self); },
          [](AnyLinearState& self, const AnyArray& array) { set<Field::w>(self, array); })
      .def_prop_rw("spread", &get<Field::spread>, &set<Field::spread>, maybe)
      .def_prop_rw("sums", &get<Field::sums>, &set<Field::sums>, maybe)
      .def_prop_rw("pocket", &get<Field::pocket>, &set<Field::pocket>, maybe)
      .def_prop_ro("n_machines", number([](const auto& state) { return state.machines; }))
      .def_prop_ro("n_features", number([](const auto& state) { return state.features; }))
      .def_prop_ro("bias", number([](const auto& state) { return state.bias; }))
      .def_prop_rw("visits", number([](const auto& state) { return state.visits; }),
                   [](AnyLinearState& self, int64_t visits) {
                     expect_visits(visits, 0);
                     std::visit([=](auto& state) { state.visits = visits; }, self.of);
                   })
      .def_prop_ro("unaveraged", number([](const auto& state) { return state.unaveraged; }))
      .def_prop_ro("pocket_errors", number([](const auto& state) { return state.pocket_errors; }))
      .def("average", &average_of, "unit"_a)
      .def("take_mistakes", &take_mistakes);
}
