// The sum of this step: the panel, which asks before it answers where answers are hidden.

import { h } from "./dom.js";
import { valueOf, vector } from "./numbers.js";
import { isSecret, weights } from "./run.js";
import { amongClasses, inKernel, maths, twoClasses } from "./sum_lines.js";
import { visitOf, weightLines } from "./visit.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/** @param {App} app @returns {VNode} */
export function sumPanel(app) {
  const { state, run } = app;
  const lines = run.error ? lead(run.error) : !state.visit ? start(app) : isSecret(app) ? question(app) : answer(app);
  return h(
    "section",
    { class: "card sum", key: "sum", "aria-label": msg("sum") },
    h("h2", null, msg("sum")),
    h("div", { class: "steps" }, lines),
  );
}

/** @param {Child[]} words */
function lead(...words) {
  return h("p", { class: "lead" }, words);
}

/** @param {App} app @returns {Child} */
function start(app) {
  const { state, run } = app;
  if (state.kernel !== "linear") {
    return [maths(`α = ${vector(run.points.map(() => 0))}`), lead(msg("start_alpha"))];
  }
  const zero = weights(run, 0).every((row) => row.every((v) => valueOf(v) === 0));
  return [
    weightLines(app, 0).map((line) => maths(line)),
    lead(msg(zero ? "start_zero" : "start_chosen"), " ", msg("what_a_visit_is")),
  ];
}

/** @param {App} app */
function visited(app) {
  const { visit } = app.state;
  const { row, label, place, sign, pass } = visitOf(app, visit);
  return lead(
    msg("sum_visit", { v: visit, p: pass, i: row + 1, x: vector(place) }),
    h("b", { class: `of-class class-${label}` }, sign),
  );
}

/** @param {App} app @returns {Child} */
function question(app) {
  const show = () => {
    app.ui.revealed = app.state.visit;
    app.draw();
  };
  return [
    visited(app),
    app.state.kernel === "linear" ? weightLines(app, app.state.visit - 1).map((line) => maths(line)) : null,
    lead(msg("ask_step")),
    h("button", { onclick: show }, msg("show_answer")),
  ];
}

/** @param {App} app @returns {Child} */
function answer(app) {
  const { mistake, why } = visitOf(app, app.state.visit);
  const words = mistake ? `${msg("mistake")}${why ? `: ${why}` : ""}` : msg("right");
  const verdict = h("b", { class: mistake ? "wrong" : "right" }, words);
  const lines = app.state.kernel !== "linear" ? inKernel : app.run.machines > 1 ? amongClasses : twoClasses;
  return [visited(app), lines(app, verdict)];
}
