// Rows of a dense or CSR matrix for the core, without a copy; the order in which a pass visits them.
#include "rows.hpp"

#include <nanobind/stl/optional.h>

#include "loop/order.hpp"

using namespace rosenblatt;

namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

Rows dense_rows(const AnyArray& x) {
  return with_array<Matrix<float>, Matrix<double>>(
      x, "x must be a matrix of float32 or float64", [&]<class T>(const Matrix<T>& rows) {
        expect(rows.shape(1) <= 1 || rows.stride(1) == 1, "dense rows must be contiguous: np.ascontiguousarray(X)");
        return Rows{DenseRows<T>{rows.data(), int64_t(rows.shape(0)), int64_t(rows.shape(1)), rows.stride(0)}, {x}};
      });
}

// Without `features`, there are as many as the indices need, which are then known to be right.
Rows sparse_rows(const AnyArray& data, const AnyArray& indices, const AnyArray& indptr,
                 std::optional<int64_t> features) {
  const auto make = [&]<class T, class I>(const Array<const T, 1>& values, const Array<const I, 1>& columns,
                                          const Array<const I, 1>& starts) {
    expect(starts.shape(0) >= 1, "indptr must have one entry more than there are rows");
    SparseRows<T, I> rows{values.data(), columns.data(), starts.data(), int64_t(starts.shape(0)) - 1,
                          features.value_or(0)};
    {
      nb::gil_scoped_release unlocked;
      rows.check_starts(int64_t(std::min(values.shape(0), columns.shape(0))));
      if (!features) rows.take_features(int64_t(columns.shape(0)));
    }
    return Rows{rows, {data, indices, indptr}};
  };
  return with_csr<float, double>(data, "data must be a vector of float32 or float64", indices, indptr, make);
}

struct NoPrefetch {
  void prefetch_row(int64_t) const {}
  void prefetch_index(int64_t, int64_t) const {}
};

NumpyArray<int64_t> order_of(int64_t rows, std::optional<uint64_t> seed, uint64_t pass) {
  expect(rows >= 0, "the number of rows must not be negative");
  Order order(rows, seed.has_value(), seed.value_or(0), pass);
  std::vector<int64_t> visits(static_cast<size_t>(rows));
  for (auto& row : visits) row = order.next(NoPrefetch{});
  return to_numpy(std::move(visits));
}

}  // namespace

void bind_rows(nb::module_& m) {
  nb::class_<Rows>(m, "Rows", "The rows of a dense or CSR matrix, float32 or float64, with 32- or 64-bit indices.")
      .def("__len__", [](const Rows& self) { return std::visit([](const auto& rows) { return rows.size; }, self.any); })
      .def_prop_ro("features", [](const Rows& self) {
        return std::visit([](const auto& rows) { return rows.features; }, self.any);
      });
  m.def(
      "check", [](Rows& given) { std::visit([](auto& rows) { check_all(rows); }, given.any); }, nb::arg("rows"),
      nb::call_guard<nb::gil_scoped_release>());
  m.def("dense_rows", &dense_rows, nb::arg("x"));
  m.def("sparse_rows", &sparse_rows, nb::arg("data"), nb::arg("indices"), nb::arg("indptr"),
        nb::arg("features").none());
  m.def("order", &order_of, nb::arg("rows"), nb::kw_only(), nb::arg("seed").none(), nb::arg("pass_number"));
  m.def("machine_has_avx2", &machine_has_avx2);
  m.def("use_avx2", [](bool use) { use_avx2 = use && machine_has_avx2(); }, nb::arg("use"));
}
