// CoNLL files: a token a line, its columns apart by blanks or tabs, an empty line after a sentence. A line that begins
// with -DOCSTART- is no token; it stands between documents. CoNLL-U has ten columns apart by one tab, and lines that
// are no tokens: comments (# ...), words of several tokens (3-4) and empty nodes (5.1).
// Texts of whole sentences are read one after the other; the first error ends the reading.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interrupts.hpp"
#include "files/label_text.hpp"
#include "files/text_error.hpp"
#include "sentences/corpus.hpp"

namespace rosenblatt {

inline constexpr size_t kUniversalColumns = 10;
inline constexpr int64_t kLongestSentence = 1 << 26;  // bytes: a file without empty lines must not fill the memory
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class ConllFormat { columns, universal };
enum class ConllLine { empty, document, kept, token };

// The next line of a text, without its end; the text then begins after it.
inline std::string_view take_line(std::string_view& text) {
  const size_t length = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

inline bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == line.npos; }

// Calls at(k) for each byte k of a text that is a tab or `other`, eight of them looked at together.
template <class At>
void for_each_gap(std::string_view text, char other, At at) {
  constexpr uint64_t kOnes = ~uint64_t{0} / 255, kLow = 127 * kOnes;
  // The highest bit of each byte that is zero.
  const auto zeros = [](uint64_t word) { return ~(((word & kLow) + kLow) | word | kLow); };
  size_t k = 0;
  for (; k + 8 <= text.size(); k += 8) {
    const uint64_t word = load_bytes<8>(text.data() + k);
    uint64_t found = zeros(word ^ '\t' * kOnes) | zeros(word ^ static_cast<unsigned char>(other) * kOnes);
    for (; found != 0; found &= found - 1) at(k + static_cast<size_t>(std::countr_zero(found)) / 8);
  }
  for (; k < text.size(); ++k)
    if (text[k] == '\t' || text[k] == other) at(k);
}

// The fields of a line, and what kind of line it is. A comment has none.
inline ConllLine split_line(std::string_view line, ConllFormat format, std::vector<std::string_view>& fields) {
  const bool universal = format == ConllFormat::universal;
  fields.clear();
  if (universal && is_blank(line)) return ConllLine::empty;
  if (universal && line[0] == '#') return ConllLine::kept;
  size_t from = 0;
  const auto end_field = [&](size_t at) {
    if (universal || at > from) fields.push_back(line.substr(from, at - from));
    from = at + 1;
  };
  for_each_gap(line, universal ? '\t' : ' ', end_field);
  end_field(line.size());
  if (fields.empty()) return ConllLine::empty;
  if (universal) return fields[0].find_first_of("-.") == fields[0].npos ? ConllLine::token : ConllLine::kept;
  return fields[0] == "-DOCSTART-" ? ConllLine::document : ConllLine::token;
}

// How much of a text of whole lines is whole sentences: all up to its last empty line. What follows may go on.
inline size_t whole_sentences(std::string_view text) {
  Interrupts interrupts;
  for (size_t end = text.rfind('\n') + 1; end > 0;) {
    const size_t begin = end > 1 ? text.rfind('\n', end - 2) + 1 : 0;
    interrupts.after(static_cast<int64_t>(end - begin));
    if (is_blank(text.substr(begin, end - begin))) return end;
    end = begin;
  }
  return 0;
}

// Printable, all of it, and without a letter that takes two bytes: a quick look that mostly suffices.
inline bool is_ascii(std::string_view text) {
  bool good = true;
  for (const char c : text) good &= (c >= 0x20 && c < 0x7f) || c == '\t';
  return good;
}

// What is expected of a field or a line that is not as it should be, or null.
inline const char* wanted_of_text(std::string_view text) {
  if (is_ascii(text)) return nullptr;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return "printable text";
  return is_utf8(text) ? nullptr : "text in UTF-8";
}

class ConllReader {
 public:
  // The numbers of the columns to read, negative ones from the last; all, if there are none.
  explicit ConllReader(ConllFormat format, std::vector<int32_t> columns = {})
      : format_(format), columns_(std::move(columns)), reads_all_(columns_.empty()) {
    if (format == ConllFormat::universal) set_width(kUniversalColumns);
  }

  int64_t lines() const { return lines_; }
  int64_t n_tokens() const { return corpus_.n_tokens(); }  // that are to be taken
  size_t width() const { return width_; }                  // the columns of the file; 0: there was no token yet
  const std::vector<int32_t>& columns() const { return columns_; }
  const std::optional<TextError>& error() const { return error_; }

  // How many bytes the sentences take that were read: all, or up to the sentence with the error.
  size_t read(std::string_view text) {
    const char* const begin = text.data();
    if (lines_ == 0 && text.starts_with(kByteOrderMark)) sentence_bytes_ = skipped_ = 3, text.remove_prefix(3);
    const char* whole = text.data();
    while (!text.empty()) {
      const char* const line_begin = text.data();
      line_ = take_line(text);
      interrupts_.after(text.data() - line_begin);
      sentence_bytes_ += text.data() - line_begin;
      read_line();
      skipped_ = 0;
      if (error_) break;
      lines_ += 1;
      if (text.empty() || tokens_ == corpus_.starts.back()) whole = text.data();
    }
    end_sentence();
    return static_cast<size_t>(whole - begin);
  }

