// The table of visits, a real table. Of a long run it has the visits around this one; printed, it has all it may.

import { tableColumns } from "./columns.js";
import { h } from "./dom.js";
import { hidesLater, isSecret } from "./run.js";
import { msg } from "./speak.js";
import { whyWords } from "./visit.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

const ROWS = 100;
const ROWS_PRINTED = 1000;
export const ROW_HEIGHT = 27; // as the style has it, so that the table can be scrolled without asking for places

/** Which visits are in the table. @param {App} app */
export function shownVisits(app) {
  const { run, state, ui } = app;
  const last = hidesLater(app) ? state.visit : run.frames.visits;
  const room = ui.printing ? ROWS_PRINTED : ROWS;
  const first = Math.max(1, Math.min(state.visit - Math.floor(room / 2), last - room + 1));
  return { first, last: Math.min(last, first + room - 1) };
}

/** @param {App} app @returns {VNode} */
export function tablePanel(app) {
  const { run } = app;
  const columns = tableColumns(app).filter((column) => column.name !== "why"); // it is in the cell of the mistake
  const { first, last } = shownVisits(app);
  const visits = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const left = run.frames.visits - visits.length;
  return h(
    "section",
    { class: "card table", key: "table", "aria-label": msg("table") },
    h("h2", null, msg("table")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": msg("table_scrolls"), key: "scroll" },
      h(
        "table",
        null,
        h(
          "caption",
          { class: "unseen" },
          visits.length
            ? msg(hidesLater(app) ? "caption_hidden" : "caption", { a: first, b: last, n: run.frames.visits })
            : msg("no_visit"),
        ),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            columns.map((column) => h("th", { scope: "col", class: column.name }, column.head)),
          ),
        ),
        h(
          "tbody",
          null,
          visits.map((visit) => row(app, columns, visit)),
        ),
      ),
    ),
    h(
      "p",
      { class: "lead" },
      hidesLater(app)
        ? msg("later_hidden")
        : left > 0
          ? msg("showing", { m: visits.length, n: run.frames.visits, ending: run.ending })
          : run.ending,
    ),
  );
}

/** @param {App} app @param {import("./columns.js").Column[]} columns @param {number} visit */
function row(app, columns, visit) {
  const { run, state } = app;
  const now = visit === state.visit;
  const secret = now && isSecret(app);
  const mistake = run.frames.mistake[visit - 1] && !secret;
  return h(
    "tr",
    {
      key: visit,
      class: `${now ? "now" : ""}${mistake ? " miss" : ""}${visit > state.visit ? " later" : ""}`,
      "aria-current": now ? "step" : null,
      onclick: () => app.go(visit),
    },
    columns.map((column, c) => {
      const value = column.cell(visit);
      const changed =
        /^(w\d|alpha)/.test(column.name) &&
        mistake &&
        (visit === 1 || value !== column.cell(visit - 1)) &&
        !(visit === 1 && value === 0);
      const text =
        secret && (column.asked || column.name === "norm" || column.name === "k")
          ? "?"
          : column.name === "mistake"
            ? mistakeWord(app, visit)
            : column.text(value);
      const classes = [
        column.name,
        changed ? "new" : "",
        column.name === "y" ? `of-class class-${run.points[run.frames.row[visit - 1]].at(-1)}` : "",
      ];
      return h(
        c === 0 ? "th" : "td",
        { scope: c === 0 ? "row" : null, class: classes.filter(Boolean).join(" ") },
        text,
      );
    }),
  );
}

/** Why it was a mistake, or that it was one, or none. @param {App} app @param {number} visit */
function mistakeWord({ run }, visit) {
  return run.frames.mistake[visit - 1] ? whyWords(run, visit) || msg("yes") : "–";
}
