// Texts and their numbers; the sentences of CoNLL texts or their first error, wherever they are cut; what is written.
#include <string>
#include <vector>

#include "base/order.hpp"
#include "files/conll.hpp"
#include "files/conll_writer.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

constexpr auto kColumns = ConllFormat::columns, kUniversal = ConllFormat::universal;

void check_texts() {
  Texts texts;
  CHECK(texts.size() == 0 && texts.find("a") == Texts::kUnknown && texts.find("") == Texts::kUnknown);
  std::vector<std::string> known;
  Random random(1);
  for (int k = 0; k < 20'000; ++k) {  // few letters, NUL among them: prefixes and suffixes of each other
    std::string text(static_cast<size_t>(random.below(18)), 'a');
    for (char& c : text) c = "\0ab"[random.below(3)];
    const int32_t number = texts.find(text);
    if (number == Texts::kUnknown) {
      CHECK(texts.intern(text) == static_cast<int32_t>(known.size()));
      known.push_back(text);
    } else {
      CHECK(known[static_cast<size_t>(number)] == text);
    }
  }
  CHECK(texts.size() == static_cast<int32_t>(known.size()) && known.size() > 5'000);
  for (size_t k = 0; k < known.size(); ++k) {
    CHECK(texts[static_cast<int32_t>(k)] == known[k]);
    CHECK(texts.find(known[k]) == static_cast<int32_t>(k) && texts.intern(known[k]) == static_cast<int32_t>(k));
  }
}

// Fields with '/' between them, tokens with ' ', sentences with '|'.
std::string shown(const Corpus& corpus) {
  std::string out;
  for (int64_t s = 0; s < corpus.n_sentences(); ++s) {
    if (s > 0) out += '|';
    for (int64_t t = corpus.starts[static_cast<size_t>(s)]; t < corpus.starts[static_cast<size_t>(s) + 1]; ++t) {
      if (t > corpus.starts[static_cast<size_t>(s)]) out += ' ';
      for (size_t c = 0; c < corpus.columns.size(); ++c) {
        if (c > 0) out += '/';
        out += corpus.columns[c].texts[corpus.columns[c].tokens[static_cast<size_t>(t)]];
      }
    }
  }
  return out;
}

std::string read(const std::string& text, ConllFormat format = kColumns, std::vector<int32_t> columns = {}) {
  ConllReader reader(format, std::move(columns));
  CHECK(reader.read(text) == text.size() && !reader.error());
  return shown(reader.take());
}

std::string error(const std::string& text, ConllFormat format = kColumns, std::vector<int32_t> columns = {}) {
  ConllReader reader(format, std::move(columns));
  CHECK(reader.read(text) < text.size());
  if (!reader.error()) return "none";
  const TextError& found = *reader.error();
  return std::to_string(found.line) + ':' + std::to_string(found.column) + ": " + found.expected + ", " + found.found;
}

const std::string kRest = "\t_\tX\t_\t_\t0\troot\t_\t_";
std::string row(const std::string& number, const std::string& form) { return number + '\t' + form + kRest + '\n'; }

void check_columns() {
  CHECK(read("The DT\ndog NN\n\nIt PRP\n") == "The/DT dog/NN|It/PRP");
  CHECK(read("\xef\xbb\xbf\n \t\nThe \t DT \r\n  dog\tNN\r\n\r\n\r\nIt PRP") == "The/DT dog/NN|It/PRP");
  CHECK(read("# # I-NP\n10 CD I-NP\n") == "#/#/I-NP 10/CD/I-NP");
  CHECK(read("-DOCSTART- -X- O\n\na A B\n-DOCSTART-\nb B C\n") == "a/A/B|b/B/C");
  CHECK(read("-DOCSTART-s X\n") == "-DOCSTART-s/X");
  CHECK(read("a b c\nd e f\n", kColumns, {-1, 0}) == "c/a f/d");
  CHECK(read("a\nb") == "a b" && read("a b c d e f g h i j k\n") == "a/b/c/d/e/f/g/h/i/j/k");
  CHECK(read("caf\xc3\xa9 a\xc2\xa0z\n") == "caf\xc3\xa9/a\xc2\xa0z");  // a blank that does not break is no gap
  CHECK(read("") == "" && read("\n\n") == "");
}

void check_universal() {
  const std::string text = "# text = can't\n" + row("1-2", "can't") + row("1", "ca") + row("2", "n't") + "\n#x\n" +
                           row("1", "New York") + row("1.1", "it") + "# y\n" + row("2", "#");
  CHECK(read(text, kUniversal, {1, 3}) == "ca/X n't/X|New York/X #/X");
  CHECK(read(row("1", "a"), kUniversal) == "1/a/_/X/_/_/0/root/_/_");
  CHECK(read(row("1-99999999999999999999", "ab") + row("1", "a"), kUniversal, {-9}) == "a");
  CHECK(read("\xef\xbb\xbf# a\r\n" + row("1", "a"), kUniversal, {1}) == "a");
}

void check_errors() {
  CHECK(error("a b\nc\n") == "2:2: 2 columns, as in line 1, ");
  CHECK(error("\na\nb c d\n") == "3:3: 1 column, as in line 2, c");
  CHECK(error("a b\n", kColumns, {0, 2}) == "1:4: at least 3 columns, ");
  CHECK(error("a b\n", kColumns, {-3}) == "1:4: at least 3 columns, ");
  CHECK(error("a b\n\nc \xff\n") == "3:3: text in UTF-8, \xff");
  CHECK(error("a b\n\nc \xff\n", kColumns, {0}) == "3:3: text in UTF-8, \xff");
  CHECK(error("\xef\xbb\xbf"
              "a \x01\n") == "1:6: printable text, \x01");
  CHECK(error("1 a\n", kUniversal) == "1:4: 10 columns with a tab between them, ");
  CHECK(error(row("1", ""), kUniversal) == "1:3: a text, or '_' for none, \t");
  CHECK(error("1\ta" + kRest + "\tb\n", kUniversal) == "1:24: 10 columns with a tab between them, b");
  CHECK(error(row("1", "a") + row("3", "b"), kUniversal) == "2:1: token number 2, 3");
  CHECK(error(row("1-", "a"), kUniversal) == "1:1: a number, or two with '-' or '.' between them, 1-");
  CHECK(error("# \xff\n", kUniversal) == "1:1: text in UTF-8, # \xff");

  ConllReader reader(kColumns);
  CHECK(reader.read("a b\n\nc d\ne\n") == 5 && shown(reader.take()) == "a/b" && reader.lines() == 3);
}

void check_longest_sentence() {
  const std::string line(size_t{1} << 20, 'a');
  std::string text;
  while (static_cast<int64_t>(text.size()) <= kLongestSentence) text += line + "\n";
  const std::string lines = std::to_string(text.size() / (line.size() + 1));
  CHECK(error(text) == lines + ":1: an empty line after at most 67108864 bytes, " + line.substr(0, 100));
  CHECK(whole_sentences(text) == 0);
  text[text.size() / 2] = '\n', text[text.size() / 2 + 1] = '\n';
  ConllReader reader(kColumns);
  CHECK(reader.read(text) == text.size() && reader.take().n_sentences() == 2);
}

void check_cuts() {
  CHECK(whole_sentences("") == 0 && whole_sentences("a\nb\n") == 0 && whole_sentences("\n") == 1);
  CHECK(whole_sentences("a\n\nb\n") == 3 && whole_sentences("a\n \t\r\nb\n\nc") == 9 && whole_sentences("a\n\n") == 3);
  const std::string text =
      "\xef\xbb\xbf"
      "a b\n\nc d\ne f\n\n\n-DOCSTART-\ng h\n-DOCSTART-\n\ni j";
  ConllReader reader(kColumns);
  std::string read_in_parts;
  for (std::string_view rest = text; !rest.empty();) {
    size_t size = 0;  // to the next place where sentences are whole
    while (size < rest.size() && (size == 0 || whole_sentences(rest.substr(0, size)) != size)) ++size;
    CHECK(reader.read(rest.substr(0, size)) == size);
    const std::string part = shown(reader.take());
    read_in_parts += (read_in_parts.empty() || part.empty() ? "" : "|") + part;
    rest.remove_prefix(size);
  }
  CHECK(read_in_parts == read(text) && reader.lines() == 11);
}

void check_written() {
  const std::string text =
      "\xef\xbb\xbf"
      "a  A\r\n b B \n\n-DOCSTART- O\nc\tC";
  CHECK(write_conll(text, kColumns, {{{}, {"X", "YZ"}, {0, 1, 0}}}) ==
        "\xef\xbb\xbf"
        "a  A X\r\n b B YZ \n\n-DOCSTART- O O\nc\tC\tX");
  CHECK(write_conll(text, kColumns, {{0, {"X", "YZ"}, {0, 1, 0}}}) ==
        "\xef\xbb\xbf"
        "X  A\r\n YZ B \n\n-DOCSTART- O\nX\tC");
  CHECK(write_conll("a\n", kColumns, {{{}, {"X"}, {0}}}) == "a X\n");
  const std::string universal = "# a\n" + row("1-2", "ab") + row("1", "a") + "\n";
  CHECK(write_conll(universal, kUniversal, {{1, {"New York"}, {0}}}) ==
        "# a\n" + row("1-2", "ab") + row("1", "New York") + "\n");
  CHECK(write_conll(universal, kUniversal, {{7, {"det"}, {0}}, {1, {"New York"}, {0}}, {3, {"X"}, {0}}}) ==
        "# a\n" + row("1-2", "ab") + "1\tNew York\t_\tX\t_\t_\t0\tdet\t_\t_\n\n");
  CHECK(write_conll(text, kColumns, {{{}, {"X"}, {0, 0, 0}}, {0, {"c"}, {0, 0, 0}}, {{}, {"Y"}, {0, 0, 0}}}) ==
        "\xef\xbb\xbf"
        "c  A X Y\r\n c B X Y \n\n-DOCSTART- O O O\nc\tC\tX\tY");
  CHECK_THROWS(write_conll(text, kColumns, {{{}, {"X"}, {0, 0}}}), std::invalid_argument, "every token, found fewer");
  CHECK_THROWS(write_conll(text, kColumns, {{{}, {"X"}, {0, 0, 0, 0}}}), std::invalid_argument,
               "every token, found more");
  CHECK_THROWS(write_conll(text, kColumns, {{{}, {"X"}, {0, 0, 1}}}), std::out_of_range, "");
  CHECK_THROWS(write_conll(text, kColumns, {{{}, {"X"}, {0, 0, -1}}}), std::out_of_range, "");
  CHECK_THROWS(write_conll("a\n", kColumns, {{0, {"X"}, {0}}, {0, {"Y"}, {0}}}), std::invalid_argument, "column once");
  for (const char* field : {"", "a b", "a\tb", "a\n", "\xff"})
    CHECK_THROWS(write_conll("a\n", kColumns, {{{}, {field}, {0}}}), std::invalid_argument, "without blanks, found '");
}

void check_ends() {
  const std::string text = "a A\nb B\n\nc C\n";
  CHECK_ENDS(4, ConllReader(kColumns).read(text));
  CHECK_ENDS(4, write_conll(text, kColumns, {{{}, {"X"}, {0, 0, 0}}}));
  CHECK_ENDS(2, whole_sentences(text));
}

}  // namespace

int main() {
  check_ends();
  check_texts();
  check_columns();
  check_universal();
  check_errors();
  check_longest_sentence();
  check_cuts();
  check_written();
  return check::report();
}
