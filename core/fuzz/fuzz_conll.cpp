// Any bytes at all: no crash, the same sentences and the same error however they are cut between sentences, and a
// column that is written is the one that is read again, beside the others as they were. Heads of CoNLL-U are a tree
// that a parser's oracle can make, or it is said why not.
#include <string>
#include <string_view>

#include "files/conll.hpp"
#include "files/conll_writer.hpp"
#include "fuzz/require.hpp"
#include "parser/oracle.hpp"

using namespace rosenblatt;

namespace {

struct Result {
  std::string tokens;  // a field a line, an empty line after a sentence
  std::string text;    // of the sentences
  int64_t n_tokens = 0;
  size_t width = 0;
  std::optional<TextError> error;
};

void add(const Corpus& corpus, Result& result) {
  for (size_t s = 0; s + 1 < corpus.starts.size(); ++s) {
    require(corpus.starts[s] < corpus.starts[s + 1], "a sentence has tokens");
    for (auto t = static_cast<size_t>(corpus.starts[s]); t < static_cast<size_t>(corpus.starts[s + 1]); ++t)
      for (const Column& column : corpus.columns) {
        const std::string_view field = column.texts[column.tokens.at(t)];
        require(!field.empty() && is_utf8(field), "a field is a text");
        result.tokens.append(field).push_back('\n');
      }
    result.tokens.push_back('\n');
  }
  for (const Column& column : corpus.columns)
    require(static_cast<int64_t>(column.tokens.size()) == corpus.n_tokens(), "columns are equally long");
  result.n_tokens += corpus.n_tokens();
}

// Texts of whole sentences; the bits of `cuts` say after which of them to cut, over and over.
Result read_in_parts(std::string_view text, ConllFormat format, const std::vector<int32_t>& columns, uint64_t cuts) {
  Result result;
  ConllReader reader(format, columns);
  while (!text.empty() && !reader.error()) {
    size_t size = 0;
    do {
      size = std::min(text.find('\n', size), text.size() - 1) + 1;
      cuts = std::rotr(cuts, 1);
    } while (size < text.size() && !((cuts & 1) && whole_sentences(text.substr(0, size)) == size));
    const size_t taken = reader.read(text.substr(0, size));
    require(taken == size || (reader.error() && taken < size), "all is taken, or there is an error");
    result.text.append(text.substr(0, taken));
    add(reader.take(), result);
    text.remove_prefix(size);
  }
  result.error = reader.error();
  result.width = reader.width();
  return result;
}

void check(std::string_view text, ConllFormat format, const std::vector<int32_t>& columns, uint64_t bits) {
  const Result whole = read_in_parts(text, format, columns, 0), parts = read_in_parts(text, format, columns, bits);
  require(whole.tokens == parts.tokens && whole.text == parts.text, "the same sentences");
  require(whole.error.has_value() == parts.error.has_value(), "an error in both");
  if (whole.error) {
    const TextError &a = *whole.error, &b = *parts.error;
    require(a.line == b.line && a.column == b.column && a.expected == b.expected && a.found == b.found,
            "the same error");
    require(a.line >= 1 && a.column >= 1 && a.column <= static_cast<int64_t>(text.size()) + 1, "a place in the text");
  }

  if (whole.n_tokens == 0) return;
  const Result all = read_in_parts(whole.text, format, {}, bits);
  require(!all.error && all.n_tokens == whole.n_tokens, "what was read reads again");
  const std::vector<int32_t> numbers(static_cast<size_t>(whole.n_tokens), 0);
  std::optional<size_t> column = 1 + bits % all.width;
  if (*column == all.width) column.reset();
  if (format == ConllFormat::universal && !column) column = 1;
  const std::string written = write_conll(whole.text, format, {{column, {"tag"}, numbers}});
  const auto place = static_cast<int32_t>(column.value_or(all.width));
  const Result tags = read_in_parts(written, format, {place}, bits);
  const Result first = read_in_parts(written, format, {0}, bits), before = read_in_parts(whole.text, format, {0}, bits);
  require(!tags.error && tags.n_tokens == whole.n_tokens && first.tokens == before.tokens, "as many tokens");
  for (std::string_view rest = tags.tokens; !rest.empty();) {
    const std::string_view line = take_line(rest);
    require(line.empty() || line == "tag", "the column that was written");
  }
  require(column || all.width + 1 == tags.width, "one column more");
}

void check_trees(std::string_view text) {
  ConllReader reader(ConllFormat::universal, {6});
  reader.read(text);
  const Corpus corpus = reader.take();
  for (size_t s = 0; s + 1 < corpus.starts.size(); ++s) {
    std::vector<int32_t> heads;
    for (auto t = static_cast<size_t>(corpus.starts[s]); t < static_cast<size_t>(corpus.starts[s + 1]); ++t) {
      const std::string_view field = corpus.columns[0].texts[corpus.columns[0].tokens[t]];
      int32_t head = -1;
      std::from_chars(field.data(), field.data() + field.size(), head);
      heads.push_back(head);
    }
    const auto n = static_cast<int32_t>(heads.size());
    if (const TreeProblem problem = problem_of_tree(heads); problem.expected) {
      require(problem.word >= 1 && problem.word <= n && !problem.found.empty(), "a word shows it");
      continue;
    }
    const RightTree tree(heads, heads);
    Configuration c;
    for (c.begin(n); !c.done();) {
      const Move move = Oracle(tree).next(c);
      require(c.allows(move), "a way to the tree");
      c.make(move, 0, 0);
    }
    for (int32_t d = 1; d <= n; ++d) require(c.node(d).head == heads[static_cast<size_t>(d - 1)], "the tree");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t bits = 0x9e3779b97f4a7c15;  // which columns and which cuts: all follows from the bytes
  for (size_t k = 0; k < size; ++k) bits = (bits ^ data[k]) * 0x100000001b3;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<int32_t> columns;
  for (uint64_t k = bits >> 60 & 3; k > 0; --k) columns.push_back(static_cast<int32_t>(bits >> (50 - 4 * k) & 7) - 3);
  check(text, ConllFormat::columns, columns, bits);
  check(text, ConllFormat::universal, columns, ~bits);
  check_trees(text);
  return 0;
}
