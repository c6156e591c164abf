// Four answers of one run: the last weights, their average, their vote, the pocket; with the points each gets wrong,
// and which of their lines are drawn.

import { wrongPoints } from "./ask.js";
import { h } from "./dom.js";
import { isSecret, seen } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Readout} Readout */

/** @type {Readout[]} */
export const READOUTS = ["last", "average", "vote", "pocket"];

/** @param {App} app @returns {VNode | null} */
export function readoutsPanel(app) {
  const { state, run } = app;
  if (!run.live || state.kernel !== "linear" || run.machines > 1 || run.error) return null;
  return h(
    "section",
    { class: "card readouts", key: "readouts", "aria-label": msg("readouts") },
    h("h2", null, msg("readouts")),
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["", msg("wrong"), msg("show_regions"), msg("show_line")].map((head) =>
            h(head ? "th" : "td", head ? { scope: "col" } : null, head),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        READOUTS.map((name) =>
          h(
            "tr",
            { key: name },
            h("th", { scope: "row" }, msg(`read_${name}`)),
            h(
              "td",
              null,
              isSecret(app) ? "?" : msg("of", { a: wrongPoints(app, name, seen(app)), b: run.points.length }),
            ),
            h(
              "td",
              null,
              h("input", {
                type: "radio",
                name: "readout",
                "aria-label": msg("shade", { name: msg(`read_${name}`) }),
                checked: state.readout === name,
                onchange: () => app.set({ readout: name }),
              }),
            ),
            h(
              "td",
              null,
              sample(`line ${name}`),
              h("input", {
                type: "checkbox",
                "aria-label": msg("draw_line", { name: msg(`read_${name}`) }),
                checked: state.readout === name || state.show.includes(name),
                disabled: state.readout === name,
                onchange: () => toggle(app, name),
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {App} app @param {string} name */
export function toggle(app, name) {
  const { show } = app.state;
  app.set({ show: show.includes(name) ? show.filter((one) => one !== name) : [...show, name] });
}

/** How a line of the plot looks, beside its name. @param {string} kind its classes @param {number} [wide] */
export function sample(kind, wide) {
  return h(
    "svg",
    { class: "sample", viewBox: "0 0 30 10", "aria-hidden": "true" },
    h("line", { class: kind, "stroke-width": wide, x1: 1, x2: 29, y1: 5, y2: 5 }),
  );
}
