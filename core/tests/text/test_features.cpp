// Tokens, hashes and counts of texts, with numbers by hand.
#include <stdexcept>
#include <string>

#include "tests/check.hpp"
#include "text/features.hpp"

using namespace rosenblatt;

namespace {

using Texts = std::vector<std::string>;

Texts tokens_of(std::string_view text) {
  Texts found, by_hash;
  Tokeniser tokeniser;
  tokeniser.for_each_token<true>(text, [&](const Token& token, std::string_view folded) {
    CHECK(token.hash == hash_of(folded, kWordHash));
    CHECK(text.data() <= token.begin && token.begin < token.end && token.end <= text.data() + text.size());
    found.emplace_back(folded);
  });
  size_t k = 0;
  tokeniser.for_each_token<false>(text, [&](const Token& token) {
    CHECK(k < found.size() && token.hash == hash_of(found[k], kWordHash));
    ++k;
  });
  CHECK(k == found.size());
  return found;
}

void check_tokens() {
  CHECK(tokens_of("").empty() && tokens_of(" \t\n\r ").empty());
  CHECK(tokens_of("It's") == Texts{"it", "'", "s"});
  CHECK(tokens_of("Ab_9 [x]@Z") == Texts{"ab_9", "[", "x", "]", "@", "z"});
  CHECK(tokens_of("sevenxx eightxxx ninexxxxx") == Texts{"sevenxx", "eightxxx", "ninexxxxx"});
  CHECK(tokens_of("a\x01z\x7fy") == Texts{"a", "z", "y"});  // control characters are blanks
  CHECK(tokens_of(std::string_view("a\0b", 3)) == Texts{"a", "b"});
  CHECK(tokens_of("NA\u00cfVE stra\u00dfe \u03a3\u03c2") == Texts{"na\u00efve", "stra\u00dfe", "\u03c3\u03c3"});
  CHECK(tokens_of("\u6f22\u5b57 x\u304b") == Texts{"\u6f22", "\u5b57", "x", "\u304b"});
  CHECK(tokens_of("a\u00adb \u00ad") == Texts{"ab"});  // a hyphen that is only shown where a line ends
  CHECK(tokens_of("\u200dq\u200d\u200dr\u00a0s\u200bt") == Texts{"qr", "s", "t"});
  CHECK(tokens_of("\U0001f600\u2764\ufe0f!") == Texts{"\U0001f600", "\u2764", "!"});
  CHECK(tokens_of("longerthaneight\u00c9") == Texts{"longerthaneight\u00e9"});
  CHECK(tokens_of("\U00010400x") == Texts{"\U00010428x"});  // a letter of four bytes
}

void check_bad_bytes() {
  const auto read = [](std::string_view text) {
    TextFeatures features({8, 2, 0, 0});
    features.add(text);
  };
  CHECK_THROWS(read("ab \xff"), std::invalid_argument, "byte 4: expected UTF-8, found 0xff");
  CHECK_THROWS(read("abcdefghij\xc3"), std::invalid_argument, "byte 11: expected UTF-8, found 0xc3");
  CHECK_THROWS(read("\xed\xa0\x80"), std::invalid_argument, "byte 1: expected UTF-8, found 0xed");
  CHECK_THROWS(read("x\xc0\x80"), std::invalid_argument, "byte 2: expected UTF-8, found 0xc0");
  CHECK_THROWS(read("\xf4\x90\x80\x80"), std::invalid_argument, "byte 1: expected UTF-8, found 0xf4");
}

struct Text {
  std::vector<int32_t> features;
  std::vector<float> counts;
};

Text features_of(std::string_view text, TextShape shape) {
  TextFeatures features(shape);
  features.add(text);
  const CountedTexts found = features.take();
  CHECK(found.starts.size() == 2 && found.starts[0] == 0 && found.starts[1] == found.features.size());
  CHECK(features.size() == 0);
  return {{found.features.begin(), found.features.end()}, {found.counts.begin(), found.counts.end()}};
}

// In 2^29 numbers; those of a word and of a pair by a calculator: the halves of a product of 64-bit numbers.
void check_hashes() {
  CHECK(mix(0xffffffffffffffff, 0xffffffffffffffff) == 0xffffffffffffffff);  // 2^128 - 2^65 + 1
  CHECK(mix(uint64_t{1} << 32, uint64_t{1} << 32) == 1 && mix(3, 5) == 15 && mix(0, 7) == 0);
  const uint64_t a = mix(kHashSeed ^ 0x61, kWordHash), b = mix(kHashSeed ^ 0x62, kWordHash);
  const uint64_t ab = mix(a ^ 0xe7037ed1a0b428db, b ^ 0x8ebc6af09c88c6e3);
  const auto number = [](uint64_t hash) { return int32_t(hash >> 35); };
  const Text one = features_of("A b", {29, 2, 0, 0}), same = features_of("a  B", {29, 2, 0, 0});
  CHECK(one.features == std::vector<int32_t>{number(a), number(ab), number(b)} && one.features == same.features);
  CHECK(one.counts == std::vector<float>{1, 1, 1});
  const uint64_t first = mix(kHashSeed ^ 0x6867666564636261, kWordHash);
  CHECK(hash_of("abcdefgh", kWordHash) == first && hash_of("abcdefghi", kWordHash) == mix(first ^ 0x69, kWordHash));
}

void check_counts() {
  const Text text = features_of("no no, no", {29, 2, 0, 0});  // no, no no, ",", no ",", ", no"
  CHECK(text.counts == std::vector<float>{3, 1, 1, 1, 1});
  CHECK(features_of("no no, no", {29, 1, 0, 0}).counts == std::vector<float>{3, 1});
  CHECK(features_of("a b c d", {29, 3, 0, 0}).features.size() == 9);
  CHECK(features_of("", {29, 2, 0, 0}).features.empty() && features_of(" ", {29, 2, 3, 5}).features.empty());
  CHECK(features_of("x y z", {1, 2, 0, 0}).features.size() <= 2);
}

// <ab> has the parts <ab, ab>, <ab>; signs have none; a word of many characters only those of its beginning.
void check_parts() {
  const Text text = features_of("ab !", {29, 1, 3, 4});
  const auto part = [](std::string_view of) { return int32_t(hash_of(of, kPartHash) >> 35) | 1 << 29; };
  CHECK(text.features.size() == 5 && text.features[2] == part("<ab") && text.features[3] == part("<ab>") &&
        text.features[4] == part("ab>"));
  const Text accents = features_of("\u00c9\u00e9", {29, 1, 3, 3});
  CHECK(accents.features.size() == 3 && accents.features[1] == part("<\u00e9\u00e9") &&
        accents.features[2] == part("\u00e9\u00e9>"));
  const std::string many(200, 'q'), accented = many + "\u00e9";
  CHECK(features_of(many, {29, 1, 3, 3}).counts == std::vector<float>{1, 1, 61});
  CHECK(features_of(accented, {29, 1, 3, 3}).counts == std::vector<float>{1, 1, 61});
}

void check_places() {
  TextFeatures features({29, 2, 3, 3});
  const auto places = features.places("Ab \u00c9!");
  CHECK(places.size() == 5 + 2 + 1);
  CHECK(places[0].begin == 0 && places[0].end == 2 && places[1].begin == 0 && places[1].end == 5);
  CHECK(places[2].begin == 3 && places[2].end == 5 && places[4].begin == 5 && places[4].end == 6);
  CHECK(places[5].begin == 0 && places[5].end == 2 && places[7].begin == 3 && places[7].end == 5);
}

}  // namespace

int main() {
  check_tokens();
  check_bad_bytes();
  check_hashes();
  check_counts();
  check_parts();
  check_places();
  return check::report();
}
