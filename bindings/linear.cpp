// The linear pass: training, scores, votes.
#include "linear/linear.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>

#include "threads/in_parts.hpp"
#include "words.hpp"

using namespace rosenblatt;

namespace {

Rule make_rule(const std::string& tie, double margin, const std::string& step, double C, double r,
               const std::string& multiclass, int64_t batch_size) {
  expect(batch_size >= 1, "batch_size must be at least 1");
  return {tie_of(tie),
          margin,
          step_of(step),
          C,
          r,
          word<Multiclass>({{"argmax", Multiclass::argmax}, {"one-vs-rest", Multiclass::one_vs_rest}}, multiclass),
          batch_size};
}

// Weights as the core has them: (features + 1) x stride, stride 1 or a multiple of the lanes. Rows may have fewer
// features.
template <class T>
LinearState<std::remove_const_t<T>> state_of(const Array<T, 2>& w, int64_t of_rows, int32_t n_rows, double bias) {
  const auto features = int64_t(w.shape(0)) - 1, stride = int64_t(w.shape(1));
  expect(of_rows <= features, "the weights must have one entry more than the rows have features");
  expect(n_rows >= 1 && n_rows <= stride && (stride == 1 || (n_rows > 1 && stride % kLanes == 0)),
         "weights of more than one row must be padded to a multiple of eight");
  using Value = std::remove_const_t<T>;
  return {const_cast<Value*>(w.data()), features, stride, n_rows, static_cast<Value>(bias)};
}

template <class A, class B>
bool same_shape(const A& a, const B& b) {
  return a.shape(0) == b.shape(0) && a.shape(1) == b.shape(1);
}

// Up to `passes` passes; stops after one without a mistake.
template <class H, class T>
nb::tuple train(H& held, Array<const int32_t, 1> target, MaybeVector<T> weight, const Rule& rule, Array<T, 2> w,
                int32_t n_rows, double bias, int64_t visits, std::optional<Array<T, 2>> spread,
                std::optional<Array<double, 2>> sums, std::optional<Array<T, 2>> pocket, double pocket_errors,
                bool keep_mistakes, std::optional<uint64_t> seed, int64_t first_pass, int64_t passes,
                bool whole_passes) {
  auto& rows = held.rows;
  expect(int64_t(target.shape(0)) == rows.size, "one target a row");
  expect(!weight || int64_t(weight->shape(0)) == rows.size, "one weight a row");
  expect(!spread || same_shape(*spread, w), "spread must have the shape of the weights");
  expect(!sums || same_shape(*sums, w), "sums must have the shape of the weights");
  expect(!pocket || same_shape(*pocket, w), "pocket must have the shape of the weights");
  expect(bool(spread) == (rule.step == StepKind::arow), "spread goes with AROW");
  for (size_t i = 0; i < target.shape(0); ++i)
    expect(target(i) >= 0 && target(i) < std::max(n_rows, 2), "a target is not a class");
  auto state = state_of(w, rows.features, n_rows, bias);
  state.visits = visits;
  state.spread = spread ? spread->data() : nullptr;
  state.sums = sums ? sums->data() : nullptr;
  std::vector<Event> events;
  state.events = keep_mistakes ? &events : nullptr;
  const T* weights = weight ? weight->data() : nullptr;
  std::optional<Pocket<T>> best;
  if (pocket) state.pocket = &best.emplace(pocket->data(), weights, rule.tie, pocket_errors);
  std::vector<int64_t> mistakes;
  std::vector<double> losses;
  int64_t updates = 0;
  {
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
  }
  std::vector<int64_t> visit, row;
  std::vector<int32_t> cls;
  std::vector<double> tau;
  for (const auto& event : events) {
    visit.push_back(event.visit);
    row.push_back(event.row);
    cls.push_back(event.cls);
    tau.push_back(event.tau);
  }
  return nb::make_tuple(to_numpy(std::move(mistakes)), to_numpy(std::move(losses)), updates, state.visits,
                        best ? best->errors() : pocket_errors, to_numpy(std::move(visit)), to_numpy(std::move(row)),
                        to_numpy(std::move(cls)), to_numpy(std::move(tau)));
}

template <class H, class T>
void fill_scores(const H& held, Array<const T, 2> w, int32_t n_rows, double bias, Array<T, 2> out) {
  const auto& rows = held.rows;
  const auto state = state_of(w, rows.features, n_rows, bias);
  expect(int64_t(out.shape(0)) == rows.size && int32_t(out.shape(1)) == n_rows, "out must be rows x rows of weights");
  constexpr int64_t kRowsWorthAThread = 20'000;
  nb::gil_scoped_release unlocked;
  in_parts(rows.size, kRowsWorthAThread, all_cores(),
           [&](int64_t first, int64_t last) { score_rows(rows, state, first, last, out.data()); });
}

template <class H, class T>
void fill_votes(H& held, H& support, Array<const int64_t, 1> visit, Array<const int64_t, 1> row,
                Array<const int32_t, 1> cls, Array<const double, 1> tau, int64_t visits, const std::string& tie,
                double bias, Array<T, 2> score, Array<double, 2> votes) {
  const auto n_rows = int32_t(score.shape(1));
  expect(held.rows.features == support.rows.features, "rows and support rows must have the same features");
  expect(int64_t(score.shape(0)) == held.rows.size && int64_t(votes.shape(0)) == held.rows.size &&
             int32_t(votes.shape(1)) == std::max(2, n_rows),
         "one row of scores and of votes a row");
  expect(visit.size() == row.size() && row.size() == cls.size() && cls.size() == tau.size(), "events are ragged");
  std::vector<Event> events;
  for (size_t e = 0; e < visit.size(); ++e) {
    expect(row(e) >= 0 && row(e) < support.rows.size && cls(e) >= 0 && cls(e) < n_rows, "an event is out of range");
    events.push_back({visit(e), row(e), cls(e), tau(e)});
  }
  nb::gil_scoped_release unlocked;
  check_all(held.rows);
  check_all(support.rows);
  dispatch([&] {
    vote(held.rows, support.rows, events, visits, n_rows, tie_of(tie), static_cast<T>(bias), score.data(),
         votes.data());
  });
}

}  // namespace

void bind_linear(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Rule>(m, "Rule").def(
      "__init__",
      [](Rule* self, const std::string& tie, double margin, const std::string& step, double C, double r,
         const std::string& multiclass,
         int64_t batch_size) { new (self) Rule(make_rule(tie, margin, step, C, r, multiclass, batch_size)); },
      nb::kw_only(), "tie"_a, "margin"_a, "step"_a, "C"_a, "r"_a, "multiclass"_a, "batch_size"_a);
  for_each_rows([&]<class H>(const char*) {
    using T = typename decltype(H::rows)::Value;
    m.def("train", &train<H, T>, "rows"_a, "target"_a, "weight"_a.none(), "rule"_a, nb::kw_only(), "w"_a.noconvert(),
          "n_rows"_a, "bias"_a, "visits"_a, "spread"_a.none(), "sums"_a.none(), "pocket"_a.none(), "pocket_errors"_a,
          "keep_mistakes"_a, "seed"_a.none(), "first_pass"_a, "passes"_a, "whole_passes"_a = true);
    m.def("scores", &fill_scores<H, T>, "rows"_a, "w"_a.noconvert(), "n_rows"_a, "bias"_a, "out"_a.noconvert());
    m.def("vote", &fill_votes<H, T>, "rows"_a, "support"_a, "visit"_a, "row"_a, "cls"_a, "tau"_a, "visits"_a, "tie"_a,
          "bias"_a, "score"_a.noconvert(), "votes"_a.noconvert());
  });
}
