// The recorder: the run is that of whole passes, orders that look find the rows that are wrong, readouts are right.
#include <vector>

#include "lessons/kernel_recorder.hpp"
#include "lessons/readouts.hpp"
#include "lessons/recorder.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

using Numbers = std::vector<int64_t>;
const std::vector<double> kPoints{0, 0, 0, 1, 1, 0, 1, 1};
const DenseRows<double> kRows{kPoints.data(), 4, 2, 2};
const std::vector<int32_t> kAnd{0, 0, 0, 1}, kXor{0, 1, 1, 0}, kThree{0, 1, 2, 0};

struct Run {
  Rule rule;
  LinearState<double> state;
  Recorded<double> found;

  Run(const Rule& given, int32_t machines) : rule(given), state(2, machines, 1.0) {
    if (rule.step == StepKind::arow) state.spread = {state.size(), 1.0};
  }
  std::vector<double> w() const { return {state.w.data(), state.w.data() + state.size()}; }
};

Run recorded(const std::vector<int32_t>& target, Turn turn, int64_t passes, int64_t visits, Rule rule = {},
             int32_t machines = 1) {
  Run run(rule, machines);
  Recorder<DenseRows<double>> recorder(kRows, target.data(), nullptr, run.rule, run.state, 1.0);
  run.found = recorder.run({turn, {0, 1, 2, 3}, 7}, 0, passes, visits);
  return run;
}

void listed() {
  const auto run = recorded(kAnd, Turn::listed, 100, 1000).found;
  CHECK(run.mistakes == Numbers{2, 3, 3, 2, 2, 3, 2, 1, 0});
  CHECK(run.row.size() == 36 && run.pass.back() == 9 && run.whole);
  CHECK((std::vector<double>(run.weights.end() - 3, run.weights.end()) == std::vector<double>{-4, 3, 2}));
  CHECK(run.why[0] == Why::first_step && run.why[1] == Why::none && run.why[3] == Why::wrong_side);
  CHECK(run.why[4] == Why::on_the_line && run.k[3] == 2 && run.before[3] == 1);
}

void the_bits_of_whole_passes() {
  for (const auto step : {StepKind::perceptron, StepKind::pa1, StepKind::arow}) {
    for (const int64_t batch : {1, 3}) {
      if (batch > 1 && step != StepKind::perceptron) continue;
      Rule rule{Tie::mistake, 0.3, step, 0.7, 0.9, Multiclass::argmax, batch};
      for (const int32_t machines : {1, 3}) {
        const auto& target = machines == 1 ? kXor : kThree;
        Run one(rule, machines), other(rule, machines);
        Recorder<DenseRows<double>> recorder(kRows, target.data(), nullptr, rule, one.state, 1.0);
        recorder.run({Turn::shuffled, {0, 1, 2, 3}, 7}, 0, 5, 1000);
        LinearPass<DenseRows<double>> pass(kRows, target.data(), nullptr, rule, other.state);
        for (uint64_t p = 0; p < 5; ++p) pass.run(true, 7, p);
        CHECK(one.w() == other.w());
      }
    }
  }
}

void those_that_look() {
  const auto first = recorded(kAnd, Turn::first_wrong, 100, 1000).found;
  CHECK((Numbers(first.row.begin(), first.row.begin() + 5) == Numbers{0, 3, 0, 1, 3}));
  CHECK(first.mistakes.size() == first.row.size() + 1 && first.mistakes.back() == 0);
  const auto worst = recorded(kAnd, Turn::worst_wrong, 100, 1000).found;
  CHECK((std::vector<double>(worst.weights.end() - 3, worst.weights.end()) == std::vector<double>{-3, 2, 2}));
  CHECK(recorded(kXor, Turn::worst_wrong, 6, 1000).found.row.size() == 6);
}

void cut_short() {
  const auto run = recorded(kAnd, Turn::listed, 100, 6).found;
  CHECK(run.row.size() == 6 && run.mistakes.size() == 2 && !run.whole);
  const auto batch = recorded(kAnd, Turn::listed, 1, 3, Rule{.batch_size = 4}).found;
  CHECK(batch.row.size() == 3 && batch.k == Numbers{1, 1, 1} && batch.before == Numbers{0, 0, 0});
}

void other_readouts() {
  const auto run = recorded(kXor, Turn::listed, 2, 1000).found;
  const Hypotheses<double> tried{run.weights, 2, 1, 1.0};
  const auto errors = training_errors(kRows, kXor.data(), Rule{}, tried);
  const auto pocket = in_pocket(run.k, errors);
  CHECK(tried.size() == run.k.back() + 1 && errors[0] == 4 && pocket.size() == run.k.size());
  for (size_t v = 1; v < pocket.size(); ++v) CHECK(errors[size_t(pocket[v])] <= errors[size_t(pocket[v - 1])]);
  const auto visits = survived(run.k, tried.size());
  const auto cast = votes(kRows, tried, std::vector<double>(visits.begin(), visits.end()), Tie::mistake);
  for (size_t i = 0; i < 4; ++i) CHECK(cast[2 * i] + cast[2 * i + 1] == double(run.k.size()));
}

void kernels() {
  std::vector<double> gram;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j) {
      const double value =
          kPoints[size_t(2 * i)] * kPoints[size_t(2 * j)] + kPoints[size_t(2 * i + 1)] * kPoints[size_t(2 * j + 1)] + 1;
      gram.push_back(value);
    }
  const Rule rule;
  KernelRecorder recorder(gram.data(), 4, kAnd.data(), rule, 1, 1.0);
  const auto& run = recorder.run({Turn::listed, {0, 1, 2, 3}, 0}, 100, 1000);
  CHECK((std::vector<double>(run.alpha.end() - 4, run.alpha.end()) == std::vector<double>{-2, -5, -4, 7}));
  CHECK(run.row.size() == 36 && run.norm2.back() == 29);
}

}  // namespace

int main() {
  listed();
  the_bits_of_whole_passes();
  those_that_look();
  cut_short();
  other_readouts();
  kernels();
  return check::report();
}
