// A corpus: its sentences as offsets, its columns as texts and the numbers of the tokens' texts.
#include "../core/corpus.hpp"

#include "arrays.hpp"

using namespace rosenblatt;
using namespace nb::literals;

void bind_corpus(nb::module_& m) {
  nb::class_<Corpus>(m, "Corpus")
      .def_prop_ro("n_tokens", &Corpus::n_tokens)
      .def_prop_ro("n_sentences", &Corpus::n_sentences)
      .def_prop_ro("n_columns", [](const Corpus& self) { return self.columns.size(); })
      .def_prop_ro("starts", [](const Corpus& self) { return to_numpy(std::vector<int64_t>(self.starts)); })
      .def(
          "column",
          [](const Corpus& self, size_t c) {
            expect(c < self.columns.size(), "there is no such column");
            const Column& column = self.columns[c];
            nb::list texts;
            for (int32_t k = 0; k < column.texts.size(); ++k)
              texts.append(nb::str(column.texts[k].data(), column.texts[k].size()));
            return nb::make_tuple(texts, to_numpy(std::vector<int32_t>(column.tokens)));
          },
          "column"_a);
}
