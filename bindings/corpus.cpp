// A corpus for Python: built from columns of texts, and read as texts and numbers.
#include "sentences/corpus.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "base/interrupts.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

// The token and its sentence, for an error.
std::string place_of(const std::vector<int64_t>& starts, int64_t token) {
  const auto sentence = std::upper_bound(starts.begin(), starts.end(), token) - starts.begin() - 1;
  return "token " + std::to_string(token - starts[size_t(sentence)]) + " of sentence " + std::to_string(sentence);
}

std::vector<int64_t> starts_of(const Array<const int64_t, 1>& starts) {
  expect(starts.size() > 0 && starts(0) == 0, "starts must begin with 0");
  std::vector<int64_t> checked(starts.data(), starts.data() + starts.size());
  expect(std::is_sorted(checked.begin(), checked.end()), "starts must not fall");
  return checked;
}

Corpus corpus_of(const nb::typed<nb::list, nb::any>& columns, const Array<const int64_t, 1>& starts) {
  constexpr int64_t kWorkOfAText = 16;
  Interrupts interrupts;
  Corpus corpus;
  corpus.starts = starts_of(starts);
  for (const nb::handle given : columns) {
    if (!nb::isinstance<nb::sequence>(given)) throw nb::type_error("a column must be a sequence of texts");
    const nb::sequence texts = nb::borrow<nb::sequence>(given);
    expect(int64_t(nb::len(texts)) == corpus.n_tokens(), "a column must have one text a token");
    Column& column = corpus.columns.emplace_back();
    for (const nb::handle text : texts) {
      interrupts.after(kWorkOfAText);
      Py_ssize_t size = 0;
      if (!PyUnicode_Check(text.ptr()))
        throw nb::type_error((place_of(corpus.starts, int64_t(column.tokens.size())) + ": expected a str, found a " +
                              nb::type_name(text.type()).c_str())
                                 .c_str());
      const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
      if (!bytes) throw nb::python_error();
      column.tokens.push_back(column.texts.intern({bytes, size_t(size)}));
      expect(int64_t(column.tokens.size()) <= corpus.n_tokens(), "a column has more texts than its length says");
    }
    expect(int64_t(column.tokens.size()) == corpus.n_tokens(), "a column has fewer texts than its length says");
  }
  return corpus;
}

Corpus part_of(const Corpus& corpus, const Array<const int64_t, 1>& sentences) {
  for (size_t k = 0; k < sentences.size(); ++k)
    expect(sentences(k) >= 0 && sentences(k) < corpus.n_sentences(), "there is no such sentence");
  return corpus.part({sentences.data(), sentences.data() + sentences.size()});
}

Corpus joined_corpus(const std::vector<const Corpus*>& corpora) {
  Corpus joined;
  if (!corpora.empty() && corpora[0]) joined.columns.resize(corpora[0]->columns.size());
  for (const Corpus* one : corpora) {
    expect(one != nullptr, "expected corpora");
    expect(one->columns.size() == joined.columns.size(), "corpora must have the same number of columns");
    std::vector<int64_t> all(static_cast<size_t>(one->n_sentences()));
    std::iota(all.begin(), all.end(), int64_t{0});
    joined.add(*one, all);
  }
  return joined;
}

const Column& column_of(const Corpus& corpus, int64_t column) {
  expect(column >= 0 && column < int64_t(corpus.columns.size()), "there is no such column");
  return corpus.columns[size_t(column)];
}

// Texts, and the number of the text of each token.
using NumberedTexts = std::pair<std::vector<std::string>, Array<const int32_t, 1>>;

Column column_of(const NumberedTexts& from, int64_t n_tokens) {
  const auto& [texts, numbers] = from;
  expect(int64_t(numbers.size()) == n_tokens, "a column must have one text a token");
  Interrupts interrupts;
  Column column;
  column.tokens.reserve(numbers.size());
  std::vector<int32_t> number(texts.size(), Texts::kUnknown);  // the number of each text, in the order of the list
  for (size_t t = 0; t < numbers.size(); ++t) {
    interrupts.after(1);
    expect(numbers(t) >= 0 && size_t(numbers(t)) < texts.size(), "there is no text of this number");
    int32_t& known = number[size_t(numbers(t))];
    if (known == Texts::kUnknown) known = column.texts.intern(texts[size_t(numbers(t))]);
    column.tokens.push_back(known);
  }
  return column;
}

// Columns of a corpus by their numbers, or new columns.
Corpus choose(const Corpus& corpus, const std::vector<std::variant<int64_t, NumberedTexts>>& columns) {
  Corpus chosen;
  chosen.starts = corpus.starts;
  for (const auto& from : columns) {
    if (const auto* place = std::get_if<int64_t>(&from))
      chosen.columns.push_back(column_of(corpus, *place));
    else
      chosen.columns.push_back(column_of(std::get<1>(from), corpus.n_tokens()));
  }
  return chosen;
}

nb::typed<nb::list, nb::str> texts_of(const Column& column) {
  nb::typed<nb::list, nb::str> texts;
  for (int32_t k = 0; k < column.texts.size(); ++k) {
    const std::string_view text = column.texts[k];
    texts.append(nb::str(text.data(), text.size()));
  }
  return texts;
}

// For pickles.
auto state_of(const Corpus& corpus) {
  std::vector<std::pair<nb::typed<nb::list, nb::str>, NumpyArray<int32_t>>> columns;
  for (const Column& column : corpus.columns)
    columns.emplace_back(texts_of(column), to_numpy(std::vector<int32_t>(column.tokens)));
  return std::make_tuple(columns, to_numpy(std::vector<int64_t>(corpus.starts)));
}

Corpus corpus_of_state(const std::tuple<std::vector<NumberedTexts>, Array<const int64_t, 1>>& state) {
  const auto& [columns, starts] = state;
  Corpus corpus;
  corpus.starts = starts_of(starts);
  for (const NumberedTexts& column : columns) corpus.columns.push_back(column_of(column, corpus.n_tokens()));
  return corpus;
}

}  // namespace

void bind_corpus(nb::module_& m) {
  nb::class_<Corpus>(m, "Corpus", "Sentences of tokens in columns: token t of column c is texts(c)[tokens(c)[t]].")
      .def(
          "__init__",
          [](Corpus* self, const nb::typed<nb::list, nb::any>& columns, const Array<const int64_t, 1>& starts) {
            new (self) Corpus(corpus_of(columns, starts));
          },
          "columns"_a, "starts"_a)
      .def("__len__", &Corpus::n_sentences)
      .def_prop_ro("n_tokens", &Corpus::n_tokens)
      .def_prop_ro("n_columns", [](const Corpus& self) { return self.columns.size(); })
      .def_prop_ro("starts", [](const Corpus& self) { return to_numpy(std::vector<int64_t>(self.starts)); })
      .def("part", &part_of, "sentences"_a.noconvert())
      .def("choose", &choose, "columns"_a, "Some of its columns, or others (texts, and the number of each token's).")
      .def(
          "tokens",
          [](const Corpus& self, int64_t column) {
            return to_numpy(std::vector<int32_t>(column_of(self, column).tokens));
          },
          "column"_a)
      .def(
          "texts", [](const Corpus& self, int64_t column) { return texts_of(column_of(self, column)); }, "column"_a)
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](Corpus& self, const std::tuple<std::vector<NumberedTexts>, Array<const int64_t, 1>>& state) {
             new (&self) Corpus(corpus_of_state(state));
           });
  m.def("joined_corpus", &joined_corpus, "corpora"_a, "The sentences of one corpus after those of the other.");
}
