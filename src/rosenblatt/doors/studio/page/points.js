// The points on the plot: seen, and moved, turned into another class and removed by keys. Mouse and finger: pointing.js.

import { h } from "./dom.js";
import { px, py } from "./geometry.js";
import { className, mark } from "./marks.js";
import { shown } from "./numbers.js";
import { alphas, isSecret, placeIn, seen } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

export const MOVE = -1; // tools; the others are the classes that a tap adds
export const REMOVE = -2;

/** A point as it is read out. @param {App} app @param {number} i */
export function named(app, i) {
  const p = app.run.points[i];
  const x = p.slice(0, -1).map((v) => shown(v));
  return msg("point_named", { i: i + 1, c: className(app.state.labels, Number(p.at(-1))), x: x.join(", ") });
}

/** Marks are smaller where there are many. @param {number} n */
function markSize(n) {
  return Math.max(0.38, Math.min(1, Math.sqrt(24 / n)));
}

/** @param {App} app @returns {VNode} */
export function drawnPoints(app) {
  const { run, state, box, ui } = app;
  const now = state.visit ? run.frames.row[state.visit - 1] : -1;
  const wrong = state.visit ? run.frames.mistake[state.visit - 1] : 0;
  const secret = isSecret(app);
  const alpha =
    run.live && (state.kernel !== "linear" || state.show.includes("alpha")) ? alphas(run, state, seen(app)) : null;
  const help = run.live ? msg("point_help") : "";
  const size = markSize(run.points.length);
  const marks = run.points.map((p, i) =>
    h(
      "g",
      {
        class: "point",
        key: i,
        "data-point": i,
        role: "button",
        tabindex: i === ui.at ? 0 : -1,
        "aria-label": named(app, i) + (i === now && !secret ? msg(wrong ? "point_mistake" : "point_right") : "") + help,
        transform: `translate(${px(box, placeIn(run, p)[0])} ${py(box, placeIn(run, p)[1])})`,
      },
      h("circle", { class: "halo", r: Math.max(9, 22 * size) }),
      i === now
        ? h("circle", { class: `visited ${secret ? "secret" : wrong ? "wrong" : "right"}`, r: 18 * size })
        : null,
      mark(Number(p.at(-1)), state.labels, size),
      size > 0.6 || i === now || i === ui.at ? h("text", { class: "name", x: 15 * size, y: -10 * size }, i + 1) : null,
      alpha && alpha[i] && size > 0.6
        ? h("text", { class: "alpha", x: 15 * size, y: 16 }, `α = ${shown(alpha[i])}`)
        : null,
    ),
  );
  return h("g", { class: "points" }, marks);
}

/** @param {App} app @param {number} i */
export function remove(app, i) {
  app.say(msg("point_removed", { point: named(app, i) }));
  app.ui.at = Math.max(0, i - 1);
  app.move(app.state.points.filter((_, j) => j !== i));
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {App} app @param {KeyboardEvent} event */
export function keyed(app, event) {
  const point = /** @type {Element} */ (event.target).closest(".point");
  if (!point || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = Number(point.getAttribute("data-point"));
  const n = app.state.points.length;
  const handled =
    event.key === "PageDown"
      ? focus(app, (i + 1) % n)
      : event.key === "PageUp"
        ? focus(app, (i + n - 1) % n)
        : app.run.live && edited(app, event, i);
  if (handled) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {App} app @param {KeyboardEvent} event @param {number} i */
function edited(app, event, i) {
  const { state } = app;
  const arrow = ARROWS[event.key];
  const step = 10 ** Math.floor(Math.log10((app.box.x1 - app.box.x0) / 8)) * (event.shiftKey ? 5 : 1);
  const digit = Number(event.key) - 1;
  const label =
    state.labels.length === 2 && event.key === "+" ? 1 : state.labels.length === 2 && event.key === "-" ? 0 : digit;
  if (arrow) {
    const to = (/** @type {number} */ v, /** @type {number} */ d) => Number((v + d * step).toPrecision(12));
    app.move(state.points.map((p, j) => (j === i ? [to(p[0], arrow[0]), to(p[1], arrow[1]), p[2]] : p)));
  } else if (event.key === "Delete" || event.key === "Backspace") {
    remove(app, i);
    focus(app, app.ui.at);
    return true;
  } else if (Number.isInteger(label) && label >= 0 && label < state.labels.length) {
    app.move(state.points.map((p, j) => (j === i ? [p[0], p[1], label] : p)));
  } else return false;
  app.say(named(app, i));
  return true;
}

/** @param {App} app @param {number} i */
function focus(app, i) {
  app.ui.at = i;
  app.draw();
  /** @type {SVGElement | null} */ (app.root.querySelector(`[data-point="${i}"]`))?.focus();
  return true;
}
