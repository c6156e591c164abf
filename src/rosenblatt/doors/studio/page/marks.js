// A point as it is drawn: its class is a colour, a shape and a sign, so that none of them is needed alone.

import { h } from "./dom.js";

/** @typedef {import("./types").VNode} VNode */

const SHAPES = [
  // The shapes of the pictures that Python draws, in their order.
  "M-10.5 0A10.5 10.5 0 1 1 10.5 0A10.5 10.5 0 1 1-10.5 0Z", // class 0: a circle
  "M-9.5-9.5H9.5V9.5H-9.5Z", // class 1: a square
  "M0-12.5L12 8.5H-12Z",
  "M0-13L13 0L0 13L-13 0Z",
  "M0 12.5L12-8.5H-12Z",
  "M-5-12H5V-5H12V5H5V12H-5V5H-12V-5H-5Z",
];
export const MOST_CLASSES = SHAPES.length;

/** @param {number} label the number of its class @param {string[]} labels what they are called @param {number} [size] @returns {VNode} */
export function mark(label, labels, size = 1) {
  const sign = label === 1 ? "M-5 0H5M0-5V5" : "M-5 0H5";
  return h(
    "g",
    { class: `mark class-${label}`, transform: size < 1 ? `scale(${size.toFixed(2)})` : null },
    h("path", { class: "shape", d: SHAPES[label % SHAPES.length] }),
    labels.length === 2
      ? h("path", { class: "sign", d: sign })
      : h(
          "text",
          { class: "number", y: label === 2 ? 6.5 : 4.5, "text-anchor": "middle" },
          labels[label].length < 3 ? labels[label] : label + 1,
        ),
  );
}

/** The same, small, for a button or a heading. @param {number} label @param {string[]} labels @returns {VNode} */
export function icon(label, labels) {
  return h("svg", { class: "icon", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, mark(label, labels));
}

/**
 * What a class is called: + and − where there are two called +1 and -1, else its label.
 * @param {string[]} labels @param {number} label
 */
export function className(labels, label) {
  if (labels.length === 2 && labels[0] === "-1" && labels[1] === "+1") return label === 1 ? "+" : "−";
  return labels[label]?.replace("-", "−") ?? String(label + 1);
}
