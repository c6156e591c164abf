// Rows of a dense or CSR matrix for the core, without a copy; the order in which a pass visits them.
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "loop/order.hpp"

using namespace rosenblatt;

namespace {

template <class T>
Dense<T> dense_rows(nb::ndarray<const T, nb::ndim<2>, nb::device::cpu> x) {
  expect(x.shape(1) <= 1 || x.stride(1) == 1, "dense rows must be contiguous: np.ascontiguousarray(X)");
  return {{x.data(), int64_t(x.shape(0)), int64_t(x.shape(1)), x.stride(0)}, {nb::cast(x)}};
}

// Without `features`, there are as many as the indices need, which are then known to be right.
template <class T, class I>
Sparse<T, I> sparse_rows(Array<const T, 1> data, Array<const I, 1> indices, Array<const I, 1> indptr,
                         std::optional<int64_t> features) {
  expect(indptr.shape(0) >= 1, "indptr must have one entry more than there are rows");
  SparseRows<T, I> rows{data.data(), indices.data(), indptr.data(), int64_t(indptr.shape(0)) - 1, features.value_or(0)};
  nb::gil_scoped_release unlocked;
  rows.check_starts(int64_t(std::min(data.shape(0), indices.shape(0))));
  if (!features) rows.take_features(int64_t(indices.shape(0)));
  nb::gil_scoped_acquire locked;
  return {rows, {nb::cast(data), nb::cast(indices), nb::cast(indptr)}};
}

struct NoPrefetch {
  void prefetch_row(int64_t) const {}
  void prefetch_index(int64_t, int64_t) const {}
};

nb::object order_of(int64_t rows, std::optional<uint64_t> seed, uint64_t pass) {
  expect(rows >= 0, "the number of rows must not be negative");
  Order order(rows, seed.has_value(), seed.value_or(0), pass);
  std::vector<int64_t> visits(static_cast<size_t>(rows));
  for (auto& row : visits) row = order.next(NoPrefetch{});
  return to_numpy(std::move(visits));
}

}  // namespace

void bind_rows(nb::module_& m) {
  for_each_rows([&]<class H>(const char* name) {
    nb::class_<H>(m, name)
        .def("__len__", [](const H& h) { return h.rows.size; })
        .def_prop_ro("features", [](const H& h) { return h.rows.features; });
    m.def("check", [](H& h) { check_all(h.rows); }, nb::arg("rows"), nb::call_guard<nb::gil_scoped_release>());
  });
  m.def("dense_rows", &dense_rows<float>, nb::arg("x").noconvert());
  m.def("dense_rows", &dense_rows<double>, nb::arg("x").noconvert());
  const auto sparse = [&](auto* function) {
    m.def("sparse_rows", function, nb::arg("data").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("indptr").noconvert(), nb::arg("features").none());
  };
  sparse(&sparse_rows<float, int32_t>);
  sparse(&sparse_rows<double, int32_t>);
  sparse(&sparse_rows<float, int64_t>);
  sparse(&sparse_rows<double, int64_t>);
  m.def("order", &order_of, nb::arg("rows"), nb::kw_only(), nb::arg("seed").none(), nb::arg("pass_number"));
  m.def("machine_has_avx2", &machine_has_avx2);
  m.def("use_avx2", [](bool use) { use_avx2 = use && machine_has_avx2(); }, nb::arg("use"));
}
