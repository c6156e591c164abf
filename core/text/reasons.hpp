// What each word of a text adds to a score. A feature that the text has at several places adds the same at each, and a
// feature that covers several words is shared among them, so all shares add up to the score without its constant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/features.hpp"

namespace rosenblatt {

struct Reason {
  int64_t begin, end;  // bytes of the text
  double share;
};

// `amounts[k]` is what `features[k]`, one of the text's features, adds to the score; each feature is there once.
inline std::vector<Reason> find_reasons(TextFeatures& reader, std::string_view text, std::span<const int32_t> features,
                                        std::span<const double> amounts) {
  struct Part {
    double amount = 0;
    int64_t places = 0;
  };
  std::unordered_map<int32_t, Part> parts;
  for (size_t k = 0; k < features.size(); ++k) parts[features[k]].amount = amounts[k];
  const std::vector<TextFeatures::Place> places = reader.places(text);
  for (const auto& place : places) parts[place.feature].places += 1;

  std::vector<Reason> words;  // the first feature at a place is its word alone
  for (const auto& place : places)
    if (words.empty() || place.begin > words.back().begin) words.push_back({place.begin, place.end, 0});
  const auto before = [](const Reason& word, int64_t at) { return word.begin < at; };
  for (const auto& place : places) {
    const Part& part = parts[place.feature];
    const auto first = std::lower_bound(words.begin(), words.end(), place.begin, before);
    const auto last = std::lower_bound(first, words.end(), place.end, before);
    const double share = part.amount / double(part.places) / double(last - first);
    std::for_each(first, last, [&](Reason& word) { word.share += share; });
  }
  return words;
}

}  // namespace rosenblatt
