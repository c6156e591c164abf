// The table as CSV, with the names and all the digits that Python's `Trace.to_csv(digits=None)` has, and as LaTeX.

import { tableColumns } from "./columns.js";
import { shown, valueOf } from "./numbers.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Num} Num */

/** @param {App} app */
export function asCsv(app) {
  const columns = tableColumns(app);
  const cell = (/** @type {string} */ text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const value = (/** @type {import("./columns.js").Column} */ column, /** @type {Num} */ v) =>
    column.name === "y" && app.state.labels.length > 2 ? app.state.labels[Number(v)] : String(v);
  const lines = [columns.map((column) => cell(column.name)).join(",")];
  for (let visit = 1; visit <= app.run.frames.visits; visit++) {
    lines.push(columns.map((column) => cell(value(column, column.cell(visit)))).join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** The heads that are letters of mathematics. @param {string} name */
function head(name) {
  const letter = /^(w|alpha)(\d+)(.*)$/.exec(name);
  if (letter) return `$${letter[1] === "w" ? "w" : "\\alpha"}_{${letter[2]}}$${escaped(letter[3])}`;
  return { y: "$y$", k: "$k$", norm: "$\\|w\\|$" }[name] ?? escaped(name);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&%$#_{}~^\\[<>|]/g, (c) =>
    c === "\\"
      ? "\\textbackslash{}"
      : c === "["
        ? "{[}"
        : c === "~"
          ? "\\textasciitilde{}"
          : c === "^"
            ? "\\textasciicircum{}"
            : "<>|".includes(c)
              ? `$${c}$`
              : `\\${c}`,
  );
}

/** A tabular that needs no package. @param {App} app */
export function asLatex(app) {
  const columns = tableColumns(app);
  const words = new Set(["mistake", "why"]);
  const cell = (/** @type {import("./columns.js").Column} */ column, /** @type {Num} */ v) =>
    words.has(column.name) || (column.name === "y" && app.state.labels.length > 2)
      ? escaped(column.text(v))
      : `$${number(v)}$`;
  const lines = [];
  for (let visit = 1; visit <= app.run.frames.visits; visit++) {
    lines.push(`${columns.map((column) => cell(column, column.cell(visit))).join(" & ")} \\\\`);
  }
  return [
    `% ${ascii(app.run.conventions)}`,
    `\\begin{tabular}{${columns.map((column) => (words.has(column.name) ? "l" : "r")).join("")}}`,
    "\\hline",
    `${columns.map((column) => head(column.name)).join(" & ")} \\\\`,
    "\\hline",
    ...lines,
    "\\hline",
    "\\end{tabular}",
    `% ${ascii(app.run.ending)}`,
    "",
  ].join("\n");
}

/** @param {Num} v */
function number(v) {
  const text = typeof v === "string" ? v : shown(valueOf(v)).replace("−", "-");
  return text.replace(/e([+-]?\d+)/, (_, power) => ` \\cdot 10^{${Number(power)}}`);
}

/** A comment that every LaTeX reads. @param {string} text */
function ascii(text) {
  const plain = { "−": "-", "≤": "<=", η: "eta", "·": ".", "′": "'", "²": "^2" };
  return text.replace(/[−≤η·′²]/g, (c) => /** @type {Record<string, string>} */ (plain)[c]);
}
