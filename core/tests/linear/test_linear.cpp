// The online pass on the lectures' examples, with the weights a student gets by hand: AND (CS 6140, lecture 5: the
// weights (3, 2) and the constant feature's -4) and the example of CMU 10-601, lecture 6. Each runs on dense and on
// sparse rows. Then the readouts, the other rules, batches, and weights that outgrow their type.
#include <cmath>
#include <limits>
#include <vector>

#include "base/in_parts.hpp"
#include "base/use_avx2.hpp"
#include "linear/run.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

// Examples, row by row: two features each.
struct Examples {
  std::vector<double> x;
  std::vector<int32_t> target;
  double bias;
  int32_t machines = 1;
};

const Examples AND{{0, 0, 0, 1, 1, 0, 1, 1}, {0, 0, 0, 1}, 1};
const Examples XOR{{0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0}, 1};
const Examples CMU{{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1}, {0, 1, 1, 0, 0, 1}, 0};
const Examples THREE{{0, 0, 1, 0, 0, 1, 1, 1}, {0, 1, 2, 1}, 1, 3};

// The same examples as the core sees them: `rows` looks into the vectors.
template <class T>
struct DenseData {
  std::vector<T> values;
  DenseRows<T> rows;
  explicit DenseData(const Examples& examples)
      : values(examples.x.begin(), examples.x.end()),
        rows{values.data(), static_cast<int64_t>(examples.target.size()), 2, 2} {}
};

template <class T, class I>
struct SparseData {
  std::vector<T> values;
  std::vector<I> columns, starts{0};
  SparseRows<T, I> rows;
  explicit SparseData(const Examples& examples) {
    for (size_t k = 0; k < examples.x.size(); ++k) {
      if (examples.x[k] != 0) {
        values.push_back(static_cast<T>(examples.x[k]));
        columns.push_back(static_cast<I>(k % 2));
      }
      if (k % 2 == 1) starts.push_back(static_cast<I>(values.size()));
    }
    rows = {values.data(), columns.data(), starts.data(), static_cast<int64_t>(examples.target.size()), 2};
    rows.check_starts(static_cast<int64_t>(values.size()));
  }
};

// A run from zero weights, pass by pass, with every readout kept.
template <class Data>
struct Run {
  using T = typename decltype(Data::rows)::Value;
  Data data;
  LinearState<T> state;
  LinearPass<decltype(Data::rows)> pass;
  std::vector<int64_t> mistakes;
  int64_t updates = 0;
  double loss = 0;

  Run(const Examples& examples, const Rule& rule, const std::vector<T>* weight = nullptr)
      : data(examples),
        state(with_every_readout(examples, rule)),
        pass(data.rows, examples.target.data(), weight ? weight->data() : nullptr, rule, state) {}
  Run(const Run&) = delete;  // the pass has references to the rows and the state

  void next() {
    const auto result = pass.run(false, 0, mistakes.size());
    check_weights(state, int64_t(mistakes.size()));
    mistakes.push_back(result.mistakes);
    updates += result.updates;
    loss = result.loss;
  }
  // Until a pass makes no mistake.
  void finish() {
    do next();
    while (mistakes.back() > 0 && mistakes.size() < 100);
  }
  int64_t all_mistakes() const { return std::accumulate(mistakes.begin(), mistakes.end(), int64_t{0}); }
  std::vector<T> all(const SharedArray<T>& array) const { return {array.data(), array.data() + state.size()}; }
  std::vector<T> weights(int32_t cls = 0) const { return of_class(all(state.w), cls); }
  std::vector<T> pocketed() const { return of_class(all(state.pocket), 0); }
  // The sum of the weights after each visit: the average times the visits.
  std::vector<double> total(int32_t cls = 0) const {
    std::vector<double> all;
    for (int64_t j = 0; j < state.size(); ++j)
      all.push_back(static_cast<double>(state.visits) * double(state.w.data()[j]) - state.sums.data()[j]);
    return of_class(all, cls);
  }
  // The votes of the run for the classes of (a, b).
  std::vector<double> votes(double a, double b) const {
    const Data asked({{a, b}, {0}, double(state.bias), state.machines});
    std::vector<T> score(static_cast<size_t>(state.machines));
    std::vector<double> votes(static_cast<size_t>(std::max(2, state.machines)));
    vote(asked.rows, data.rows, state.mistakes, state.visits, state.machines, Tie::mistake, static_cast<T>(state.bias),
         score.data(), votes.data());
    return votes;
  }

