// The rows of a matrix as Python holds them: one class, whatever their kind.
#pragma once

#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "base/rows.hpp"

template <class Kind>
constexpr bool kIsSparse = !std::is_same_v<Kind, rosenblatt::DenseRows<typename Kind::Value>>;

// With what owns their memory. Python may write to its arrays between two calls, so each call looks again at what the
// core relies on: at the starts of rows before it begins, at the columns of a row before it uses them. What another
// thread writes while a call reads is not guarded against: that is a race in Python too.
class Rows {
 public:
  using Any = std::variant<rosenblatt::DenseRows<float>, rosenblatt::DenseRows<double>,
                           rosenblatt::SparseRows<float, int32_t>, rosenblatt::SparseRows<double, int32_t>,
                           rosenblatt::SparseRows<float, int64_t>, rosenblatt::SparseRows<double, int64_t>>;

  // Of arrays, which are held, so that none can move; sparse rows have `stored` values.
  Rows(Any any, int64_t stored, std::vector<nb::ndarray<>> arrays)
      : any_(std::move(any)), stored_(stored), arrays_(std::move(arrays)) {}
  // Of memory of our own, which Python cannot write to; `is_there` says until when it has these rows.
  Rows(Any any, nb::object owner, std::function<bool()> is_there)
      : any_(std::move(any)), owner_(std::move(owner)), is_there_(std::move(is_there)) {}

  // For one call. Rows that are not `checked` are looked at as the core comes to them.
  Any for_a_call() const {
    Any any = any_;
    if (is_there_) {
      expect(is_there_(), "the reader has read another block since: ask it for its rows again");
      return any;
    }
    std::visit(
        [&]<class Kind>(Kind& rows) {
          rows.checked = false;
          if constexpr (kIsSparse<Kind>) rows.check_starts(stored_);
        },
        any);
    return any;
  }

  int64_t size() const {
    return std::visit([](const auto& rows) { return rows.size; }, any_);
  }
  int64_t features() const {
    return std::visit([](const auto& rows) { return rows.features; }, any_);
  }

 private:
  Any any_;
  int64_t stored_ = 0;
  std::vector<nb::ndarray<>> arrays_;
  nb::object owner_;
  std::function<bool()> is_there_;
};

template <class Kind>
using ValueOf = typename std::remove_cvref_t<Kind>::Value;

// What `work` makes of the rows, which are its own for this call.
template <class Work>
auto with_rows(const Rows& given, Work work) {
  auto rows = given.for_a_call();
  return std::visit(work, rows);
}

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
