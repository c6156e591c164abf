// The sum of this step in numbers: the score, whether it is a mistake and why, and the weights before and after.

import { h } from "./dom.js";
import { className } from "./marks.js";
import { factor, shown, signed, sub, valueOf, vector } from "./numbers.js";
import { WHY } from "./core.js";
import { alphas, isSecret, scores, weights } from "./run.js";
import { marginOf } from "./words.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */
/** @typedef {import("./types").Num} Num */

/** @param {App} app @returns {VNode} */
export function sumPanel(app) {
  const { state, run } = app;
  const secret = isSecret(app);
  return h("section", { class: "card sum", key: "sum", "aria-label": "The sum of this step" },
    h("h2", null, "The sum of this step"),
    h("div", { class: "steps" }, run.error ? h("p", { class: "lead" }, run.error) : state.visit === 0 ? beginning(app) : secret ? question(app) : answer(app)));
}

/** The entries of w that there are: without a constant feature w₀ is none. @param {App} app @param {Num[]} w */
export function entries(app, w) {
  return app.run.constant ? w : w.slice(1);
}

/** A point as the sum sees it: the constant feature first. @param {App} app @param {number} row @returns {Num[]} */
export function features(app, row) {
  return [app.state.intercept_scaling, ...app.run.points[row].slice(0, -1)];
}

/** @param {App} app @returns {Child} */
function beginning(app) {
  const { state, run } = app;
  if (state.kernel !== "linear") {
    return [h("p", { class: "maths" }, `α = ${vector(run.points.map(() => 0))}`), h("p", { class: "lead" }, "The start: every score is 0. Press Step to visit the first point.")];
  }
  const w = weights(run, 0);
  const start = w.every((row) => row.every((v) => valueOf(v) === 0)) ? "all weights are zero" : "the weights that were chosen";
  return [
    w.map((row, m) => h("p", { class: "maths" }, `${w.length > 1 ? `w[${className(state.labels, m)}]` : "w"} = ${vector(entries(app, row))}`)),
    h("p", { class: "lead" }, `The start: ${start}. Press Step to visit the first point.`),
  ];
}

/** @param {App} app */
function visited(app) {
  const { state, run } = app;
  const row = run.frames.row[state.visit - 1];
  const label = Number(run.points[row].at(-1));
  return h("p", { class: "lead" }, `Visit ${state.visit}, pass ${run.frames.pass[state.visit - 1]}: point ${row + 1} = ${vector(run.points[row].slice(0, -1))}, y = `,
    h("b", { class: `of-class class-${label}` }, state.labels.length === 2 ? (label ? "+1" : "−1") : className(state.labels, label)));
}

/** @param {App} app @returns {Child} */
function question(app) {
  const w = weights(app.run, app.state.visit - 1);
  return [
    visited(app),
    app.state.kernel === "linear" ? w.map((row, m) => h("p", { class: "maths" }, `${w.length > 1 ? `w[${className(app.state.labels, m)}]` : "w"} = ${vector(entries(app, row))}`)) : null,
    h("p", { class: "lead" }, "Is it a mistake? What is w after it?"),
    h("button", { onclick: () => { app.ui.revealed = app.state.visit; app.draw(); } }, "Show the answer"),
  ];
}

/** @param {App} app @returns {Child} */
function answer(app) {
  const { state, run } = app;
  const visit = state.visit;
  const mistake = run.frames.mistake[visit - 1];
  const why = WHY[run.frames.why[visit - 1]];
  const verdict = mistake ? h("b", { class: "wrong" }, `mistake${why ? `: ${why}` : ""}`) : h("b", { class: "right" }, "right");
  const shape = state.kernel !== "linear" ? inKernel : run.machines > 1 ? amongClasses : twoClasses;
  return [visited(app), shape(app, verdict)];
}

