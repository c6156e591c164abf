// The run as Python: a few lines that, run anywhere Rosenblatt is installed, give the same weights to the last bit.

import { MAX_VISITS } from "./run.js";
import { marginOf, wrongOnly } from "./words.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").State} State */

/** @param {number} v */
const py = (v) => (Object.is(v, -0) ? "0" : String(v));
/** @param {string} text */
const quoted = (text) => JSON.stringify(text);

/** @param {App} app @returns {string} */
export function asPython(app) {
  const { state, run } = app;
  const points = /** @type {number[][]} */ (run.points);
  const two = state.labels.length === 2 && state.labels[0] === "-1" && state.labels[1] === "+1";
  const label = (/** @type {number} */ c) => (two ? (c ? "1" : "-1") : quoted(state.labels[c]));
  const data = [
    `X = [${points.map((p) => `[${py(p[0])}, ${py(p[1])}]`).join(", ")}]`,
    `y = [${points.map((p) => label(p[2])).join(", ")}]`,
  ];
  return state.kernel === "linear" ? linear(app, data, two) : kernel(app, data, two);
}

/** @param {App} app @param {string[]} data @param {boolean} two */
function linear({ state, run }, data, two) {
  const given = ordered(state, run);
  if (state.labels.length === 2 && !two) given.push(`positive=${quoted(state.labels[1])}`);
  if (state.tie !== "mistake") given.push(`tie=${quoted(state.tie)}`);
  if (!state.fit_intercept) given.push("fit_intercept=False");
  else if (state.intercept_scaling !== 1) given.push(`intercept_scaling=${py(state.intercept_scaling)}`);
  if (state.step !== "perceptron") given.push(`step=${quoted(state.step)}`);
  else if (state.eta0 !== 1) given.push(`eta0=${py(state.eta0)}`);
  if (state.step === "pa1" || state.step === "pa2") given.push(`C=${py(state.C)}`);
  if (state.step === "arow") given.push(`r=${py(state.r)}`);
  if (state.margin !== null) given.push(`margin=${py(marginOf(state))}`);
  if (state.labels.length > 2 && state.multiclass !== "argmax") given.push(`multiclass=${quoted(state.multiclass)}`);
  if (state.init) given.push(`init=${starts(state)}`);
  if (state.readout !== "last") given.push(`readout=${quoted(state.readout)}`);
  return [
    "from rosenblatt import trace",
    "",
    ...data,
    `run = trace(X, y${given.map((one) => `, ${one}`).join("")})`,
    "print(run)",
    "",
  ].join("\n");
}

/** @param {State} state */
function starts(state) {
  const init = state.init ?? [];
  const rows = [];
  for (let i = 0; i < init.length; i += 3)
    rows.push(
      `[${init
        .slice(state.fit_intercept ? i : i + 1, i + 3)
        .map(py)
        .join(", ")}]`,
    );
  return rows.length === 1 ? rows[0] : `[${rows.join(", ")}]`;
}

/** The order and the end. @param {State} state @param {import("./types").Run} run @returns {string[]} */
function ordered(state, run) {
  const out = wrongOnly(state)
    ? [`pick=${quoted(state.order)}`]
    : state.order === "shuffled"
      ? ["shuffle=True", `random_state=${state.seed}`]
      : [];
  if (state.first_row && state.order !== "shuffled") out.push(`first_row=${state.first_row}`);
  out.push(`max_iter=${state.max_iter}`);
  if (run.frames.visits === MAX_VISITS) out.push(`max_visits=${MAX_VISITS}`);
  return out;
}

/** @param {App} app @param {string[]} data @param {boolean} two */
function kernel({ state, run }, data, two) {
  const given = [`kernel=${quoted(state.kernel)}`, `gamma=${py(state.gamma)}`];
  if (state.kernel === "poly") given.push(`coef0=${py(state.coef0)}`, `degree=${state.degree}`);
  if (!two) given.push(`positive=${quoted(state.labels[1])}`);
  if (state.tie !== "mistake") given.push(`tie=${quoted(state.tie)}`);
  if (state.margin) given.push(`margin=${py(state.margin)}`);
  if (state.eta0 !== 1) given.push(`eta0=${py(state.eta0)}`);
  return [
    "from rosenblatt import trace_kernel",
    "",
    ...data,
    `run = trace_kernel(X, y, ${[...given, ...ordered(state, run)].join(", ")})`,
    "print(run)",
    "",
  ].join("\n");
}
