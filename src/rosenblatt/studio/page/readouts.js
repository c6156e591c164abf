// Four answers of one run: the last weights, their average, their vote, the pocket; with the points each gets wrong,
// and which of their lines are drawn.

import { h } from "./dom.js";
import { valueOf } from "./numbers.js";
import { average, columns, pocket, voters, weights } from "./run.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Readout} Readout */

/** @type {[Readout, string][]} */
export const READOUTS = [["last", "last w"], ["average", "averaged"], ["vote", "voted"], ["pocket", "pocket"]];

/** @param {App} app @returns {VNode | null} */
export function readoutsPanel(app) {
  const { state, run } = app;
  if (!run.live || state.kernel !== "linear" || run.frames.machines > 1 || run.error) return null;
  return h("section", { class: "card readouts", key: "readouts", "aria-label": "Which weights answer" },
    h("h2", null, "Which weights answer"),
    h("table", null,
      h("thead", null, h("tr", null, ["", "wrong", "shaded", "line"].map((head) => h(head ? "th" : "td", head ? { scope: "col" } : null, head)))),
      h("tbody", null, READOUTS.map(([name, word]) => h("tr", { key: name },
        h("th", { scope: "row" }, word),
        h("td", null, state.hide ? "?" : `${wrong(app, name)} of ${run.points.length}`),
        h("td", null, h("input", { type: "radio", name: "readout", "aria-label": `Shade the plane by ${word}`, checked: state.readout === name, onchange: () => app.set({ readout: name }) })),
        h("td", null, sample(name), h("input", { type: "checkbox", "aria-label": `Draw the line of ${word}`, checked: state.readout === name || state.show.includes(name), disabled: state.readout === name, onchange: () => toggle(app, name) })))))));
}

/** @param {App} app @param {string} name */
export function toggle(app, name) {
  const { show } = app.state;
  app.set({ show: show.includes(name) ? show.filter((one) => one !== name) : [...show, name] });
}

/** @param {string} name */
function sample(name) {
  return h("svg", { class: "sample", viewBox: "0 0 30 10", "aria-hidden": "true" }, h("line", { class: `line ${name}`, x1: 1, x2: 29, y1: 5, y2: 5 }));
}

/** How many of the points a readout gets wrong now; one vote of one vector is its sign. @param {App} app @param {Readout} name */
function wrong(app, name) {
  const { run, state, core } = app;
  const { x, y } = columns(/** @type {number[][]} */ (run.points));
  const of = { last: weights, average, pocket };
  const one = name === "vote" ? null : of[name](run, state.visit)[0].map(valueOf);
  const who = one || !state.visit ? { w: Float64Array.from(one ?? weights(run, 0)[0].map(valueOf)), votes: Int32Array.of(1) } : voters(run, state.visit);
  const bias = state.fit_intercept ? state.intercept_scaling : 0;
  const votes = core.vote({ ...who, tie: state.tie, at: x, features: 2, bias });
  return votes.reduce((sum, v, i) => sum + Number(!((y[i] ? 1 : -1) * v > 0)), 0);
}
