// Shares of words: a feature at several places, and one that covers several words.
#include "tests/check.hpp"
#include "text/reasons.hpp"

using namespace rosenblatt;

int main() {
  TextFeatures reader({22, 2, 0, 0});
  const std::string_view text = "Red sky, red!";
  const auto places = reader.places(text);
  const auto at = [&](int64_t begin, int64_t end) {
    for (const auto& place : places)
      if (place.begin == begin && place.end == end) return place.feature;
    return -1;
  };
  const std::vector<int32_t> features = {at(0, 3), at(4, 7), at(0, 7)};
  CHECK(at(9, 12) == features[0]);
  const std::vector<double> amounts = {4, -1, 0.5};
  const auto words = find_reasons(reader, text, features, amounts);
  CHECK(words.size() == 5);  // red, sky, the comma, red, the mark
  CHECK(words[0].begin == 0 && words[0].end == 3 && words[0].share == 2.25);
  CHECK(words[1].share == -0.75 && words[2].share == 0 && words[3].share == 2 && words[4].share == 0);
  CHECK(find_reasons(reader, "", {}, {}).empty());
  return check::report();
}
