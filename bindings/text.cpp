// Features of texts: rows of numbers with their counts.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "enum_names.hpp"
#include "text/counts.hpp"
#include "text/hapaxes.hpp"
#include "text/heaviest.hpp"
#include "text/packed.hpp"
#include "text/reasons.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

// The UTF-8 of a Python string, which is valid as long as the string lives.
std::string_view utf8_of(nb::handle text, size_t row) {
  if (!PyUnicode_Check(text.ptr()))
    throw nb::type_error(("texts must be strings, found " + std::string(nb::type_name(text.type()).c_str()) + " (row " +
                          std::to_string(row) + ")")
                             .c_str());
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!bytes) throw nb::python_error();
  return {bytes, size_t(size)};
}

// The texts of a list. This object keeps them alive, even if Python changes the list.
class HeldTexts {
 public:
  explicit HeldTexts(const nb::list& texts) : held_(texts) {
    for (size_t row = 0; row < held_.size(); ++row) views_.push_back(utf8_of(held_[row], row));
  }
  const std::vector<std::string_view>& views() const { return views_; }

 private:
  nb::tuple held_;
  std::vector<std::string_view> views_;
};

TextShape make_shape(int bits, int ngrams, int chars_least, int chars_most) {
  expect(bits >= 1 && bits <= TextShape::kMostBits, "bits must be from 1 to 29");
  expect(ngrams >= 1 && ngrams <= 8, "ngrams must be from 1 to 8");
  expect(chars_most == 0 ? chars_least == 0 : chars_least >= 1 && chars_least <= chars_most && chars_most <= 64,
         "chars must be from 1 to 64, the least first, or both 0");
  return {bits, ngrams, chars_least, chars_most};
}

void add_texts(TextFeatures& self, const nb::typed<nb::list, nb::str>& texts) {
  const HeldTexts held(texts);
  nb::gil_scoped_release unlocked;
  for (const std::string_view text : held.views()) self.add(text);
}

// The first place of each of these features: the feature, and its text.
std::vector<std::pair<int32_t, std::string>> find_first(TextFeatures& self, const nb::typed<nb::list, nb::str>& texts,
                                                        const std::vector<int32_t>& features) {
  const HeldTexts held(texts);
  std::unordered_set<int32_t> wanted(features.begin(), features.end());
  std::vector<std::pair<int32_t, std::string>> first;
  nb::gil_scoped_release unlocked;
  for (const std::string_view text : held.views()) {
    if (wanted.empty()) break;
    self.take_out(text, wanted, [&](const TextFeatures::Place& place) {
      first.emplace_back(place.feature, text.substr(size_t(place.begin), size_t(place.end - place.begin)));
    });
  }
  return first;
}

std::tuple<NumpyArray<int64_t>, NumpyArray<int64_t>, NumpyArray<double>> reasons_of(
    TextFeatures& self, const std::string& text, const Array<const int32_t, 1>& features,
    const Array<const double, 1>& amounts) {
  expect(features.shape(0) == amounts.shape(0), "one amount a feature");
  std::vector<int64_t> begin, end;
  std::vector<double> share;
  for (const Reason& word :
       find_reasons(self, text, {features.data(), features.shape(0)}, {amounts.data(), amounts.shape(0)})) {
    begin.push_back(word.begin);
    end.push_back(word.end);
    share.push_back(word.share);
  }
  return {to_numpy(std::move(begin)), to_numpy(std::move(end)), to_numpy(std::move(share))};
}

template <class T>
using Rows3 = std::tuple<NumpyArray<float>, NumpyArray<T>, NumpyArray<T>>;

// Arrays that describe counted texts, all checked. They must live as long as this object.
struct HeldCounts {
  Array<const float, 1> counts;
  Array<const int32_t, 1> features, starts;
  Array<const int64_t, 1> rows;

  SomeTexts checked(const TextShape& shape) const {
    const auto size = int64_t(features.shape(0)), texts = int64_t(starts.shape(0)) - 1;
    expect(int64_t(counts.shape(0)) == size, "one count a feature");
    expect(texts >= 0 && starts(0) == 0 && starts(size_t(texts)) == size, "starts must go from 0 to all features");
    for (int64_t t = 0; t < texts; ++t) expect(starts(size_t(t)) <= starts(size_t(t) + 1), "starts must not fall");
    const int32_t* const feature = features.data();
    const float* const count = counts.data();
    bool are_features = true, are_counts = true;  // all are looked at, because a loop without an exit is a fast one
    dispatch([&] {
      for (int64_t k = 0; k < size; ++k) {
        are_features &= feature[k] >= 0 && size_t(feature[k]) < shape.size();
        are_counts &= count[k] >= 1 && count[k] <= std::numeric_limits<float>::max();
      }
    });
    expect(are_features, "a feature is outside of its range");
    expect(are_counts, "a count must be at least 1");
    for (size_t k = 0; k < rows.shape(0); ++k)
      expect(rows(k) >= 0 && rows(k) < texts, "a row must be the number of a text");
    return {counts.data(), features.data(), starts.data(), rows.data(), int64_t(rows.shape(0))};
  }
};