/** @param {Num[]} w @param {Num[]} x @param {number} first */
function products(w, x, first) {
  return w.slice(first).map((v, j) => `${j ? (valueOf(v) < 0 ? "− " : "+ ") : valueOf(v) < 0 ? "−" : ""}${shown(typeof v === "number" ? Math.abs(v) : v.replace("-", ""))}·${factor(x[j + first])}`).join(" ");
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
function twoClasses(app, verdict) {
  const { state, run } = app;
  const visit = state.visit;
  const row = run.frames.row[visit - 1];
  const [before] = weights(run, visit - 1);
  const [after] = weights(run, visit);
  const x = features(app, row);
  const y = Number(run.points[row].at(-1)) === 1 ? 1 : -1;
  const [s] = scores(run, visit);
  const ys = typeof s === "number" ? y * s : y > 0 ? s : s.startsWith("-") ? s.slice(1) : valueOf(s) ? `-${s}` : s;
  const first = run.constant ? 0 : 1;
  return [
    h("p", { class: "maths" }, `s = w·x = ${products(before, x, first)} = `, h("b", null, shown(s))),
    h("p", { class: "maths" }, `y·s = ${shown(ys)} ${compared(state, valueOf(ys), run.frames.mistake[visit - 1] > 0)} → `, verdict),
    run.frames.mistake[visit - 1] ? h("p", { class: "maths" }, update(app, before, after, x, y, first)) : h("p", { class: "maths" }, `w stays ${vector(entries(app, after))}`),
  ];
}

/** @param {import("./types").State} state @param {number} ys @param {boolean} mistake */
function compared(state, ys, mistake) {
  const margin = marginOf(state);
  if (margin) return `${mistake ? (state.step === "perceptron" ? "≤" : "<") : ">"} ${shown(margin)}`;
  if (ys === 0) return mistake && state.tie === "mistake" ? "≤ 0" : `= 0, and a tie counts as ${state.tie === "positive" ? "+1" : "−1"}`;
  return mistake ? (state.tie === "mistake" ? "≤ 0" : "< 0") : "> 0";
}

/** @param {App} app @param {Num[]} before @param {Num[]} after @param {Num[]} x @param {number} y @param {number} first @returns {Child} */
function update(app, before, after, x, y, first) {
  const { state } = app;
  const tau = state.step === "perceptron" ? (state.eta0 === 1 ? "" : `${shown(state.eta0)}·`) : "τ·";
  return [`w ← ${vector(before.slice(first))} ${y > 0 ? "+" : "−"} ${tau}${vector(x.slice(first))} = `, h("b", null, vector(after.slice(first)))];
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
function amongClasses(app, verdict) {
  const { state, run } = app;
  const visit = state.visit;
  const s = scores(run, visit);
  const before = weights(run, visit - 1);
  const after = weights(run, visit);
  const moved = after.map((row, m) => row.some((v, j) => v !== before[m][j]));
  return [
    h("p", { class: "maths" }, s.map((v, m) => [m ? ", " : "", h("span", { class: `of-class class-${m}` }, `s[${className(state.labels, m)}]`), ` = ${shown(v)}`])),
    h("p", { class: "maths" }, "→ ", verdict),
    after.map((row, m) => moved[m] ? h("p", { class: "maths" }, `w[${className(state.labels, m)}] ← `, h("b", null, vector(entries(app, row)))) : null),
  ];
}

const MOST_TERMS = 6;

/** @param {App} app @param {VNode} verdict @returns {Child} */
function inKernel(app, verdict) {
  const { state, run } = app;
  const row = run.frames.row[state.visit - 1];
  const y = Number(run.points[row].at(-1)) === 1 ? 1 : -1;
  const [s] = scores(run, state.visit);
  const before = alphas(run, state, state.visit - 1);
  const after = alphas(run, state, state.visit);
  const support = before.map((_, i) => i).filter((i) => before[i]);
  const terms = support.slice(0, MOST_TERMS).map((i) => `${signed((run.points[i].at(-1) === 1 ? 1 : -1) * before[i])}·K(${sub("x", i + 1)}, x)`);
  return [
    h("p", { class: "maths" }, `s = ${terms.join(" ") || "0"}${support.length > MOST_TERMS ? " + …" : ""} = `, h("b", null, shown(s))),
    h("p", { class: "maths" }, `y·s = ${shown(y * valueOf(s))} ${compared(state, y * valueOf(s), run.frames.mistake[state.visit - 1] > 0)} → `, verdict),
    h("p", { class: "maths" }, run.frames.mistake[state.visit - 1] ? [`${sub("α", row + 1)} ← ${shown(before[row])} + ${shown(state.eta0)} = `, h("b", null, shown(after[row]))] : "α stays"),
  ];
}

/** This step for the ear. @param {App} app */
export function spoken(app) {
  const { state, run } = app;
  if (run.error) return run.error;
  if (!state.visit) return "The start.";
  const row = run.frames.row[state.visit - 1];
  if (isSecret(app)) return `Visit ${state.visit}: point ${row + 1}.`;
  const mistake = run.frames.mistake[state.visit - 1];
  const why = WHY[run.frames.why[state.visit - 1]];
  const s = scores(run, state.visit).map((v) => shown(v)).join(", ");
  const w = state.kernel === "linear" ? `, w is ${weights(run, state.visit).map((one) => vector(entries(app, one))).join(" ")}` : "";
  return `Visit ${state.visit}: point ${row + 1}, score ${s}, ${mistake ? `a mistake${why ? `, ${why}` : ""}` : "right"}${w}.`;
}
