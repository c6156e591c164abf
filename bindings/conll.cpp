// CoNLL files: parses texts of whole sentences into a corpus, and writes a text with other columns.
#include "files/conll.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "files/conll_writer.hpp"
#include "text_error.hpp"
#include "unlocked.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

ConllFormat format_of(bool universal) { return universal ? ConllFormat::universal : ConllFormat::columns; }

}  // namespace

void bind_conll(nb::module_& m) {
  m.attr("LONGEST_SENTENCE") = kLongestSentence;
  nb::class_<ConllReader>(m, "ConllReader",
                          "One text of whole sentences after the other; `read` gives the bytes that the sentences take "
                          "before an error.")
      .def(
          "__init__",
          [](ConllReader* self, bool universal, std::vector<int32_t> columns) {
            new (self) ConllReader(format_of(universal), std::move(columns));
          },
          nb::kw_only(), "universal"_a, "columns"_a)
      .def(
          "read",
          [](ConllReader& self, const Bytes& text) {
            const HeldText held(text);
            return unlocked([&] { return self.read(held.view()); });
          },
          "text"_a)
      .def("take", &ConllReader::take)
      .def_prop_ro("n_tokens", &ConllReader::n_tokens)
      .def_prop_ro("lines", &ConllReader::lines)
      .def_prop_ro("width", &ConllReader::width)
      .def_prop_ro("columns", &ConllReader::columns)
      .def_prop_ro("error", [](const ConllReader& self) { return to_python(self.error()); });
  m.def("whole_sentences", [](const Bytes& text) { return whole_sentences(HeldText(text).view()); }, "text"_a);
  using Written = std::tuple<std::optional<size_t>, std::vector<std::string>, Array<const int32_t, 1>>;
  m.def(
      "write_conll",
      [](const Bytes& text, bool universal, const std::vector<Written>& columns) {
        const HeldText held(text);
        std::vector<NewColumn> copies;
        for (const auto& [place, texts, numbers] : columns)
          copies.push_back({place, texts, {numbers.data(), numbers.data() + numbers.size()}});
        const auto out = unlocked([&] { return write_conll(held.view(), format_of(universal), std::move(copies)); });
        return nb::bytes(out.data(), out.size());
      },
      "text"_a, nb::kw_only(), "universal"_a, "columns"_a,
      "The text with columns (place, or None for a new last one; texts; the number of the text of each token).");
}
