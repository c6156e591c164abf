// Edits: how a text becomes another one, such as a word its lemma, in a form that many words have in common: change the
// case, keep a part of the text, put something before and behind it. An edit is a text itself, so that it can be a tag:
//   case, first character kept, characters left out at the end, TAB, what is put before, TAB, what is put behind
// `lower 0 1`, TAB, TAB makes "dog" of "Dogs"; a first character of -3 is the last but two. `= ` and a text is an edit
// whose result is always this text. No field of CoNLL-U has a tab or a line end, so that both can stand between.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/code_points.hpp"

namespace rosenblatt {

// What happens to the case first: nothing, all small letters, or all but the first character.
enum class CaseChange : uint8_t { keep, lower, title };
constexpr std::array<std::string_view, 3> kCaseNames = {"keep", "lower", "title"};

struct Edit {
  bool whole = false;  // then the result is `before`
  CaseChange change = CaseChange::keep;
  int64_t first = 0, cut = 0;
  std::u32string before, behind;
};

inline std::u32string changed_case(std::u32string text, CaseChange change) {
  if (change == CaseChange::keep) return text;
  for (size_t k = change == CaseChange::title; k < text.size(); ++k) text[k] = small_letter(text[k]);
  return text;
}

inline std::u32string applied(const Edit& edit, const std::u32string& text) {
  if (edit.whole) return edit.before;
  const auto size = static_cast<int64_t>(text.size());
  const std::u32string changed = changed_case(text, edit.change);
  const int64_t first = std::clamp(edit.first < 0 ? size + edit.first : edit.first, int64_t{0}, size);
  const int64_t last = std::clamp(size - edit.cut, first, size);
  return edit.before + changed.substr(size_t(first), size_t(last - first)) + edit.behind;
}

inline std::string text_of(const Edit& edit) {
  if (edit.whole) return "= " + utf8_of(edit.before);
  return std::string(kCaseNames[size_t(edit.change)]) + " " + std::to_string(edit.first) + " " +
         std::to_string(edit.cut) + "\t" + utf8_of(edit.before) + "\t" + utf8_of(edit.behind);
}

// The edit that a text says; anything else is kept as it is, whatever it says.
inline Edit edit_of(std::string_view text) {
  Edit edit;
  if (text.starts_with("= ")) {
    edit.whole = true;
    edit.before = characters_of(text.substr(2));
    return edit;
  }
  const size_t tab = std::min(text.find('\t'), text.size()), next = std::min(text.find('\t', tab + 1), text.size());
  std::string_view numbers = text.substr(0, tab);
  for (size_t k = 0; k < kCaseNames.size(); ++k)
    if (numbers.starts_with(kCaseNames[k])) edit.change = static_cast<CaseChange>(k);
  numbers.remove_prefix(std::min(numbers.find(' '), numbers.size()));
  for (int64_t* number : {&edit.first, &edit.cut}) {
    numbers.remove_prefix(std::min<size_t>(1, numbers.size()));
    int32_t value = 0;
    const auto end = std::from_chars(numbers.data(), numbers.data() + numbers.size(), value).ptr;
    numbers.remove_prefix(size_t(end - numbers.data()));
    *number = value;
  }
  if (tab < text.size()) edit.before = characters_of(text.substr(tab + 1, next - tab - 1));
  if (next < text.size()) edit.behind = characters_of(text.substr(next + 1));
  return edit;
}

// The longest part that both have in common, the first such part: where it begins in each, and its length.
struct CommonPart {
  size_t in_first = 0, in_second = 0, length = 0;
};
inline CommonPart common_part(const std::u32string& first, const std::u32string& second) {
  CommonPart best;
  std::vector<size_t> length(second.size() + 1);
  for (size_t i = 0; i < first.size(); ++i)
    for (size_t j = second.size(); j-- > 0;) {
      length[j + 1] = first[i] == second[j] ? length[j] + 1 : 0;
      if (length[j + 1] > best.length) best = {i + 1 - length[j + 1], j + 1 - length[j + 1], length[j + 1]};
    }
  return best;
}

constexpr size_t kLongestEdited = 256;  // longer texts have edits of their whole: the common part takes time n^2

// The edit that makes `to` of `from`: of all changes of case the one that needs the fewest characters, the first of
// those; the whole if the texts have nothing in common. `at_end`: what is kept is counted from the end.
inline Edit find_edit(const std::u32string& from, const std::u32string& to, bool at_end = false) {
  Edit best{true, CaseChange::keep, 0, 0, to, {}};
  size_t least = SIZE_MAX;
  if (from.size() > kLongestEdited || to.size() > kLongestEdited) return best;
  for (size_t k = 0; k < kCaseNames.size(); ++k) {
    const auto change = static_cast<CaseChange>(k);
    const auto [i, j, length] = common_part(changed_case(from, change), to);
    const size_t put = to.size() - length, left_out = from.size() - length;
    if (length == 0 || put + left_out >= least) continue;
    least = put + left_out;
    const auto first = static_cast<int64_t>(i);
    best = {false,
            change,
            at_end ? first - static_cast<int64_t>(from.size()) : first,
            static_cast<int64_t>(from.size() - i - length),
            to.substr(0, j),
            to.substr(j + length)};
  }
  return best;
}

// The words of a token: an edit of the token for each, a line end between the edits. The first word is kept from its
// beginning, the others from their end.
inline std::string find_split(std::string_view token, const std::vector<std::string>& words) {
  const std::u32string from = characters_of(token);
  std::string split;
  for (size_t k = 0; k < words.size(); ++k)
    split += (k > 0 ? "\n" : "") + text_of(find_edit(from, characters_of(words[k]), k > 0));
  return split;
}

inline std::vector<Edit> edits_of(std::string_view split) {
  std::vector<Edit> edits;
  for (;;) {
    const size_t end = std::min(split.find('\n'), split.size());
    edits.push_back(edit_of(split.substr(0, end)));
    if (end == split.size()) return edits;
    split.remove_prefix(end + 1);
  }
}

}  // namespace rosenblatt
