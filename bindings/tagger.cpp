// The chain: templates, training, tagging, and its arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "base/in_parts.hpp"
#include "enum_names.hpp"
#include "tagger/chain_training.hpp"
#include "tagger/tagging.hpp"
#include "unlocked.hpp"
#include "view_names.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

constexpr int64_t kRowsWorthAThread = 1 << 12;  // mixing fewer takes less time than starting a thread
constexpr size_t kDoubles = 2;                  // the place among the types of AveragedTables

using NamedTemplate = std::pair<std::string, std::vector<std::pair<int32_t, int32_t>>>;

Templates templates_of(const std::vector<NamedView>& views, const std::vector<NamedTemplate>& unigrams,
                       const std::vector<NamedTemplate>& bigrams, const std::string& boundary) {
  Templates templates;
  templates.boundary = value_named<Boundary>(boundary, {{"mark", Boundary::mark}, {"drop", Boundary::drop}});
  templates.views = views_of(views);
  const auto compile = [&](const std::vector<NamedTemplate>& given, std::vector<Template>& compiled) {
    for (const auto& [literal, pieces] : given) {
      Template& one = compiled.emplace_back();
      one.seed = joined(hash_text(literal), 1) | 1;
      for (const auto& [offset, view] : pieces) {
        expect(view >= 0 && size_t(view) < views.size(), "a piece must name a view");
        expect(offset > -1000 && offset < 1000, "an offset must be within 1000");
        one.pieces.push_back({offset, view});
      }
    }
  };
  compile(unigrams, templates.unigrams);
  compile(bigrams, templates.bigrams);
  return templates;
}

// With more attributes, sums of weights could overflow.
void expect_attributes(const Templates& templates, int64_t attributes) {
  expect(templates.size() <= attributes, "the templates make more attributes than the chain was made for");
}

std::vector<int64_t> sentences_of(const Array<const int64_t, 1>& given, int64_t count) {
  for (size_t k = 0; k < given.size(); ++k) expect(given(k) >= 0 && given(k) < count, "there is no such sentence");
  return {given.data(), given.data() + given.size()};
}

ChainTraining training_of(const Chain& chain, const Templates& templates, const Corpus& corpus,
                          const Array<const int32_t, 1>& target, int64_t most_dense_labels, int64_t min_count) {
  expect(min_count >= 1, "min_count must be at least 1");
  expect(int64_t(target.size()) == corpus.n_tokens(), "one label a token");
  expect_attributes(templates, chain.attributes);
  for (size_t t = 0; t < target.size(); ++t)
    expect(target(t) >= 0 && target(t) < chain.labels, "a target is not a label");
  std::vector<int32_t> labels(target.data(), target.data() + target.size());
  nb::gil_scoped_release unlocked;
  return ChainTraining(chain, Keys(templates, corpus), std::move(labels), most_dense_labels, min_count);
}

Rule rule_of(const std::string& step, double C, size_t type, int64_t units) {
  expect(C > 0, "C must be over 0");
  expect(step == "perceptron" || (type == kDoubles && units == 1), "such steps need a chain of doubles");
  Rule rule;
  rule.step = step_named(step);
  rule.C = C;
  return rule;
}

using ChainArrays =
    std::tuple<NumpyArray<uint64_t>, NumpyArray<int32_t>, NumpyArray<int32_t>, NumpyArray<int32_t>, AnyArray, AnyArray>;

// A view of a vector of the chain.
template <class T>
NumpyArray<T> view_of_vector(const std::vector<T>& values, nb::handle_t<Chain> chain) {
  const nb::ndarray<nb::numpy, const T, nb::ndim<1>> array(values.data(), {values.size()}, chain);
  return NumpyArray<T>(nb::cast(array));
}

NumpyArray<int32_t> parts_of(nb::handle_t<Chain> chain) {
  return view_of_vector(nb::cast<const Chain&>(chain).parts, chain);
}

