// Text in the format of svmlight and libsvm: blocks of bytes in, the arrays of a CSR matrix out, and back.
#include "text/svmlight.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "text/svmlight_rows.hpp"
#include "text_error.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Texts = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class Array = T>
nb::object to_numpy(Growing<T>&& values) {
  auto* owned = new Growing<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Growing<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Array, nb::ndim<1>>(owned->data(), {size_t(owned->size())}, owner));
}

template <class T>
Growing<T> copy(const Growing<T>& values) {
  Growing<T> copied;
  copied.append(values.data(), values.size());
  return copied;
}

nb::bytes bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

template <class T, class I>
void bind_reader(nb::module_& m, const char* name) {
  using R = SvmlightReader<T, I>;
  nb::class_<R>(m, name)
      .def(nb::init<>())
      .def(
          "read",
          [](R& self, const Bytes& text, bool first, int64_t smallest, int64_t largest, bool one_more, bool query_id) {
            const std::string_view view(reinterpret_cast<const char*>(text.data()), text.size());
            nb::gil_scoped_release unlocked;
            self.read(view, {first, smallest, largest, one_more, query_id});
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
             return nb::make_tuple(to_numpy(copy(block.value)), to_numpy(copy(block.column)),
                                   to_numpy(copy(block.starts)));
           })
      .def_prop_ro("rows",
                   [](nb::object self) {
                     const auto& block = nb::cast<const R&>(self).block();
                     return Sparse<T, I>{{block.value.data(), block.column.data(), block.starts.data(), block.size(),
                                          block.largest + 1, true},
                                         {self}};
                   })
      .def_prop_ro("lines", [](const R& self) { return self.block().lines; })
      .def_prop_ro("error", [](const R& self) { return to_python(self.block().error); })
      .def_prop_ro("name", [](const R& self) { return to_python(self.block().name); })
      .def_prop_ro("one_too_many", [](const R& self) { return to_python(self.block().one_too_many); });
}

template <class T, class I>
void append(SvmlightRows<T>& rows, const SvmlightReader<T, I>& reader) {
  nb::gil_scoped_release unlocked;
  rows.append(reader.block());
}

template <class T>
void bind_gathered(nb::module_& m, const char* name) {
  using S = SvmlightRows<T>;
  nb::class_<S>(m, name)
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
              return to_numpy(std::move(column));
            },
            rows.column);
        return nb::make_tuple(to_numpy(std::move(rows.value)), columns, to_numpy(std::move(rows.starts)),
                              to_numpy(std::move(rows.labels)), bytes(rows.label_text),
                              to_numpy(std::move(rows.query)));
      });
}

// Never converted: the caller's object has to own what they point to.
Labels labels_of(const nb::object& labels, int64_t rows) {
  const auto fits = [&](size_t size) { expect(int64_t(size) == rows, "there must be one label a row"); };
  if (Array<const double, 1> numbers; nb::try_cast(labels, numbers, false)) return fits(numbers.size()), numbers.data();
  if (Array<const int64_t, 1> numbers; nb::try_cast(labels, numbers, false))
    return fits(numbers.size()), numbers.data();
  const auto texts = nb::cast<Texts>(labels, false);
  fits(texts.shape(0));
  return LabelTexts{reinterpret_cast<const char*>(texts.data()), int64_t(texts.shape(1))};
}

template <class T, class I>
void bind_write(nb::module_& m) {
  m.def(
      "write_svmlight",
      [](const Array<const T, 1>& value, const Array<const I, 1>& column, const Array<const I, 1>& starts,
         const nb::object& labels, const MaybeVector<int64_t>& query, int64_t base, int64_t first, int64_t last) {
        const auto rows = int64_t(starts.size()) - 1;
        const auto entries = int64_t(std::min(value.size(), column.size()));
        expect(0 <= first && first <= last && last <= rows, "rows must be within the matrix");
        expect(!query || int64_t(query->size()) == rows, "there must be one query a row");
        const Labels of_rows = labels_of(labels, rows);
        Growing<char> text;
        {
          nb::gil_scoped_release unlocked;
          text = write_svmlight(value.data(), column.data(), starts.data(), entries, of_rows,
                                query ? query->data() : nullptr, base, first, last);
        }
        return to_numpy<char, uint8_t>(std::move(text));
      },
      "value"_a.noconvert(), "column"_a.noconvert(), "starts"_a.noconvert(), nb::kw_only(), "labels"_a,
      "query"_a.noconvert().none(), "base"_a, "first"_a, "last"_a);
}

}  // namespace

void bind_svmlight(nb::module_& m) {
  bind_reader<float, int32_t>(m, "SvmlightReader32");
  bind_reader<double, int32_t>(m, "SvmlightReader64");
  bind_reader<float, int64_t>(m, "SvmlightReader32Long");
  bind_reader<double, int64_t>(m, "SvmlightReader64Long");
  bind_gathered<float>(m, "SvmlightRows32");
  bind_gathered<double>(m, "SvmlightRows64");
  bind_write<float, int32_t>(m);
  bind_write<float, int64_t>(m);
  bind_write<double, int32_t>(m);
  bind_write<double, int64_t>(m);
  bind_write<int64_t, int32_t>(m);
  bind_write<int64_t, int64_t>(m);
}
