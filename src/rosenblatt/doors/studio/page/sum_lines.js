// The lines of the sum: the score as a sum of products, its verdict, and what becomes of the weights; for two classes,
// for more, and for a kernel.

import { h } from "./dom.js";
import { className } from "./marks.js";
import { factor, shown, signed, sub, valueOf, vector } from "./numbers.js";
import { alphas, kernelOf, placesOf, variances, weights } from "./run.js";
import { entries, visitOf } from "./visit.js";
import { compared, marginOf } from "./words.js";
import { msg } from "./speak.js";

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

/** The row as it is scored: the constant feature first, where there is one. @param {App} app @param {Num[]} place */
function rowOf({ run, state }, place) {
  return run.constant ? [state.intercept_scaling, ...place] : place;
}

/** @param {Num[]} v */
const squared = (v) => v.reduce((/** @type {number} */ sum, one) => sum + valueOf(one) ** 2, 0);

/**
 * How far a step goes, as a reader can compute it again: the lines that say so, and what is added to each row of weights
 * that moves, times its sign.
 * @param {App} app @param {Num[]} x @param {number} gap how far the right answer was ahead @param {string} named the gap in
 * letters @param {{ name: string, spread: Num[] | null }[]} moved the rows that move at once: "[a]" or the like, and the
 * variances before the step, of AROW
 * @returns {{ lines: Child, added: string[] } | null} null where the numbers were not recorded
 */
function stepOf({ state }, x, gap, named, moved) {
  const { step, eta0, C, r } = state;
  if (step === "perceptron") {
    return { lines: null, added: moved.map(() => `${eta0 === 1 ? "" : `${shown(eta0)}·`}${vector(x)}`) };
  }
  const short = `${shown(marginOf(state))} − ${factor(gap)}`;
  const loss = marginOf(state) - gap;
  if (step !== "arow") {
    const two = moved.length > 1;
    const under = moved.length * squared(x) + (step === "pa2" ? 1 / (2 * C) : 0);
    const name = `${two ? "2·" : ""}|x|²${step === "pa2" ? " + 1/(2C)" : ""}`;
    const plain = under === 0 ? 0 : loss / under;
    const tau = step === "pa1" ? Math.min(C, plain) : plain;
    const [words, numbers] = [`(β − ${named}) / (${name})`, `(${short}) / ${shown(under)}`].map((one, k) =>
      step === "pa1" ? `min(${k ? shown(C) : "C"}, ${one})` : one,
    );
    const line = `τ = ${words} = ${numbers} = ${shown(tau)}`;
    return { lines: maths(line), added: moved.map(() => `${shown(tau)}·${vector(x)}`) };
  }
  const lines = [];
  const directions = [];
  let total = r;
  for (const { name, spread } of moved) {
    if (!spread) return null;
    const weighted = x.map((v, j) => valueOf(spread[j]) * valueOf(v));
    const v = x.reduce((/** @type {number} */ sum, one, j) => sum + valueOf(one) * weighted[j], 0);
    const a = `σ${name} = ${vector(spread)}`;
    const [b, c] = [`σ${name}x = ${vector(weighted)}`, `v${name} = x·σ${name}x = ${shown(v)}`];
    lines.push(maths(msg("variances", { a, b, c })));
    directions.push(weighted);
    total += v;
  }
  const under = [...moved.map(({ name }) => `v${name}`), "r"].join(" + ");
  const tau = loss / total;
  lines.push(maths(`τ = (β − ${named}) / (${under}) = (${short}) / ${shown(total)} = ${shown(tau)}`));
  return { lines, added: directions.map((weighted) => `${shown(tau)}·${vector(weighted)}`) };
}

