// A run as the panels see it: the frames of the core for the state's points, or frames that Python has recorded.
// Nothing is learned here.

import { valueOf } from "./numbers.js";
import { scaled } from "./scale.js";
import { separates } from "./separates.js";
import { conventionsOf, endingOf } from "./words.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Run} Run */
/** @typedef {import("./types").Frames} Frames */
/** @typedef {import("./types").Certificate} Certificate */
/** @typedef {import("./types").Num} Num */
/** @typedef {import("./core.js").Core} Core */

export const MAX_VISITS = 4000;

/** @type {Frames} */
export const NOTHING = {
  visits: 0,
  pass: [],
  row: [],
  score: [],
  mistake: [],
  why: [],
  k: [],
  weights: [],
  spread: null,
  norm: [],
  errors: null,
  average: null,
  pocket: null,
  alpha: null,
  mistakes: [],
  converged: false,
};

/**
 * The core's run of this state.
 * @param {Core} core @param {State} state @param {import("./scale.js").Affine} map @returns {Run}
 */
export function liveRun(core, state, map) {
  const points = state.points.map((point) => scaled(map, point));
  const machines = state.labels.length > 2 ? state.labels.length : 1;
  /** @type {Run} */
  const run = {
    frames: NOTHING,
    points,
    features: 2,
    machines,
    constant: state.fit_intercept,
    certificate: null,
    raw: null,
    live: true,
    error: "",
    title: "",
    conventions: conventionsOf(state),
    ending: "",
    answers: null,
  };
  if (new Set(points.map((point) => point[2])).size < 2) {
    return { ...run, error: msg("two_classes") };
  }
  try {
    const [places, labels] = [placesOf(points), labelsOf(points)];
    if (state.kernel === "linear") {
      const found = core.trace(places, labels, conventionsFor(state));
      run.frames = { ...found, alpha: null };
    } else {
      const found = core.kernelTrace(places, labels, kernelOf(state), {
        ...conventionsFor(state),
        step: "perceptron",
        start: null,
      });
      run.frames = { ...NOTHING, ...found };
    }
    if (machines === 1 && state.kernel === "linear") {
      // Of the points before scaling: rounding could move them. With a constant feature shifts change nothing, and
      // stretching never does.
      const { fit_intercept, scale } = state;
      const raw = placesOf(state.points);
      const shifted = !fit_intercept && (scale === "centre" || scale === "standard");
      const verdict = (/** @type {boolean} */ moved) => separates(raw, labels, fit_intercept, moved && shifted);
      run.certificate = certify(core, state, places, labels, verdict(true));
      if (state.scale !== "none") run.raw = certify(core, state, raw, labels, verdict(false));
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    run.error = said.replace(/\brow (\d+)/, (_, row) => `point ${Number(row) + 1}`); // as the page counts
  }
  return { ...run, ending: endingOf(run) };
}

/** @param {Num[][]} points @returns {number[][]} */
export function placesOf(points) {
  return points.map((point) => point.slice(0, -1).map(valueOf));
}

/**
 * Where a point is in the plot; of one feature, on the axis.
 * @param {Run} run @param {Num[]} point @returns {number[]}
 */
export function placeIn({ features }, point) {
  return [valueOf(point[0]), features > 1 ? valueOf(point[1]) : 0];
}

/** @param {Num[][]} points @returns {number[]} */
export function labelsOf(points) {
  return points.map((point) => Number(point.at(-1)));
}

/** @param {State} state @returns {import("./core.js").Kernel} */
export function kernelOf({ kernel, gamma, coef0, degree }) {
  return { kind: kernel, gamma, coef0, degree };
}

/** The state's conventions in the core's words. @param {State} state */
export function conventionsFor(state) {
  const { tie, order, seed, step, C, r, multiclass } = state;
  const start = state.init && (state.fit_intercept ? state.init : state.init.filter((_, i) => i % 3 !== 0));
  return {
    tie,
    order,
    seed,
    step,
    C,
    r,
    multiclass,
    start,
    classes: state.labels.length,
    first: state.first_row,
    eta: state.eta0,
    constant: state.fit_intercept ? state.intercept_scaling : 0,
    passes: state.max_iter,
    visits: MAX_VISITS,
    ...(state.margin === null ? {} : { margin: state.margin }),
  };
}

/**
 * Whether a line separates is decided exactly; the margin and its direction are found in floating point. The direction
 * is held against each point: what it falls short of the widest margin only makes the bound larger, never false.
 * @param {Core} core @param {State} state @param {number[][]} places @param {number[]} labels
 * @param {ReturnType<typeof separates>} verdict @returns {Certificate}
 */
function certify(core, state, places, labels, { separable, weights: proving }) {
  const constant = state.fit_intercept ? state.intercept_scaling : 0;
  const search = core.nearest(places, labels, constant);
  const direction = state.fit_intercept ? Array.from(search.w) : [0, ...search.w];
  const [w0, w1, w2] = direction;
  const ahead = places.map(([a, b], i) => (labels[i] ? 1 : -1) * (w0 * constant + w1 * a + w2 * b));
  const gamma = separable ? Math.max(0, search.gamma || Math.min(...ahead)) : 0;
  return {
    separable,
    gamma,
    radius: search.R,
    bound: (search.R / gamma) ** 2,
    direction,
    lambda: separable ? Array.from(search.weights) : proving,
  };
}

/**
 * Weights after so many visits: one row a machine, the constant's first, 0 where there is none.
 * @param {Run} run @param {number} visit @returns {Num[][]}
 */
export function weights(run, visit) {
  return rows(run, run.frames.weights, visit > 0 ? run.frames.k[visit - 1] : 0);
}

/**
 * The variances that belong to `weights`, with AROW; null where they were not recorded.
 * @param {Run} run @param {number} visit
 */
export function variances(run, visit) {
  const { spread, k } = run.frames;
  return spread?.length ? rows(run, spread, visit > 0 ? k[visit - 1] : 0) : null;
}

/** The mean of the weights after each visit so far. @param {Run} run @param {number} visit */
export function average(run, visit) {
  return visit > 0 && run.frames.average ? rows(run, run.frames.average, visit - 1) : weights(run, visit);
}

/** The weights with the fewest mistakes so far. @param {Run} run @param {number} visit */
export function pocket(run, visit) {
  return visit > 0 && run.frames.pocket
    ? rows(run, run.frames.weights, run.frames.pocket[visit - 1])
    : weights(run, visit);
}

/** @param {Run} run @param {ArrayLike<Num>} all @param {number} number @returns {Num[][]} */
function rows(run, all, number) {
  const width = run.features + Number(run.constant);
  return Array.from({ length: run.machines }, (_, m) => {
    const first = (number * run.machines + m) * width;
    const row = Array.from({ length: width }, (_, j) => all[first + j] ?? 0);
    return run.constant ? row : [0, ...row];
  });
}

/** The scores of a visit, one a machine. @param {Run} run @param {number} visit @returns {Num[]} */
export function scores({ frames, machines }, visit) {
  return Array.from({ length: machines }, (_, m) => frames.score[(visit - 1) * machines + m]);
}

/**
 * The lectures' α of each point after so many visits: how often it was a mistake, times η.
 * @param {Run} run @param {State} state @param {number} visit @returns {number[]}
 */
export function alphas({ frames, points }, state, visit) {
  const n = points.length;
  if (frames.alpha) {
    const first = (visit > 0 ? frames.k[visit - 1] : 0) * n;
    return points.map((p, i) => Math.abs(Number(/** @type {ArrayLike<Num>} */ (frames.alpha)[first + i])));
  }
  const counts = new Array(n).fill(0);
  for (let v = 0; v < visit; v++) counts[frames.row[v]] += frames.mistake[v] ? state.eta0 : 0;
  return counts;
}

/** The next visit after this one that is a mistake, or the end. @param {Run} run @param {number} visit */
export function nextMistake({ frames }, visit) {
  for (let next = visit; next < frames.visits; next++) if (frames.mistake[next]) return next + 1;
  return frames.visits;
}

/**
 * Whether what comes after this visit is kept from sight: in class, and while a quiz asks for it.
 * @param {import("./types").App} app
 */
export function hidesLater({ state, ui }) {
  return state.hide || ui.quiz !== null;
}

/** What is seen: while the answer is hidden, the weights before the visit. @param {import("./types").App} app */
export function seen({ state, ui }) {
  return isSecret({ state, ui }) ? state.visit - 1 : state.visit;
}

/** @param {{ state: State, ui: import("./types").Ui }} app */
export function isSecret({ state, ui }) {
  return state.hide && ui.revealed !== state.visit && state.visit > 0;
}
