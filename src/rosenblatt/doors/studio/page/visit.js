// One visit of a run, with all that is said of it: in the sum, in the quiz, for the ear.

import { className } from "./marks.js";
import { shown, vector } from "./numbers.js";
import { isSecret, scores, weights } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Num} Num */

/** Why a visit was a mistake; "" for none. @param {import("./types").Run} run @param {number} visit */
export function whyWords({ frames }, visit) {
  const why = frames.why[visit - 1];
  return why > 0 ? msg(`why_${why}`) : "";
}

/** @param {App} app @param {number} visit counted from 1 */
export function visitOf({ run, state }, visit) {
  const row = run.frames.row[visit - 1];
  const label = Number(run.points[row].at(-1));
  return {
    row,
    label,
    place: run.points[row].slice(0, -1),
    y: label === 1 ? 1 : -1,
    sign: state.labels.length === 2 ? (label ? "+1" : "−1") : className(state.labels, label),
    pass: run.frames.pass[visit - 1],
    mistake: run.frames.mistake[visit - 1] > 0,
    why: whyWords(run, visit),
    scores: scores(run, visit),
  };
}

/** The entries of w that there are: without a constant feature w₀ is none. @param {App} app @param {Num[]} w */
export function entries(app, w) {
  return app.run.constant ? w : w.slice(1);
}

/**
 * The weights before or after a visit, in words: w = (1, 2), or one vector a class.
 * @param {App} app @param {number} visit
 */
export function weightLines(app, visit) {
  const rows = weights(app.run, visit);
  const name = (/** @type {number} */ m) => (rows.length > 1 ? `w[${className(app.state.labels, m)}]` : "w");
  return rows.map((row, m) => `${name(m)} = ${vector(entries(app, row))}`);
}

/** This step for the ear. @param {App} app */
export function spoken(app) {
  const { state, run } = app;
  if (run.error) return run.error;
  if (!state.visit) return msg("at_start");
  const { row, mistake, why, scores: found } = visitOf(app, state.visit);
  if (isSecret(app)) return msg("said_visit", { v: state.visit, i: row + 1 });
  const verdict = mistake ? `${msg("a_mistake")}${why ? `, ${why}` : ""}` : msg("right");
  const w = state.kernel === "linear" ? `, ${weightLines(app, state.visit).join(", ")}` : "";
  const s = found.map((v) => shown(v)).join(", ");
  return msg("said_answer", { v: state.visit, i: row + 1, s, verdict, w });
}