/** What is added where no length says it. @param {Num[]} before @param {Num[]} after */
function difference(before, after) {
  return vector(after.map((v, j) => valueOf(v) - valueOf(before[j])));
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function twoClasses(app, verdict) {
  const { state, run } = app;
  const { place, y, mistake, scores } = visitOf(app, state.visit);
  const [before, after] = [state.visit - 1, state.visit].map((visit) => entries(app, weights(run, visit)[0]));
  const x = rowOf(app, place);
  const ys = y > 0 ? scores[0] : opposite(scores[0]);
  const spread = variances(run, state.visit - 1);
  const row = { name: "", spread: spread && entries(app, spread[0]) };
  const step = mistake ? stepOf(app, x, valueOf(ys), "y·s", [row]) : null;
  const sum = step ? `${y > 0 ? "+" : "−"} ${step.added[0]}` : `+ ${difference(before, after)}`;
  return [
    maths(`s = w·x = ${products(before, x)} = `, h("b", null, shown(scores[0]))),
    maths(`y·s = ${shown(ys)} ${compared(state, valueOf(ys), mistake)} → `, verdict),
    step?.lines,
    mistake
      ? maths(`w ← ${vector(before)} ${sum} = `, h("b", null, vector(after)))
      : maths(msg("stays", { w: "w", v: vector(after) })),
  ];
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function amongClasses(app, verdict) {
  const { state, run } = app;
  const { place, label, scores } = visitOf(app, state.visit);
  const [before, after] = [state.visit - 1, state.visit].map((visit) =>
    weights(run, visit).map((row) => entries(app, row)),
  );
  const x = rowOf(app, place);
  const name = (/** @type {string} */ letter, /** @type {number} */ m) => `${letter}[${className(state.labels, m)}]`;
  const moved = after.map((row, m) => row.some((v, j) => v !== before[m][j]));
  const rival = moved.findIndex((one, m) => one && m !== label);
  const both = state.multiclass === "argmax";
  const gap = (/** @type {number} */ m) =>
    both ? valueOf(scores[label]) - valueOf(scores[rival]) : (m === label ? 1 : -1) * valueOf(scores[m]);
  const named = both ? `(${name("s", label)} − ${name("s", Math.max(0, rival))})` : "y·s";
  const spread = variances(run, state.visit - 1);
  const row = (/** @type {number} */ m) => ({
    name: name("", m),
    spread: spread && entries(app, spread[m]),
  });
  const rows = after.map((_, m) => m).filter((m) => moved[m]);
  const together = both && rows.length ? stepOf(app, x, gap(label), named, rows.map(row)) : null;
  const alone = rows.map((m) => (both ? null : stepOf(app, x, gap(m), named, [row(m)])));
  const added = (/** @type {number} */ m) => {
    const sum = both ? together?.added[rows.indexOf(m)] : alone[rows.indexOf(m)]?.added[0];
    return sum ? `${m === label ? "+" : "−"} ${sum}` : `+ ${difference(before[m], after[m])}`;
  };
  return [
    scores.map((v, m) =>
      maths(
        h("span", { class: `of-class class-${m}` }, name("s", m)),
        ` = ${products(before[m], x)} = `,
        h("b", null, shown(v)),
      ),
    ),
    maths("→ ", verdict),
    together?.lines,
    rows.map((m, k) => [
      alone[k]?.lines,
      maths(`${name("w", m)} ← ${vector(before[m])} ${added(m)} = `, h("b", null, vector(after[m]))),
    ]),
  ];
}

/** @param {App} app @param {VNode} verdict @returns {Child} */
export function inKernel(app, verdict) {
  const { state, run } = app;
  const { row, y, mistake, scores } = visitOf(app, state.visit);
  const ys = y * valueOf(scores[0]);
  const [before, after] = [state.visit - 1, state.visit].map((visit) => alphas(run, state, visit));
  const support = before.map((_, i) => i).filter((i) => before[i]);
  const coefficient = (/** @type {number} */ i) => signed((run.points[i].at(-1) === 1 ? 1 : -1) * before[i]);
  const value = (/** @type {number} */ i) => {
    const [one, here] = placesOf([run.points[i], run.points[row]]);
    return factor(app.core.kernelScores([one], Float64Array.of(1), kernelOf(state), [here])[0]);
  };
  const first = support.slice(0, MOST_TERMS);
  const more = support.length > MOST_TERMS ? " + …" : "";
  const terms = first.map((i) => `${coefficient(i)}·K(${sub("x", i + 1)}, x)`).join(" ") || "0";
  const numbers = first.map((i) => `${coefficient(i)}·${value(i)}`).join(" ");
  const alpha = `${sub("α", row + 1)} ← ${shown(before[row])} + ${shown(state.eta0)} = `;
  return [
    maths(`s = ${terms}${more}${numbers ? ` = ${numbers}${more}` : ""} = `, h("b", null, shown(scores[0]))),
    maths(`y·s = ${shown(ys)} ${compared(state, ys, mistake)} → `, verdict),
    mistake ? maths(alpha, h("b", null, shown(after[row]))) : maths(msg("alpha_stays")),
  ];
}
