// Arrays in, arrays out: the array types of the bindings, and what the stub of the module calls them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nb = nanobind;

template <class T, int N>
using Array = nb::ndarray<T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
template <class T>
using MaybeVector = std::optional<Array<const T, 1>>;

// An array whose type only the call tells: a function that takes it is bound once, not once for each type.
struct AnyArray : nb::object {
  using nb::object::object;
  explicit AnyArray(nb::object array) : nb::object(std::move(array)) {}
  static constexpr auto Name = nb::detail::const_name("numpy.typing.NDArray[typing.Any]");
};
using MaybeAnyArray = std::optional<AnyArray>;

// An array of T's on its way to Python.
template <class T>
struct NumpyArray : nb::object {
  using nb::object::object;
  explicit NumpyArray(nb::object array) : nb::object(std::move(array)) {}
  static constexpr auto Name = nb::detail::const_name("numpy.typing.NDArray[numpy.") +
                               nb::detail::dtype_traits<T>::name + nb::detail::const_name("]");
};

// Text: bytes, or a view of them.
struct Bytes : nb::object {
  using nb::object::object;
  static constexpr auto Name = nb::detail::const_name("bytes | memoryview");
};

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Visits are counted in 64 bits: `more` after `visits`, or `each` so often, must not be too many.
inline void expect_visits(int64_t visits, int64_t more, int64_t each = 1) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  expect(visits >= 0 && more >= 0 && (each == 0 || more <= (kMost - visits) / each),
         "visits must not be negative nor pass 2^63");
}

// Visits that a list of events names, one after the other.
template <class Visits>
void expect_rising(const Visits& visit) {
  for (size_t e = 0; e < visit.size(); ++e)
    expect(visit(e) >= (e > 0 ? visit(e - 1) : 0), "the visits of events must not be negative nor fall");
}

[[noreturn]] inline void refuse_array(nb::handle given, std::string expected) {
  const bool is_array = nb::hasattr(given, "dtype") && nb::hasattr(given, "shape");
  expected += ", found ";
  expected += is_array ? nb::str("{} {}").format(given.attr("dtype"), given.attr("shape")).c_str()
                       : nb::type_name(given.type()).c_str();
  throw nb::type_error(expected.c_str());
}

// What `work` makes of the array as the first of these types that it has; it is never copied to become one of them.
template <class First, class... Others, class Work>
auto with_array(const AnyArray& given, const char* expected, Work work) {
  if (First array; nb::try_cast(given, array, false)) return work(array);
  if constexpr (sizeof...(Others) > 0)
    return with_array<Others...>(given, expected, work);
  else
    refuse_array(given, expected);
}

// The array beside rows: of their type T. Only what is read may be converted to it.
template <class T, int N>
Array<T, N> array_beside_rows(const AnyArray& given, const char* name, bool convert = false) {
  if (Array<T, N> array; nb::try_cast(given, array, convert && std::is_const_v<T>)) return array;
  refuse_array(given, std::string(name) + " must be C-contiguous and of the type of the rows, in " + std::to_string(N) +
                          (N == 1 ? " dimension" : " dimensions"));
}
template <class T, int N>
std::optional<Array<T, N>> array_beside_rows(const MaybeAnyArray& given, const char* name, bool convert = false) {
  return given ? std::optional(array_beside_rows<T, N>(*given, name, convert)) : std::nullopt;
}

// The text, for as long as this lives.
class HeldText {
 public:
  explicit HeldText(const Bytes& given) {
    if (!nb::try_cast(given, bytes_, false)) refuse_array(given, "expected bytes");
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  Array<const uint8_t, 1> bytes_;
};

// A numpy array that owns the memory of `values`; in Python its numbers are of type As.
template <class Values, class As = std::remove_cvref_t<decltype(*std::declval<Values>().data())>>
NumpyArray<As> to_numpy(Values&& values) {
  static_assert(std::is_rvalue_reference_v<Values&&>);
  auto* owned = new Values(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  const nb::ndarray<nb::numpy, As, nb::ndim<1>> array(owned->data(), {size_t(owned->size())}, owner);
  return NumpyArray<As>(nb::cast(array));
}

void bind_interrupts(nb::module_& m);
void bind_rows(nb::module_& m);
void bind_row_writers(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_trace(nb::module_& m);
void bind_linear_unit(nb::module_& m);
void bind_separate(nb::module_& m);
void bind_svmlight(nb::module_& m);
void bind_kernel(nb::module_& m);
void bind_sparse_dots(nb::module_& m);
void bind_corpus(nb::module_& m);
void bind_conll(nb::module_& m);
void bind_table(nb::module_& m);
void bind_json(nb::module_& m);
void bind_chain(nb::module_& m);
void bind_parse(nb::module_& m);
void bind_text(nb::module_& m);
void bind_sentence_text(nb::module_& m);