 private:
  static LinearState<T> with_every_readout(const Examples& examples, const Rule& rule) {
    LinearState<T> state(2, examples.machines, examples.bias);
    if (rule.step == StepKind::arow) state.spread = {state.size(), T(1)};
    state.sums = {state.size(), 0.0};
    state.pocket = {state.size(), T(0)};
    state.keeps_mistakes = true;
    return state;
  }
  template <class Value>
  std::vector<Value> of_class(const std::vector<Value>& all, int32_t cls) const {
    const auto at = [&](int64_t j) { return all[static_cast<size_t>(j * state.stride + cls)]; };
    return {at(0), at(1), at(2)};
  }
};

Rule with(Tie tie) {
  Rule rule;
  rule.tie = tie;
  return rule;
}

template <class Data>
void check_and() {
  using T = typename Run<Data>::T;
  const Rule rule;
  Run<Data> run(AND, rule);
  run.next();
  CHECK(run.weights() == std::vector<T>{1, 1, 0});
  run.finish();
  CHECK(run.weights() == std::vector<T>{3, 2, -4});
  CHECK(run.mistakes == std::vector<int64_t>{2, 3, 3, 2, 2, 3, 2, 1, 0});
  CHECK(run.updates == 18 && run.state.visits == 36);
  LinearState<T> state(2, 1, 1);
  const T* const unweighted = nullptr;
  const auto whole = rosenblatt::run(run.data.rows, AND.target.data(), unweighted, rule, state, {{}, 0, 100});
  CHECK(whole.mistakes == run.mistakes && whole.losses.size() == 9 && whole.updates == 18);
  const auto two = rosenblatt::run(run.data.rows, XOR.target.data(), unweighted, rule, state, {{}, 0, 2});
  CHECK(two.mistakes.size() == 2 && state.visits == 44);
  CHECK(run.total() == std::vector<double>{75, 48, -92});  // average (25/12, 4/3, -23/9)
  CHECK(run.pocketed() == std::vector<T>{3, 2, -4} && run.state.pocket_errors == 0);
  std::vector<double> added(4);  // how often each example was added: the dual coefficients
  for (const Event& event : run.state.mistakes) added[static_cast<size_t>(event.row)] += event.tau;
  CHECK(added == std::vector<double>{-2, -5, -4, 7});

  const Rule positive = with(Tie::positive), negative = with(Tie::negative);
  Run<Data> ge(AND, positive), gt(AND, negative);
  ge.finish();
  gt.finish();
  CHECK(ge.weights() == std::vector<T>{2, 1, -3} && ge.all_mistakes() == 11);
  CHECK(gt.weights() == std::vector<T>{2, 1, -2} && gt.all_mistakes() == 10);
}

template <class Data>
void check_cmu() {
  using T = typename Run<Data>::T;
  for (const Tie tie : {Tie::mistake, Tie::positive}) {
    const Rule rule = with(tie);
    Run<Data> run(CMU, rule);
    run.finish();
    CHECK(run.weights() == std::vector<T>{3, 1, 0});
    CHECK(run.mistakes == std::vector<int64_t>{3, 0});
    CHECK(run.total() == std::vector<double>{30, 2, 0});  // of 12 visits: average (5/2, 1/6)
    CHECK(run.state.mistakes.size() == 3);
    for (size_t e = 0; e < run.state.mistakes.size(); ++e) {
      const Event& event = run.state.mistakes[e];
      CHECK(event.visit == static_cast<int64_t>(2 * e) && event.row == event.visit && event.cls == 0);
      CHECK(event.tau == (e == 1 ? 1.0 : -1.0));
    }
    // (1, -2) and (2, -1) survive 2 visits each, (3, 1) survives 8; of two classes the first answers no.
    CHECK(run.votes(1, 0) == std::vector<double>{0, 12});
    CHECK(run.votes(0, 1) == std::vector<double>{4, 8});
    CHECK(run.votes(-3, -2) == std::vector<double>{10, 2});  // (1, -2) says 1, (2, -1) says -4, (3, 1) says -11
    CHECK(run.votes(0, 0) == std::vector<double>{12, 0});
  }
  const Rule negative = with(Tie::negative);
  Run<Data> run(CMU, negative);
  run.finish();
  CHECK(run.weights() == std::vector<T>{1, 0, 0} && run.all_mistakes() == 1);
}

