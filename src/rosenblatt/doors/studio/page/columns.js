// The columns of the table of visits: one list of names and cells for the page, CSV, LaTeX and the sheet to fill in.

import { WHY } from "./core.js";
import { className } from "./marks.js";
import { shown, signed, sub } from "./numbers.js";
import { alphas, scores, weights } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Num} Num */

/**
 * A column: its name in CSV files (those of Python's `Trace.to_csv`), its head, its cell at a visit (from 1); `asked`
 * if a student fills it in.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} head
 * @property {(visit: number) => Num} cell
 * @property {(v: Num) => string} text
 * @property {boolean} asked
 */

/** @param {App} app @returns {Column[]} */
export function tableColumns(app) {
  const { run, state } = app;
  const { frames } = run;
  const two = state.labels.length === 2;
  const labelAt = (/** @type {number} */ visit) => Number(run.points[frames.row[visit - 1]].at(-1));
  const y = (/** @type {number} */ visit) => (two ? (labelAt(visit) ? 1 : -1) : labelAt(visit));
  const plain = (/** @type {Num} */ v) => shown(v);
  const word = (/** @type {Num} */ v) => String(v);
  const suffix = (/** @type {number} */ m) => (run.machines > 1 ? `[${state.labels[m]}]` : "");
  /** @type {Column[]} */
  const out = [
    { name: "visit", head: msg("col_visit"), cell: (v) => v, text: plain, asked: false },
    { name: "pass", head: msg("col_pass"), cell: (v) => frames.pass[v - 1], text: plain, asked: false },
    { name: "example", head: msg("col_point"), cell: (v) => frames.row[v - 1] + 1, text: plain, asked: false },
    { name: "y", head: "y", cell: y, text: two ? signed : (v) => className(state.labels, Number(v)), asked: false },
  ];
  for (let m = 0; m < run.machines; m++) {
    out.push({
      name: `score${suffix(m)}`,
      head: `${msg("col_score")}${suffix(m)}`,
      cell: (v) => scores(run, v)[m],
      text: plain,
      asked: true,
    });
  }
  out.push({
    name: "mistake",
    head: msg("col_mistake"),
    cell: (v) => (frames.mistake[v - 1] ? "yes" : "no"),
    text: word,
    asked: true,
  });
  out.push({ name: "why", head: "why", cell: (v) => WHY[frames.why[v - 1]] ?? "", text: word, asked: false });
  if (state.kernel === "linear") {
    for (let m = 0; m < run.machines; m++) {
      for (let j = run.constant ? 0 : 1; j <= run.features; j++) {
        out.push({
          name: `w${j}${suffix(m)}`,
          head: `${sub("w", j)}${suffix(m)}`,
          cell: (v) => weights(run, v)[m][j],
          text: plain,
          asked: true,
        });
      }
    }
    out.push({ name: "norm", head: "|w|", cell: (v) => frames.norm[frames.k[v - 1]], text: plain, asked: false });
  } else {
    const n = run.points.length;
    for (let i = 0; i < Math.min(n, 12); i++) {
      out.push({
        name: `alpha${i + 1}`,
        head: sub("α", i + 1),
        cell: (v) => alphas(run, state, v)[i],
        text: plain,
        asked: true,
      });
    }
  }
  out.push({ name: "k", head: "k", cell: (v) => frames.k[v - 1], text: plain, asked: false });
  return out;
}
