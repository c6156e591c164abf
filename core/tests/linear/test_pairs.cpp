// AROW with each weight beside its variance: the bits of a run that keeps weights and variances in two arrays, on both
// instruction sets. Rows have 0 to 40 values, so that every rest of eight comes, and there is nothing behind the last
// row that may be read.
#include <tuple>
#include <vector>

#include "base/use_avx2.hpp"
#include "linear/linear.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

constexpr int64_t kRows = 300, kFeatures = 60;

template <class T, class I>
struct Data {
  std::vector<T> values;
  std::vector<I> columns, starts{0};
  std::vector<int32_t> target;

  Data() {
    Random random(11);
    for (int64_t i = 0; i < kRows; ++i) {
      const int64_t share = random.below(3);
      for (int64_t j = 0; j < kFeatures && int64_t(values.size()) - int64_t(starts.back()) < 40; ++j) {
        if (random.below(4) > share) continue;
        values.push_back(static_cast<T>(random.below(2001) - 1000) / T(300));
        columns.push_back(static_cast<I>(j));
      }
      starts.push_back(static_cast<I>(values.size()));
      target.push_back(static_cast<int32_t>(random.below(2)));
    }
  }
};

template <class T>
struct Learned {
  std::vector<T> w, spread;
  std::vector<double> sums;
  std::vector<int64_t> mistakes;
  bool operator==(const Learned&) const = default;
};

// `apart`: a pocket, which looks at the weights while the pass runs, keeps them in their own array.
template <class T, class I>
Learned<T> learned(const Data<T, I>& data, T bias, bool averaged, bool shuffled, bool apart) {
  SparseRows<T, I> rows{data.values.data(), data.columns.data(), data.starts.data(), kRows, kFeatures};
  Rule rule;
  rule.step = StepKind::arow;
  rule.margin = 1;
  LinearState<T> state(kFeatures, 1, bias);
  state.w = {state.size(), T(0.25)};
  state.spread = {state.size(), T(1)};
  if (averaged) state.sums = {state.size(), 0.0};
  if (apart) state.pocket = {state.size(), T(0)};
  LinearPass<SparseRows<T, I>> pass(rows, data.target.data(), nullptr, rule, state);
  Learned<T> run;
  for (uint64_t p = 0; p < 3; ++p) run.mistakes.push_back(pass.run(shuffled, 5, p).mistakes);
  run.w.assign(state.w.data(), state.w.data() + state.size());
  run.spread.assign(state.spread.data(), state.spread.data() + state.size());
  if (averaged) run.sums.assign(state.sums.data(), state.sums.data() + state.size());
  return run;
}

template <class T, class I>
void check_bits() {
  const Data<T, I> data;
  for (const T bias : {T(1), T(0), T(0.7)}) {
    for (const bool averaged : {false, true}) {
      for (const bool shuffled : {false, true}) {
        const auto apart = learned(data, bias, averaged, shuffled, true);
        CHECK(apart.mistakes.back() > 100);
        for (const bool avx2 : {false, true}) {
          use_avx2(avx2);
          CHECK(learned(data, bias, averaged, shuffled, false) == apart);
        }
      }
    }
  }
}

// A pass that is interrupted leaves the weights, variances and sums of the rows that it has visited.
void check_interrupted() {
  const Data<float, int32_t> data;
  SparseRows<float, int32_t> rows{data.values.data(), data.columns.data(), data.starts.data(), kRows, kFeatures};
  Rule rule;
  rule.step = StepKind::arow;
  rule.margin = 1;
  const auto run_over = [&](int64_t size) {
    rows.size = size;
    LinearState<float> state(kFeatures, 1, 1);
    state.spread = {state.size(), 1.0F};
    state.sums = {state.size(), 0.0};
    check::ends_at(150, [&] {
      LinearPass<SparseRows<float, int32_t>>(rows, data.target.data(), nullptr, rule, state).run(false, 0, 0);
    });
    const auto all = [&](const auto& array) { return std::vector<double>(array.data(), array.data() + state.size()); };
    return std::tuple(state.visits, all(state.w), all(state.spread), all(state.sums));
  };
  const auto interrupted = run_over(kRows);
  CHECK(std::get<0>(interrupted) == 149 && interrupted == run_over(149));
}

// A row longer than all before it needs more room for what was found.
void check_long_row() {
  constexpr int64_t kLong = 1000;
  std::vector<float> values(kLong + 1, 1.0F);
  std::vector<int32_t> columns(kLong + 1), starts{0, 1, kLong + 1}, target{1, 0};
  for (int32_t j = 0; j < kLong; ++j) columns[size_t(j) + 1] = j;
  SparseRows<float, int32_t> rows{values.data(), columns.data(), starts.data(), 2, kLong};
  Rule rule;
  rule.step = StepKind::arow;
  rule.margin = 1;
  LinearState<float> state(kLong, 1, 0);
  state.spread = {state.size(), 1.0F};
  LinearPass<SparseRows<float, int32_t>> pass(rows, target.data(), nullptr, rule, state);
  CHECK(pass.run(false, 0, 0).mistakes == 2);
  // The first row: tau = 1 / 2, its variance 1 / 2. The second: score 1 / 2, tau = 1.5 / (999.5 + 1).
  const float *w = state.w.data(), *spread = state.spread.data(), tau = 1.5F / 1000.5F, beta = 1.0F / 1000.5F;
  CHECK(w[0] == 0.5F - tau * 0.5F && spread[0] == 0.5F - beta * 0.5F * 0.5F);
  CHECK(w[1] == -tau && w[kLong - 1] == -tau && spread[kLong - 1] == 1.0F - beta && w[kLong] == 0.0F);
}

}  // namespace

int main() {
  check_bits<float, int32_t>();
  check_bits<float, int64_t>();
  check_bits<double, int32_t>();
  check_bits<double, int64_t>();
  check_interrupted();
  check_long_row();
  return check::report();
}
