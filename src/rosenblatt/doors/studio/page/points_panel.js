// The points as numbers: all that a drag can do, without one.

import { h } from "./dom.js";
import { choice, number } from "./fields.js";
import { className } from "./marks.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @param {App} app @returns {VNode} */
export function pointsPanel(app) {
  const { state } = app;
  const classes = state.labels.map((_, c) => /** @type {[string, string]} */ ([String(c), className(state.labels, c)]));
  const change = (/** @type {number} */ i, /** @type {number} */ j, /** @type {number} */ v) =>
    app.move(state.points.map((p, at) => (at === i ? p.map((old, k) => (k === j ? v : old)) : p)));
  return h(
    "section",
    { class: "card panel points-panel", key: "points", "aria-label": msg("numbers") },
    h("h2", null, msg("numbers")),
    h(
      "ol",
      { class: "rows" },
      state.points.map((p, i) =>
        h(
          "li",
          { key: i },
          number("x₁", p[0], {}, (v) => change(i, 0, v)),
          number("x₂", p[1], {}, (v) => change(i, 1, v)),
          choice(msg("class"), String(p[2]), classes, (v) => change(i, 2, Number(v))),
          h(
            "button",
            {
              class: "quiet",
              "aria-label": msg("remove_point", { i: i + 1 }),
              onclick: () => app.move(state.points.filter((_, at) => at !== i)),
            },
            msg("remove"),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      classes.map(([c, name]) =>
        h(
          "button",
          { key: c, onclick: () => app.move([...state.points, [0, 0, Number(c)]]) },
          msg("add_point", { c: name }),
        ),
      ),
    ),
  );
}
