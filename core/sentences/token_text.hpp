// Tokens of a text, as columns to look at, and as CoNLL-U from which the text comes back byte for byte: what stands
// between tokens is in the last column (SpaceAfter=No, SpacesAfter, SpacesBefore), and so is what a token has between
// its parts if that is not one blank (SpacesInToken).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interrupts.hpp"
#include "sentences/atoms.hpp"
#include "sentences/corpus.hpp"
#include "sentences/edits.hpp"
#include "text/code_points.hpp"

namespace rosenblatt {

// Token k is text[begin[k]] to text[end[k]].
struct Spans {
  std::vector<int64_t> begin, end;

  size_t size() const { return begin.size(); }
  std::string_view of(std::string_view text, size_t k) const {
    return text.substr(size_t(begin[k]), size_t(end[k] - begin[k]));
  }
  // What stands between token k and the next one, or the end of the text.
  std::string_view behind(std::string_view text, size_t k) const {
    const int64_t next = k + 1 < size() ? begin[k + 1] : int64_t(text.size());
    return text.substr(size_t(end[k]), size_t(next - end[k]));
  }
};

// The form of a token: its text, with one blank for each piece of white space in it.
inline std::string form_of(std::string_view text) {
  std::string form;
  bool blank = false;
  while (!text.empty()) {
    const uint32_t c = take_character(text);
    if (!is_white_space(c))
      append_character(form, c);
    else if (!blank)
      form.push_back(' ');
    blank = is_white_space(c);
  }
  return form;
}

// White space, and what else there may be in a text, as a value of the last column.
inline std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain = " \t\n\v\f\r|\\", kLetters = "stnvfrp\\";
  std::string value;
  for (const char c : text) {
    const size_t k = kPlain.find(c);
    if (k == kPlain.npos)
      value.push_back(c);
    else
      value.append({'\\', kLetters[k]});
  }
  return value;
}

// The columns of tokens: form, form in small letters, what comes after it (see AtomReader). A sentence of the corpus is
// a paragraph, or a piece of one that has `most` tokens.
inline Corpus corpus_of_tokens(std::string_view text, const Spans& tokens, Paragraphs paragraphs, int64_t most) {
  Corpus corpus;
  corpus.columns.resize(3);
  Column &forms = corpus.columns[0], &lower = corpus.columns[1], &gaps = corpus.columns[2];
  std::vector<int32_t> lower_of;  // the small letters of each form
  Interrupts interrupts;
  for (size_t k = 0; k < tokens.size(); ++k) {
    interrupts.after(16);
    const int32_t form = forms.texts.intern(form_of(tokens.of(text, k)));
    if (size_t(form) == lower_of.size())
      lower_of.push_back(lower.texts.intern(utf8_of(small_letters(characters_of(forms.texts[form])))));
    forms.tokens.push_back(form);
    lower.tokens.push_back(lower_of[size_t(form)]);
    const bool last = k + 1 == tokens.size();
    const Gap gap = last ? Gap::paragraph : white_space_of(tokens.behind(text, k), paragraphs).gap;
    gaps.tokens.push_back(gaps.texts.intern(kGapNames[size_t(gap)]));
    const auto next = static_cast<int64_t>(k) + 1;
    if (gap == Gap::paragraph || next - corpus.starts.back() >= most) corpus.starts.push_back(next);
  }
  return corpus;
}

// Which words tokens have: token k is changed by splits[of_token[k]], an empty one is the token itself.
struct Splits {
  std::vector<std::string> splits;
  std::vector<int32_t> of_token;
};

// What is written beside the words.
struct TokenNotes {
  int64_t first_sentence = 1;   // the number of the first sentence
  bool new_document = false;    // whether a document begins with it
  bool new_paragraph = true;    // and a paragraph
  int64_t first_character = 0;  // of the text in the document, for `ranges`
  bool ranges = false;          // whether to write which characters of the text a token has
};

struct WrittenTokens {
  std::string text;              // CoNLL-U
  Corpus corpus;                 // the forms of the words
  std::vector<int32_t> n_words;  // of each token
};

// Sentence s has the tokens starts[s] to starts[s + 1].
class TokenWriter {
 public:
  TokenWriter(std::string_view text, const Spans& tokens, const Splits& splits) : text_(text), tokens_(tokens) {
    for (const std::string& split : splits.splits)
      edits_.push_back(split.empty() ? std::vector<Edit>() : edits_of(split));
    of_token_ = &splits.of_token;
    written_.corpus.columns.resize(1);
  }

