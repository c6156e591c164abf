// The linear pass: training, scores, votes.
#include "linear/linear.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "base/in_parts.hpp"
#include "enum_names.hpp"
#include "linear/online.hpp"
#include "linear/run.hpp"
#include "linear_state.hpp"
#include "rows.hpp"
#include "unlocked.hpp"

using namespace rosenblatt;

namespace {

Rule make_rule(const std::string& tie, double margin, const std::string& step, double C, double r,
               const std::string& multiclass, int64_t batch_size, bool norm_of_constant) {
  expect(batch_size >= 1, "batch_size must be at least 1");
  expect(std::isfinite(margin), "margin must be finite");
  expect(C > 0 && r > 0, "C and r must be over 0");
  const auto of_classes =
      value_named<Multiclass>(multiclass, {{"argmax", Multiclass::argmax}, {"one-vs-rest", Multiclass::one_vs_rest}});
  return {tie_named(tie), margin, step_named(step), C, r, of_classes, batch_size, norm_of_constant};
}

template <class Kind, class T>
void expect_room(const Kind& rows, int32_t machines, const Array<T, 2>& out) {
  expect(int64_t(out.shape(0)) == rows.size && int64_t(out.shape(1)) == machines, "out must be rows x rows of weights");
}

template <class T>
void expect_standing(const LinearState<T>& state, bool average, double unit) {
  expect(!average || state.sums, "an average needs sums");
  expect(std::isfinite(unit), "unit must be finite");
}

// The result of `work(target)` for classes, or for numbers of the type of the rows.
template <class T, class Work>
auto with_targets(const AnyArray& given, Work work) {
  return with_array<Array<const int32_t, 1>, Array<const T, 1>>(
      given, "target must be a vector of int32, or numbers of the type of the rows", work);
}

// Python may replace the arrays of the state during a call. So a call works on a state that shares the arrays of its
// beginning, and copies the counts back at its end.
template <class T>
void take_counts(LinearState<T>& self, LinearState<T>& after) {
  self.visits = after.visits;
  self.pocket_errors = after.pocket_errors;
  self.mistakes = std::move(after.mistakes);
}

using Passes = std::tuple<NumpyArray<int64_t>, NumpyArray<double>, int64_t>;

Passes run_state(AnyLinearState& self, const Rows& given, const AnyArray& given_target,
                 const MaybeAnyArray& given_weight, const Rule& rule, std::optional<uint64_t> seed, int64_t first_pass,
                 int64_t passes, bool whole_passes) {
  RunResult result = with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    LinearState<T> state = state_beside_rows<T>(self);
    expect_visits(state.visits, passes, rows.size);
    expect_visits(first_pass, passes);
    const auto learn = [&]<class Target>(const Array<const Target, 1>& target) {
      expect_examples(rows, target, weight, rule, state);
      if constexpr (!std::is_same_v<Target, int32_t>) {
        expect(rule.step != StepKind::perceptron && rule.step != StepKind::arow,
               "numbers need a passive-aggressive step");
        expect(rule.batch_size == 1, "numbers are visited one row at a time");
        expect(state.machines == 1 && !state.pocket && !state.keeps_mistakes,
               "numbers need one row of weights, and have neither a pocket nor mistakes to keep");
      }
      nb::gil_scoped_release unlocked;
      return run(rows, target.data(), weight ? weight->data() : nullptr, rule, state,
                 {seed, first_pass, passes, whole_passes});
    };
    auto result = with_targets<T>(given_target, learn);
    take_counts(state_beside_rows<T>(self), state);
    return result;
  });
  return {to_numpy(std::move(result.mistakes)), to_numpy(std::move(result.losses)), result.updates};
}

void fill_scores(const Rows& given, const AnyArray& given_w, int32_t machines, double bias, const AnyArray& given_out) {
  constexpr int64_t kRowsWorthAThread = 20'000;
  with_rows(given, [&](const auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto w = array_beside_rows<const T, 2>(given_w, "w");
    const auto out = array_beside_rows<T, 2>(given_out, "out");
    const auto weights = weights_of(w, machines, bias);
    expect_wide_enough(weights, rows);
    expect_room(rows, machines, out);
    nb::gil_scoped_release unlocked;
    in_parts(rows.size, kRowsWorthAThread, all_cores(),
             [&](int64_t first, int64_t last) { score_rows(rows, weights, first, last, out.data()); });
  });
}

// The predicted class of each row, -1 if it was not learned; then the numbers of learned rows, mistakes and updates.
using PlayedRows = std::tuple<NumpyArray<int32_t>, int64_t, int64_t, int64_t>;