  // The sentences read since the last time.
  Corpus take() {
    corpus_.columns.resize(columns_.size());
    tokens_ = 0;
    return std::exchange(corpus_, {});
  }

 private:
  void read_line() {
    const ConllLine kind = split_line(line_, format_, fields_);
    if (kind == ConllLine::empty) sentence_bytes_ = 0;
    if (sentence_bytes_ > kLongestSentence)
      fail(line_.data(), "an empty line after at most " + std::to_string(kLongestSentence) + " bytes");
    else if (kind == ConllLine::token)
      read_token();
    else if (kind == ConllLine::kept)
      check_kept();
    else
      end_sentence();
  }

  void read_token() {
    if (width_ == 0 && !set_width(fields_.size())) return;
    if (!has_width() || (format_ == ConllFormat::universal && !has_number())) return;
    if (!reads_all_ && !has_texts()) return;
    corpus_.columns.resize(columns_.size());
    for (size_t k = 0; k < columns_.size(); ++k) {
      const std::string_view field = fields_[static_cast<size_t>(columns_[k])];
      Texts& texts = corpus_.columns[k].texts;
      int32_t number = texts.find(field);
      if (number == Texts::kUnknown) {
        if (!is_text(field)) return;
        number = texts.intern(field);
      }
      corpus_.columns[k].tokens.push_back(number);
    }
    ++tokens_;
  }

  void check_kept() {
    if (fields_.empty()) {
      is_text(line_);
    } else if (has_width() && has_texts()) {
      const size_t middle = fields_[0].find_first_of("-.");
      if (!is_number(fields_[0].substr(0, middle)) || !is_number(fields_[0].substr(middle + 1)))
        fail(fields_[0].data(), "a number, or two with '-' or '.' between them", fields_[0]);
    }
  }

  static bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  }

  // The first token decides how many columns there are.
  bool set_width(size_t width) {
    const auto size = static_cast<int64_t>(width);
    int64_t needed = 0;
    for (const int64_t c : columns_) needed = std::max(needed, c < 0 ? -c : c + 1);
    if (needed > size) return fail(line_end(), "at least " + std::to_string(needed) + " columns"), false;
    width_ = width;
    first_line_ = lines_ + 1;
    for (int32_t& c : columns_) c += c < 0 ? static_cast<int32_t>(size) : 0;
    if (columns_.empty())
      for (int32_t c = 0; c < size; ++c) columns_.push_back(c);
    return true;
  }

  bool has_width() {
    if (fields_.size() != width_) {
      const std::string wanted = std::to_string(width_) + (width_ == 1 ? " column" : " columns") +
                                 (format_ == ConllFormat::universal ? " with a tab between them"
                                                                    : ", as in line " + std::to_string(first_line_));
      if (fields_.size() < width_)
        fail(line_end(), wanted);
      else
        fail(fields_[width_].data(), wanted);
    } else if (format_ == ConllFormat::universal) {
      for (const std::string_view field : fields_)
        if (field.empty() && !error_)
          fail(field.data(), "a text, or '_' for none", std::string_view(field.data(), field.data() != line_end()));
    }
    return !error_;
  }

  bool has_number() {
    const int64_t wanted = tokens_ - corpus_.starts.back() + 1;
    int64_t number = 0;
    const char* const end = fields_[0].data() + fields_[0].size();
    const auto result = std::from_chars(fields_[0].data(), end, number);
    if (result.ec == std::errc() && result.ptr == end && number == wanted) return true;
    fail(fields_[0].data(), "token number " + std::to_string(wanted), fields_[0]);
    return false;
  }

  bool is_text(std::string_view text) {
    if (const char* const wanted = wanted_of_text(text)) fail(text.data(), wanted, text);
    return !error_;
  }

  bool has_texts() {
    if (!is_ascii(line_))
      for (const std::string_view field : fields_)
        if (!is_text(field)) return false;
    return true;
  }

  const char* line_end() const { return line_.data() + line_.size(); }

  // An error in the midst of a sentence leaves nothing of it.
  void end_sentence() {
    if (error_) {
      tokens_ = corpus_.starts.back();
      for (Column& column : corpus_.columns) column.tokens.resize(static_cast<size_t>(tokens_));
    }
    if (tokens_ > corpus_.starts.back()) corpus_.starts.push_back(tokens_);
  }

  void fail(const char* place, std::string expected, std::optional<std::string_view> found = {}) {
    const auto at = static_cast<size_t>(place - line_.data());
    const std::string_view text = found.value_or(line_.substr(at, line_.find_first_of(" \t", at + 1) - at));
    error_ = {lines_ + 1, static_cast<int64_t>(at) + 1 + skipped_, std::move(expected),
              std::string(text.substr(0, TextError::kShown))};
  }

  ConllFormat format_;
  std::vector<int32_t> columns_;
  bool reads_all_;
  size_t width_ = 0;
  int64_t lines_ = 0, first_line_ = 0, tokens_ = 0, sentence_bytes_ = 0;
  int64_t skipped_ = 0;  // the bytes of a byte order mark before the line
  std::string_view line_;
  std::vector<std::string_view> fields_;
  Corpus corpus_;
  std::optional<TextError> error_;
  Interrupts interrupts_;
};

}  // namespace rosenblatt