Weighting weighting_named(const std::string& name) {
  return value_named<Weighting>(name, {{"tfidf", Weighting::tfidf},
                                       {"log", Weighting::log},
                                       {"binary", Weighting::binary},
                                       {"ratio", Weighting::ratio}});
}

TextScales make_scales(const TextShape& shape, const std::string& weighting, const Array<const int32_t, 1>& features,
                       const Array<const float, 1>& scales) {
  expect(features.shape(0) == scales.shape(0), "one scale a feature");
  for (size_t k = 0; k < features.shape(0); ++k) {
    expect(features(k) >= 0 && size_t(features(k)) < shape.size() && (k == 0 || features(k) > features(k - 1)),
           "features must ascend and be within their range");
    expect(scales(k) >= 0 && std::isfinite(scales(k)), "a scale must be finite and not negative");
  }
  return {shape,
          weighting_named(weighting),
          {features.data(), features.data() + features.shape(0)},
          {scales.data(), scales.data() + scales.shape(0)}};
}

void check_target(const Array<const int32_t, 1>& target, const HeldCounts& held, int32_t n_classes) {
  expect(n_classes >= 0 && target.shape(0) == held.rows.shape(0), "one target a row");
  for (size_t k = 0; k < target.shape(0); ++k)
    expect(target(k) >= 0 && target(k) < n_classes, "a target is not a class");
}

TextScales learn_scales(const TextShape& shape, const std::string& weighting, const HeldCounts& held,
                        const Array<const int32_t, 1>& target, int32_t n_classes) {
  const Weighting kind = weighting_named(weighting);
  check_target(target, held, n_classes);
  const SomeTexts texts = held.checked(shape);
  nb::gil_scoped_release unlocked;
  return TextCounts::learn(shape, kind, texts, target.data(), size_t(n_classes));
}

void add_counts(TextCounts& self, const HeldCounts& held, const Array<const int32_t, 1>& target, int32_t n_classes) {
  check_target(target, held, n_classes);
  const SomeTexts texts = held.checked(self.shape());
  nb::gil_scoped_release unlocked;
  self.add(texts, target.data(), size_t(n_classes));
}

using Merged = std::tuple<NumpyArray<float>, NumpyArray<int32_t>, NumpyArray<int32_t>, NumpyArray<int32_t>,
                          NumpyArray<float>, int64_t>;

Merged merge(const Array<const float, 1>& values, const Array<const int32_t, 1>& columns,
             const Array<const int32_t, 1>& starts, int64_t n_columns) {
  expect(columns.shape(0) == values.shape(0), "one column a value");
  expect(starts.shape(0) >= 1 && starts(0) == 0 && size_t(starts(starts.shape(0) - 1)) == columns.shape(0),
         "starts must go from 0 to all values");
  expect(n_columns >= 0 && n_columns <= std::numeric_limits<int32_t>::max(), "n_columns must be from 0 to 2^31 - 1");
  for (size_t i = 1; i < starts.shape(0); ++i) expect(starts(i - 1) <= starts(i), "starts must not fall");
  const int32_t* const column = columns.data();
  bool are_columns = true;
  dispatch([&] {
    for (size_t k = 0; k < columns.shape(0); ++k) are_columns &= column[k] >= 0 && column[k] < n_columns;
  });
  expect(are_columns, "a column is outside of the row");
  MergedRows merged;
  {
    nb::gil_scoped_release unlocked;
    merged = merge_hapaxes(values.data(), columns.data(), starts.data(), int64_t(starts.shape(0)) - 1, n_columns);
  }
  return {to_numpy(std::move(merged.values)), to_numpy(std::move(merged.columns)), to_numpy(std::move(merged.starts)),
          to_numpy(std::move(merged.place)),  to_numpy(std::move(merged.share)),   int64_t{merged.size}};
}

using Weights = Array<const float, 2>;

