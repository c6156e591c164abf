// "What comes next?" over any step: is the next visit a mistake, and what are the weights after it?

import { isNumber } from "./answers.js";
import { h } from "./dom.js";
import { shown, sub, vector } from "./numbers.js";
import { weights } from "./run.js";
import { entries, visitOf } from "./visit.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Quiz} Quiz */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

const BLANK = { mistake: "", weights: [], result: [], checked: 0 };

/** @returns {Quiz} */
export function newQuiz() {
  return { asked: 0, right: 0, ...structuredClone(BLANK) };
}

/** @param {App} app @returns {VNode | null} */
export function quizPanel(app) {
  const { ui, run, state } = app;
  const { quiz } = ui;
  if (!quiz) return null;
  if (quiz.checked && quiz.checked !== state.visit) Object.assign(quiz, structuredClone(BLANK)); // the player went on
  const visit = quiz.checked || state.visit + 1;
  const over = run.frames.converged ? "quiz_clean" : "quiz_end";
  const end = () => {
    ui.quiz = null;
    app.draw();
  };
  return h(
    "section",
    { class: "card quiz", key: "quiz", "aria-label": msg("quiz") },
    h("h2", null, msg("quiz")),
    visit > run.frames.visits ? h("p", { class: "lead" }, `${msg(over)} ${tally(quiz)}`) : asked(app, quiz, visit),
    h("button", { class: "quiet", onclick: end }, msg("end_quiz")),
  );
}

/** @param {Quiz} quiz */
function tally(quiz) {
  return msg("tally", { a: quiz.right, b: quiz.asked });
}

/** Whether the weights are asked for: one vector, which can be typed. @param {App} app */
function asksWeights({ run, state }) {
  return state.kernel === "linear" && run.machines === 1;
}

/** @param {App} app @param {Quiz} quiz @param {number} visit @returns {Child} */
function asked(app, quiz, visit) {
  const { row, place, sign } = visitOf(app, visit);
  const before = asksWeights(app) ? `, w = ${vector(entries(app, weights(app.run, visit - 1)[0]))}` : "";
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (quiz.checked) Object.assign(quiz, structuredClone(BLANK));
    else check(app, quiz, visit);
    app.draw();
  };
  const said = (/** @type {string} */ line, /** @type {number} */ i) =>
    h("p", { key: i, class: line === msg("is_right") ? "right" : "lead" }, line);
  return [
    h("p", { class: "lead" }, msg("quiz_visit", { v: visit, i: row + 1, x: vector(place), y: sign, w: before })),
    h(
      "form",
      { onsubmit: submit },
      choices(app, quiz),
      asksWeights(app) ? numbers(app, quiz) : null,
      h("button", { type: "submit", class: "main" }, msg(quiz.checked ? "next_question" : "check")),
    ),
    h("div", { role: "status" }, quiz.result.map(said), quiz.asked ? h("p", { class: "lead" }, tally(quiz)) : null),
  ];
}

/** @param {App} app @param {Quiz} quiz */
function choices(app, quiz) {
  const choice = (/** @type {string} */ word) => {
    const onchange = () => {
      quiz.mistake = word;
      app.draw();
    };
    const [checked, disabled] = [quiz.mistake === word, quiz.checked > 0];
    const input = { type: "radio", name: "quiz-mistake", value: word, checked, disabled, onchange };
    return h("label", { key: word }, h("input", input), msg(word));
  };
  return h("fieldset", { class: "field" }, h("legend", null, msg("is_mistake")), ["yes", "no"].map(choice));
}

/** @param {App} app @param {Quiz} quiz */
function numbers({ run }, quiz) {
  const first = run.constant ? 0 : 1;
  const field = (/** @type {number} */ i) => {
    const oninput = (/** @type {any} */ event) => {
      quiz.weights[i] = event.target.value;
    };
    const value = quiz.weights[i] ?? "";
    const input = { type: "text", autocomplete: "off", value, readonly: quiz.checked > 0, oninput };
    return h("label", { key: i, class: "field" }, h("span", null, sub("w", i + first)), h("input", input));
  };
  const places = Array.from({ length: run.features + 1 - first }, (_, i) => i);
  return h("fieldset", { class: "field starts" }, h("legend", null, msg("new_w")), places.map(field));
}

/** Says what is right, and shows the visit. @param {App} app @param {Quiz} quiz @param {number} visit */
function check(app, quiz, visit) {
  const { mistake, why, scores } = visitOf(app, visit);
  const after = entries(app, weights(app.run, visit)[0]);
  const said = [];
  if (quiz.mistake === "") said.push(msg("not_said"));
  else if ((quiz.mistake === "yes") !== mistake) said.push(msg(mistake ? "it_is" : "it_is_not"));
  if (asksWeights(app) && !after.every((v, i) => isNumber(quiz.weights[i] ?? "", v))) {
    said.push(msg("new_w_is", { w: vector(after) }));
  }
  quiz.asked += 1;
  quiz.right += said.length ? 0 : 1;
  const score = msg(why ? "score_is_why" : "score_is", { s: scores.map((v) => shown(v)).join(", "), why });
  quiz.result = [msg(said.length ? "not_quite" : "is_right"), ...said, score];
  quiz.checked = visit;
  app.ui.revealed = visit; // where answers are hidden, this one is known now
  app.go(visit);
}