// XOR goes round in four weight vectors with 2, 3, 2 and 4 errors: the pocket keeps the first.
template <class Data>
void check_pocket() {
  using T = typename Run<Data>::T;
  const Rule rule;
  Run<Data> run(XOR, rule);
  for (int pass = 0; pass < 3; ++pass) {
    run.next();
    CHECK(run.weights() == std::vector<T>{0, 0, 0});
    CHECK(run.pocketed() == std::vector<T>{0, 0, -1} && run.state.pocket_errors == 2);
  }
  // Weighted, the second step goes to (0, 8, 7): wrong on the first and the last example only, which weigh less.
  const std::vector<T> weight{1, 8, 8, 1};
  Run<Data> weighted(XOR, rule, &weight);
  weighted.next();
  CHECK(weighted.pocketed() == std::vector<T>{0, 8, 7} && weighted.state.pocket_errors == 2);
}

// All examples in one batch: each is scored with the weights before it, and the sum is added.
template <class Data>
void check_batch() {
  using T = typename Run<Data>::T;
  Rule rule;
  rule.batch_size = 100;
  const std::vector<std::vector<T>> after{{0, 0, -2}, {1, 1, -1}, {0, 0, -3}, {1, 1, -2}, {2, 2, -1},
                                          {1, 1, -3}, {2, 2, -2}, {1, 1, -4}, {2, 2, -3}, {2, 2, -3}};
  Run<Data> run(AND, rule);
  for (const auto& expected : after) {
    run.next();
    CHECK(run.weights() == expected);
  }
  CHECK(run.mistakes.back() == 0 && run.all_mistakes() == 15 && run.updates == 9 && run.state.visits == 40);
  Run<Data> cmu(CMU, rule);
  cmu.finish();
  CHECK(cmu.weights() == std::vector<T>{6, 0, 0} && cmu.updates == 1);
}

// Three classes; the numbers are those of plain.py.
template <class Data>
void check_classes() {
  using T = typename Run<Data>::T;
  Rule rule;
  Run<Data> run(THREE, rule);
  run.finish();
  CHECK(run.mistakes == std::vector<int64_t>{4, 3, 2, 1, 0});
  CHECK(run.weights(0) == std::vector<T>{-1, -2, 1});
  CHECK(run.weights(1) == std::vector<T>{3, 1, -1});
  CHECK(run.weights(2) == std::vector<T>{-2, 1, 0});
  CHECK(run.total(1) == std::vector<double>{49, 16, -13});
  CHECK(run.state.mistakes.size() == 20);  // two rows of weights move on each of 10 mistakes
  rule.multiclass = Multiclass::one_vs_rest;
  Run<Data> each(THREE, rule);
  each.finish();
  CHECK(each.mistakes == std::vector<int64_t>{10, 4, 3, 5, 2, 1, 0} && each.updates == 16);
  CHECK(each.weights(0) == std::vector<T>{-2, -2, 1});
  CHECK(each.weights(1) == std::vector<T>{2, 0, -1});
  CHECK(each.weights(2) == std::vector<T>{-3, 2, -1});
}

