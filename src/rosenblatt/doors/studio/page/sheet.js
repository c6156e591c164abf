// A sheet to fill in: the table of the first visits with its numbers left out, checked cell by cell.

import { isRight } from "./answers.js";
import { tableColumns } from "./columns.js";
import { h } from "./dom.js";
import { number } from "./fields.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Sheet} Sheet */
/** @typedef {import("./types").VNode} VNode */

const MOST_ROWS = 40;

/** The visits of the first pass. @param {App} app @returns {Sheet} */
export function newSheet(app) {
  const { frames } = app.run;
  let rows = 0;
  while (rows < frames.visits && frames.pass[rows] === 1) rows++;
  return { rows: Math.min(MOST_ROWS, Math.max(1, rows)), cells: {}, marks: {}, checked: false };
}

/** @param {App} app @returns {VNode | null} */
export function sheetPanel(app) {
  const { ui, run } = app;
  const { sheet } = ui;
  if (!sheet) return null;
  const columns = tableColumns(app).filter(
    (column) => column.name !== "why" && column.name !== "norm" && column.name !== "k",
  );
  const rows = Math.min(sheet.rows, run.frames.visits);
  const change = (/** @type {Partial<Sheet>} */ to) => {
    Object.assign(sheet, to);
    app.draw();
  };
  return h(
    "section",
    { class: "card sheet", key: "sheet", "aria-label": msg("open_sheet") },
    h("h2", null, msg("open_sheet")),
    h("p", { class: "lead line" }, run.conventions),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": msg("sheet_scrolls") },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            columns.map((column) => h("th", { scope: "col" }, column.head)),
          ),
        ),
        h(
          "tbody",
          null,
          Array.from({ length: rows }, (_, i) =>
            h(
              "tr",
              { key: i },
              columns.map((column, c) => cell(app, sheet, column, i + 1, c)),
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      h("button", { class: "main", onclick: () => check(app, sheet, columns, rows) }, msg("check")),
      h("button", { onclick: () => change({ cells: {}, marks: {}, checked: false }) }, msg("sheet_clear")),
      number(msg("sheet_rows"), sheet.rows, { min: 1, max: MOST_ROWS, step: 1 }, (n) => change({ rows: n })),
      h(
        "button",
        {
          class: "quiet",
          onclick: () => {
            ui.sheet = null;
            app.draw();
          },
        },
        msg("close"),
      ),
    ),
    h("p", { class: "lead", role: "status" }, sheet.checked ? result(sheet, rows) : msg("sheet_help")),
  );
}

/**
 * @param {App} app @param {Sheet} sheet @param {import("./columns.js").Column} column @param {number} visit
 * @param {number} c
 */
function cell(app, sheet, column, visit, c) {
  if (!column.asked)
    return h(c === 0 ? "th" : "td", { scope: c === 0 ? "row" : null }, column.text(column.cell(visit)));
  const key = `${visit}.${column.name}`;
  const mark = sheet.marks[key];
  return h(
    "td",
    { class: mark === true ? "good" : mark === false ? "bad" : "" },
    h("input", {
      type: "text",
      autocomplete: "off",
      "data-cell": key,
      "aria-label": msg("sheet_cell", { v: visit, column: column.head }),
      value: sheet.cells[key] ?? "",
      "aria-invalid": mark === false ? "true" : null,
      oninput: (/** @type {any} */ e) => {
        sheet.cells[key] = e.target.value;
        if (sheet.marks[key] !== undefined) {
          delete sheet.marks[key];
          app.draw();
        }
      },
    }),
    h("span", { class: "tick", "aria-hidden": "true" }, mark === true ? "✓" : mark === false ? "✗" : ""),
  );
}

/** @param {App} app @param {Sheet} sheet @param {import("./columns.js").Column[]} columns @param {number} rows */
function check(app, sheet, columns, rows) {
  const { run } = app;
  sheet.marks = {};
  sheet.checked = true;
  for (let visit = 1; visit <= rows; visit++) {
    const y = Number(run.points[run.frames.row[visit - 1]].at(-1)) === 1 ? 1 : -1;
    for (const column of columns.filter((one) => one.asked)) {
      const key = `${visit}.${column.name}`;
      const text = sheet.cells[key] ?? "";
      if (text.trim() !== "") sheet.marks[key] = isRight(column.name, text, column.cell(visit), y);
    }
  }
  app.draw();
}

/** @param {Sheet} sheet @param {number} rows */
function result(sheet, rows) {
  const marks = Object.entries(sheet.marks);
  const wrong = marks.filter(([, right]) => right === false);
  if (!marks.length) return msg("sheet_empty");
  if (!wrong.length) return msg("sheet_all", { n: marks.length });
  const [visit, column] = wrong[0][0].split(/\.(.*)/s);
  const right = msg("sheet_right", { a: marks.length - wrong.length, b: marks.length });
  return `${right} ${msg("sheet_first_wrong", { v: visit, n: rows, column })}`;
}
