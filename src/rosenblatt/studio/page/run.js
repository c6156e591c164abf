// A run as the panels see it: the frames of the core for the state's points, or frames that Python has recorded.
// Nothing is learned here.

import { affine, scaled } from "./scale.js";
import { conventionsOf, endingOf } from "./words.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Run} Run */
/** @typedef {import("./types").Core} Core */
/** @typedef {import("./types").Frames} Frames */
/** @typedef {import("./types").Num} Num */

export const MAX_VISITS = 4000;
export const WHY = ["", "first step", "on the line", "wrong side", "within the margin", "w = 0"];

/** @type {Frames} */
const NOTHING = {
  visits: 0, machines: 1, width: 3, pass: [], row: [], score: [], mistake: [], why: [], start: [0, 0, 0], after: [],
  average: [], pocket: [], pocket_errors: [], norm: [], k: [], mistakes: [], converged: false, alpha: null,
};

/** The core's run of this state. @param {Core} core @param {State} state @param {import("./scale.js").Affine} [map] @returns {Run} */
export function liveRun(core, state, map = affine(state.points, state.scale)) {
  const points = state.points.map((point) => scaled(map, point));
  /** @type {Run} */
  const run = {
    frames: NOTHING, points, features: 2, certificate: null, raw: null, live: true, error: "", title: "",
    conventions: conventionsOf(state), ending: "", checked: [],
  };
  const present = new Set(points.map((point) => point[2]));
  if (present.size < 2) return { ...run, error: "Add points of two classes: then there is something to learn." };
  try {
    const data = columns(points);
    const { fit_intercept, intercept_scaling } = state;
    run.frames = core.trace({ ...state, ...data, features: 2, classes: state.labels.length, max_visits: MAX_VISITS });
    if (state.labels.length === 2 && state.kernel === "linear") {
      run.certificate = core.certify({ ...data, features: 2, fit_intercept, intercept_scaling });
      if (state.scale !== "none") {
        run.raw = core.certify({ ...columns(state.points), features: 2, fit_intercept, intercept_scaling });
      }
    }
  } catch (error) {
    run.error = error instanceof Error ? error.message : String(error);
  }
  return { ...run, ending: endingOf(run) };
}

/** @param {number[][]} points */
export function columns(points) {
  return {
    x: Float64Array.from(points.flatMap(([a, b]) => [a, b])),
    y: Int32Array.from(points.map((point) => point[2])),
  };
}

/** A run that Python has recorded. @param {any} given @returns {Run} */
export function recordedRun(given) {
  const { frames, points, start } = given;
  const machines = start.length;
  const flat = (/** @type {any} */ nested) => (nested ? nested.flat(2) : null);
  /** @type {Frames} */
  const made = {
    visits: frames.row.length, machines, width: start[0].length,
    pass: frames.pass, row: frames.row, score: flat(frames.score), k: frames.k, norm: frames.norm,
    mistake: frames.mistake.map(Number), why: frames.why.map((/** @type {string} */ word) => WHY.indexOf(word)),
    start: flat(start), after: flat(frames.after), average: flat(frames.average), pocket: flat(frames.pocket),
    pocket_errors: frames.pocket_errors ?? null, mistakes: given.mistakes, converged: given.converged,
    alpha: flat(frames.alpha),
  };
  return {
    frames: made, points, features: points[0].length - 1, certificate: given.certificate ?? null, raw: null,
    live: false, error: "", title: given.title ?? "", conventions: given.conventions ?? "",
    ending: given.ending ?? "", checked: given.checked ?? [],
  };
}

/** The weights after so many visits, one row a machine, the constant's first. @param {Run} run @param {number} visit @returns {Num[][]} */
export function weights(run, visit) {
  return rows(run, visit <= 0 ? run.frames.start : run.frames.after, visit);
}

/** The mean of the weights after each visit so far. @param {Run} run @param {number} visit */
export function average(run, visit) {
  if (visit <= 0 || !run.frames.average) return weights(run, visit);
  return rows(run, run.frames.average, visit);
}

/** The weights with the fewest mistakes so far. @param {Run} run @param {number} visit */
export function pocket(run, visit) {
  if (visit <= 0 || !run.frames.pocket) return weights(run, visit);
  return rows(run, run.frames.pocket, visit);
}

/** @param {Run} run @param {ArrayLike<Num>} column @param {number} visit @returns {Num[][]} */
function rows(run, column, visit) {
  const { machines, width } = run.frames;
  const first = Math.max(0, visit - 1) * machines * width;
  return Array.from({ length: machines }, (_, m) =>
    Array.from({ length: width }, (_, j) => column[first + m * width + j]),
  );
}

/** The scores of a visit, one a machine. @param {Run} run @param {number} visit @returns {Num[]} */
export function scores(run, visit) {
  const { machines, score } = run.frames;
  return Array.from({ length: machines }, (_, m) => score[(visit - 1) * machines + m]);
}

/** The next visit after this one that is a mistake, or the end. @param {Run} run @param {number} visit */
export function nextMistake(run, visit) {
  for (let next = visit; next < run.frames.visits; next++) if (run.frames.mistake[next]) return next + 1;
  return run.frames.visits;
}

/** Every weight vector so far, and the visits it survived: the voters. @param {Run} run @param {number} visit */
export function voters(run, visit) {
  const { width, after, mistake } = run.frames;
  /** @type {number[]} */ const w = [];
  /** @type {number[]} */ const votes = [];
  for (let v = 0; v < visit; v++) {
    if (v === 0 || mistake[v]) {
      for (let j = 0; j < width; j++) w.push(Number(after[v * width + j]));
      votes.push(0);
    }
    votes[votes.length - 1] += 1;
  }
  return { w: Float64Array.from(w), votes: Int32Array.from(votes) };
}