// One visit of (1, 1) in class 1: margin 1, loss 1, squared length 2.
template <class Data>
void check_steps() {
  using T = typename Run<Data>::T;
  const Examples one{{1, 1}, {1}, 0};
  const auto first_step = [&](StepKind step, double C, double weight) {
    Rule rule;
    rule.margin = 1;
    rule.step = step;
    rule.C = C;
    rule.r = 2;
    const std::vector<T> weights{static_cast<T>(weight)};
    Run<Data> run(one, rule, &weights);
    run.next();
    CHECK(run.loss == weight);
    const T* const w = run.state.w.data();
    CHECK(w[0] == w[1] && w[2] == 0);
    CHECK(step != StepKind::arow || run.state.spread.data()[0] == T(0.75));  // 1 - 1 / (2 + r)
    return w[0];
  };
  CHECK(first_step(StepKind::perceptron, 1, 1) == T(1));
  CHECK(first_step(StepKind::pa, 1, 1) == T(0.5));
  CHECK(first_step(StepKind::pa1, 0.25, 1) == T(0.25));
  CHECK(first_step(StepKind::pa2, 0.25, 1) == T(0.25));  // 1 / (2 + 1 / (2 C))
  CHECK(first_step(StepKind::arow, 1, 1) == T(0.25));    // 1 / (2 + r)
  CHECK(first_step(StepKind::perceptron, 1, 3) == T(3));
  CHECK(first_step(StepKind::pa, 1, 3) == T(0.5));  // at the margin already
  CHECK(first_step(StepKind::pa, 1, 0.5) == T(0.25));
  CHECK(first_step(StepKind::pa1, 0.25, 1.5) == T(0.375));  // C is scaled
  CHECK(first_step(StepKind::pa1, 0.25, 3) == T(0.5));
}

template <class Data>
void check_refused() {
  const double most = static_cast<double>(std::numeric_limits<typename Run<Data>::T>::max());
  const Examples large{{most, 0, most, 0}, {1, 1}, 0};
  Rule rule;
  rule.batch_size = 2;  // both are added
  Run<Data> run(large, rule);
  CHECK_THROWS(run.next(), std::overflow_error, "in pass 1");
  const Examples bad{{1, 0, 1, std::nan("")}, {1, 1}, 0};
  Run<Data> refused(bad, rule);
  CHECK_THROWS(refused.next(), std::invalid_argument, "(row 1)");
}

// A longer run with every step on numbers that round: dense and sparse rows, and the two compilations, agree to the
// bit.
template <class T, class I>
void check_same_bits(StepKind step) {
  Random random(5);
  Examples examples{{}, {}, 0.3};
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 2; ++j) examples.x.push_back(static_cast<double>(1 + random.below(1000)) / 7 - 70);
    examples.target.push_back(static_cast<int32_t>(random.below(2)));
  }
  Rule rule;
  rule.step = step;
  rule.margin = 1;
  std::vector<T> expected;
  for (const bool avx2 : {false, true}) {
    use_avx2(avx2);
    Run<DenseData<T>> dense(examples, rule);
    Run<SparseData<T, I>> sparse(examples, rule);
    for (int pass = 0; pass < 3; ++pass) dense.next(), sparse.next();
    if (expected.empty()) expected = dense.weights();
    CHECK(dense.weights() == expected && sparse.weights() == expected);
    CHECK(dense.total() == sparse.total() && dense.pocketed() == sparse.pocketed());
  }
}

// Rows scored in parts have the scores of all at once.
template <class Data>
void check_scores_in_parts() {
  const Rule rule;
  Run<Data> run(THREE, rule);
  run.next();
  using T = typename decltype(Data::rows)::Value;
  std::vector<T> whole(12), parts(12);
  score_rows(run.data.rows, run.state.weights(), 0, 4, whole.data());
  in_parts(4, 1, 3, [&](int64_t first, int64_t last) {
    score_rows(run.data.rows, run.state.weights(), first, last, parts.data());
  });
  CHECK(whole == parts && whole != std::vector<T>(12));
  CHECK_ENDS(4, score_rows(run.data.rows, run.state.weights(), 0, 4, parts.data()));
  CHECK_ENDS(4, run.votes(1, 0));
}

template <class Data>
void check_data() {
  check_and<Data>();
  check_cmu<Data>();
  check_pocket<Data>();
  check_batch<Data>();
  check_classes<Data>();
  check_steps<Data>();
  check_refused<Data>();
  check_scores_in_parts<Data>();
}

}  // namespace

int main() {
  check_data<DenseData<float>>();
  check_data<DenseData<double>>();
  check_data<SparseData<float, int32_t>>();
  check_data<SparseData<double, int64_t>>();
  for (const StepKind step : {StepKind::perceptron, StepKind::pa, StepKind::pa1, StepKind::pa2, StepKind::arow}) {
    check_same_bits<float, int32_t>(step);
    check_same_bits<double, int64_t>(step);
  }
  return check::report();
}
