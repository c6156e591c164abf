// Rows of a dense or CSR matrix for the core, without a copy; the order in which a pass visits them.
#include "rows.hpp"

#include <nanobind/stl/optional.h>

#include "base/order.hpp"
#include "base/use_avx2.hpp"

using namespace rosenblatt;

namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

Rows dense_rows(const AnyArray& x) {
  return with_array<Matrix<float>, Matrix<double>>(
      x, "x must be a matrix of float32 or float64", [&]<class T>(const Matrix<T>& rows) {
        expect(rows.shape(0) == 0 || rows.shape(1) <= 1 || rows.stride(1) == 1,
               "dense rows must be contiguous: np.ascontiguousarray(X)");
        return Rows(DenseRows<T>{rows.data(), int64_t(rows.shape(0)), int64_t(rows.shape(1)), rows.stride(0)}, 0,
                    {nb::ndarray<>(rows)});
      });
}

// Without `features`, there are as many as the indices need.
Rows sparse_rows(const AnyArray& data, const AnyArray& indices, const AnyArray& indptr,
                 std::optional<int64_t> features) {
  // The constant feature is one more.
  expect(!features || (*features >= 0 && *features < std::numeric_limits<int64_t>::max()),
         "the number of features must be from 0 to 2^63 - 2");
  const auto make = [&]<class T, class I>(const Array<const T, 1>& values, const Array<const I, 1>& columns,
                                          const Array<const I, 1>& starts) {
    expect(starts.shape(0) >= 1, "indptr must have one entry more than there are rows");
    const auto stored = int64_t(std::min(values.shape(0), columns.shape(0)));
    SparseRows<T, I> rows{values.data(), columns.data(), starts.data(), int64_t(starts.shape(0)) - 1,
                          features.value_or(0)};
    {
      nb::gil_scoped_release unlocked;
      rows.check_starts(stored);
      if (!features) rows.take_features(int64_t(columns.shape(0)));
    }
    return Rows(rows, stored, {nb::ndarray<>(values), nb::ndarray<>(columns), nb::ndarray<>(starts)});
  };
  return with_csr<float, double>(data, "data must be a vector of float32 or float64", indices, indptr, make);
}

void check_rows(const Rows& given) {
  with_rows(given, [](auto& rows) {
    nb::gil_scoped_release unlocked;
    check_all(rows);
  });
}

bool ascending(const Rows& given) {
  bool found = false;
  with_rows(given, [&](const auto& rows) {
    nb::gil_scoped_release unlocked;
    found = columns_ascend(rows);
  });
  return found;
}

NumpyArray<int64_t> order_of(int64_t rows, std::optional<uint64_t> seed, uint64_t pass) {
  expect(rows >= 0 && rows <= Order::kMostRows, "the number of rows must be from 0 to 2^38");
  std::vector<int64_t> visits;
  visits.reserve(static_cast<size_t>(rows));
  Interrupts interrupts;
  Order order(rows, seed.has_value(), seed.value_or(0), pass);
  NoPrefetch none;
  for (int64_t k = 0; k < rows; ++k) {
    interrupts.after(1);
    visits.push_back(order.next(none));
  }
  return to_numpy(std::move(visits));
}

}  // namespace

void bind_rows(nb::module_& m) {
  nb::class_<Rows>(m, "Rows", "The rows of a dense or CSR matrix, float32 or float64, with 32- or 64-bit indices.")
      .def("__len__", &Rows::size)
      .def_prop_ro("features", &Rows::features);
  m.def("check", &check_rows, nb::arg("rows"));
  m.def("ascending", &ascending, nb::arg("rows"),
        "Whether the columns of each row ascend, so that each is there once.");
  m.def("dense_rows", &dense_rows, nb::arg("x"));
  m.def("sparse_rows", &sparse_rows, nb::arg("data"), nb::arg("indices"), nb::arg("indptr"),
        nb::arg("features").none());
  m.def("order", &order_of, nb::arg("rows"), nb::kw_only(), nb::arg("seed").none(), nb::arg("pass_number"));
  m.def("stride", &stride_of, nb::arg("n_machines"),
        "How many weights a feature has where there are so many rows of them.");
  m.def("machine_has_avx2", &machine_has_avx2);
  m.def("use_avx2", &use_avx2, nb::arg("use"));
}
