// The lines of the sum: the score as a sum of products, its verdict, and what becomes of the weights; for two classes,
// for more, and for a kernel.

import { h } from "./dom.js";
import { className } from "./marks.js";
import { factor, shown, signed, sub, valueOf, vector } from "./numbers.js";
import { alphas, weights } from "./run.js";
import { entries, visitOf } from "./visit.js";
import { compared } from "./words.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */
/** @typedef {import("./types").Num} Num */

const MOST_TERMS = 6; // of a kernel's sum

/** A line of mathematics. @param {Child[]} children */
export function maths(...children) {
  return h("p", { class: "maths" }, children);
}

/** Without its sign; a fraction stays one. @param {Num} v @returns {Num} */
function size(v) {
  return typeof v === "number" ? Math.abs(v) : v.replace("-", "");
}

/** With the other sign. @param {Num} v @returns {Num} */
function opposite(v) {
  if (typeof v === "number") return v === 0 ? 0 : -v;
  return v.startsWith("-") ? v.slice(1) : v === "0" ? v : `-${v}`;
}

/** w₀·1 + w₁·x₁ − ... @param {Num[]} w @param {Num[]} x */
function products(w, x) {
  const terms = w.map((v, j) => {
    const minus = valueOf(v) < 0;
    return `${j ? (minus ? "− " : "+ ") : minus ? "−" : ""}${shown(size(v))}·${factor(x[j])}`;
  });
  return terms.join(" ");
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function twoClasses(app, verdict) {
  const { state, run } = app;
  const { place, y, mistake, scores } = visitOf(app, state.visit);
  const [before, after] = [state.visit - 1, state.visit].map((visit) => entries(app, weights(run, visit)[0]));
  const x = run.constant ? [state.intercept_scaling, ...place] : place;
  const ys = y > 0 ? scores[0] : opposite(scores[0]);
  const length = state.step !== "perceptron" ? "τ·" : state.eta0 === 1 ? "" : `${shown(state.eta0)}·`;
  return [
    maths(`s = w·x = ${products(before, x)} = `, h("b", null, shown(scores[0]))),
    maths(`y·s = ${shown(ys)} ${compared(state, valueOf(ys), mistake)} → `, verdict),
    mistake
      ? maths(`w ← ${vector(before)} ${y > 0 ? "+" : "−"} ${length}${vector(x)} = `, h("b", null, vector(after)))
      : maths(`w stays ${vector(after)}`),
  ];
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function amongClasses(app, verdict) {
  const { state, run } = app;
  const { scores } = visitOf(app, state.visit);
  const [before, after] = [state.visit - 1, state.visit].map((visit) => weights(run, visit));
  const name = (/** @type {string} */ letter, /** @type {number} */ m) => `${letter}[${className(state.labels, m)}]`;
  const moved = after.map((row, m) => row.some((v, j) => v !== before[m][j]));
  return [
    maths(
      scores.map((v, m) => [
        m ? ", " : "",
        h("span", { class: `of-class class-${m}` }, name("s", m)),
        ` = ${shown(v)}`,
      ]),
    ),
    maths("→ ", verdict),
    after.map((row, m) => (moved[m] ? maths(`${name("w", m)} ← `, h("b", null, vector(entries(app, row)))) : null)),
  ];
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function inKernel(app, verdict) {
  const { state, run } = app;
  const { row, y, mistake, scores } = visitOf(app, state.visit);
  const ys = y * valueOf(scores[0]);
  const [before, after] = [state.visit - 1, state.visit].map((visit) => alphas(run, state, visit));
  const support = before.map((_, i) => i).filter((i) => before[i]);
  const term = (/** @type {number} */ i) =>
    `${signed((run.points[i].at(-1) === 1 ? 1 : -1) * before[i])}·K(${sub("x", i + 1)}, x)`;
  const terms = support.slice(0, MOST_TERMS).map(term).join(" ") || "0";
  const alpha = `${sub("α", row + 1)} ← ${shown(before[row])} + ${shown(state.eta0)} = `;
  return [
    maths(`s = ${terms}${support.length > MOST_TERMS ? " + …" : ""} = `, h("b", null, shown(scores[0]))),
    maths(`y·s = ${shown(ys)} ${compared(state, ys, mistake)} → `, verdict),
    mistake ? maths(alpha, h("b", null, shown(after[row]))) : maths("α stays"),
  ];
}
