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
#include "linear_state.hpp"
#include "rows.hpp"

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

// The state that training goes on from, all of it checked.
template <class Rows, class Target, class T = typename Rows::Value>
LinearState<T> started(const Rows& rows, const Array<const Target, 1>& target,
                       const std::optional<Array<const T, 1>>& weight, const Rule& rule, const Array<T, 2>& w,
                       int32_t n_rows, double bias, int64_t visits, const std::optional<Array<T, 2>>& spread,
                       const std::optional<Array<double, 2>>& sums, int64_t unaveraged = 0) {
  expect_visits(visits, 1, rows.size);
  expect(int64_t(target.shape(0)) == rows.size, "one target a row");
  expect(!weight || int64_t(weight->shape(0)) == rows.size, "one weight a row");
  expect(!spread || same_shape(*spread, w), "spread must have the shape of the weights");
  expect(!sums || same_shape(*sums, w), "sums must have the shape of the weights");
  expect(bool(spread) == (rule.step == StepKind::arow), "spread goes with AROW");
  for (size_t i = 0; i < target.shape(0); ++i) {
    if constexpr (std::is_same_v<Target, int32_t>)
      expect(target(i) >= 0 && target(i) < std::max(n_rows, 2), "a target is not a class");
    else
      expect(std::isfinite(target(i)), "a target is not finite");
  }
  expect(unaveraged >= 0, "the visits that are not averaged must not be negative");
  auto state = state_of(w, rows.features, n_rows, bias);
  state.visits = visits;
  state.spread = spread ? spread->data() : nullptr;
  state.sums = sums ? sums->data() : nullptr;
  state.unaveraged = unaveraged;
  return state;
}

void expect_standing(const Rule& rule, bool average, bool sums, double unit) {
  expect(rule.batch_size == 1, "a run that goes on visits one row at a time");
  expect(!average || sums, "an average needs sums");
  expect(std::isfinite(unit), "unit must be finite");
}

// The mistakes and the loss of each pass, updates, visits, the errors of the pocket, and the mistakes kept: visit, row,
// class and step of each.
using Trained = std::tuple<NumpyArray<int64_t>, NumpyArray<double>, int64_t, int64_t, double, NumpyArray<int64_t>,
                           NumpyArray<int64_t>, NumpyArray<int32_t>, NumpyArray<double>>;

// Up to `passes` passes; stops after one without a mistake.
Trained train(const Rows& given, Array<const int32_t, 1> target, const MaybeAnyArray& given_weight, const Rule& rule,
              const AnyArray& given_w, int32_t n_rows, double bias, int64_t visits, const MaybeAnyArray& given_spread,
              std::optional<Array<double, 2>> sums, const MaybeAnyArray& given_pocket, double pocket_errors,
              bool keep_mistakes, std::optional<uint64_t> seed, int64_t first_pass, int64_t passes, bool whole_passes,
              int64_t unaveraged) {
  std::vector<Event> events;
  std::vector<int64_t> mistakes;
  std::vector<double> losses;
  int64_t updates = 0;
  const auto run = [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto w = array_beside_rows<T, 2>(given_w, "w");
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    const auto spread = array_beside_rows<T, 2>(given_spread, "spread");
    const auto pocket = array_beside_rows<T, 2>(given_pocket, "pocket");
    expect_visits(visits, passes, rows.size);
    expect_visits(first_pass, passes);
    expect(pocket_errors >= 0, "the errors of the pocket must not be negative");
    expect(!pocket || same_shape(*pocket, w), "pocket must have the shape of the weights");
    auto state = started(rows, target, weight, rule, w, n_rows, bias, visits, spread, sums, unaveraged);
    state.events = keep_mistakes ? &events : nullptr;
    const T* weights = weight ? weight->data() : nullptr;
    std::optional<Pocket<T>> best;
    if (pocket) state.pocket = &best.emplace(pocket->data(), weights, rule.tie, pocket_errors);
    nb::gil_scoped_release unlocked;
    if (pocket) check_all(rows);  // it looks at rows that were not visited yet
    LinearPass<std::remove_cvref_t<decltype(rows)>> pass(rows, target.data(), weights, rule, state);
    for (int64_t p = 0; p < passes && (mistakes.empty() || mistakes.back() > 0); ++p) {
      const auto result = pass.run(seed.has_value(), seed.value_or(0), uint64_t(first_pass + p));
      if (whole_passes) check_weights(state, first_pass + p);
      rows.checked = true;
      mistakes.push_back(result.mistakes);
      losses.push_back(result.loss);
      updates += result.updates;
    }
    visits = state.visits;
    if (best) pocket_errors = best->errors();
  };
  with_rows(given, run);
  std::vector<int64_t> visit, row;
  std::vector<int32_t> cls;
  std::vector<double> tau;
  for (const auto& event : events) {
    visit.push_back(event.visit);
    row.push_back(event.row);
    cls.push_back(event.cls);
    tau.push_back(event.tau);
  }
  return {to_numpy(std::move(mistakes)),
          to_numpy(std::move(losses)),
          updates,
          visits,
          pocket_errors,
          to_numpy(std::move(visit)),
          to_numpy(std::move(row)),
          to_numpy(std::move(cls)),
          to_numpy(std::move(tau))};
}

