// Turns the columns of a table into rows for the core: writes them side by side, then makes them sparse in place.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <variant>

#include "arrays.hpp"
#include "base/order.hpp"
#include "base/row_writer.hpp"
#include "base/sparse_writer.hpp"

using namespace rosenblatt;

namespace {

void write_rows(RowWriter& writer, const std::vector<Array<const double, 1>>& columns, int64_t rows) {
  expect(int64_t(columns.size()) <= writer.width(), "there must be at most `width` columns");
  expect(rows >= 0 && rows <= Order::kMostRows, "the number of rows must be from 0 to 2^38");
  std::vector<const double*> starts;
  for (const auto& column : columns) {
    expect(int64_t(column.shape(0)) == rows, "each column must have a value for each row");
    starts.push_back(column.data());
  }
  nb::gil_scoped_release unlocked;
  writer.add(starts, rows);
}

// Keeps the array of the values alive. Columns have 32 bits if they and the starts of rows fit.
class HeldSparseWriter {
 public:
  HeldSparseWriter(const Array<double, 2>& values, int64_t numbers, int64_t features)
      : values_(values),
        rows_left_(int64_t(values.shape(0))),
        categories_(int64_t(values.shape(1)) - numbers),
        writer_(made(numbers, features)) {}

  void add(const Array<const int64_t, 2>& chosen) {
    const auto rows = int64_t(chosen.shape(0)), categories = int64_t(chosen.shape(1));
    expect(rows <= rows_left_ && categories <= categories_, "there must be room for the rows and their indicators");
    nb::gil_scoped_release unlocked;
    std::visit([&](auto& writer) { writer.add(chosen.data(), rows, categories); }, writer_);
    rows_left_ -= rows;
  }

  std::pair<AnyArray, AnyArray> take() {
    rows_left_ = 0;
    return std::visit(
        [](auto& writer) {
          auto [columns, starts] = writer.take();
          return std::pair(AnyArray(to_numpy(std::move(columns))), AnyArray(to_numpy(std::move(starts))));
        },
        writer_);
  }

 private:
  using Any = std::variant<SparseWriter<double, int32_t>, SparseWriter<double, int64_t>>;

  Any made(int64_t numbers, int64_t features) const {
    expect(numbers >= 0 && categories_ >= 0, "a row must have room for its numbers");
    expect(features >= numbers && features < std::numeric_limits<int64_t>::max(), "each number must have a column");
    const auto width = int64_t(values_.shape(1));
    if (std::max(features, rows_left_ * width) <= std::numeric_limits<int32_t>::max())
      return SparseWriter<double, int32_t>(values_.data(), width, numbers, features);
    return SparseWriter<double, int64_t>(values_.data(), width, numbers, features);
  }

  Array<double, 2> values_;
  int64_t rows_left_, categories_;
  Any writer_;
};

}  // namespace

void bind_row_writers(nb::module_& m) {
  nb::class_<RowWriter>(m, "RowWriter", "Columns that come part by part, side by side as rows of `width` values.")
      .def(
          "__init__",
          [](RowWriter* self, int64_t width) {
            expect(width >= 1 && width <= 1 << 24, "width must be from 1 to 2^24");
            new (self) RowWriter(width);
          },
          nb::arg("width"))
      .def("add", &write_rows, nb::arg("columns").noconvert(), nb::arg("rows"),
           "Further rows; the places after the last column are 1.")
      .def("__len__", &RowWriter::size)
      .def("take", [](RowWriter& self) { return to_numpy(self.take()); }, "The values, row after row.");
  nb::class_<HeldSparseWriter>(m, "SparseWriter", "Rows of numbers and places for indicators become sparse, in place.")
      .def(nb::init<const Array<double, 2>&, int64_t, int64_t>(), nb::arg("values").noconvert(), nb::arg("numbers"),
           nb::arg("features"))
      .def("add", &HeldSparseWriter::add, nb::arg("chosen").noconvert(),
           "The next rows; for each of their categories which indicator is 1, negative for none.")
      .def("take", &HeldSparseWriter::take,
           "The columns of the values that are left, and where rows start among them.");
}
