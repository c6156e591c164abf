// A run of the linear perceptron for the page, and how some weights answer on a grid.
#include <optional>

#include "conventions.hpp"
#include "lessons/readouts.hpp"
#include "lessons/recorder.hpp"

using namespace rosenblatt;
using page::add, page::columns, page::expect;

namespace {

int32_t count_machines(int32_t classes) {
  expect(classes >= 2, "there must be points of two classes or more");
  return classes == 2 ? 1 : classes;
}

DenseRows<double> rows_at(const double* x, int32_t rows, int32_t features) {
  expect(rows >= 1 && features >= 1, "there must be a point, and a point must have a coordinate");
  DenseRows<double> all{x, rows, features, features};
  check_all(all);
  return all;
}

std::vector<double> lengths(const std::vector<double>& weights, int64_t width) {
  std::vector<double> found;
  for (size_t first = 0; first < weights.size(); first += size_t(width)) {
    const DenseRow<double> w{weights.data() + first, width};
    found.push_back(std::sqrt(squared_norm(w, 0.0, 0, static_cast<const double*>(nullptr), 1)));
  }
  return found;
}

}  // namespace

// y: class numbers. start: weights as Recorded has them, or nullptr. For the columns see core.js.
ROSENBLATT_EXPORT(trace)
void trace(const double* x, const int32_t* y, int32_t rows, int32_t features, int32_t classes, const double* given,
           const double* start) {
  columns.clear();
  const auto all = rows_at(x, rows, features);
  const auto machines = count_machines(classes);
  const auto c = page::read(given, rows);
  for (int32_t i = 0; i < rows; ++i) expect(y[i] >= 0 && y[i] < classes, "a label is no class");
  LinearState<double> state(features, machines, c.bias);
  state.sums = {state.size(), 0.0};
  if (c.rule.step == StepKind::arow) state.spread = {state.size(), 1.0};
  if (start) {
    double* const w = state.w.data();
    for (int32_t k = 0; k < machines; ++k) {
      if (c.bias != 0) w[features * state.stride + k] = *start++ / c.unit;
      for (int32_t j = 0; j < features; ++j) w[j * state.stride + k] = *start++ / c.unit;
    }
    check_weights(state, 0);
  }
  Recorder<DenseRows<double>> recorder(all, y, nullptr, c.rule, state, c.unit);
  const auto& run = recorder.run(c.turns, 0, c.passes, c.visits);
  const Hypotheses<double> tried{run.weights, features, machines, c.bias};
  const auto errors = training_errors(all, y, c.rule, tried);
  add(run.pass);
  add(run.row);
  add(run.lost);
  std::vector<int> why;
  for (const auto reason : run.why) why.push_back(int(reason));
  add(why);
  add(page::times(c.unit, run.score));
  add(run.k);
  add(run.average);
  add(in_pocket(run.k, errors));
  add(run.weights);
  add(lengths(run.weights, recorder.width()));
  add(errors);
  add(survived(run.k, tried.size()));
  add(run.mistakes);
  add(run.spread);
}

// How some weights vote on points: as many votes each as `visits` says. One column: a number for each point and class.
ROSENBLATT_EXPORT(votes)
void votes(const double* x, int32_t rows, int32_t features, int32_t classes, const double* weights, int32_t hypotheses,
           const double* visits, double bias, int32_t tie) {
  columns.clear();
  Hypotheses<double> voters{{}, features, count_machines(classes), bias};
  voters.weights = {weights, size_t(hypotheses * voters.width())};
  add(rosenblatt::votes(rows_at(x, rows, features), voters, {visits, size_t(hypotheses)},
                        page::value_of(tie, Tie::negative, "tie must be mistake, positive or negative")));
}
