// The thin QR factors of a matrix to which columns are added and from which they are taken, one at a time. Each change
// costs one or two looks at Q; least squares through them do not square the condition of the matrix.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rows.hpp"

namespace rosenblatt {

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(DenseRow<double>{a.data(), int64_t(a.size())}, b.data(), 0.0, 0);
}

class ThinQR {
 public:
  size_t columns() const { return q_.size(); }

  // Leaves in v what is orthogonal to the columns; returns Q'v. Twice is enough (Kahan, in Parlett 1980). It may be
  // interrupted; a removal, which costs no more, is not, because the factors would not fit together.
  std::vector<double> project(std::vector<double>& v) {
    std::vector<double> along(columns());
    for (int turn = 0; turn < 2; ++turn) {
      for (size_t c = 0; c < columns(); ++c) {
        interrupts_.after(int64_t(v.size()));
        const double share = inner(q_[c], v);
        subtract(share, q_[c], v);
        along[c] += share;
      }
    }
    return along;
  }

  // False, and nothing is added, if the column depends on the others as far as doubles can tell.
  bool append(std::vector<double> a) {
    const double length = std::sqrt(inner(a, a));
    auto r = project(a);
    const double rest = std::sqrt(inner(a, a));
    if (!(rest > kDependent * length)) return false;
    for (double& value : a) value /= rest;
    r.push_back(rest);
    q_.push_back(std::move(a));
    r_.push_back(std::move(r));
    return true;
  }

  // Takes column c away; Givens rotations bring R back to a triangle.
  void remove(size_t c) {
    r_.erase(r_.begin() + std::ptrdiff_t(c));
    for (size_t i = c; i < r_.size(); ++i) {
      const double x0 = r_[i][i], y0 = r_[i][i + 1], radius = std::sqrt(x0 * x0 + y0 * y0);
      const double cosine = x0 / radius, sine = y0 / radius;
      const auto rotate = [=](double& x, double& y) {
        const double turned = cosine * x + sine * y;
        y = cosine * y - sine * x;
        x = turned;
      };
      for (size_t j = i; j < r_.size(); ++j) rotate(r_[j][i], r_[j][i + 1]);
      r_[i].pop_back();
      double *x = q_[i].data(), *y = q_[i + 1].data();
      for (size_t k = 0; k < q_[i].size(); ++k) rotate(x[k], y[k]);
    }
    q_.pop_back();
  }

  // Solves R x = b.
  std::vector<double> solve(std::vector<double> b) const {
    for (size_t c = columns(); c-- > 0;) {
      b[c] /= r_[c][c];
      for (size_t i = 0; i < c; ++i) b[i] -= b[c] * r_[c][i];
    }
    return b;
  }

 private:
  static constexpr double kDependent = 1e-14;

  static void subtract(double share, const std::vector<double>& q, std::vector<double>& v) {
    const double* from = q.data();
    double* to = v.data();
    for (size_t k = 0; k < v.size(); ++k) to[k] -= share * from[k];
  }

  std::vector<std::vector<double>> q_, r_;  // column by column; column c of R has c + 1 entries
  Interrupts interrupts_;
};

}  // namespace rosenblatt
