// The kernel perceptron: values from dot products, the dual pass over a block, votes, budgets.
#include "kernel/kernel.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "enum_names.hpp"
#include "kernel/kernel_pass.hpp"
#include "kernel/kernel_readout.hpp"

using namespace rosenblatt;

namespace {

Kernel make_kernel(const std::string& kind, double gamma, double coef0, int64_t degree) {
  const auto of_kind = value_named<KernelKind>(kind, {{"linear", KernelKind::linear},
                                                      {"poly", KernelKind::poly},
                                                      {"rbf", KernelKind::rbf},
                                                      {"sigmoid", KernelKind::sigmoid}});
  expect(degree >= 0, "degree must not be negative");
  return {of_kind, gamma, coef0, degree};
}

// The result of `work` for a matrix of floats or of doubles.
template <class Work>
auto with_values(const AnyArray& given, const char* expected, Work work) {
  return with_array<Array<const float, 2>, Array<const double, 2>>(given, expected, work);
}

void fill_values(const Kernel& kernel, const AnyArray& given, const MaybeAnyArray& given_row_norm2,
                 const MaybeAnyArray& given_column_norm2) {
  const auto fill = [&]<class T>(const Array<T, 2>& dots) {
    const auto rows = int64_t(dots.shape(0)), columns = int64_t(dots.shape(1));
    const auto row_norm2 = array_beside_rows<const T, 1>(given_row_norm2, "row_norm2");
    const auto column_norm2 = array_beside_rows<const T, 1>(given_column_norm2, "column_norm2");
    if (kernel.kind == KernelKind::rbf)
      expect(row_norm2 && column_norm2 && int64_t(row_norm2->shape(0)) == rows &&
                 int64_t(column_norm2->shape(0)) == columns,
             "one squared length a row, on both sides");
    nb::gil_scoped_release unlocked;
    kernel_values(kernel, dots.data(), rows, columns, row_norm2 ? row_norm2->data() : nullptr,
                  column_norm2 ? column_norm2->data() : nullptr);
  };
  with_array<Array<float, 2>, Array<double, 2>>(
      given, "dots must be a C-contiguous matrix of float32 or float64 that can be written to", fill);
}

// score[cls] += tau * values[row], for each of the triples, rows ascending; the tiles have the values, one below
// another.
template <class T>
void add_values(const std::vector<Array<const T, 2>>& tiles, const Array<const int64_t, 1>& row,
                const Array<const int32_t, 1>& cls, const Array<const double, 1>& tau, const Array<double, 2>& score) {
  const auto size = int64_t(score.shape(1));
  int64_t rows = 0;
  for (const auto& tile : tiles) {
    expect(int64_t(tile.shape(1)) == size, "as many scores as values a row");
    rows += int64_t(tile.shape(0));
  }
  expect(row.size() == cls.size() && cls.size() == tau.size(), "coefficients are ragged");
  for (size_t k = 0; k < row.size(); ++k)
    expect(row(k) >= (k ? row(k - 1) : 0) && row(k) < rows && cls(k) >= 0 && cls(k) < int32_t(score.shape(0)),
           "a coefficient is out of range");
  nb::gil_scoped_release unlocked;
  int64_t first = 0;
  size_t k = 0;
  for (const auto& tile : tiles) {
    const int64_t end = first + int64_t(tile.shape(0));
    for (; k < row.size() && row(k) < end; ++k)
      add_kernel_row(score.data() + cls(k) * size, tau(k), tile.data() + (row(k) - first) * size, size);
    first = end;
  }
}

void expect_block(Array<const int64_t, 1> order, Array<const int32_t, 1> target, MaybeVector<double> weight,
                  int64_t machines) {
  const auto size = order.shape(0);
  expect(target.shape(0) == size && (!weight || weight->shape(0) == size), "one target and weight a row");
  for (size_t p = 0; p < size; ++p)
    expect(order(p) >= 0 && order(p) < int64_t(size) && target(p) >= 0 && target(p) < std::max(machines, int64_t{2}),
           "an order or a target is out of range");
}

// The next position, mistakes, loss, updates, the rows that are needed next, and the events: visit, row, class, step,
// and the squared length after the event.
using Visited = std::tuple<int64_t, int64_t, double, int64_t, NumpyArray<int64_t>, NumpyArray<int64_t>,
                           NumpyArray<int64_t>, NumpyArray<int32_t>, NumpyArray<double>, NumpyArray<double>>;

Visited visit_block(const Rule& rule, Array<const int64_t, 1> order, Array<const int32_t, 1> target,
                    MaybeVector<double> weight, Array<double, 2> score, const AnyArray& given_gram,
                    Array<const int32_t, 1> place, Array<uint8_t, 1> held, Array<double, 1> norm2, int64_t room,
                    bool wait, int64_t first, int64_t visits) {
  const auto size = order.shape(0);
  const auto machines = int32_t(score.shape(0));
  expect_block(order, target, weight, machines);
  expect(first >= 0 && first <= int64_t(size), "the first position must be within the block");
  expect(room >= 0, "room must not be negative");
  expect_visits(visits, int64_t(size));
  const auto run = [&]<class T>(const Array<const T, 2>& gram) {
    expect(machines >= 1 && score.shape(1) == size && place.shape(0) == size && held.shape(0) == size &&
               norm2.shape(0) == size_t(machines) && (gram.shape(0) == 0 || gram.shape(1) == size),
           "a block is ragged");
    for (size_t i = 0; i < size; ++i) expect(place(i) < int32_t(gram.shape(0)), "a kernel row is out of range");
    const KernelBlock<T> block{int64_t(size), order.data(), target.data(), weight ? weight->data() : nullptr,
                               score.data(),  gram.data(),  place.data(),  held.data()};
    KernelPass<T> pass(rule, machines, norm2.data(), room, wait ? WhenFull::wait : WhenFull::pass_over);
    nb::gil_scoped_release unlocked;
    return pass.run(block, first, visits);
  };
  DualResult result = with_values(given_gram, "gram must be a C-contiguous matrix of float32 or float64", run);
  std::vector<int64_t> visit, row;
  std::vector<int32_t> cls;
  std::vector<double> tau, after;
  for (const auto& event : result.events) {
    visit.push_back(event.visit);
    row.push_back(event.row);
    cls.push_back(event.cls);
    tau.push_back(event.tau);
    after.push_back(event.norm2);
  }
  return {result.next,
          result.mistakes,
          result.loss,
          result.updates,
          to_numpy(std::move(result.wanted)),
          to_numpy(std::move(visit)),
          to_numpy(std::move(row)),
          to_numpy(std::move(cls)),
          to_numpy(std::move(tau)),
          to_numpy(std::move(after))};
}

template <class T>
void fill_votes(const Array<const T, 2>& values, const Array<const int64_t, 1>& visit,
                const Array<const int64_t, 1>& row, const Array<const int32_t, 1>& cls,
                const Array<const double, 1>& tau, const Array<const double, 1>& norm2, int64_t first, int64_t last,
                int32_t machines, Tie tie, bool normalise, const Array<double, 2>& votes) {
  const auto rows = int64_t(values.shape(1));
  expect(
      visit.size() == row.size() && row.size() == cls.size() && cls.size() == tau.size() && tau.size() == norm2.size(),
      "events are ragged");
  expect(0 <= first && first <= last, "visits must be from 0 on, the first not after the last");
  expect_rising(visit);
  expect(machines >= 1 && int64_t(votes.shape(0)) == std::max(machines, 2) && int64_t(votes.shape(1)) == rows,
         "votes must be classes x rows");
  std::vector<DualEvent> events;
  for (size_t e = 0; e < visit.size(); ++e) {
    expect(row(e) >= 0 && row(e) < int64_t(values.shape(0)) && cls(e) >= 0 && cls(e) < machines,
           "an event is out of range");
    events.push_back({visit(e), row(e), cls(e), tau(e), norm2(e)});
  }
  nb::gil_scoped_release unlocked;
  kernel_vote(values.data(), rows, events, first, last, machines, tie, normalise, votes.data());
}

}  // namespace

