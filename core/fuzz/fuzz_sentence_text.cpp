// Any text: its atoms are all that is no white space, in their order; what is written of its tokens can be read again,
// and has the words that it says; an edit makes the text that it was found for, and no edit does any harm.
#include <string>
#include <string_view>

#include "files/conll.hpp"
#include "fuzz/require.hpp"
#include "sentences/atoms.hpp"
#include "sentences/token_text.hpp"

using namespace rosenblatt;

namespace {

bool is_blank_text(std::string_view text) {
  while (!text.empty())
    if (!is_white_space(take_character(text))) return false;
  return true;
}

Spans check_atoms(std::string_view text, Paragraphs paragraphs, int64_t most) {
  const Atoms atoms = AtomReader(paragraphs, most).read(text);
  const size_t n = atoms.begin.size();
  require(atoms.end.size() == n && atoms.gap.size() == n && atoms.corpus.n_tokens() == int64_t(n), "as many of each");
  size_t last = 0;
  for (size_t k = 0; k < n; ++k) {
    const auto begin = size_t(atoms.begin[k]), end = size_t(atoms.end[k]);
    require(last <= begin && begin < end && end <= text.size(), "atoms follow one another");
    require(is_blank_text(text.substr(last, begin - last)), "between them is white space");
    require(!is_blank_text(text.substr(begin, end - begin)), "but not in them");
    last = end;
  }
  require(is_blank_text(text.substr(last)), "nor behind them");
  for (const Column& column : atoms.corpus.columns) require(column.tokens.size() == n, "each has all columns");
  return {atoms.begin, atoms.end};
}

// Tokens of one or two atoms, sentences of three tokens.
void check_writing(std::string_view text, const Spans& atoms, Paragraphs paragraphs, const std::string& split) {
  Spans tokens;
  for (size_t k = 0; k < atoms.size(); k += k % 3 == 0 ? 2 : 1) {
    tokens.begin.push_back(atoms.begin[k]);
    tokens.end.push_back(atoms.end[k % 3 == 0 && k + 1 < atoms.size() ? k + 1 : k]);
  }
  if (tokens.size() == 0) return;
  std::vector<int64_t> starts{0};
  Splits splits{{"", split}, {}};
  for (size_t k = 0; k < tokens.size(); ++k) {
    splits.of_token.push_back(k % 5 == 4);
    if (k % 3 == 2 || k + 1 == tokens.size()) starts.push_back(int64_t(k + 1));
  }
  TokenNotes notes;
  notes.ranges = true;
  const WrittenTokens written = TokenWriter(text, tokens, splits).write(starts, paragraphs, notes);
  ConllReader reader(ConllFormat::universal, {1});
  require(reader.read(written.text) == written.text.size() && !reader.error(), "what is written can be read");
  const Corpus read = reader.take();
  require(read.n_tokens() == written.corpus.n_tokens() && read.starts == written.corpus.starts, "as many words");
  for (int64_t t = 0; t < read.n_tokens(); ++t) {
    const auto form = [&](const Corpus& of) { return of.columns[0].texts[of.columns[0].tokens[size_t(t)]]; };
    require(form(read) == form(written.corpus), "the same words");
  }
  require(corpus_of_tokens(text, tokens, paragraphs, 2).n_tokens() == int64_t(tokens.size()), "a row for each token");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && !(c >= '\t' && c <= '\r')) || c == 0x7f) c = ' ';
  text.resize(utf8_size(text));
  const Paragraphs paragraphs = size % 2 ? Paragraphs::line : Paragraphs::empty_line;
  const Spans atoms = check_atoms(text, paragraphs, 1 + int64_t(size % 7));

  std::string line = text;
  std::erase_if(line, [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; });
  const size_t half = line.size() / 2 - utf8_size(line.substr(line.size() / 2)) % 2;
  std::string first = line.substr(0, half), second = line.substr(first.size());
  first.resize(utf8_size(first));
  second.resize(utf8_size(second));
  const std::u32string from = characters_of(first), to = characters_of(second);
  for (const bool at_end : {false, true}) {
    const Edit edit = find_edit(from, to, at_end);
    require(applied(edit, from) == to, "an edit makes what it was found for");
    require(applied(edit_of(text_of(edit)), from) == to, "and says so");
  }
  for (const Edit& edit : edits_of(line)) applied(edit, from);
  check_writing(text, atoms, paragraphs, find_split("don't", {"do", "n't"}));
  return 0;
}