PlayedRows play_rows(AnyLinearState& self, const Rows& given, Array<const int32_t, 1> target,
                     const MaybeAnyArray& given_weight, const Rule& rule, bool average, double unit) {
  std::vector<int32_t> answers(target.shape(0), -1);
  const Played played = with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    LinearState<T> state = state_beside_rows<T>(self);
    expect_visits(state.visits, 1, rows.size);
    expect_examples(rows, target, weight, rule, state);
    expect(rule.batch_size == 1 && !state.pocket, "a run that goes on visits one row at a time, and has no pocket");
    expect_standing(state, average, unit);
    const Played result = unlocked([&] {
      return play(rows, target.data(), weight ? weight->data() : nullptr, rule, state, average, static_cast<T>(unit),
                  answers.data());
    });
    take_counts(state_beside_rows<T>(self), state);
    return result;
  });
  return {to_numpy(std::move(answers)), played.rows, played.found.mistakes, played.found.updates};
}

void fill_standing_scores(AnyLinearState& self, const Rows& given, bool average, double unit,
                          const AnyArray& given_out) {
  with_rows(given, [&](const auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto out = array_beside_rows<T, 2>(given_out, "out");
    const LinearState<T> state = state_beside_rows<T>(self);
    expect_wide_enough(state.weights(), rows);
    expect_room(rows, state.machines, out);
    expect_standing(state, average, unit);
    nb::gil_scoped_release unlocked;
    standing_scores(rows, state, average, static_cast<T>(unit), out.data());
  });
}

void fill_votes(const Rows& given, const Rows& given_support, Array<const int64_t, 1> visit,
                Array<const int64_t, 1> row, Array<const int32_t, 1> cls, Array<const double, 1> tau, int64_t visits,
                const std::string& tie, double bias, const AnyArray& given_score, Array<double, 2> votes) {
  auto support_rows = given_support.for_a_call();
  const auto fill = [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    auto* const support = std::get_if<std::remove_cvref_t<decltype(rows)>>(&support_rows);
    if (!support) throw nb::type_error("rows and support rows must be of one kind and type");
    const auto score = array_beside_rows<T, 2>(given_score, "score");
    expect(score.shape(1) >= 1 && score.shape(1) <= size_t(std::numeric_limits<int32_t>::max()),
           "there must be scores of one row of weights or more");
    const auto machines = int32_t(score.shape(1));
    expect(rows.features == support->features, "rows and support rows must have the same features");
    expect(int64_t(score.shape(0)) == rows.size && int64_t(votes.shape(0)) == rows.size &&
               int64_t(votes.shape(1)) == std::max(2, machines),
           "one row of scores and of votes a row");
    expect(visit.size() == row.size() && row.size() == cls.size() && cls.size() == tau.size(), "events are ragged");
    expect_rising(visit);
    std::vector<Event> events;
    for (size_t e = 0; e < visit.size(); ++e) {
      expect(row(e) >= 0 && row(e) < support->size && cls(e) >= 0 && cls(e) < machines, "an event is out of range");
      events.push_back({visit(e), row(e), cls(e), tau(e)});
    }
    const Tie goes_to = tie_named(tie);
    nb::gil_scoped_release unlocked;
    check_all(rows);
    check_all(*support);
    dispatch([&] {
      vote(rows, *support, events, visits, machines, goes_to, static_cast<T>(bias), score.data(), votes.data());
    });
  };
  with_rows(given, fill);
}

}  // namespace

void bind_linear(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Rule>(m, "Rule").def(
      "__init__",
      [](Rule* self, const std::string& tie, double margin, const std::string& step, double C, double r,
         const std::string& multiclass, int64_t batch_size, bool norm_of_constant) {
        new (self) Rule(make_rule(tie, margin, step, C, r, multiclass, batch_size, norm_of_constant));
      },
      nb::kw_only(), "tie"_a, "margin"_a, "step"_a, "C"_a, "r"_a, "multiclass"_a, "batch_size"_a,
      "norm_of_constant"_a = true);
  bind_linear_state(m)
      .def("run", &run_state, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "seed"_a.none(),
           "first_pass"_a, "passes"_a, "whole_passes"_a = true)
      .def("play", &play_rows, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "average"_a, "unit"_a)
      .def("standing_scores", &fill_standing_scores, "rows"_a, nb::kw_only(), "average"_a, "unit"_a, "out"_a);
  m.def("scores", &fill_scores, "rows"_a, "w"_a, "n_machines"_a, "bias"_a, "out"_a);
  m.def("vote", &fill_votes, "rows"_a, "support"_a, "visit"_a, "row"_a, "cls"_a, "tau"_a, "visits"_a, "tie"_a, "bias"_a,
        "score"_a, "votes"_a.noconvert());
}
