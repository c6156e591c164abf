// The online protocol: the lecture's six examples with the answers given before their labels came, portions of any
// size, the average that stands while a run goes on, and rows that are too large for their type.
#include <vector>

#include "linear/online.hpp"
#include "tests/check.hpp"

using namespace rosenblatt;

namespace {

const std::vector<double> kX{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1};
const std::vector<int32_t> kTarget{0, 1, 1, 0, 0, 1};

struct Play {
  LinearState<double> state{2, 1, 0.0};
  Rule rule;
  bool average = false;
  std::vector<int32_t> answers;

  explicit Play(bool of_average) : average(of_average) {
    rule.tie = Tie::positive;
    state.sums = {3, 0.0};
  }
  static std::vector<double> all(const SharedArray<double>& array) { return {array.data(), array.data() + 3}; }
  std::vector<double> w() const { return all(state.w); }
  std::vector<double> sums() const { return all(state.sums); }
  int64_t learn(const std::vector<double>& x, const std::vector<int32_t>& target) {
    const DenseRows<double> rows{x.data(), int64_t(target.size()), 2, 2};
    std::vector<int32_t> found(target.size(), -1);
    const Played played =
        play(rows, target.data(), static_cast<const double*>(nullptr), rule, state, average, 1.0, found.data());
    answers.insert(answers.end(), found.begin(), found.end());
    return played.rows;
  }
};

void the_lecture() {
  Play run(false);
  CHECK(run.learn(kX, kTarget) == 6);
  CHECK(run.answers == std::vector<int32_t>{1, 1, 0, 0, 1, 1});
  CHECK(run.w() == std::vector<double>{3, 1, 0});
  CHECK(run.state.visits == 6);
}

void portions() {
  for (const bool average : {false, true}) {
    Play whole(average), single(average);
    whole.learn(kX, kTarget);
    for (size_t i = 0; i < kTarget.size(); ++i) single.learn({kX[2 * i], kX[2 * i + 1]}, {kTarget[i]});
    CHECK(whole.answers == single.answers);
    CHECK(whole.w() == single.w());
    CHECK(whole.sums() == single.sums());
  }
}

// After T visits the mean of the weights is (T w - sums) / T, taken for the columns of the row alone.
void the_average_stands() {
  Play run(true);
  run.learn(kX, kTarget);
  const DenseRows<double> rows{kX.data(), 6, 2, 2};
  std::vector<double> out(6), mean(3), all(3);
  standing_scores(rows, run.state, true, 2.0, out.data());
  for (size_t j = 0; j < 3; ++j) mean[j] = 2 * ((6 * run.w()[j] - run.sums()[j]) / 6);
  run.state.fill_average(2.0, all.data());
  CHECK(all == mean);
  for (size_t i = 0; i < 6; ++i) CHECK(out[i] == mean[0] * kX[2 * i] + mean[1] * kX[2 * i + 1]);
}

void a_row_that_is_too_large() {
  for (const auto step : {StepKind::perceptron, StepKind::pa}) {
    Play run(false);
    run.rule.step = step;
    run.rule.margin = step == StepKind::pa ? 1 : 0;
    run.learn(kX, kTarget);
    const auto before = run.w();
    for (const double huge : {1e308, 1e200}) {
      CHECK(run.learn({huge, huge, 1, 1}, {0, 1}) == 0);
      CHECK(run.w() == before);
      CHECK(run.state.visits == 6);
    }
    CHECK(run.learn({1, 1}, {1}) == 1);
  }
}

}  // namespace

int main() {
  the_lecture();
  portions();
  the_average_stands();
  a_row_that_is_too_large();
  return check::report();
}
