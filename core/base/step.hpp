// When is it a mistake, and how far to step? A contest has a gap: how far the right answer is ahead of the wrong one.
//   perceptron (Rosenblatt 1957): tau = 1. The learning rate eta is the unit that weights and margin are measured in,
//     so that a run from zero makes the same mistakes for every eta, also where eta is no binary number.
//   passive-aggressive (Crammer et al. 2006), loss = margin - gap, n2 = squared length of all that is added:
//     pa: loss / n2     pa1: min(C, loss / n2)     pa2: loss / (n2 + 1 / (2 C))
//     What is added includes the constant feature, unless `norm_of_constant` is false: scikit-learn leaves it out of
//     n2.
//   AROW (Crammer et al. 2009), diagonal: tau = loss * beta, beta = 1 / (variance of the gap + r)
// The weight of a row scales Rosenblatt's step. The others go to the margin and never beyond it, so that a weight
// scales what limits them (Karampatziakis and Langford 2011): C, or 1 / r. Nothing limits pa: below 1 a weight scales
// its step, above 1 it changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rosenblatt {

enum class Tie { mistake, positive, negative };
enum class StepKind { perceptron, pa, pa1, pa2, arow };
enum class Multiclass { argmax, one_vs_rest };

struct Rule {
  Tie tie = Tie::mistake;
  double margin = 0;
  StepKind step = StepKind::perceptron;
  double C = 1, r = 1;
  Multiclass multiclass = Multiclass::argmax;
  int64_t batch_size = 1;
  bool norm_of_constant = true;
};

// gap <= margin; but a tie (0 at margin 0) may be won, and at their margin PA and AROW have nothing to correct.
template <class T>
bool is_mistake(T gap, bool wins_tie, T margin, StepKind step) {
  if (gap == margin) return step == StepKind::perceptron && !(wins_tie && margin == T(0));
  return gap < margin;
}

// The side that a tie goes to: "positive" is the second of two classes, the last of many.
inline bool wins_tie(Tie tie, bool positive_side) { return tie == (positive_side ? Tie::positive : Tie::negative); }

template <class T>
T step_length(const Rule& rule, T loss, T norm2, T weight = T(1)) {
  const T C = static_cast<T>(rule.C) * weight, r = static_cast<T>(rule.r) / weight;
  switch (rule.step) {
    case StepKind::perceptron: return weight;
    case StepKind::pa2: return loss / (norm2 + T(1) / (T(2) * C));
    case StepKind::pa: return norm2 == T(0) ? T(0) : std::min(T(1), weight) * (loss / norm2);
    case StepKind::pa1: return norm2 == T(0) ? T(0) : std::min(C, loss / norm2);
    case StepKind::arow: return loss / (norm2 + r);
  }
  return T(0);
}

}  // namespace rosenblatt