void bind_kernel(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Kernel>(m, "Kernel")
      .def(
          "__init__",
          [](Kernel* self, const std::string& kind, double gamma, double coef0, int64_t degree) {
            new (self) Kernel(make_kernel(kind, gamma, coef0, degree));
          },
          nb::kw_only(), "kind"_a, "gamma"_a, "coef0"_a, "degree"_a);
  m.def("kernel_values", &fill_values, "kernel"_a, "dots"_a, "row_norm2"_a.none(), "column_norm2"_a.none());
  m.def(
      "kernel_add",
      [](const std::vector<AnyArray>& given, Array<const int64_t, 1> row, Array<const int32_t, 1> cls,
         Array<const double, 1> tau, Array<double, 2> score) {
        expect(!given.empty() || row.size() == 0, "a coefficient is out of range");
        if (given.empty()) return;
        const auto add = [&]<class T>(const Array<const T, 2>&) {
          std::vector<Array<const T, 2>> tiles;
          for (const AnyArray& tile : given) tiles.push_back(array_beside_rows<const T, 2>(tile, "a tile"));
          add_values(tiles, row, cls, tau, score);
        };
        with_values(given[0], "a tile must be a C-contiguous matrix of float32 or float64", add);
      },
      "tiles"_a, "row"_a, "cls"_a, "tau"_a, "score"_a.noconvert());
  m.def("kernel_visit", &visit_block, "rule"_a, nb::kw_only(), "order"_a, "target"_a, "weight"_a.none(),
        "score"_a.noconvert(), "gram"_a, "place"_a, "held"_a.noconvert(), "norm2"_a.noconvert(), "room"_a, "wait"_a,
        "first"_a, "visits"_a);
  m.def(
      "kernel_vote",
      [](const AnyArray& given, Array<const int64_t, 1> visit, Array<const int64_t, 1> row, Array<const int32_t, 1> cls,
         Array<const double, 1> tau, Array<const double, 1> norm2, int64_t first, int64_t last, int32_t machines,
         const std::string& tie, bool normalise, Array<double, 2> votes) {
        with_values(given, "values must be a C-contiguous matrix of float32 or float64", [&](const auto& values) {
          fill_votes(values, visit, row, cls, tau, norm2, first, last, machines, tie_named(tie), normalise, votes);
        });
      },
      "values"_a, "visit"_a, "row"_a, "cls"_a, "tau"_a, "norm2"_a, nb::kw_only(), "first"_a, "last"_a, "n_machines"_a,
      "tie"_a, "normalise"_a, "votes"_a.noconvert());
}
