// From text to sentences: atoms, tokens and their words as CoNLL-U, edits.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "enum_names.hpp"
#include "files/conll.hpp"
#include "sentences/atoms.hpp"
#include "sentences/token_text.hpp"
#include "text_error.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

Paragraphs paragraphs_named(const std::string& name) {
  return value_named<Paragraphs>(name, {{"empty line", Paragraphs::empty_line}, {"line", Paragraphs::line}});
}

// The first place of a text that is no UTF-8, or has a character that cannot be written.
std::optional<TextError> problem_of(std::string_view text) {
  const size_t valid = utf8_size(text);
  const auto is_control = [](unsigned char c) { return (c < 0x20 && !(c >= '\t' && c <= '\r')) || c == 0x7f; };
  const auto control = std::find_if(text.begin(), text.begin() + int64_t(valid), is_control);
  const auto at = size_t(control - text.begin());
  if (at == text.size()) return std::nullopt;
  const size_t line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  TextError error;
  error.line = 1 + std::count(text.begin(), control, '\n');
  error.column = int64_t(at - line_begin) + 1;
  error.expected = at < valid ? "printable text" : "text in UTF-8";
  constexpr const char* kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(text[at]);
  error.found = std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
  if (byte == 0 || byte >= 0xfe) error.found += ", as in text in UTF-16";
  return error;
}

void expect_text(std::string_view text) { expect(!problem_of(text), "text: expected printable UTF-8"); }

Spans spans_of(std::string_view text, const Array<const int64_t, 1>& begin, const Array<const int64_t, 1>& end) {
  expect(begin.size() == end.size(), "there must be as many ends as beginnings");
  int64_t last = 0;
  for (size_t k = 0; k < begin.size(); ++k) {
    expect(begin(k) >= last && end(k) > begin(k) && end(k) <= int64_t(text.size()), "spans must follow one another");
    last = end(k);
  }
  for (const auto* places : {&begin, &end})
    for (size_t k = 0; k < places->size(); ++k) {
      const auto at = size_t((*places)(k));
      expect(at == text.size() || (text[at] & 0xc0) != 0x80, "spans must begin and end between characters");
    }
  return {{begin.data(), begin.data() + begin.size()}, {end.data(), end.data() + end.size()}};
}

std::vector<int64_t> starts_over(const Array<const int64_t, 1>& starts, size_t n_tokens) {
  expect(starts.size() > 0 && starts(0) == 0 && starts(starts.size() - 1) == int64_t(n_tokens),
         "starts must go from 0 to the number of tokens");
  for (size_t k = 1; k < starts.size(); ++k) expect(starts(k) > starts(k - 1), "starts must rise");
  return {starts.data(), starts.data() + starts.size()};
}

std::vector<int32_t> numbers_below(const Array<const int32_t, 1>& numbers, size_t n_tokens, size_t most) {
  expect(numbers.size() == n_tokens, "there must be a number for each token");
  for (size_t k = 0; k < numbers.size(); ++k)
    expect(numbers(k) >= 0 && size_t(numbers(k)) < most, "a number must be that of an edit");
  return {numbers.data(), numbers.data() + numbers.size()};
}

auto atoms_of(const Bytes& given, const std::string& paragraphs, int64_t most) {
  expect(most >= 1 && most <= int64_t{1} << 40, "most must be at least 1");
  const HeldText text(given);
  const Paragraphs ends = paragraphs_named(paragraphs);
  Atoms atoms;
  {
    nb::gil_scoped_release unlocked;
    expect_text(text.view());
    atoms = AtomReader(ends, most).read(text.view());
  }
  return std::make_tuple(std::move(atoms.corpus), to_numpy(std::move(atoms.begin)), to_numpy(std::move(atoms.end)),
                         to_numpy(std::move(atoms.gap)));
}

Corpus token_corpus(const Bytes& given, const Array<const int64_t, 1>& begin, const Array<const int64_t, 1>& end,
                    const std::string& paragraphs, int64_t most) {
  expect(most >= 1, "most must be at least 1");
  const HeldText text(given);
  const Paragraphs ends = paragraphs_named(paragraphs);
  expect_text(text.view());
  const Spans spans = spans_of(text.view(), begin, end);
  nb::gil_scoped_release unlocked;
  return corpus_of_tokens(text.view(), spans, ends, most);
}

