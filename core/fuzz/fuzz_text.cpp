// Any bytes at all: no crash, the same features whatever comes before and behind them, and what is no UTF-8 is said to
// be at its first byte.
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/require.hpp"
#include "text/features.hpp"

using namespace rosenblatt;

namespace {

struct Found {
  std::vector<int32_t> features;
  std::vector<float> counts;
  std::string error;
  bool operator==(const Found&) const = default;
};

Found read(std::string_view text, const TextShape& shape) {
  TextFeatures reader(shape);
  Found found;
  try {
    reader.add(text);
  } catch (const std::invalid_argument& error) {
    found.error = error.what();
    require(reader.size() == 0, "a text that is refused is not there");
  }
  const CountedTexts texts = reader.take();
  found.features.assign(texts.features.begin(), texts.features.end());
  found.counts.assign(texts.counts.begin(), texts.counts.end());
  return found;
}

void check(std::string_view text, const TextShape& shape) {
  const Found found = read(text, shape);
  const size_t valid = utf8_size(text);
  require(found.error.empty() == (valid == text.size()), "an error if it is not UTF-8");
  if (!found.error.empty()) {
    const std::string place = "byte " + std::to_string(valid + 1) + ": expected UTF-8";
    require(found.error.starts_with(place), "at the first byte that is not");
    return;
  }
  float total = 0;
  for (const float count : found.counts) total += count;
  for (const int32_t feature : found.features)
    require(feature >= 0 && size_t(feature) < shape.size(), "a number within its range");

  const std::string copy(text), blanks = "  " + copy + " \n";
  require(read(copy, shape) == found && read(blanks, shape) == found, "the same, wherever it lies");
  const auto places = TextFeatures(shape).places(text);
  require(float(places.size()) == total, "each feature has its place as often as it is counted");
  for (const auto& place : places)
    require(0 <= place.begin && place.begin < place.end && place.end <= int64_t(text.size()) &&
                is_utf8(text.substr(size_t(place.begin), size_t(place.end - place.begin))),
            "a place is a part of the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, {22, 2, 0, 0});
  check(text, {29, 1 + int(size % 4), 1 + int(size % 3), 3 + int(size % 2)});
  return 0;
}
