// The points on the plot: seen, and moved, added, turned into another class and taken away, by mouse, finger and keys.

import { h } from "./dom.js";
import { placeOf, px, py } from "./geometry.js";
import { className, mark } from "./marks.js";
import { shown } from "./numbers.js";
import { alphas, isSecret, placeIn, seen } from "./run.js";
import { affine, unscaled } from "./scale.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** A point as it is read out. @param {App} app @param {number} i */
export function named(app, i) {
  const p = app.run.points[i];
  return `Point ${i + 1}, class ${className(app.state.labels, Number(p.at(-1)))}, at ${p
    .slice(0, -1)
    .map((v) => shown(v))
    .join(", ")}`;
}

/** @param {App} app @returns {VNode} */
export function drawnPoints(app) {
  const { run, state, box, ui } = app;
  const now = state.visit ? run.frames.row[state.visit - 1] : -1;
  const wrong = state.visit ? run.frames.mistake[state.visit - 1] : 0;
  const secret = isSecret(app);
  const alpha =
    run.live && (state.kernel !== "linear" || state.show.includes("alpha")) ? alphas(run, state, seen(app)) : null;
  const help = run.live ? ". Arrows move it, plus and minus or a digit set its class, Delete removes it" : "";
  const marks = run.points.map((p, i) =>
    h(
      "g",
      {
        class: "point",
        key: i,
        "data-point": i,
        role: "button",
        tabindex: i === ui.at ? 0 : -1,
        "aria-label":
          named(app, i) + (i === now && !secret ? `, this visit: ${wrong ? "a mistake" : "right"}` : "") + help,
        transform: `translate(${px(box, placeIn(run, p)[0])} ${py(box, placeIn(run, p)[1])})`,
      },
      h("circle", { class: "halo", r: 22 }),
      i === now ? h("circle", { class: `visited ${secret ? "secret" : wrong ? "wrong" : "right"}`, r: 18 }) : null,
      mark(Number(p.at(-1)), state.labels),
      h("text", { class: "name", x: 15, y: -10 }, i + 1),
      alpha && alpha[i] ? h("text", { class: "alpha", x: 15, y: 16 }, `α = ${shown(alpha[i])}`) : null,
    ),
  );
  return h("g", { class: "points" }, marks);
}

/** A round number near a place: two digits finer than the grid would need. @param {App} app @param {number} v */
function rounded(app, v) {
  const step = 10 ** Math.floor(Math.log10((app.box.x1 - app.box.x0) / 60));
  return Number((Math.round(v / step) * step).toPrecision(12));
}

/**
 * Where the pointer is among the points as they were given.
 * @param {App} app @param {PointerEvent} event @param {import("./scale.js").Affine} map
 */
function pointed(app, event, map) {
  const svg = /** @type {SVGSVGElement} */ (app.root.querySelector(".plot-svg"));
  const frame = svg.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const place = placeOf(app.box, (x * app.box.width) / frame.width, (y * app.box.height) / frame.height);
  return unscaled(map, place).map((v) => rounded(app, v));
}

/**
 * Mouse and finger, listened to on the plot's frame, which outlives every drawing.
 * @param {App} app @param {HTMLElement} frame
 */
export function pointing(app, frame) {
  /** The scaling stays as it was when a drag began: else the point would run away from the finger. */
  let map = affine([], "none");
  frame.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest(".plot-svg") || !app.run.live) return;
    map = affine(app.state.points, app.state.scale);
    const point = target.closest(".point");
    if (point) {
      app.ui.held = app.ui.at = Number(point.getAttribute("data-point"));
      frame.setPointerCapture(event.pointerId);
      /** @type {SVGElement} */ (point).focus({ preventScroll: true });
      event.preventDefault();
    } else if (app.ui.tool >= 0) {
      const [x, y] = pointed(app, event, map);
      app.ui.at = app.state.points.length;
      app.move([...app.state.points, [x, y, app.ui.tool]]);
    }
  });
  frame.addEventListener("pointermove", (event) => {
    if (app.ui.held < 0) return;
    const [x, y] = pointed(app, event, map);
    app.move(
      app.state.points.map((p, i) => (i === app.ui.held ? [x, y, p[2]] : p)),
      true,
    );
  });
  const drop = () => {
    if (app.ui.held < 0) return;
    app.ui.held = -1;
    app.move(app.state.points);
  };
  frame.addEventListener("pointerup", drop);
  frame.addEventListener("pointercancel", drop);
  frame.addEventListener("keydown", (event) => keyed(app, event));
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {App} app @param {KeyboardEvent} event */
function keyed(app, event) {
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
    app.ui.at = Math.max(0, i - 1);
    app.move(state.points.filter((_, j) => j !== i));
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