// The same for numbers as targets: misses and loss of each pass, updates, visits.
std::tuple<NumpyArray<int64_t>, NumpyArray<double>, int64_t, int64_t> train_numbers(
    const Rows& given, const AnyArray& given_target, const MaybeAnyArray& given_weight, const Rule& rule,
    const AnyArray& given_w, double bias, int64_t visits, std::optional<Array<double, 2>> sums, int64_t unaveraged,
    std::optional<uint64_t> seed, int64_t first_pass, int64_t passes) {
  std::vector<int64_t> misses;
  std::vector<double> losses;
  int64_t updates = 0;
  with_rows(given, [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto target = array_beside_rows<const T, 1>(given_target, "target");
    const auto w = array_beside_rows<T, 2>(given_w, "w");
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    expect(rule.step != StepKind::perceptron && rule.step != StepKind::arow, "numbers need a passive-aggressive step");
    expect(rule.batch_size == 1, "numbers are visited one row at a time");
    expect_visits(visits, passes, rows.size);
    expect_visits(first_pass, passes);
    auto state =
        started(rows, target, weight, rule, w, 1, bias, visits, std::optional<Array<T, 2>>(), sums, unaveraged);
    nb::gil_scoped_release unlocked;
    LinearPass<std::remove_cvref_t<decltype(rows)>, T> pass(rows, target.data(), weight ? weight->data() : nullptr,
                                                            rule, state);
    for (int64_t p = 0; p < passes && (misses.empty() || misses.back() > 0); ++p) {
      const auto result = pass.run(seed.has_value(), seed.value_or(0), uint64_t(first_pass + p));
      check_weights(state, first_pass + p);
      rows.checked = true;
      misses.push_back(result.mistakes);
      losses.push_back(result.loss);
      updates += result.updates;
    }
    visits = state.visits;
  });
  return {to_numpy(std::move(misses)), to_numpy(std::move(losses)), updates, visits};
}

void fill_scores(const Rows& given, const AnyArray& given_w, int32_t n_rows, double bias, const AnyArray& given_out) {
  constexpr int64_t kRowsWorthAThread = 20'000;
  const auto fill = [&](const auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto w = array_beside_rows<const T, 2>(given_w, "w");
    const auto out = array_beside_rows<T, 2>(given_out, "out");
    const auto state = state_of(w, rows.features, n_rows, bias);
    expect(int64_t(out.shape(0)) == rows.size && int64_t(out.shape(1)) == n_rows, "out must be rows x rows of weights");
    nb::gil_scoped_release unlocked;
    in_parts(rows.size, kRowsWorthAThread, all_cores(),
             [&](int64_t first, int64_t last) { score_rows(rows, state, first, last, out.data()); });
  };
  with_rows(given, fill);
}

// For each row the class that it was taken for, -1 if it was not learned from; rows learned from, mistakes, updates,
// visits.
using PlayedRows = std::tuple<NumpyArray<int32_t>, int64_t, int64_t, int64_t, int64_t>;

