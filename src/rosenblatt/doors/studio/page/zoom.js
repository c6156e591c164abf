// Nearer and further: the plot's box changes by buttons, by the wheel with Ctrl, by two fingers, and by dragging the plot.

import { h } from "./dom.js";
import { placeOf } from "./geometry.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Box} Box */
/** @typedef {import("./types").VNode} VNode */

const STEP = 1.4; // of a button
const [LEAST, MOST] = [1e-9, 1e12]; // of the width, compared with where the box is

/**
 * The box with `factor` times as much in it; the place at these pixels stays.
 * @param {Box} box @param {number} factor @param {number} [x] @param {number} [y] @returns {Box}
 */
export function zoomed(box, factor, x = box.width / 2, y = box.height / 2) {
  const [cx, cy] = placeOf(box, x, y);
  const from = (/** @type {number} */ v, /** @type {number} */ c) => c + (v - c) * factor;
  const next = { ...box, x0: from(box.x0, cx), x1: from(box.x1, cx), y0: from(box.y0, cy), y1: from(box.y1, cy) };
  const width = next.x1 - next.x0;
  const size = Math.max(1, Math.abs(cx), Math.abs(cy));
  return width > LEAST * size && width < Math.max(MOST, size * STEP) ? next : box;
}

/** The box after the plot was dragged by so many pixels. @param {Box} box @param {number} dx @param {number} dy @returns {Box} */
export function panned(box, dx, dy) {
  const [x, y] = [((box.x1 - box.x0) / box.width) * dx, ((box.y1 - box.y0) / box.height) * dy];
  return { ...box, x0: box.x0 - x, x1: box.x1 - x, y0: box.y0 + y, y1: box.y1 + y };
}

/** The same middle and the same pixels a unit in a plot of another size. @param {Box} box @param {number} width @param {number} height @returns {Box} */
export function resized(box, width, height) {
  const unit = (box.x1 - box.x0) / box.width;
  const [cx, cy] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  const [w, h] = [(unit * width) / 2, (unit * height) / 2];
  return { x0: cx - w, x1: cx + w, y0: cy - h, y1: cy + h, width, height };
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The buttons in the corner of the plot. @param {App} app @returns {VNode} */
export function zoomButtons(app) {
  const view = (/** @type {Box} */ box) => app.look(box);
  const button = (/** @type {string} */ face, /** @type {string} */ name, /** @type {() => void} */ act) =>
    h("button", { key: name, "aria-label": name, title: name, onclick: act }, face);
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    view(panned(app.box, (way[0] * app.box.width) / 8, (way[1] * app.box.height) / 8));
  };
  return h(
    "div",
    { class: "zoom", key: "zoom", role: "group", "aria-label": msg("view"), onkeydown },
    button("+", msg("zoom_in"), () => view(zoomed(app.box, 1 / STEP))),
    button("−", msg("zoom_out"), () => view(zoomed(app.box, STEP))),
    button(msg("fit"), msg("show_points"), () => app.look(null)),
    button("(0, 0)", msg("show_origin"), () => app.look(null, [0, 0])),
  );
}