void check_machines(const Weights& w, int32_t n_machines) {
  expect(n_machines >= 1 && n_machines <= int64_t(w.shape(1)), "as many machines as a row of w has weights at most");
}

std::tuple<NumpyArray<uint8_t>, NumpyArray<uint8_t>> pack(const Weights& w, int32_t n_machines,
                                                          const Array<const int32_t, 1>& column,
                                                          const Array<const float, 1>& share,
                                                          const Array<const float, 1>& unit) {
  check_machines(w, n_machines);
  expect(share.shape(0) == column.shape(0) && unit.shape(0) == column.shape(0), "one share and one unit a column");
  for (size_t k = 0; k < column.shape(0); ++k)
    expect(column(k) >= 0 && size_t(column(k)) < w.shape(0), "a column is outside of w");
  PackedWeights packed;
  {
    nb::gil_scoped_release unlocked;
    packed = pack_weights(w.data(), int64_t(w.shape(1)), n_machines, {column.data(), column.shape(0)}, share.data(),
                          unit.data());
  }
  return {to_numpy(std::move(packed.marks)), to_numpy(std::move(packed.numbers))};
}

void unpack(const Array<const uint8_t, 1>& marks, const Array<const uint8_t, 1>& numbers,
            const Array<const float, 1>& unit, int32_t n_machines, const Array<float, 2>& w) {
  check_machines(Weights(w), n_machines);
  expect(w.shape(0) >= unit.shape(0), "a row of w for each unit");
  nb::gil_scoped_release unlocked;
  unpack_weights({marks.data(), marks.shape(0)}, {numbers.data(), numbers.shape(0)}, {unit.data(), unit.shape(0)},
                 n_machines, int64_t(w.shape(1)), w.data());
}

NumpyArray<uint8_t> pack_features(const Array<const int32_t, 1>& features) {
  for (size_t k = 0; k < features.shape(0); ++k)
    expect(features(k) >= 0 && (k == 0 || features(k) > features(k - 1)), "features must ascend from 0 on");
  return to_numpy(pack_ascending({features.data(), features.shape(0)}));
}

NumpyArray<int32_t> find_heaviest(const Weights& w, int32_t n_machines, const Array<const float, 1>& scale,
                                  int64_t most) {
  check_machines(w, n_machines);
  expect(scale.shape(0) <= w.shape(0) && most >= 0, "a row of w for each scale, and most from 0 on");
  std::vector<int32_t> features;
  {
    nb::gil_scoped_release unlocked;
    features = heaviest(w.data(), int64_t(w.shape(1)), n_machines, {scale.data(), scale.shape(0)}, size_t(most));
  }
  return to_numpy(std::move(features));
}

}  // namespace

