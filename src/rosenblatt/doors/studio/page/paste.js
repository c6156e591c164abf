// Points from a CSV file or from the clipboard: two numbers and a label a line, parted by commas, semicolons, tabs or
// blanks; a first line of names is passed over, and so is an index before the numbers, as pandas and R write it. What is
// wrong is named by its line.

import { MOST_CLASSES } from "./marks.js";
import { msg } from "./speak.js";

const MOST_POINTS = 500;
const PLUS = new Set(["+1", "1", "+", "1.0", "true", "yes", "pos"]);
const INDEX = /^(|#|id|index|unnamed: 0)$/i; // the name of a column that only counts
const MINUS = new Set(["-1", "0", "-", "−1", "−", "-1.0", "0.0", "false", "no", "neg"]);

/** @param {string} text @returns {{ points: number[][], labels: string[] }} */
export function readPoints(text) {
  const rows = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line, i) => ({ at: i + 1, line: line.trimEnd() }))
    .filter(({ line }) => line);
  if (!rows.length) throw new Error(msg("paste_nothing"));
  const bare = rows[0].line.replace(/"[^"]*"/g, '""');
  const parting = [";", "\t", ","].find((mark) => bare.includes(mark));
  const cells = rows.map(({ at, line }) => ({ at, cells: cellsOf(line, parting) }));
  const isNumber = (/** @type {string} */ cell) => cell !== "" && Number.isFinite(numberOf(cell, parting));
  const indexed = cells[0].cells.length === 4 && INDEX.test(cells[0].cells[0]);
  const heads = cells[0].cells.slice(indexed ? 1 : 0);
  if (heads.length === 3 && heads.slice(0, 2).every(isName)) {
    cells.shift();
    if (indexed) for (const row of cells) row.cells.shift();
  }
  if (!cells.length) throw new Error(msg("paste_no_points"));
  if (cells.length > MOST_POINTS) throw new Error(msg("paste_many", { n: MOST_POINTS, m: cells.length }));
  /** @type {string[]} */
  const names = [];
  for (const row of cells) {
    if (row.cells.length !== 3) throw new Error(msg("paste_cells", { i: row.at, n: row.cells.length }));
    const bad = row.cells.slice(0, 2).find((cell) => !isNumber(cell));
    if (bad !== undefined) throw new Error(msg("paste_number", { i: row.at, cell: bad || msg("nothing") }));
    names.push(row.cells[2].toLowerCase());
  }
  const distinct = [...new Set(cells.map((row) => row.cells[2]))];
  if (distinct.length > MOST_CLASSES) throw new Error(msg("paste_labels", { n: MOST_CLASSES, m: distinct.length }));
  const signs = names.every((name) => PLUS.has(name) || MINUS.has(name));
  const labels = signs ? ["-1", "+1"] : distinct.sort();
  if (labels.length < 2) throw new Error(msg("paste_one", { label: labels[0] }));
  const points = cells.map((row, i) => [
    numberOf(row.cells[0], parting),
    numberOf(row.cells[1], parting),
    signs ? Number(PLUS.has(names[i])) : labels.indexOf(row.cells[2]),
  ]);
  return { points, labels };
}

/**
 * The cells of a line. In quotes a mark parts nothing, and two quotes are one.
 * @param {string} line @param {string | undefined} parting blanks, if there is none
 */
function cellsOf(line, parting) {
  const quoted = '"(?:[^"]|"")*"';
  const found = parting
    ? line.match(new RegExp(`(?<=^|${parting})(?:[^\\S\\t]*${quoted}[^\\S\\t]*(?=${parting}|$)|[^${parting}]*)`, "g"))
    : line.trim().match(new RegExp(`${quoted}(?!\\S)|\\S+`, "g"));
  return (found ?? []).map((cell) => cell.trim().replace(/^"(.*)"$/, (_, inside) => inside.replaceAll('""', '"')));
}

/** The name of a column: a word, but none for a number that there is not. @param {string} cell */
function isName(cell) {
  return /^[\p{L}_][^[\](){}]*$/u.test(cell) && !/^(inf|infinity|nan|none|null|na)$/i.test(cell);
}

/** Where semicolons part the cells, 0,5 is a half. @param {string} cell @param {string | undefined} parting */
function numberOf(cell, parting) {
  return Number((parting === ";" ? cell.replace(",", ".") : cell).replace("−", "-"));
}