auto write_tokens(const Bytes& given, const Array<const int64_t, 1>& begin, const Array<const int64_t, 1>& end,
                  const Array<const int64_t, 1>& starts, const std::vector<std::string>& splits,
                  const Array<const int32_t, 1>& split_of_token, const std::string& paragraphs, int64_t first_sentence,
                  bool new_document, bool new_paragraph, std::optional<int64_t> first_character) {
  const HeldText text(given);
  const Paragraphs ends = paragraphs_named(paragraphs);
  expect_text(text.view());
  for (const std::string& split : splits) {
    expect(is_utf8(split), "splits must be UTF-8");
    for (const Edit& edit : edits_of(split))
      for (const auto* put : {&edit.before, &edit.behind})
        expect(put->find_first_of(U"\t\r\n") == put->npos, "splits must put printable texts");
  }
  expect(first_sentence >= 0 && first_sentence < int64_t{1} << 60, "first_sentence must not be negative");
  expect(first_character.value_or(0) >= 0 && first_character.value_or(0) < int64_t{1} << 60,
         "first_character must not be negative");
  const Spans spans = spans_of(text.view(), begin, end);
  const auto checked = starts_over(starts, spans.size());
  const Splits which{splits, numbers_below(split_of_token, spans.size(), splits.size())};
  const TokenNotes notes{first_sentence, new_document, new_paragraph,

                         first_character.value_or(0), first_character.has_value()};
  WrittenTokens written;
  {
    nb::gil_scoped_release unlocked;
    written = TokenWriter(text.view(), spans, which).write(checked, ends, notes);
  }
  return std::make_tuple(nb::bytes(written.text.data(), written.text.size()), std::move(written.corpus),
                         to_numpy(std::move(written.n_words)));
}

auto edit_column(const Corpus& corpus, int64_t column, const std::vector<std::string>& edits,
                 const Array<const int32_t, 1>& of_token) {
  expect(column >= 0 && column < int64_t(corpus.columns.size()), "there is no such column");
  for (const std::string& edit : edits) expect(is_utf8(edit), "edits must be UTF-8");
  const Column& forms = corpus.columns[size_t(column)];
  for (int32_t k = 0; k < forms.texts.size(); ++k) expect(is_utf8(forms.texts[k]), "forms must be UTF-8");
  const auto numbers = numbers_below(of_token, forms.tokens.size(), edits.size());
  Column edited;
  {
    nb::gil_scoped_release unlocked;
    edited = edited_column(forms, edits, numbers);
  }
  nb::typed<nb::list, nb::str> texts;
  for (int32_t k = 0; k < edited.texts.size(); ++k) {
    const std::string_view text = edited.texts[k];
    texts.append(nb::str(text.data(), text.size()));
  }
  return std::make_pair(texts, to_numpy(std::move(edited.tokens)));
}

std::string utf8_or_refuse(const std::string& text) {
  expect(is_utf8(text), "expected UTF-8");
  return text;
}

}  // namespace

void bind_sentence_text(nb::module_& m) {
  m.def(
      "text_problem", [](const Bytes& text) { return to_python(problem_of(HeldText(text).view())); }, "text"_a,
      "Line, column, what was expected and what was found, of the first place that cannot be read; or None.");
  m.def(
      "ends_paragraph",
      [](const Bytes& given, const std::string& paragraphs) {
        const HeldText text(given);
        expect_text(text.view());
        return white_space_of(text.view(), paragraphs_named(paragraphs)).gap == Gap::paragraph;
      },
      "text"_a, "paragraphs"_a, "Whether the white space that a text begins with ends a paragraph.");
  m.def("atoms", &atoms_of, "text"_a, nb::kw_only(), "paragraphs"_a, "most"_a,
        "The columns of the atoms of a text, their beginnings, their ends, and what comes after each.");
  m.def("token_corpus", &token_corpus, "text"_a, nb::kw_only(), "begin"_a.noconvert(), "end"_a.noconvert(),
        "paragraphs"_a, "most"_a, "The columns of tokens: form, small letters, what comes after.");
  m.def("write_tokens", &write_tokens, "text"_a, nb::kw_only(), "begin"_a.noconvert(), "end"_a.noconvert(),
        "starts"_a.noconvert(), "splits"_a, "split_of_token"_a.noconvert(), "paragraphs"_a, "first_sentence"_a,
        "new_document"_a, "new_paragraph"_a, "first_character"_a.none(),
        "CoNLL-U with the words of tokens and no other columns; their forms; how many words each token has.");
  m.def(
      "find_edit",
      [](const std::string& from, const std::string& to) {
        return text_of(find_edit(characters_of(utf8_or_refuse(from)), characters_of(utf8_or_refuse(to))));
      },
      "text"_a, "to"_a, "The edit that makes a text of another one.");
  m.def(
      "find_split",
      [](const std::string& token, const std::vector<std::string>& words) {
        for (const std::string& word : words) utf8_or_refuse(word);
        return find_split(utf8_or_refuse(token), words);
      },
      "token"_a, "words"_a, "The edits that make the words of a token.");
  m.def(
      "apply_edits",
      [](const std::string& text, const std::string& edits) {
        const std::u32string characters = characters_of(utf8_or_refuse(text));
        std::vector<std::string> made;
        for (const Edit& edit : edits_of(utf8_or_refuse(edits))) made.push_back(utf8_of(applied(edit, characters)));
        return made;
      },
      "text"_a, "edits"_a, "What each of these edits makes of a text.");
  m.def("edit_column", &edit_column, "corpus"_a, "column"_a, "edits"_a, "of_token"_a.noconvert(),
        "What the edits make of a column: texts, and the number of each token's.");
}