void bind_text(nb::module_& m) {
  nb::class_<TextShape>(m, "TextShape", "What the features of a text are.")
      .def(
          "__init__",
          [](TextShape* self, int bits, int ngrams, int chars_least, int chars_most) {
            new (self) TextShape(make_shape(bits, ngrams, chars_least, chars_most));
          },
          "bits"_a, "ngrams"_a, "chars_least"_a, "chars_most"_a)
      .def_prop_ro("size", &TextShape::size, "How many features there may be.");
  nb::class_<TextFeatures>(m, "TextFeatures", "N-grams of words and of characters, as numbers with their counts.")
      .def(nb::init<const TextShape&>(), "shape"_a)
      .def("__len__", &TextFeatures::size)
      .def("add", &add_texts, "texts"_a, "The features of further texts.")
      .def(
          "take",
          [](TextFeatures& self) -> Rows3<int32_t> {
            CountedTexts taken = self.take();
            return {to_numpy(std::move(taken.counts)), to_numpy(std::move(taken.features)),
                    to_numpy(std::move(taken.starts))};
          },
          "Counts, features, and where texts start among them; none is left.")
      .def("find_first", &find_first, "texts"_a, "features"_a,
           "Of these features, those that texts have, and the words where each of them stands first.")
      .def(
          "places",
          [](TextFeatures& self, const std::string& text) {
            std::vector<int32_t> feature;
            std::vector<int64_t> begin, end;
            for (const auto& place : self.places(text)) {
              feature.push_back(place.feature);
              begin.push_back(place.begin);
              end.push_back(place.end);
            }
            return std::tuple(to_numpy(std::move(feature)), to_numpy(std::move(begin)), to_numpy(std::move(end)));
          },
          "text"_a, "Each feature of a text, as often as it occurs, and its bytes: first, and behind the last.")
      .def("reasons", &reasons_of, "text"_a, "features"_a, "amounts"_a,
           "Each word of a text: its first byte, the one behind its last, and its share of what features add to a "
           "score. Each feature is there once, with its amount.");
  nb::class_<TextCounts>(m, "TextCounts", "How many texts have each feature, and how many of each class.")
      .def(nb::init<const TextShape&, bool>(), "shape"_a, "of_classes"_a)
      .def("__len__", &TextCounts::size)
      .def(
          "add",
          [](TextCounts& self, Array<const float, 1> counts, Array<const int32_t, 1> features,
             Array<const int32_t, 1> starts, Array<const int64_t, 1> rows, const Array<const int32_t, 1>& target,
             int32_t n_classes) { add_counts(self, {counts, features, starts, rows}, target, n_classes); },
          "counts"_a, "features"_a, "starts"_a, "rows"_a, "target"_a, "n_classes"_a,
          "These of the counted texts, whose classes are the targets.")
      .def("forget_classes", &TextCounts::forget_classes, "From now on the classes do not count.")
      .def(
          "scales",
          [](const TextCounts& self, const std::string& weighting) {
            const Weighting kind = weighting_named(weighting);
            expect(kind != Weighting::ratio || self.of_classes(), "ratio needs the classes of the texts");
            return self.scales(kind);
          },
          "weighting"_a, "The features in ascending order, with their scales.");
  nb::class_<TextScales>(m, "TextScales", "The features that are known, in ascending order, and the scale of each.")
      .def(
          "__init__",
          [](TextScales* self, const TextShape& shape, const std::string& weighting,
             const Array<const int32_t, 1>& features, const Array<const float, 1>& scales) {
            new (self) TextScales(make_scales(shape, weighting, features, scales));
          },
          "shape"_a, "weighting"_a, "features"_a, "scales"_a)
      .def_static(
          "learn",
          [](const TextShape& shape, const std::string& weighting, Array<const float, 1> counts,
             Array<const int32_t, 1> features, Array<const int32_t, 1> starts, Array<const int64_t, 1> rows,
             const Array<const int32_t, 1>& target, int32_t n_classes) {
            const HeldCounts held{counts, features, starts, rows};
            return learn_scales(shape, weighting, held, target, n_classes);
          },
          "shape"_a, "weighting"_a, "counts"_a, "features"_a, "starts"_a, "rows"_a, "target"_a, "n_classes"_a,
          "Those that some of the counted texts tell, whose classes are the targets.")
      .def_prop_ro("features", [](const TextScales& self) { return to_numpy(std::vector(self.features())); })
      .def_prop_ro("scales", [](const TextScales& self) { return to_numpy(std::vector(self.scales())); })
      .def(
          "rows",
          [](const TextScales& self, Array<const float, 1> counts, Array<const int32_t, 1> features,
             Array<const int32_t, 1> starts, Array<const int64_t, 1> rows) -> Rows3<int32_t> {
            const HeldCounts held{counts, features, starts, rows};
            ScaledTexts scaled;
            {
              nb::gil_scoped_release unlocked;
              scaled = self.rows(held.checked(self.shape()));
            }
            return {to_numpy(std::move(scaled.values)), to_numpy(std::move(scaled.columns)),
                    to_numpy(std::move(scaled.starts))};
          },
          "counts"_a, "features"_a, "starts"_a, "rows"_a, "Values, columns and starts of these rows.");
  m.def("merge_hapaxes", &merge, "values"_a, "columns"_a, "starts"_a, "n_columns"_a,
        "Values, columns and starts of rows in which columns that one row alone has are one; of each column before the "
        "column that it is part of, and its share of that column's weight; how many columns there are.");
  m.def("pack_weights", &pack, "w"_a, "n_machines"_a, "column"_a, "share"_a, "unit"_a,
        "Marks and numbers of features, each with a share of the weights of a column, in units.");
  m.def("unpack_weights", &unpack, "marks"_a, "numbers"_a, "unit"_a, "n_machines"_a, "w"_a,
        "Write the weights that they stand for to w, which has zeros.");
  m.def("pack_ascending", &pack_features, "features"_a, "Ascending numbers in few bytes.");
  m.def(
      "unpack_ascending",
      [](const Array<const uint8_t, 1>& bytes) { return to_numpy(unpack_ascending({bytes.data(), bytes.shape(0)})); },
      "bytes"_a, "The numbers that these bytes stand for.");
  m.def("heaviest", &find_heaviest, "w"_a, "n_machines"_a, "scale"_a, "most"_a,
        "The features that change the score of each machine most, so many of each, in ascending order.");
}
