// Text in the format of svmlight and libsvm: blocks of bytes in, the arrays of a CSR matrix out, and back.
#include "files/svmlight.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>

#include "files/svmlight_rows.hpp"
#include "rows.hpp"
#include "text_error.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

template <class T>
Growing<T> copy(const Growing<T>& values) {
  Growing<T> copied;
  copied.append(values.data(), values.size());
  return copied;
}

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

nb::bytes bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// Rows lie in the reader's memory until it reads again: they remember which block they are of.
template <class T, class I>
struct CountedReader {
  SvmlightReader<T, I> reader;
  std::shared_ptr<int64_t> n_read = std::make_shared<int64_t>(0);

  const SvmlightBlock<T, I>& block() const { return reader.block(); }
  Rows rows(nb::object owner) const {
    const SparseRows<T, I> rows{block().value.data(), block().column.data(), block().starts.data(),
                                block().size(),       block().largest + 1,   true};
    return Rows(rows, std::move(owner), [now = n_read, then = *n_read] { return *now == then; });
  }
};

template <class T, class I>
void bind_reader(nb::module_& m, const char* name) {
  using R = CountedReader<T, I>;
  nb::class_<R>(m, name,
                "One block of svmlight text after the other; errors are line, column, expected, and the bytes that "
                "were found.")
      .def(nb::init<>())
      .def(
          "read",
          [](R& self, const Bytes& text, bool first, int64_t smallest, int64_t largest, bool one_more, bool query_id) {
            expect(0 <= smallest && smallest - 1 <= largest && (largest < kLargest || !one_more),
                   "indices must be from `smallest`, at least 0, to `largest`, and one more below 2^63");
            const HeldText held(text);
            ++*self.n_read;
            nb::gil_scoped_release unlocked;
            self.reader.read(held.view(), {first, smallest, largest, one_more, query_id});
          },
          "text"_a, nb::kw_only(), "first"_a, "smallest"_a, "largest"_a, "one_more"_a, "query_id"_a)
      .def("__len__", [](const R& self) { return self.block().size(); })
      .def_prop_ro("labels", [](const R& self) { return to_numpy(copy(self.block().labels)); })
      .def_prop_ro("label_text", [](const R& self) { return bytes(self.block().label_text); })
      .def_prop_ro("largest", [](const R& self) { return self.block().largest; })
      .def_prop_ro("has_zero", [](const R& self) { return self.block().has_zero; })
      .def("arrays",
           [](const R& self) {
             const auto& block = self.block();
             return std::tuple(to_numpy(copy(block.value)), to_numpy(copy(block.column)), to_numpy(copy(block.starts)));
           })
      .def_prop_ro("rows", [](nb::object self) { return nb::cast<const R&>(self).rows(self); })
      .def_prop_ro("lines", [](const R& self) { return self.block().lines; })
      .def_prop_ro("error", [](const R& self) { return to_python(self.block().error); })
      .def_prop_ro("name", [](const R& self) { return to_python(self.block().name); })
      .def_prop_ro("one_too_many", [](const R& self) { return to_python(self.block().one_too_many); });
}

template <class T, class I>
void append(SvmlightRows<T>& rows, const CountedReader<T, I>& reader) {
  nb::gil_scoped_release unlocked;
  rows.append(reader.block());
}

template <class T>
void bind_gathered(nb::module_& m, const char* name) {
  using S = SvmlightRows<T>;
  nb::class_<S>(m, name,
                "The rows of blocks together; `take` gives values, indices, starts, labels, their text and queries.")
      .def(nb::init<>())
      .def("append", &append<T, int32_t>, "reader"_a)
      .def("append", &append<T, int64_t>, "reader"_a)
      .def("__len__", [](const S& self) { return self.labels.size(); })
      .def_prop_ro("largest", [](const S& self) { return self.largest; })
      .def_prop_ro("has_zero", [](const S& self) { return self.has_zero; })
      .def("take", [](S& self) {
        S rows = std::move(self);
        self = S();
        rows.value.give_back();
        auto columns = std::visit(
            [](auto& column) {
              column.give_back();
              return AnyArray(to_numpy(std::move(column)));
            },
            rows.column);
        return std::tuple(to_numpy(std::move(rows.value)), columns, to_numpy(std::move(rows.starts)),
                          to_numpy(std::move(rows.labels)), bytes(rows.label_text), to_numpy(std::move(rows.query)));
      });
}

using Texts = Array<const uint8_t, 2>;

// They point into the caller's array.
Labels labels_of(const AnyArray& given, int64_t rows) {
  const auto fits = [&](size_t size) { expect(int64_t(size) == rows, "there must be one label a row"); };
  return with_array<Array<const double, 1>, Array<const int64_t, 1>, Texts>(
      given, "labels must be a vector of float64 or int64, or a matrix of uint8", [&]<class A>(const A& labels) {
        fits(labels.shape(0));
        if constexpr (std::is_same_v<A, Texts>)
          return Labels(LabelTexts{reinterpret_cast<const char*>(labels.data()), int64_t(labels.shape(1))});
        else
          return Labels(labels.data());
      });
}

NumpyArray<uint8_t> written_text(const AnyArray& value, const AnyArray& column, const AnyArray& starts,
                                 const AnyArray& labels, const MaybeVector<int64_t>& query, int64_t base, int64_t first,
                                 int64_t last) {
  const auto text = [&](const auto& values, const auto& columns, const auto& row_starts) {
    const auto rows = int64_t(row_starts.size()) - 1;
    const auto entries = int64_t(std::min(values.size(), columns.size()));
    expect(0 <= first && first <= last && last <= rows, "rows must be within the matrix");
    expect(base == 0 || base == 1, "base must be 0 or 1");
    expect(!query || int64_t(query->size()) == rows, "there must be one query a row");
    const Labels of_rows = labels_of(labels, rows);
    nb::gil_scoped_release unlocked;
    return write_svmlight(values.data(), columns.data(), row_starts.data(), entries, of_rows,
                          query ? query->data() : nullptr, base, first, last);
  };
  return to_numpy<Growing<char>, uint8_t>(with_csr<float, double, int64_t>(
      value, "value must be a vector of float32, float64 or int64", column, starts, text));
}

}  // namespace

void bind_svmlight(nb::module_& m) {
  bind_reader<float, int32_t>(m, "SvmlightReader32");
  bind_reader<double, int32_t>(m, "SvmlightReader64");
  bind_reader<float, int64_t>(m, "SvmlightReader32Long");
  bind_reader<double, int64_t>(m, "SvmlightReader64Long");
  bind_gathered<float>(m, "SvmlightRows32");
  bind_gathered<double>(m, "SvmlightRows64");
  m.def("write_svmlight", &written_text, "value"_a, "column"_a, "starts"_a, nb::kw_only(), "labels"_a,
        "query"_a.noconvert().none(), "base"_a, "first"_a, "last"_a);
}