PlayedRows play_rows(const Rows& given, Array<const int32_t, 1> target, const MaybeAnyArray& given_weight,
                     const Rule& rule, const AnyArray& given_w, int32_t n_rows, double bias, int64_t visits,
                     const MaybeAnyArray& given_spread, std::optional<Array<double, 2>> sums, bool average,
                     double unit) {
  std::vector<int32_t> answers(target.shape(0), -1);
  Played played;
  const auto run = [&](auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto w = array_beside_rows<T, 2>(given_w, "w");
    const auto weight = array_beside_rows<const T, 1>(given_weight, "weight", true);
    const auto spread = array_beside_rows<T, 2>(given_spread, "spread");
    auto state = started(rows, target, weight, rule, w, n_rows, bias, visits, spread, sums);
    expect_standing(rule, average, bool(sums), unit);
    nb::gil_scoped_release unlocked;
    played = play(rows, target.data(), weight ? weight->data() : nullptr, rule, state, average, static_cast<T>(unit),
                  answers.data());
    visits = state.visits;
  };
  with_rows(given, run);
  return {to_numpy(std::move(answers)), played.rows, played.found.mistakes, played.found.updates, visits};
}

void fill_standing_scores(const Rows& given, const AnyArray& given_w, int32_t n_rows, double bias, int64_t visits,
                          std::optional<Array<const double, 2>> sums, double unit, const AnyArray& given_out) {
  const auto fill = [&](const auto& rows) {
    using T = ValueOf<decltype(rows)>;
    const auto w = array_beside_rows<const T, 2>(given_w, "w");
    const auto out = array_beside_rows<T, 2>(given_out, "out");
    auto state = state_of(w, rows.features, n_rows, bias);
    expect(int64_t(out.shape(0)) == rows.size && int64_t(out.shape(1)) == n_rows, "out must be rows x rows of weights");
    expect(!sums || same_shape(*sums, w), "sums must have the shape of the weights");
    expect(std::isfinite(unit), "unit must be finite");
    expect_visits(visits, 0);
    state.visits = visits;
    state.sums = sums ? const_cast<double*>(sums->data()) : nullptr;
    nb::gil_scoped_release unlocked;
    standing_scores(rows, state, bool(sums), static_cast<T>(unit), out.data());
  };
  with_rows(given, fill);
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
    const auto n_rows = int32_t(score.shape(1));
    expect(rows.features == support->features, "rows and support rows must have the same features");
    expect(int64_t(score.shape(0)) == rows.size && int64_t(votes.shape(0)) == rows.size &&
               int64_t(votes.shape(1)) == std::max(2, n_rows),
           "one row of scores and of votes a row");
    expect(visit.size() == row.size() && row.size() == cls.size() && cls.size() == tau.size(), "events are ragged");
    expect_rising(visit);
    std::vector<Event> events;
    for (size_t e = 0; e < visit.size(); ++e) {
      expect(row(e) >= 0 && row(e) < support->size && cls(e) >= 0 && cls(e) < n_rows, "an event is out of range");
      events.push_back({visit(e), row(e), cls(e), tau(e)});
    }
    const Tie goes_to = tie_named(tie);
    nb::gil_scoped_release unlocked;
    check_all(rows);
    check_all(*support);
    dispatch([&] {
      vote(rows, *support, events, visits, n_rows, goes_to, static_cast<T>(bias), score.data(), votes.data());
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
  m.def("train", &train, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "w"_a, "n_rows"_a, "bias"_a,
        "visits"_a, "spread"_a.none(), "sums"_a.noconvert().none(), "pocket"_a.none(), "pocket_errors"_a,
        "keep_mistakes"_a, "seed"_a.none(), "first_pass"_a, "passes"_a, "whole_passes"_a = true, "unaveraged"_a = 0);
  m.def("train_numbers", &train_numbers, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "w"_a,
        "bias"_a, "visits"_a, "sums"_a.noconvert().none(), "unaveraged"_a, "seed"_a.none(), "first_pass"_a, "passes"_a);
  m.def("play", &play_rows, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "w"_a, "n_rows"_a,
        "bias"_a, "visits"_a, "spread"_a.none(), "sums"_a.noconvert().none(), "average"_a, "unit"_a);
  m.def("standing_scores", &fill_standing_scores, "rows"_a, "w"_a, "n_rows"_a, "bias"_a, nb::kw_only(), "visits"_a,
        "sums"_a.noconvert().none(), "unit"_a, "out"_a);
  m.def("scores", &fill_scores, "rows"_a, "w"_a, "n_rows"_a, "bias"_a, "out"_a);
  m.def("vote", &fill_votes, "rows"_a, "support"_a, "visit"_a, "row"_a, "cls"_a, "tau"_a, "visits"_a, "tie"_a, "bias"_a,
        "score"_a, "votes"_a.noconvert());
}
