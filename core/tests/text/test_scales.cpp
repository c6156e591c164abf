// Scales and rows of counted texts, with numbers by hand.
#include "tests/check.hpp"
#include "text/counts.hpp"

using namespace rosenblatt;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

// Three texts over the features 1, 2, 3 of words and, from 4 on, 5 of a part of a word.
struct Texts {
  std::vector<float> counts{1, 2, 1, 1, 3, 1};
  std::vector<int32_t> features{2, 1, 2, 5, 3, 5}, starts{0, 2, 4, 6};
  std::vector<int64_t> rows{0, 1, 2};
  SomeTexts some() const { return {counts.data(), features.data(), starts.data(), rows.data(), int64_t(rows.size())}; }
};
const TextShape kShape{2, 1, 3, 3};
const std::vector<int32_t> kTarget{0, 1, 1};

TextScales learned(Weighting weighting, const Texts& texts) {
  TextCounts counts(kShape, weighting == Weighting::ratio);
  counts.add(texts.some(), kTarget.data(), 2);
  return counts.scales(weighting);
}

struct Row {
  std::vector<int32_t> columns;
  std::vector<float> values;
};

Row row(const TextScales& scales, const Texts& texts, size_t k) {
  const ScaledTexts all = scales.rows(texts.some());
  const auto first = all.starts[int64_t(k)], last = all.starts[int64_t(k) + 1];
  return {{all.columns.begin() + first, all.columns.begin() + last},
          {all.values.begin() + first, all.values.begin() + last}};
}

void check_shape() {
  CHECK(kShape.size() == 8 && !kShape.is_part(3) && kShape.is_part(4) && kShape.is_part(7));
  CHECK(TextShape{2, 1, 0, 0}.size() == 4);
}

void check_tfidf() {
  const Texts texts;
  const TextScales scales = learned(Weighting::tfidf, texts);
  CHECK(scales.features() == std::vector<int32_t>{1, 2, 3, 5});
  const double once = 1 + std::log(2.0), twice = 1 + std::log(4.0 / 3);
  CHECK(near(scales.scales()[0], once) && near(scales.scales()[1], twice) && near(scales.scales()[3], twice));
  const Row first = row(scales, texts, 0);
  const double a = twice, b = (1 + std::log(2.0)) * once, length = std::hypot(a, b);
  CHECK(first.columns == std::vector<int32_t>{1, 0} && near(first.values[0], a / length) &&
        near(first.values[1], b / length));
  const Row second = row(scales, texts, 1);  // a word and a part: each of length one, and then 1 to 0.6
  CHECK(near(second.values[0], 1 / std::sqrt(1.36)) && near(second.values[1], 0.6 / std::sqrt(1.36)));
}

void check_other_weightings() {
  const Texts texts;
  const TextScales log = learned(Weighting::log, texts);
  CHECK(log.scales() == std::vector<float>(4, 1));
  CHECK(near(row(log, texts, 0).values[1], (1 + std::log(2.0)) / std::hypot(1, 1 + std::log(2.0))));
  const TextScales binary = learned(Weighting::binary, texts);
  CHECK(near(row(binary, texts, 0).values[0], std::sqrt(0.5)) && near(row(binary, texts, 0).values[1], std::sqrt(0.5)));
}

// Of words class 0 has features 1 and 2 once, class 1 has 2 and 3; with one more of each, 3 features: p and q of
// feature 1 are 2/5 and 1/5, of feature 2 both are 2/5, of the only part 1/1 and 3/3.
void check_ratio() {
  const Texts texts;
  const TextScales ratio = learned(Weighting::ratio, texts);
  CHECK(near(ratio.scales()[0], std::log(2.0)) && near(ratio.scales()[1], 0) && near(ratio.scales()[2], std::log(2.0)));
  CHECK(near(ratio.scales()[3], 0));
  const Row first = row(ratio, texts, 0);
  CHECK(near(first.values[0], 0) && near(first.values[1], 1));
}

// One text after the other, with a class that comes later, teaches what all texts at once do.
void check_parts() {
  Texts texts;
  const std::vector<int32_t> later{2, 0, 5};
  TextCounts at_once(kShape, true), parts(kShape, true);
  at_once.add(texts.some(), later.data(), 6);
  for (size_t k = 0; k < 3; ++k) {
    texts.rows = {int64_t(k)};
    parts.add(texts.some(), &later[k], k == 2 ? 6 : 3);
  }
  CHECK(parts.size() == 3 && parts.features() == std::vector<int32_t>{2, 1, 5, 3});
  CHECK(parts.texts_with() == std::vector<int32_t>{2, 1, 2, 1});
  for (const Weighting weighting : {Weighting::tfidf, Weighting::ratio})
    CHECK(parts.scales(weighting).scales() == at_once.scales(weighting).scales());
  parts.forget_classes();
  CHECK(!parts.of_classes() && parts.scales(Weighting::tfidf).scales() == at_once.scales(Weighting::tfidf).scales());
}

void check_what_is_not_known() {
  const Texts texts;
  const TextScales few(kShape, Weighting::log, {2}, {3});
  CHECK(row(few, texts, 0).columns == std::vector<int32_t>{0} && row(few, texts, 0).values == std::vector<float>{1});
  CHECK(row(few, texts, 2).columns.empty());
  Texts two = texts;
  two.rows = {1, 1};
  CHECK(few.rows(two.some()).starts.size() == 3);
}

}  // namespace

int main() {
  check_shape();
  check_tfidf();
  check_other_weightings();
  check_ratio();
  check_parts();
  check_what_is_not_known();
  return check::report();
}