ChainArrays arrays_of(nb::handle_t<Chain> chain) {
  const auto& self = nb::cast<const Chain&>(chain);
  const auto view = [&](const auto& values) { return view_of_vector(values, chain); };
  return std::visit(
      [&](const auto& cells) {
        return ChainArrays(view(self.keys), view(self.before), view(self.counts), view(self.cell_labels),
                           AnyArray(view(cells.w)), AnyArray(view(cells.sums)));
      },
      self.cells);
}

Chain chain_of(int64_t labels, int64_t attributes, int64_t units, int64_t visits, const Array<const int32_t, 1>& parts,
               const Array<const uint64_t, 1>& keys, const Array<const int32_t, 1>& before,
               const Array<const int32_t, 1>& counts, const Array<const int32_t, 1>& cell_labels, const AnyArray& w,
               const AnyArray& sums) {
  const auto copy = []<class T>(const Array<const T, 1>& a) { return std::vector<T>(a.data(), a.data() + a.size()); };
  const auto make = [&]<class Sum>(const Array<const Sum, 1>& of_cells) {
    Chain chain(labels, attributes, std::is_integral_v<Sum>, units, copy(parts));
    chain.visits = visits;
    chain.keys = copy(keys);
    chain.before = copy(before);
    chain.counts = copy(counts);
    chain.cell_labels = copy(cell_labels);
    const auto copy_sums = [&](const Array<const Sum, 1>& array) { return copy(array); };
    chain.cells = ChainCells<Sum>{
        copy(of_cells), with_array<Array<const Sum, 1>>(sums, "sums must be a vector of the type of w", copy_sums)};
    chain.check();
    return chain;
  };
  return with_array<Array<const int64_t, 1>, Array<const double, 1>>(w, "w must be a vector of int64 or float64", make);
}

// For pickles.
using ChainState =
    std::tuple<int64_t, int64_t, int64_t, int64_t, Array<const int32_t, 1>, Array<const uint64_t, 1>,
               Array<const int32_t, 1>, Array<const int32_t, 1>, Array<const int32_t, 1>, AnyArray, AnyArray>;

auto state_of(nb::handle_t<Chain> chain) {
  const auto& self = nb::cast<const Chain&>(chain);
  return std::tuple_cat(std::make_tuple(self.labels, self.attributes, self.units, self.visits, parts_of(chain)),
                        arrays_of(chain));
}

void bind_templates(nb::module_& m) {
  nb::class_<Templates>(m, "Templates")
      .def(
          "__init__",
          [](Templates* self, const std::vector<NamedView>& views, const std::vector<NamedTemplate>& unigrams,
             const std::vector<NamedTemplate>& bigrams,
             const std::string& boundary) { new (self) Templates(templates_of(views, unigrams, bigrams, boundary)); },
          nb::kw_only(), "views"_a, "unigrams"_a, "bigrams"_a, "boundary"_a)
      .def("__len__", &Templates::size)
      .def_prop_ro("n_columns", &Templates::columns);
}

void bind_weights(nb::module_& m) {
  nb::class_<Chain>(m, "Chain", "What a chain has learned; `arrays` gives keys, before, counts, cell labels, w, sums.")
      .def(
          "__init__",
          [](Chain* self, int64_t labels, int64_t attributes, bool integers, int64_t units,
             const std::optional<Array<const int32_t, 1>>& parts) {
            const auto copy =
                parts ? std::vector<int32_t>(parts->data(), parts->data() + parts->size()) : std::vector<int32_t>();
            new (self) Chain(labels, attributes, integers, units, copy);
          },
          nb::kw_only(), "labels"_a, "attributes"_a, "integers"_a, "units"_a = 1, "parts"_a.noconvert() = nb::none())
      .def_prop_ro("labels", [](const Chain& self) { return self.labels; })
      .def_prop_ro("attributes", [](const Chain& self) { return self.attributes; })
      .def_prop_ro("units", [](const Chain& self) { return self.units; })
      .def_prop_ro("visits", [](const Chain& self) { return self.visits; })
      .def_prop_ro("parts", &parts_of)
      .def_prop_ro("n_weight_rows", [](const Chain& self) { return self.keys.size(); })
      .def("arrays", &arrays_of)
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](Chain& self, const ChainState& state) { new (&self) Chain(std::apply(&chain_of, state)); });
  m.def("chain_of", &chain_of, nb::kw_only(), "labels"_a, "attributes"_a, "units"_a, "visits"_a, "parts"_a.noconvert(),
        "keys"_a.noconvert(), "before"_a.noconvert(), "counts"_a.noconvert(), "cell_labels"_a.noconvert(), "w"_a,
        "sums"_a);
}

