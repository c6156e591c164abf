// The conventions of a run in one line, as printed tables have them, and how it ended in another.

import { shown, vector } from "./numbers.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Run} Run */

const ORDERS = {
  listed: "order_listed",
  shuffled: "shuffled",
  "first-wrong": "order_first",
  "worst-wrong": "order_worst",
};

/** @param {State} state */
export function conventionsOf(state) {
  const parts = [msg("labels", { list: state.labels.join(", ").replaceAll("-", "−") })];
  if (state.scale !== "none") parts.push(msg(`scale_${state.scale}`));
  const [gamma, coef0] = [shown(state.gamma), shown(state.coef0)];
  if (state.kernel === "poly") parts.push(`K = (${gamma} x·x′ + ${coef0})^${state.degree}`);
  else if (state.kernel === "rbf") parts.push(`K = exp(−${gamma} |x − x′|²)`);
  else {
    parts.push(state.fit_intercept ? msg("constant", { v: shown(state.intercept_scaling) }) : msg("no_constant"));
    parts.push(msg("start_w", { w: state.init ? vector(state.init) : 0 }));
  }
  parts.push(stepOf(state));
  const from = state.first_row && state.order !== "shuffled" ? msg("from_point", { i: state.first_row + 1 }) : "";
  parts.push(msg(ORDERS[state.order]) + from + (state.order === "shuffled" ? msg("with_seed", { n: state.seed }) : ""));
  const margin = marginOf(state);
  const rule = `y s ${state.step === "perceptron" ? "≤" : "<"} ${shown(margin)}`;
  parts.push(margin ? msg("mistake_if", { rule }) : tieOf(state));
  parts.push(
    wrongOnly(state)
      ? msg("stop_wrong", { visits: msg("after_visits", { n: state.max_iter }) })
      : msg("stop_clean", { passes: msg("after_passes", { n: state.max_iter }) }),
  );
  return parts.join("; ");
}

/** @param {State} state */
function tieOf(state) {
  if (state.labels.length > 2) return msg("mistake_classes");
  return state.tie === "mistake" ? msg("mistake_if", { rule: "y s ≤ 0" }) : msg(`mistake_${state.tie}`);
}

/** Whether only wrong points are visited: then every visit is a pass of its own. @param {State} state */
export function wrongOnly(state) {
  return state.order === "first-wrong" || state.order === "worst-wrong";
}

/** The margin in force: 1 for PA and AROW unless given. @param {State} state */
export function marginOf(state) {
  return state.margin ?? (state.step === "perceptron" || state.kernel !== "linear" ? 0 : 1);
}

/**
 * What y s was compared with.
 * @param {State} state @param {number} ys @param {boolean} mistake
 */
export function compared(state, ys, mistake) {
  const margin = marginOf(state);
  if (margin) return `${mistake ? (state.step === "perceptron" ? "≤" : "<") : ">"} ${shown(margin)}`;
  if (state.tie === "mistake") return mistake ? "≤ 0" : "> 0";
  if (ys === 0) return msg("tie_counts", { y: state.tie === "positive" ? "+1" : "−1" });
  return mistake ? "< 0" : "> 0";
}

/** @param {State} state */
function stepOf(state) {
  if (state.step === "perceptron" || state.kernel !== "linear") return `η = ${shown(state.eta0)}`;
  if (state.step === "pa") return msg("step_is", { name: "PA" });
  return state.step === "arow"
    ? msg("step_is", { name: `AROW, r = ${shown(state.r)}` })
    : msg("step_is", { name: `PA-${state.step === "pa1" ? "I" : "II"}, C = ${shown(state.C)}` });
}

/** @param {Run} run */
export function endingOf(run) {
  const { visits, mistakes, k, converged } = run.frames;
  if (!visits) return "";
  const said = {
    p: mistakes.length,
    visits: msg("after_visits", { n: visits }),
    updates: msg("n_updates", { n: k[visits - 1] }),
  };
  return msg(converged ? "converged" : "not_converged", said);
}
