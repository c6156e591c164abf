// The conventions of a run in one line, as printed tables have them, and how it ended in another.

import { counted, shown, vector } from "./numbers.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Run} Run */

const TIES = {
  mistake: "mistake: y s ≤ 0",
  positive: "mistake: y s < 0, or y s = 0 and y = −1 (sign(0) = +1)",
  negative: "mistake: y s < 0, or y s = 0 and y = +1 (sign(0) = −1)",
};
const ORDERS = {
  listed: "listed order",
  shuffled: "shuffled each pass",
  "first-wrong": "always the first wrong point",
  "worst-wrong": "always the worst wrong point",
};
const SCALES = {
  none: "",
  centre: "centred",
  standard: "centred and scaled to deviation 1",
  unit: "scaled to length ≤ 1",
};

/** @param {State} state */
export function conventionsOf(state) {
  const parts = [`labels ${state.labels.join(", ").replaceAll("-", "−")}`];
  if (state.scale !== "none") parts.push(SCALES[state.scale]);
  const [gamma, coef0] = [shown(state.gamma), shown(state.coef0)];
  if (state.kernel === "poly") parts.push(`K = (${gamma} x·x′ + ${coef0})^${state.degree}`);
  else if (state.kernel === "rbf") parts.push(`K = exp(−${gamma} |x − x′|²)`);
  else {
    parts.push(
      state.fit_intercept ? `constant feature ${shown(state.intercept_scaling)}, first` : "no constant feature",
    );
    parts.push(state.init ? `start w = ${vector(state.init)}` : "start w = 0");
  }
  parts.push(stepOf(state));
  const from = state.first_row && state.order !== "shuffled" ? `, from point ${state.first_row + 1}` : "";
  parts.push(ORDERS[state.order] + from + (state.order === "shuffled" ? ` (seed ${state.seed})` : ""));
  const margin = marginOf(state);
  parts.push(margin ? `mistake: y s ${state.step === "perceptron" ? "≤" : "<"} ${shown(margin)}` : tieOf(state));
  parts.push(
    wrongOnly(state)
      ? `stop when none is wrong, or after ${counted(state.max_iter, "visit")}`
      : `stop at the first clean pass, or after ${counted(state.max_iter, "pass")}`,
  );
  return parts.join("; ");
}

/** @param {State} state */
function tieOf(state) {
  if (state.labels.length === 2) return TIES[state.tie];
  return "mistake: another class is ahead, or level";
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
  if (ys === 0) return `= 0, and a tie counts as ${state.tie === "positive" ? "+1" : "−1"}`;
  return mistake ? "< 0" : "> 0";
}

/** @param {State} state */
function stepOf(state) {
  if (state.step === "perceptron" || state.kernel !== "linear") return `η = ${shown(state.eta0)}`;
  if (state.step === "pa") return "step PA";
  return state.step === "arow"
    ? `step AROW, r = ${shown(state.r)}`
    : `step PA-${state.step === "pa1" ? "I" : "II"}, C = ${shown(state.C)}`;
}

/** @param {Run} run */
export function endingOf(run) {
  const { visits, mistakes, k, converged } = run.frames;
  if (!visits) return "";
  const passes = mistakes.length;
  const updates = counted(k[visits - 1], "update");
  return converged
    ? `Pass ${passes} is clean: converged after ${counted(visits, "visit")}, ${updates}.`
    : `Not converged: stopped in pass ${passes} after ${counted(visits, "visit")}, ${updates}.`;
}
