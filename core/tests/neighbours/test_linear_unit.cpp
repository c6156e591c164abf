// The linear unit on AND (CS 6140, lecture 5): the weights and errors a student gets by hand, batch and stochastic,
// on dense and sparse rows, and a rate that is too large.
#include <cmath>
#include <vector>

#include "neighbours/linear_unit.hpp"
#include "tests/check.hpp"
#include "tests/interrupted.hpp"

using namespace rosenblatt;

namespace {

const std::vector<double> kDense{0, 0, 0, 1, 1, 0, 1, 1}, kValues{1, 1, 1, 1}, kLabels{-1, -1, -1, 1};
const std::vector<int32_t> kColumns{1, 0, 0, 1}, kStarts{0, 0, 1, 2, 4};

bool close(double a, double b) { return std::abs(a - b) < 1e-12; }

// The weights are (w1, w2) and the constant feature's.
template <class Rows>
struct Descending {
  Rows rows;
  std::vector<double> w = std::vector<double>(3), losses = {};

  Outcome run(Descent method, double eta0, int64_t max_iter, double tol = -1) {
    DescentPlan plan;
    plan.method = method;
    plan.eta0 = eta0;
    plan.max_iter = max_iter;
    plan.tol = tol;
    check_all(rows);
    return LinearUnit<Rows>(rows, kLabels.data(), nullptr, 1.0, w.data()).run(plan, losses);
  }
};

template <class Rows>
void check_and(const Rows& rows) {
  Descending<Rows> batch{rows};
  CHECK(batch.run(Descent::batch, 0.1, 3) == Outcome::out_of_passes);
  CHECK(close(batch.w[2], -51.0 / 125) && close(batch.w[0], 23.0 / 250) && close(batch.w[1], 23.0 / 250));
  CHECK(batch.losses.size() == 4 && batch.losses[0] == 2 && close(batch.losses[1], 42.0 / 25));
  CHECK(close(batch.losses[2], 949.0 / 625) && close(batch.losses[3], 87011.0 / 62500));

  Descending<Rows> stochastic{rows};
  stochastic.run(Descent::stochastic, 0.1, 1);
  CHECK(close(stochastic.w[2], -317.0 / 2500) && close(stochastic.w[0], 79.0 / 1250));
  CHECK(close(stochastic.w[1], 271.0 / 5000));

  Descending<Rows> minimiser{rows};
  CHECK(minimiser.run(Descent::batch, 0.31, 5000, 1e-12) == Outcome::converged);
  CHECK(std::abs(minimiser.w[2] + 1.5) < 1e-6 && std::abs(minimiser.w[0] - 1) < 1e-6);
  CHECK(Descending<Rows>{rows}.run(Descent::batch, 0.32, 5000) == Outcome::diverged);
  CHECK(largest_squared_norm(rows, static_cast<const double*>(nullptr), 1.0) == 3);
  CHECK_ENDS(4, largest_squared_norm(rows, static_cast<const double*>(nullptr), 1.0));
  for (const Descent method : {Descent::batch, Descent::stochastic}) CHECK_ENDS(8, minimiser.run(method, 0.1, 1));
}

}  // namespace

int main() {
  check_and(DenseRows<double>{kDense.data(), 4, 2, 2});
  check_and(SparseRows<double, int32_t>{kValues.data(), kColumns.data(), kStarts.data(), 4, 2});
  return check::report();
}
