// Is what a student wrote right? The rules of `rosenblatt check`: fractions, decimals right as far as they go, yes or
// no, add or subtract.

import { valueOf } from "./numbers.js";

/** @typedef {import("./types").Num} Num */

const YES = new Set(["yes", "y", "true", "1", "update", "ja", "sí", "si"]);
const NO = new Set(["no", "nein", "n", "false", "0", "none", "-", "–", ""]);

/**
 * A number as written, and how far from it the truth may be; null if it is none.
 * @param {string} text @returns {{ value: number, slack: number } | null}
 */
export function written(text) {
  const plain = text
    .trim()
    .replace(/[−–]/g, "-")
    .replace(",", ".")
    .replace(/^([+-])\s+/, "$1");
  const parts = /^([+-]?)(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)$/.exec(plain);
  if (parts) {
    const size = Number(parts[2] ?? 0) + Number(parts[3]) / Number(parts[4]);
    return Number.isFinite(size) ? { value: parts[1] === "-" ? -size : size, slack: 0 } : null;
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const places = /\.(\d*)/.exec(plain)?.[1].length;
  return { value: Number(plain), slack: places === undefined ? 0 : 0.5 * 10 ** -places };
}

/** @param {string} text @param {Num} truth @returns {boolean} */
export function isNumber(text, truth) {
  const found = written(text);
  if (!found) return false;
  const true_ = valueOf(truth);
  return Math.abs(found.value - true_) <= Math.max(found.slack, 4e-11 * Math.max(1, Math.abs(true_))) * (1 + 1e-9);
}

/**
 * Whether a cell of the table is right.
 * @param {string} name of the column @param {string} text @param {Num} truth @param {number} y +1 or -1
 */
export function isRight(name, text, truth, y) {
  if (name !== "mistake") return isNumber(text, truth);
  const word = text.trim().toLowerCase();
  if (word === "add" || word === "subtract") return truth === "yes" && (word === "add") === y > 0;
  return (truth === "yes" ? YES : NO).has(word) && word !== "";
}
