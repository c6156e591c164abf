// A student's table that Python has checked: as it was handed in, with each cell marked.

import { h } from "./dom.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @param {App} app @returns {VNode | null} */
export function answersPanel({ run }) {
  const { answers } = run;
  if (!answers) return null;
  return h(
    "section",
    { class: "card sheet", key: "answers", "aria-label": msg("answers") },
    h("h2", null, msg("answers")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": msg("answers_scroll") },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            answers.columns.map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          null,
          answers.rows.map((row, i) =>
            h(
              "tr",
              { key: i },
              row.map((cell, j) => marked(cell, answers.cells[i]?.[j])),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "lead" }, answers.message),
  );
}

/** @param {string} text @param {boolean | undefined} right */
function marked(text, right) {
  return h(
    "td",
    { class: right === undefined ? "" : right ? "good" : "bad" },
    text,
    " ",
    h("span", { class: "tick" }, right === undefined ? "" : right ? "✓" : "✗"),
    h("span", { class: "unseen" }, right === false ? ` ${msg("wrong")}` : ""),
  );
}
