// The rows of a matrix as Python holds them: one class, whatever their kind.
#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "loop/rows.hpp"

// With the Python objects that own their memory.
struct Rows {
  std::variant<rosenblatt::DenseRows<float>, rosenblatt::DenseRows<double>, rosenblatt::SparseRows<float, int32_t>,
               rosenblatt::SparseRows<double, int32_t>, rosenblatt::SparseRows<float, int64_t>,
               rosenblatt::SparseRows<double, int64_t>>
      any;
  std::vector<nb::object> owners;
};

template <class Kind>
using ValueOf = typename std::remove_cvref_t<Kind>::Value;

// What `work` makes of the arrays of a CSR matrix, whose values are of one of these types.
template <class... Values, class Work>
auto with_csr(const AnyArray& data, const char* expected, const AnyArray& indices, const AnyArray& indptr, Work work) {
  const auto with_indices = [&](const auto& values) {
    const auto with_starts = [&]<class Columns>(const Columns& columns) {
      return with_array<Columns>(indptr, "the starts of rows must be a vector of the type of the indices",
                                 [&](const Columns& starts) { return work(values, columns, starts); });
    };
    return with_array<Array<const int32_t, 1>, Array<const int64_t, 1>>(
        indices, "indices must be a vector of int32 or int64", with_starts);
  };
  return with_array<Array<const Values, 1>...>(data, expected, with_indices);
}
