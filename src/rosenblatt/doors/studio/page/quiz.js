// "What comes next?" over any step: is the next visit a mistake, and what are the weights after it?

import { isNumber } from "./answers.js";
import { h } from "./dom.js";
import { shown, sub, vector } from "./numbers.js";
import { weights } from "./run.js";
import { entries, visitOf } from "./visit.js";

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
  const why = run.frames.converged ? "the last pass was clean" : "this is the end of the run";
  const end = () => {
    ui.quiz = null;
    app.draw();
  };
  return h(
    "section",
    { class: "card quiz", key: "quiz", "aria-label": "What comes next?" },
    h("h2", null, "What comes next?"),
    visit > run.frames.visits ? h("p", { class: "lead" }, `Nothing: ${why}. ${tally(quiz)}`) : asked(app, quiz, visit),
    h("button", { class: "quiet", onclick: end }, "End the quiz"),
  );
}

/** @param {Quiz} quiz */
function tally(quiz) {
  return `${quiz.right} of ${quiz.asked} right.`;
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
    h("p", { key: i, class: line === "Right." ? "right" : "lead" }, line);
  return [
    h("p", { class: "lead" }, `Visit ${visit}: point ${row + 1} = ${vector(place)}, y = ${sign}${before}.`),
    h(
      "form",
      { onsubmit: submit },
      choices(app, quiz),
      asksWeights(app) ? numbers(app, quiz) : null,
      h("button", { type: "submit", class: "main" }, quiz.checked ? "Next question" : "Check"),
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
    return h("label", { key: word }, h("input", input), word);
  };
  return h("fieldset", { class: "field" }, h("legend", null, "Is it a mistake?"), ["yes", "no"].map(choice));
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
  return h("fieldset", { class: "field starts" }, h("legend", null, "w after it"), places.map(field));
}

/** Says what is right, and shows the visit. @param {App} app @param {Quiz} quiz @param {number} visit */
function check(app, quiz, visit) {
  const { mistake, why, scores } = visitOf(app, visit);
  const after = entries(app, weights(app.run, visit)[0]);
  const said = [];
  if (quiz.mistake === "") said.push("You did not say whether it is a mistake.");
  else if ((quiz.mistake === "yes") !== mistake) said.push(mistake ? "It is a mistake." : "It is no mistake.");
  if (asksWeights(app) && !after.every((v, i) => isNumber(quiz.weights[i] ?? "", v))) {
    said.push(`w after it is ${vector(after)}.`);
  }
  quiz.asked += 1;
  quiz.right += said.length ? 0 : 1;
  const score = `The score is ${scores.map((v) => shown(v)).join(", ")}${why ? `: ${why}` : ""}.`;
  quiz.result = [said.length ? "Not quite." : "Right.", ...said, score];
  quiz.checked = visit;
  app.ui.revealed = visit; // where answers are hidden, this one is known now
  app.go(visit);
}
