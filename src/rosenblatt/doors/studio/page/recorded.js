// A run that Python has recorded: the columns of a run of the core under the same names. Where it is exact, fractions
// come as text beside the numbers, and are shown in their place.

import { NOTHING } from "./run.js";
import { DEFAULTS } from "./state.js";

/** @typedef {import("./types").Run} Run */
/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Num} Num */

/** @param {any} given @returns {Run} */
export function recordedRun(given) {
  const text = given.text ?? {};
  const constant = given.constant !== 0;
  /** @type {Num[][]} */
  const points = given.points.map((/** @type {number[]} */ point, /** @type {number} */ i) => [
    ...(text.x ? text.x[i].slice(constant ? 1 : 0) : point),
    given.labels[i],
  ]);
  const { verdict } = given;
  return {
    frames: { ...NOTHING, ...given, score: text.score ?? given.score, weights: text.weights ?? given.weights },
    points,
    features: given.points[0].length,
    machines: given.classes > 2 ? given.classes : 1,
    constant,
    certificate: verdict
      ? {
          separable:
            { separable: true, inseparable: false, unknown: null }[/** @type {string} */ (verdict.verdict)] ?? null,
          gamma: verdict.gamma,
          radius: verdict.R,
          bound: (verdict.R / verdict.gamma) ** 2,
          direction: constant ? verdict.w : [0, ...verdict.w],
          lambda: verdict.weights,
        }
      : null,
    raw: null,
    live: false,
    error: "",
    title: given.title ?? "",
    conventions: given.conventions ?? "",
    ending: given.ending ?? "",
    answers: given.answers ?? null,
  };
}

/** The state in which a recorded run is shown. @param {any} given @returns {State} */
export function recordedState(given) {
  return {
    ...structuredClone(DEFAULTS),
    labels: given.names,
    tie: given.tie ?? "mistake",
    margin: given.margin ?? null,
    eta0: given.eta ?? 1,
    step: given.step ?? "perceptron",
    fit_intercept: given.constant !== 0,
    intercept_scaling: given.constant || 1,
  };
}
