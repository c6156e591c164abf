// A classifier of texts for a page: it keeps one model and answers texts in UTF-8. A program of its own, text.wasm.
#include <cmath>
#include <optional>

#include "linear/linear.hpp"
#include "page.hpp"
#include "text/reasons.hpp"
#include "text/scales.hpp"

using namespace rosenblatt;
using page::add, page::columns, page::expect;

namespace {

struct TextModel {
  TextShape shape;
  TextScales scales;
  int64_t features;
  int32_t machines;
  float bias;
  std::vector<float> w;  // in the layout of the core

  int64_t stride() const { return stride_of(machines); }
};

std::optional<TextModel> model;

TextFeatures reader() {
  expect(model.has_value(), "there is no model yet");
  return TextFeatures(model->shape);
}

struct Row {
  CountedTexts counted;
  ScaledTexts scaled;
};

Row row_of(TextFeatures& reader, std::string_view text) {
  reader.add(text);
  Row row{reader.take(), {}};
  const int64_t first = 0;
  row.scaled = model->scales.rows(
      {row.counted.counts.data(), row.counted.features.data(), row.counted.starts.data(), &first, 1});
  return row;
}

}  // namespace

// steps: the distance of each feature from the one before it, the first one's from 0; counts: how many weights each
// feature and then the constant have; rows and weights: of these, whose machine they are of.
ROSENBLATT_EXPORT(load)
void load(int32_t bits, int32_t ngrams, int32_t chars_least, int32_t chars_most, int32_t weighting, int32_t features,
          int32_t machines, float bias, const int32_t* steps, const float* scales, const int32_t* counts,
          const int32_t* rows, const float* weights) {
  model.reset();
  expect(bits >= 1 && bits <= TextShape::kMostBits && ngrams >= 1, "the shape of the features is wrong");
  expect(features >= 1 && machines >= 1, "there must be a feature and a machine");
  std::vector<int32_t> numbers;
  for (int32_t k = 0, feature = 0; k < features; ++k) numbers.push_back(feature += steps[k]);
  TextModel next{{bits, ngrams, chars_least, chars_most},
                 {{bits, ngrams, chars_least, chars_most},
                  page::value_of(weighting, Weighting::ratio, "the weighting is none of tfidf, log, binary, ratio"),
                  std::move(numbers),
                  {scales, scales + features}},
                 features,
                 machines,
                 bias,
                 {}};
  next.w.resize(size_t((features + 1) * next.stride()));
  for (int64_t k = 0; k <= features; ++k)
    for (int32_t left = counts[k]; left > 0; --left, ++rows, ++weights) {
      expect(*rows >= 0 && *rows < machines, "a weight is of no machine");
      next.w[size_t(k * next.stride() + *rows)] = *weights;
    }
  model.emplace(std::move(next));
}

// One column: the score of each machine.
ROSENBLATT_EXPORT(scores)
void scores(const char* text, int32_t size) {
  columns.clear();
  TextFeatures features = reader();
  const Row row = row_of(features, {text, size_t(size)});
  const SparseRows<float, int32_t> rows{
      row.scaled.values.data(), row.scaled.columns.data(), row.scaled.starts.data(), 1, model->features, true};
  std::vector<float> scored(size_t(model->machines));
  score_rows(rows,
             LinearWeights<float>{model->w.data(), model->features, model->stride(), model->machines, model->bias}, 0,
             1, scored.data());
  add(scored);
}

// Columns: the first byte of each word, the one behind its last, its share of the score of a machine.
ROSENBLATT_EXPORT(reasons)
void reasons(const char* text, int32_t size, int32_t number) {
  columns.clear();
  TextFeatures features = reader();
  expect(number >= 0 && number < model->machines, "there is no such machine");
  const Row row = row_of(features, {text, size_t(size)});
  std::vector<int32_t> known;
  std::vector<double> amounts;
  for (int64_t k = 0; k < row.scaled.columns.size(); ++k) {
    const int64_t column = row.scaled.columns[k];
    known.push_back(model->scales.features()[size_t(column)]);
    amounts.push_back(row.scaled.values[k] * model->w[size_t(column * model->stride() + number)]);
  }
  std::vector<double> begin, end, share;
  for (const Reason& word : find_reasons(features, {text, size_t(size)}, known, amounts)) {
    begin.push_back(double(word.begin));
    end.push_back(double(word.end));
    share.push_back(word.share);
  }
  add(begin);
  add(end);
  add(share);
}
