// The parser: templates, training, parsing, and its arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <tuple>

#include "base/in_parts.hpp"
#include "enum_names.hpp"
#include "parser/parse_training.hpp"
#include "parser/parsing.hpp"
#include "view_names.hpp"

using namespace rosenblatt;
using namespace nb::literals;

namespace {

using NamedPlace = std::tuple<bool, int32_t, std::string>;
using NamedPiece = std::tuple<std::string, int32_t, int32_t, int32_t>;
using NamedTemplate = std::pair<std::string, std::vector<int32_t>>;

constexpr int32_t kDeepest = 1000;

TreeTemplates tree_templates_of(const std::vector<NamedView>& views, const std::vector<NamedPlace>& places,
                                const std::vector<NamedPiece>& pieces, const std::vector<NamedTemplate>& templates) {
  TreeTemplates made;
  made.views = views_of(views);
  for (const auto& [buffer, depth, child] : places) {
    expect(depth >= 0 && depth <= kDeepest, "a place must be from 0 to 1000");
    made.places.push_back({buffer, depth,
                           value_named<Child>(child, {{"", Child::self},
                                                      {"l", Child::left},
                                                      {"l2", Child::left2},
                                                      {"r", Child::right},
                                                      {"r2", Child::right2}})});
  }
  for (const auto& [name, view, place, other] : pieces) {
    const auto shown = value_named<Shown>(name, {{"view", Shown::view},
                                                 {"label", Shown::label},
                                                 {"lefts", Shown::lefts},
                                                 {"rights", Shown::rights},
                                                 {"leftlabels", Shown::left_labels},
                                                 {"rightlabels", Shown::right_labels},
                                                 {"gap", Shown::gap}});
    expect(view >= 0 && (shown != Shown::view || size_t(view) < views.size()), "a piece must name a view");
    for (const int32_t of : {place, other}) expect(of >= 0 && size_t(of) < places.size(), "a piece must name a place");
    made.pieces.push_back({shown, view, place, other});
  }
  expect(!templates.empty(), "there must be a template");
  for (const auto& [text, of] : templates) {
    expect(!of.empty(), "a template must have a piece");
    for (const int32_t piece : of) expect(piece >= 0 && size_t(piece) < pieces.size(), "a template must name a piece");
    made.templates.push_back(of);
    made.seeds.push_back(joined(hash_text(text), 1));
  }
  return made;
}

// With more templates, sums of weights could overflow.
void expect_templates(const TreeTemplates& templates, int64_t most) {
  expect(templates.size() <= most, "there are more templates than the weights were made for");
}

// A wide beam needs memory for all its paths through a sentence.
void expect_beam(int64_t beam) { expect(beam >= 1 && beam <= 4096, "a beam must be from 1 to 4096"); }

std::vector<int64_t> sentences_of(const Array<const int64_t, 1>& given, int64_t count) {
  for (size_t k = 0; k < given.size(); ++k) expect(given(k) >= 0 && given(k) < count, "there is no such sentence");
  return {given.data(), given.data() + given.size()};
}

using ParseArrays = std::tuple<NumpyArray<uint64_t>, NumpyArray<int32_t>, NumpyArray<int32_t>, NumpyArray<int32_t>,
                               NumpyArray<int64_t>>;

ParseArrays parse_arrays_of(nb::handle_t<ParseWeights> weights) {
  const auto& self = nb::cast<const ParseWeights&>(weights);
  const auto view = [&]<class T>(const std::vector<T>& values) {
    const nb::ndarray<nb::numpy, const T, nb::ndim<1>> array(values.data(), {values.size()}, weights);
    return NumpyArray<T>(nb::cast(array));
  };
  return {view(self.keys), view(self.counts), view(self.cell_actions), view(self.w), view(self.sums)};
}

ParseWeights parse_weights_of(int64_t actions, int64_t templates, int64_t visits, const Array<const uint64_t, 1>& keys,
                              const Array<const int32_t, 1>& counts, const Array<const int32_t, 1>& cell_actions,
                              const Array<const int32_t, 1>& w, const Array<const int64_t, 1>& sums) {
  const auto copy = []<class T>(const Array<const T, 1>& a) { return std::vector<T>(a.data(), a.data() + a.size()); };
  ParseWeights weights(actions, templates);
  weights.visits = visits;
  weights.keys = copy(keys);
  weights.counts = copy(counts);
  weights.cell_actions = copy(cell_actions);
  weights.w = copy(w);
  weights.sums = copy(sums);
  weights.check();
  return weights;
}

using ParseState =
    std::tuple<int64_t, int64_t, int64_t, Array<const uint64_t, 1>, Array<const int32_t, 1>, Array<const int32_t, 1>,
               Array<const int32_t, 1>, Array<const int64_t, 1>>;  // for pickles

void bind_training(nb::module_& m) {
  nb::class_<ParseTraining>(m, "ParseTraining",
                            "A training set, and what is learned from it. `run` gives the mistakes of a pass and the "
                            "sentences that had one.")
      .def(
          "__init__",
          [](ParseTraining* self, const ParseWeights& weights, const Actions& actions, const TreeTemplates& templates,
             const Corpus& corpus, const Array<const int32_t, 1>& heads, const Array<const int32_t, 1>& labels) {
            const auto tokens = size_t(corpus.n_tokens());
            expect(heads.size() == tokens && labels.size() == tokens, "one head and one label a token");
            expect_templates(templates, weights.templates);
            nb::gil_scoped_release unlocked;
            new (self)
                ParseTraining(weights, actions, templates, corpus, {heads.data(), tokens}, {labels.data(), tokens});
          },
          "weights"_a, "actions"_a, "templates"_a, "corpus"_a, "heads"_a.noconvert(), "labels"_a.noconvert(),
          nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
      .def(
          "run",
          [](ParseTraining& self, int64_t beam, double exploration, const Array<const int64_t, 1>& sentences,
             bool shuffled, uint64_t seed, uint64_t pass) {
            const auto part = sentences_of(sentences, self.n_sentences());
            expect_beam(beam);
            expect(exploration >= 0 && exploration <= 1, "exploration must be from 0 to 1");
            nb::gil_scoped_release unlocked;
            const auto result = self.run(beam, exploration, part, shuffled, seed, pass);
            return std::make_pair(result.mistakes, result.sentences);
          },
          nb::kw_only(), "beam"_a, "exploration"_a, "sentences"_a.noconvert(), "shuffled"_a, "seed"_a, "pass_number"_a)
      .def("weights",
           [](const ParseTraining& self) {
             nb::gil_scoped_release unlocked;
             return self.weights();
           })
      .def("restart", &ParseTraining::restart);
}

}  // namespace

void bind_parse(nb::module_& m) {
  nb::class_<TreeTemplates>(m, "TreeTemplates")
      .def(
          "__init__",
          [](TreeTemplates* self, const std::vector<NamedView>& views, const std::vector<NamedPlace>& places,
             const std::vector<NamedPiece>& pieces, const std::vector<NamedTemplate>& templates) {
            new (self) TreeTemplates(tree_templates_of(views, places, pieces, templates));
          },
          nb::kw_only(), "views"_a, "places"_a, "pieces"_a, "templates"_a)
      .def("__len__", &TreeTemplates::size)
      .def_prop_ro("n_columns", &TreeTemplates::columns);

  nb::class_<Actions>(m, "Actions", "Moves with labels: of arcs between words, and of the one from the root.")
      .def(nb::init<int32_t, std::vector<int32_t>, std::vector<int32_t>>(), "labels"_a, "of_arcs"_a, "of_root"_a)
      .def("__len__", &Actions::size);

  nb::class_<ParseWeights>(m, "ParseWeights",
                           "What a parser has learned; `arrays` gives keys, counts, cell actions, w, sums.")
      .def(nb::init<int64_t, int64_t>(), nb::kw_only(), "actions"_a, "templates"_a)
      .def_prop_ro("actions", [](const ParseWeights& self) { return self.actions; })
      .def_prop_ro("templates", [](const ParseWeights& self) { return self.templates; })
      .def_prop_ro("visits", [](const ParseWeights& self) { return self.visits; })
      .def_prop_ro("n_weight_rows", [](const ParseWeights& self) { return self.keys.size(); })
      .def_prop_ro("n_cells", [](const ParseWeights& self) { return self.w.size(); })
      .def(
          "pruned",
          [](const ParseWeights& self, const std::string& readout, double least) {
            expect(std::isfinite(least) && least >= 0, "a weight to prune below must not be negative");
            const auto of = readout_named(readout);
            nb::gil_scoped_release unlocked;
            return self.pruned(of, least);
          },
          "readout"_a, "least"_a)
      .def("arrays", &parse_arrays_of)
      .def("__getstate__",
           [](nb::handle_t<ParseWeights> self) {
             const auto& weights = nb::cast<const ParseWeights&>(self);
             return std::tuple_cat(std::make_tuple(int64_t(weights.actions), weights.templates, weights.visits),
                                   parse_arrays_of(self));
           })
      .def("__setstate__", [](ParseWeights& self, const ParseState& state) {
        new (&self) ParseWeights(std::apply(&parse_weights_of, state));
      });
  m.def("parse_weights_of", &parse_weights_of, nb::kw_only(), "actions"_a, "templates"_a, "visits"_a,
        "keys"_a.noconvert(), "counts"_a.noconvert(), "cell_actions"_a.noconvert(), "w"_a.noconvert(),
        "sums"_a.noconvert());

  bind_training(m);

  nb::class_<TreeParser>(m, "TreeParser")
      .def(
          "__init__",
          [](TreeParser* self, const ParseWeights& weights, const Actions& actions, const std::string& readout,
             int64_t beam) {
            const auto of = readout_named(readout);
            expect_beam(beam);
            nb::gil_scoped_release unlocked;
            new (self) TreeParser(weights, actions, of, beam);
          },
          "weights"_a, "actions"_a, "readout"_a, "beam"_a)
      .def(
          "parse",
          [](const TreeParser& self, const TreeTemplates& templates, const Corpus& corpus,
             std::optional<int64_t> threads) {
            constexpr int64_t kSentencesWorthAThread = 50;
            expect_templates(templates, self.templates());
            std::vector<int32_t> heads(size_t(corpus.n_tokens())), labels(size_t(corpus.n_tokens()));
            {
              nb::gil_scoped_release unlocked;
              const TreeValues values(templates, corpus);
              in_parts(corpus.n_sentences(), kSentencesWorthAThread, threads.value_or(all_cores()),
                       [&](int64_t first, int64_t last) {
                         self.parse_part(values, first, last, heads.data(), labels.data());
                       });
            }
            return std::make_pair(to_numpy(std::move(heads)), to_numpy(std::move(labels)));
          },
          "templates"_a, "corpus"_a, "threads"_a.none() = nb::none());

  m.def(
      "tree_problem",
      [](const Array<const int64_t, 1>& starts, const Array<const int32_t, 1>& heads)
          -> std::optional<std::tuple<int64_t, int32_t, std::string, std::string>> {
        expect(starts.size() > 0 && starts(0) == 0 && starts(starts.size() - 1) == int64_t(heads.size()),
               "starts must begin with 0 and end with the number of heads");
        for (size_t s = 0; s + 1 < starts.size(); ++s) expect(starts(s) <= starts(s + 1), "starts must not fall");
        for (size_t s = 0; s + 1 < starts.size(); ++s) {
          const auto size = size_t(starts(s + 1) - starts(s));
          const auto problem = problem_of_tree({heads.data() + starts(s), size});
          if (problem.expected)
            return std::make_tuple(int64_t(s), problem.word, std::string(problem.expected), problem.found);
        }
        return std::nullopt;
      },
      "starts"_a.noconvert(), "heads"_a.noconvert(),
      "The first sentence whose heads are no tree, the word that shows it, what was expected and what was found.");
}
