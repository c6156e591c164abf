// Arrays in, arrays out: the array types of the bindings, and the rows of a matrix as Python holds them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

#include "loop/rows.hpp"

namespace nb = nanobind;

template <class T, int N>
using Array = nb::ndarray<T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
template <class T>
using MaybeVector = std::optional<Array<const T, 1>>;

// Rows with the Python objects that own their memory.
template <class Rows>
struct Held {
  Rows rows;
  std::vector<nb::object> owners;
};

template <class T>
using Dense = Held<rosenblatt::DenseRows<T>>;
template <class T, class I>
using Sparse = Held<rosenblatt::SparseRows<T, I>>;

// Calls bind(module, Held<Rows>) for each kind of rows.
template <class Bind>
void for_each_rows(Bind bind) {
  bind.template operator()<Dense<float>>("DenseRows32");
  bind.template operator()<Dense<double>>("DenseRows64");
  bind.template operator()<Sparse<float, int32_t>>("SparseRows32");
  bind.template operator()<Sparse<double, int32_t>>("SparseRows64");
  bind.template operator()<Sparse<float, int64_t>>("SparseRows32Long");
  bind.template operator()<Sparse<double, int64_t>>("SparseRows64Long");
}

// A numpy array that owns the vector's memory.
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void bind_rows(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_linear_unit(nb::module_& m);
void bind_separate(nb::module_& m);
void bind_svmlight(nb::module_& m);
void bind_kernel(nb::module_& m);
void bind_corpus(nb::module_& m);
void bind_conll(nb::module_& m);
void bind_chain(nb::module_& m);
