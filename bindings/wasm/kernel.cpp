// A run of the kernel perceptron for the page, and its scores on a grid.
#include "kernel/kernel.hpp"

#include "base/rows.hpp"
#include "conventions.hpp"
#include "lessons/kernel_recorder.hpp"

using namespace rosenblatt;
using page::add, page::columns, page::expect;

namespace {

Kernel kernel_of(const double* given) {
  const auto kind = page::value_of(given[0], KernelKind::rbf, "the kernel must be linear, poly or rbf");
  expect(std::isfinite(given[1]) && given[1] > 0, "gamma must be over 0");
  expect(std::isfinite(given[2]), "coef0 must be a finite number");
  expect(given[3] >= 1 && given[3] <= 100, "the degree must be from 1 to 100");
  return {kind, given[1], given[2], int64_t(given[3])};
}

std::vector<double> norms2(const DenseRows<double>& rows) {
  std::vector<double> found;
  for (int64_t i = 0; i < rows.size; ++i)
    found.push_back(squared_norm(rows[i], 0.0, rows.features, static_cast<const double*>(nullptr), 1));
  return found;
}

std::vector<double> values(const Kernel& kernel, const DenseRows<double>& a, const DenseRows<double>& b) {
  std::vector<double> found;
  for (int64_t i = 0; i < a.size; ++i)
    for (int64_t j = 0; j < b.size; ++j) found.push_back(dot(a[i], b.data + j * b.row_stride, 0.0, 0));
  kernel_values(kernel, found.data(), a.size, b.size, norms2(a).data(), norms2(b).data());
  return found;
}

DenseRows<double> rows_at(const double* x, int32_t rows, int32_t features) {
  expect(rows >= 1 && features >= 1, "there must be a point, and a point must have a coordinate");
  DenseRows<double> all{x, rows, features, features};
  check_all(all);
  return all;
}

}  // namespace

// y: class numbers; kernel: kind, gamma, coef0, degree. For the columns see core.js.
ROSENBLATT_EXPORT(kernel_trace)
void kernel_trace(const double* x, const int32_t* y, int32_t rows, int32_t features, int32_t classes,
                  const double* given, const double* kernel) {
  columns.clear();
  const auto all = rows_at(x, rows, features);
  const auto c = page::read(given, rows);
  expect(classes >= 2, "there must be points of two classes or more");
  expect(c.rule.step == StepKind::perceptron, "with a kernel the step is the perceptron's");
  for (int32_t i = 0; i < rows; ++i) expect(y[i] >= 0 && y[i] < classes, "a label is no class");
  const auto gram = values(kernel_of(kernel), all, all);
  KernelRecorder recorder(gram.data(), rows, y, c.rule, classes == 2 ? 1 : classes, c.unit);
  const auto& run = recorder.run(c.turns, c.passes, c.visits);
  add(run.pass);
  add(run.row);
  add(run.mistake);
  std::vector<int> why;
  for (const auto reason : run.why) why.push_back(int(reason));
  add(why);
  add(page::times(c.unit, run.score));
  add(run.k);
  add(run.alpha);
  add(run.norm2);
  add(run.mistakes);
}

// The scores of points under alpha (machines x rows, signed): one column, machines x points.
ROSENBLATT_EXPORT(kernel_scores)
void kernel_scores(const double* x, int32_t rows, int32_t features, const double* alpha, int32_t machines,
                   const double* kernel, const double* points, int32_t n_points) {
  columns.clear();
  const auto support = rows_at(x, rows, features), at = rows_at(points, n_points, features);
  const auto found = values(kernel_of(kernel), support, at);
  std::vector<double> score(size_t(machines * n_points), 0.0);
  for (int32_t m = 0; m < machines; ++m)
    for (int32_t i = 0; i < rows; ++i)
      if (const double a = alpha[m * rows + i]; a != 0)
        add_kernel_row(score.data() + m * n_points, a, found.data() + int64_t(i) * n_points, n_points);
  add(score);
}
