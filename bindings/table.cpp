// Tables as text: lines of CSV in, blocks of rows out, whose columns are asked for as numbers, codes or texts.
#include "files/table.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "text_error.hpp"
#include "unlocked.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

void expect_cells(const TableBlock& block, int64_t column, int64_t first, int64_t last) {
  expect(0 <= column && column < block.width, "there is no such column");
  expect(0 <= first && first <= last && last <= block.size(), "rows must be within the block");
}

TableBlock block_of(const nb::typed<nb::list, nb::typed<nb::list, nb::str>>& columns,
                    const Array<const int64_t, 1>& lines) {
  TableBlock block;
  block.width = int64_t(columns.size());
  expect(block.width > 0, "a table has at least one column");
  std::vector<nb::list> cells;
  for (nb::handle column : columns) {
    if (!PyList_Check(column.ptr())) throw nb::type_error("columns must be lists of strings");
    cells.push_back(nb::borrow<nb::list>(column));
  }
  for (size_t row = 0; row < lines.shape(0); ++row) {
    for (const nb::list& column : cells) {
      expect(column.size() == lines.shape(0), "columns must be as long as lines");
      const nb::object cell = column[row];
      if (!PyUnicode_Check(cell.ptr())) throw nb::type_error("columns must be lists of strings");
      Py_ssize_t size = 0;
      const char* const bytes = PyUnicode_AsUTF8AndSize(cell.ptr(), &size);
      if (!bytes) throw nb::python_error();
      expect(block.add_cell({bytes, size_t(size)}), "a cell must be shorter than 1 GiB, and a block than 16 GiB");
    }
    block.line.push(lines(row));
  }
  block.pad();
  return block;
}

nb::str as_text(std::string_view text) { return nb::str(text.data(), text.size()); }

void bind_block(nb::module_& m) {
  nb::class_<TableBlock>(m, "TableBlock", "Rows of a table: cells of text, without the blanks at their ends.")
      .def_static("of_columns", &block_of, "columns"_a, "lines"_a, "Columns of texts, with the line of each row.")
      .def("__len__", &TableBlock::size)
      .def_ro("width", &TableBlock::width)
      .def_prop_ro("lines",
                   [](const TableBlock& self) {
                     Growing<int64_t> lines;
                     lines.append(self.line.data(), self.line.size());
                     return to_numpy(std::move(lines));
                   })
      .def(
          "numbers",
          [](const TableBlock& self, int64_t column, int64_t first, int64_t last, const CellForm& form) {
            expect_cells(self, column, first, last);
            Growing<double> numbers;
            const int64_t strange =
                unlocked([&] { return self.read_numbers(column, first, last, form, numbers.room(last - first)); });
            numbers.add(last - first);
            return std::pair(to_numpy(std::move(numbers)), strange);
          },
          "column"_a, "first"_a, "last"_a, "form"_a, "NaN for what is missing or no number; how many are the latter.")
      .def(
          "codes",
          [](const TableBlock& self, int64_t column, int64_t first, int64_t last, const CellForm& form) {
            expect_cells(self, column, first, last);
            Growing<int32_t> codes;
            const Texts texts =
                unlocked([&] { return self.read_codes(column, first, last, form, codes.room(last - first)); });
            codes.add(last - first);
            nb::typed<nb::list, nb::str> found;
            for (int32_t k = 0; k < texts.size(); ++k) found.append(as_text(texts[k]));
            return std::pair(to_numpy(std::move(codes)), found);
          },
          "column"_a, "first"_a, "last"_a, "form"_a,
          "For each row the number of its text, and the texts; a missing value is an empty one.")
      .def(
          "texts",
          [](const TableBlock& self, int64_t column, int64_t first, int64_t last) {
            expect_cells(self, column, first, last);
            nb::typed<nb::list, nb::str> found;
            for (int64_t row = first; row < last; ++row) found.append(as_text(self.cell(row, column)));
            return found;
          },
          "column"_a, "first"_a, "last"_a, "As they are written.");
}

void bind_form(nb::module_& m) {
  nb::class_<CellForm>(m, "CellForm", "How cells are written: what is missing, and the marks of numbers.")
      .def(
          "__init__",
          [](CellForm* self, std::vector<std::string> missing, std::string decimal, std::string groups,
             std::string sign) {
            expect(!decimal.empty(), "decimal must not be empty");
            new (self) CellForm(std::move(missing), std::move(decimal), std::move(groups), std::move(sign));
          },
          nb::kw_only(), "missing"_a, "decimal"_a, "groups"_a, "sign"_a)
      .def(
          "plain",
          [](const CellForm& self, const std::string& cell) -> std::optional<std::string> {
            std::string plain;
            if (!self.write_plain(cell, plain)) return std::nullopt;
            return plain;
          },
          "cell"_a, "The cell as a plain number is written; None if its marks are not where those of a number are.");
}

}  // namespace

void bind_table(nb::module_& m) {
  bind_form(m);
  bind_block(m);
  nb::class_<TableReader>(m, "TableReader", "Lines of CSV in, blocks of rows out.")
      .def(
          "__init__",
          [](TableReader* self, const Bytes& delimiter, int64_t longest, int64_t lines, std::string like) {
            const HeldText held(delimiter);
            constexpr std::string_view kNone("\"\r\n\0", 4);
            expect(!held.view().empty() && held.view().find_first_of(kNone) == std::string_view::npos,
                   "delimiter must not be empty, nor have a quote, a line end or a character 0");
            expect_visits(lines, int64_t{1} << 62);
            new (self) TableReader(std::string(held.view()), longest, lines, std::move(like));
          },
          nb::kw_only(), "delimiter"_a, "longest"_a, "lines"_a, "like"_a)
      .def(
          "add",
          [](TableReader& self, const Bytes& lines) {
            const HeldText held(lines);
            expect(!self.ended(), "after the last lines none may come");
            nb::gil_scoped_release unlocked;
            self.add(held.view());
          },
          "lines"_a)
      .def("end", &TableReader::end)
      .def(
          "read",
          [](TableReader& self, int64_t rows) {
            nb::gil_scoped_release unlocked;
            self.read(rows);
          },
          "rows"_a)
      .def("take",
           [](TableReader& self) {
             expect(self.between_rows() && !self.error(), "a block is taken where a row ends, before an error");
             return self.take();
           })
      .def("__len__", &TableReader::size)
      .def_prop_ro("lines", &TableReader::lines)
      .def_prop_ro("error", [](const TableReader& self) { return to_python(self.error()); });
}