  WrittenTokens write(const std::vector<int64_t>& starts, Paragraphs paragraphs, const TokenNotes& notes) {
    written_.text.reserve(text_.size() * 12);
    bool new_paragraph = notes.new_paragraph;
    characters_ = notes.first_character;
    for (size_t s = 0; s + 1 < starts.size(); ++s) {
      const auto first = size_t(starts[s]), last = size_t(starts[s + 1]);
      auto& out = written_.text;
      if (s == 0 && notes.new_document) out += "# newdoc\n";
      if (new_paragraph) out += "# newpar\n";
      out += "# sent_id = " + std::to_string(notes.first_sentence + int64_t(s)) + "\n# text = ";
      for (size_t k = first; k < last; ++k) {
        out += form_of(tokens_.of(text_, k));
        if (k + 1 < last && !tokens_.behind(text_, k).empty()) out += ' ';
      }
      out += '\n';
      int64_t word = 1;
      for (size_t k = first; k < last; ++k) write_token(k, word, notes);
      out += '\n';
      written_.corpus.starts.push_back(int64_t(written_.corpus.columns[0].tokens.size()));
      new_paragraph = white_space_of(tokens_.behind(text_, last - 1), paragraphs).gap == Gap::paragraph;
    }
    return std::move(written_);
  }

 private:
  void write_token(size_t k, int64_t& word, const TokenNotes& notes) {
    interrupts_.after(64);
    const std::string_view token = tokens_.of(text_, k);
    const std::string form = form_of(token);
    const std::string misc = misc_of(k, token, form, notes);
    auto& out = written_.text;
    const auto& edits = edits_[size_t((*of_token_)[k])];
    if (edits.empty()) {
      write_word(word++, form, misc);
      written_.n_words.push_back(1);
      return;
    }
    const std::u32string characters = characters_of(form);
    if (edits.size() > 1) {
      out += std::to_string(word) + "-" + std::to_string(word + int64_t(edits.size()) - 1) + "\t" + form;
      out += "\t_\t_\t_\t_\t_\t_\t_\t" + misc + "\n";
    }
    for (const Edit& edit : edits) {
      const std::string made = utf8_of(applied(edit, characters));
      write_word(word++, made.empty() ? "_" : made, edits.size() > 1 ? "_" : misc);
    }
    written_.n_words.push_back(int32_t(edits.size()));
  }

  void write_word(int64_t word, const std::string& form, const std::string& misc) {
    auto& out = written_.text;
    out += std::to_string(word);
    out += '\t';
    out += form;
    out += "\t_\t_\t_\t_\t_\t_\t_\t";
    out += misc;
    out += '\n';
    auto& [texts, tokens] = written_.corpus.columns[0];
    tokens.push_back(texts.intern(form));
  }

  std::string misc_of(size_t k, std::string_view token, const std::string& form, const TokenNotes& notes) {
    std::string misc;
    const auto add = [&](std::string_view name, const std::string& value) {
      if (!misc.empty()) misc += '|';
      misc.append(name).append(value);
    };
    const std::string_view behind = tokens_.behind(text_, k);
    if (behind.empty())
      add("SpaceAfter=", "No");
    else if (behind != " ")
      add("SpacesAfter=", escaped(behind));
    if (k == 0) {
      const std::string_view before = text_.substr(0, size_t(tokens_.begin[0]));
      if (!before.empty()) add("SpacesBefore=", escaped(before));
    }
    if (form != token) add("SpacesInToken=", escaped(token));
    if (notes.ranges) {
      characters_ += count_between(counted_, tokens_.begin[k]);
      const int64_t begin = characters_;
      characters_ += count_between(tokens_.begin[k], tokens_.end[k]);
      counted_ = tokens_.end[k];
      add("TokenRange=", std::to_string(begin) + ":" + std::to_string(characters_));
    }
    return misc.empty() ? "_" : misc;
  }

  int64_t count_between(int64_t first, int64_t last) const {
    int64_t count = 0;
    for (const char c : text_.substr(size_t(first), size_t(last - first))) count += (c & 0xc0) != 0x80;
    return count;
  }

  std::string_view text_;
  const Spans& tokens_;
  std::vector<std::vector<Edit>> edits_;
  const std::vector<int32_t>* of_token_;
  int64_t characters_ = 0, counted_ = 0;  // characters before byte counted_
  WrittenTokens written_;
  Interrupts interrupts_;
};

// A new column: edits[of_token[t]] of the form of each token. Forms and edits that come together again are done once.
inline Column edited_column(const Column& forms, const std::vector<std::string>& edits,
                            const std::vector<int32_t>& of_token) {
  std::vector<Edit> read;
  for (const std::string& edit : edits) read.push_back(edit_of(edit));
  std::vector<std::u32string> characters(size_t(forms.texts.size()));
  std::unordered_map<uint64_t, int32_t> known;
  Column column;
  Interrupts interrupts;
  for (size_t t = 0; t < forms.tokens.size(); ++t) {
    interrupts.after(8);
    const int32_t form = forms.tokens[t], edit = of_token[t];
    const auto [place, is_new] = known.try_emplace(uint64_t(form) << 32 | uint32_t(edit), 0);
    if (is_new) {
      auto& text = characters[size_t(form)];
      if (text.empty()) text = characters_of(forms.texts[form]);
      const std::string made = utf8_of(applied(read[size_t(edit)], text));
      place->second = column.texts.intern(made.empty() ? "_" : made);
    }
    column.tokens.push_back(place->second);
  }
  return column;
}

}  // namespace rosenblatt
