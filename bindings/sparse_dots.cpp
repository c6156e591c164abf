// Dot products between sparse rows, and the squared lengths of any, for kernels.
#include "kernel/sparse_dots.hpp"

#include "rows.hpp"

using namespace rosenblatt;

namespace {

void fill_dots(const Rows& a_rows, const Rows& b_rows, const AnyArray& given) {
  const auto fill = [&]<class A, class B>(const A& a, const B& b) {
    if constexpr (kIsSparse<A> && kIsSparse<B> && std::is_same_v<ValueOf<A>, ValueOf<B>>) {
      const auto out = array_beside_rows<ValueOf<A>, 2>(given, "out");
      expect(a.features == b.features, "both sides must have the same features");
      expect(int64_t(out.shape(0)) == a.size && int64_t(out.shape(1)) == b.size, "out must be rows x rows");
      nb::gil_scoped_release unlocked;
      sparse_dots(a, b, out.data());
    } else {
      throw nb::type_error("expected sparse rows on both sides, with values of one type");
    }
  };
  const auto a = a_rows.for_a_call(), b = b_rows.for_a_call();
  std::visit(fill, a, b);
}

void fill_squared_norms(const Rows& given_rows, const AnyArray& given) {
  const auto fill = [&](const auto& rows) {
    const auto out = array_beside_rows<ValueOf<decltype(rows)>, 1>(given, "out");
    expect(int64_t(out.shape(0)) == rows.size, "out must have one entry a row");
    nb::gil_scoped_release unlocked;
    squared_norms(rows, out.data());
  };
  with_rows(given_rows, fill);
}

}  // namespace

void bind_sparse_dots(nb::module_& m) {
  using namespace nb::literals;
  m.def("sparse_dots", &fill_dots, "a_rows"_a, "b_rows"_a, "out"_a);
  m.def("squared_norms", &fill_squared_norms, "rows"_a, "out"_a);
}
