// "What comes next?" over any step: is the next visit a mistake, and what are the weights after it?

import { isNumber } from "./answers.js";
import { WHY } from "./core.js";
import { h } from "./dom.js";
import { className } from "./marks.js";
import { shown, sub, vector } from "./numbers.js";
import { scores, weights } from "./run.js";
import { entries } from "./sum.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Quiz} Quiz */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/** @returns {Quiz} */
export function newQuiz() {
  return { asked: 0, right: 0, mistake: "", weights: [], result: [], checked: false };
}

/** @param {App} app @returns {VNode | null} */
export function quizPanel(app) {
  const { ui, run, state } = app;
  const { quiz } = ui;
  if (!quiz) return null;
  const next = state.visit + (quiz.checked ? 0 : 1);
  const over = next > run.frames.visits;
  return h("section", { class: "card quiz", key: "quiz", "aria-label": "What comes next?" },
    h("h2", null, "What comes next?"),
    over ? h("p", { class: "lead" }, run.frames.converged ? "Nothing: the last pass was clean. " : "Nothing: this is the end of the run. ", tally(quiz)) : asked(app, quiz, next),
    h("button", { class: "quiet", onclick: () => { ui.quiz = null; app.draw(); } }, "End the quiz"));
}

/** @param {Quiz} quiz */
function tally(quiz) {
  return `${quiz.right} of ${quiz.asked} right.`;
}

/** @param {App} app @param {Quiz} quiz @param {number} visit @returns {Child} */
function asked(app, quiz, visit) {
  const { run, state } = app;
  const row = run.frames.row[visit - 1];
  const label = Number(run.points[row].at(-1));
  const linear = state.kernel === "linear" && run.machines === 1;
  const before = linear ? `, w = ${vector(entries(app, weights(run, visit - 1)[0]))}` : "";
  const first = run.constant ? 0 : 1;
  const y = state.labels.length === 2 ? (label ? "+1" : "−1") : className(state.labels, label);
  return [
    h("p", { class: "lead" }, `Visit ${visit}: point ${row + 1} = ${vector(run.points[row].slice(0, -1))}, y = ${y}${before}.`),
    h("form", { onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); if (quiz.checked) advance(app, quiz); else check(app, quiz, visit); } },
      h("fieldset", { class: "field" }, h("legend", null, "Is it a mistake?"),
        ["yes", "no"].map((word) => h("label", { key: word }, h("input", { type: "radio", name: "quiz-mistake", value: word, checked: quiz.mistake === word, disabled: quiz.checked, onchange: () => { quiz.mistake = word; app.draw(); } }), word))),
      linear ? h("fieldset", { class: "field starts" }, h("legend", null, "w after it"),
        Array.from({ length: run.features + 1 - first }, (_, i) => h("label", { key: i, class: "field" }, h("span", null, sub("w", i + first)),
          h("input", { type: "text", inputmode: "text", autocomplete: "off", value: quiz.weights[i] ?? "", readonly: quiz.checked, oninput: (/** @type {any} */ e) => { quiz.weights[i] = e.target.value; } })))) : null,
      h("button", { type: "submit", class: "main" }, quiz.checked ? "Next question" : "Check")),
    h("div", { role: "status" }, quiz.result.map((line, i) => h("p", { key: i, class: i === 0 && line === "Right." ? "right" : "lead" }, line)), quiz.asked ? h("p", { class: "lead" }, tally(quiz)) : null),
  ];
}

/** Says what is right, and shows the visit. @param {App} app @param {Quiz} quiz @param {number} visit */
function check(app, quiz, visit) {
  const { run, state } = app;
  const mistake = run.frames.mistake[visit - 1] > 0;
  const linear = state.kernel === "linear" && run.machines === 1;
  const after = weights(run, visit)[0].slice(run.constant ? 0 : 1);
  const said = [];
  if (quiz.mistake === "") said.push("You did not say whether it is a mistake.");
  else if ((quiz.mistake === "yes") !== mistake) said.push(mistake ? "It is a mistake." : "It is no mistake.");
  if (linear && !after.every((v, i) => isNumber(quiz.weights[i] ?? "", v))) said.push(`w after it is ${vector(after)}.`);
  const why = WHY[run.frames.why[visit - 1]];
  quiz.asked += 1;
  if (!said.length) quiz.right += 1;
  const s = scores(run, visit).map((v) => shown(v)).join(", ");
  quiz.result = [said.length ? "Not quite." : "Right.", ...said, `The score is ${s}${mistake && why ? `: ${why}` : ""}.`];
  quiz.checked = true;
  app.go(visit);
}

/** @param {App} app @param {Quiz} quiz */
function advance(app, quiz) {
  Object.assign(quiz, { mistake: "", weights: [], result: [], checked: false });
  app.draw();
}