void bind_mix(nb::module_& m) {
  nb::class_<ChainMix>(
      m, "ChainMix", "Chains of shards mixed, round after round; `mix` takes what they have changed, and their shares.")
      .def(nb::init<const Chain&>(), "chain"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("visits", &ChainMix::visits)
      .def(
          "mix",
          [](ChainMix& self, const std::vector<const Chain*>& shards, const std::vector<int64_t>& shares,
             int64_t threads) {
            int64_t rows = 0;
            for (const Chain* shard : shards) {
              expect(shard != nullptr, "a shard must be a chain");
              rows += std::ssize(shard->keys);
            }
            expect(threads > 0, "threads must be at least 1");
            const int64_t busy = std::clamp(rows / kRowsWorthAThread, int64_t{1}, threads);
            nb::gil_scoped_release unlocked;
            self.mix(shards, shares, [&](int64_t size, auto work) { in_parts(size, 1, busy, work); });
          },
          "shards"_a, "shares"_a, "threads"_a = 1)
      .def("chain", &ChainMix::chain, nb::call_guard<nb::gil_scoped_release>())
      .def("__getstate__", [](const ChainMix& self) { return std::make_tuple(self.chain()); })
      .def("__setstate__",
           [](ChainMix& self, const std::tuple<Chain>& state) { new (&self) ChainMix(std::get<0>(state)); });
}

void bind_training(nb::module_& m) {
  nb::class_<ChainTraining>(m, "ChainTraining",
                            "A training set, and what is learned from it, in int16, int32 or double. `run` gives the "
                            "wrong sentences and tokens of a pass, `run_from` also what a pass from a mix has changed, "
                            "whatever was learned before, `right` the right tokens, `tags` their labels.")
      .def(
          "__init__",
          [](ChainTraining* self, const Chain& chain, const Templates& templates, const Corpus& corpus,
             const Array<const int32_t, 1>& target, int64_t most_dense_labels, int64_t min_count) {
            new (self) ChainTraining(training_of(chain, templates, corpus, target, most_dense_labels, min_count));
          },
          "chain"_a, "templates"_a, "corpus"_a, "target"_a.noconvert(), "most_dense_labels"_a = kMostDenseLabels,
          nb::kw_only(), "min_count"_a = 1)
      .def(
          "run",
          [](ChainTraining& self, const std::string& step, double C, const Array<const int64_t, 1>& sentences,
             std::optional<uint64_t> seed, uint64_t pass) {
            const auto part = sentences_of(sentences, self.n_sentences());
            const Rule rule = rule_of(step, C, self.table().index(), self.units());
            nb::gil_scoped_release unlocked;
            const auto wrong = self.run(rule, part, seed.has_value(), seed.value_or(0), pass);
            return std::make_pair(wrong.sentences, wrong.tokens);
          },
          nb::kw_only(), "step"_a, "C"_a, "sentences"_a.noconvert(), "seed"_a.none(), "pass_number"_a)
      .def(
          "run_from",
          [](ChainTraining& self, const ChainMix& mix, const std::string& step, double C,
             const Array<const int64_t, 1>& sentences, std::optional<uint64_t> seed, uint64_t pass) {
            const auto part = sentences_of(sentences, self.n_sentences());
            expect(
                mix.labels() == self.labels() && mix.attributes() == self.attributes() && mix.parts() == self.parts(),
                "a mix must have the labels, parts and attributes of the training");
            const Rule rule = rule_of(step, C, mix.table().index(), mix.units());
            nb::gil_scoped_release unlocked;
            self.start_from(mix);
            const auto wrong = self.run(rule, part, seed.has_value(), seed.value_or(0), pass);
            return std::make_tuple(self.changed(), wrong.sentences, wrong.tokens);
          },
          "mix"_a, nb::kw_only(), "step"_a, "C"_a, "sentences"_a.noconvert(), "seed"_a.none(), "pass_number"_a)
      .def(
          "right",
          [](ChainTraining& self, const std::string& readout, const Array<const int64_t, 1>& sentences) {
            const auto part = sentences_of(sentences, self.n_sentences());
            const auto of = readout_named(readout);
            return unlocked([&] { return self.right(of, part); });
          },
          "readout"_a, "sentences"_a.noconvert())
      .def(
          "tags",
          [](ChainTraining& self, const std::string& readout, const Array<const int64_t, 1>& sentences) {
            const auto part = sentences_of(sentences, self.n_sentences());
            const auto of = readout_named(readout);
            return to_numpy(unlocked([&] { return self.tags(of, part); }));
          },
          "readout"_a, "sentences"_a.noconvert())
      .def("chain", &ChainTraining::chain, nb::call_guard<nb::gil_scoped_release>())
      .def("restart", &ChainTraining::restart)
      .def("promote", &ChainTraining::promote)
      .def_prop_ro("type", [](const ChainTraining& self) {
        constexpr const char* kNames[] = {"int16", "int32", "double"};
        return kNames[self.table().index()];
      });
}

void bind_tagging(nb::module_& m) {
  nb::class_<ChainTagger>(m, "ChainTagger")
      .def(
          "__init__",
          [](ChainTagger* self, const Chain& chain, const std::string& readout, int64_t most_dense_labels) {
            const auto of = readout_named(readout);
            nb::gil_scoped_release unlocked;
            new (self) ChainTagger(chain, of, most_dense_labels);
          },
          "chain"_a, "readout"_a, "most_dense_labels"_a = kMostDenseLabels)
      .def(
          "tag",
          [](const ChainTagger& self, const Templates& templates, const Corpus& corpus,
             std::optional<int64_t> threads) {
            constexpr int64_t kSentencesWorthAThread = 200;
            expect_attributes(templates, self.attributes());
            std::vector<int32_t> labels(size_t(corpus.n_tokens()));
            {
              nb::gil_scoped_release unlocked;
              const Keys keys(templates, corpus);
              const auto numbers = self.numbers_of(keys);
              in_parts(corpus.n_sentences(), kSentencesWorthAThread, threads.value_or(all_cores()),
                       [&](int64_t first, int64_t last) { self.tag_part(numbers, first, last, labels.data()); });
            }
            return to_numpy(std::move(labels));
          },
          "templates"_a, "corpus"_a, "threads"_a.none() = nb::none())
      .def(
          "best",
          [](const ChainTagger& self, const Templates& templates, const Corpus& corpus, int64_t count) {
            expect(count >= 1, "count must be at least 1");
            expect_attributes(templates, self.attributes());
            auto best = unlocked([&] { return self.best(Keys(templates, corpus), count); });
            std::vector<std::vector<std::pair<NumpyArray<int32_t>, double>>> found;
            for (auto& sentence : best) {
              auto& sequences = found.emplace_back();
              for (auto& one : sentence) sequences.emplace_back(to_numpy(std::move(one.labels)), one.score);
            }
            return found;
          },
          "templates"_a, "corpus"_a, "count"_a);
}

}  // namespace

void bind_chain(nb::module_& m) {
  bind_templates(m);
  bind_weights(m);
  bind_mix(m);
  bind_training(m);
  bind_tagging(m);
}
