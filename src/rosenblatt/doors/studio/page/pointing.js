// Mouse and finger on the plot: a point is dragged or removed, a tap adds one, a drag of the plot moves the view, two
// fingers and the wheel with Ctrl zoom it.

import { placeOf } from "./geometry.js";
import { REMOVE, keyed, remove } from "./points.js";
import { affine, unscaled } from "./scale.js";
import { panned, zoomed } from "./zoom.js";

/** @typedef {import("./types").App} App */

const STILL = 6; // pixels that a tap may move

/** A round number near a place: two digits finer than the grid would need. @param {App} app @param {number} v */
function rounded(app, v) {
  const step = 10 ** Math.floor(Math.log10((app.box.x1 - app.box.x0) / 60));
  return Number((Math.round(v / step) * step).toPrecision(12));
}

/** Where the pointer is in the plot's own pixels. @param {App} app @param {PointerEvent | WheelEvent} event */
function pixelsAt(app, event) {
  const svg = /** @type {SVGSVGElement} */ (app.root.querySelector(".plot-svg"));
  const frame = svg.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  return [(x * app.box.width) / frame.width, (y * app.box.height) / frame.height];
}

/**
 * Where the pointer is among the points as they were given.
 * @param {App} app @param {PointerEvent} event @param {import("./scale.js").Affine} map
 */
function pointed(app, event, map) {
  const [x, y] = pixelsAt(app, event);
  return unscaled(map, placeOf(app.box, x, y)).map((v) => rounded(app, v));
}

/**
 * They are listened to on the plot's frame, which outlives every drawing.
 * @param {App} app @param {HTMLElement} frame
 */
export function pointing(app, frame) {
  const { ui } = app;
  /** The scaling stays as it was when a drag began: else the point would run away from the finger. */
  let map = affine([], "none");
  /** Fingers on the plot beside its points. @type {Map<number, number[]>} */
  const fingers = new Map();
  let moved = 0; // pixels, since the first finger came
  frame.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest(".plot-svg") || event.button > 0) return;
    map = affine(app.state.points, app.state.scale);
    const point = app.run.live && !fingers.size ? target.closest(".point") : null;
    if (point && ui.tool === REMOVE) remove(app, Number(point.getAttribute("data-point")));
    else if (point) {
      ui.held = ui.at = Number(point.getAttribute("data-point"));
      /** @type {SVGElement} */ (point).focus({ preventScroll: true });
      event.preventDefault();
    } else if (ui.held < 0) {
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, pixelsAt(app, event));
    } else return;
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (ui.held >= 0) {
      const [x, y] = pointed(app, event, map);
      app.move(
        app.state.points.map((p, i) => (i === ui.held ? [x, y, p[2]] : p)),
        true,
      );
      return;
    }
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [x, y] = pixelsAt(app, event);
    moved += Math.hypot(x - before[0], y - before[1]);
    if (fingers.size === 1 && moved < STILL) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, [x, y]);
    if (!other) app.look(panned(app.box, x - before[0], y - before[1]));
    else {
      const apart = (/** @type {number[]} */ at) => Math.max(10, Math.hypot(at[0] - other[0], at[1] - other[1]));
      app.look(zoomed(app.box, apart(before) / apart([x, y]), other[0], other[1]));
    }
  });
  const drop = (/** @type {PointerEvent} */ event) => {
    const tap = fingers.delete(event.pointerId) && !fingers.size && moved < STILL && event.type === "pointerup";
    if (ui.held >= 0) {
      ui.held = -1;
      app.move(app.state.points);
    } else if (tap && ui.tool >= 0 && app.run.live) {
      const [x, y] = pointed(app, event, map);
      ui.at = app.state.points.length;
      app.move([...app.state.points, [x, y, ui.tool]]);
    }
  };
  frame.addEventListener("pointerup", drop);
  frame.addEventListener("pointercancel", drop);
  const wheel = (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey && !event.metaKey) return; // else the page scrolls
    event.preventDefault();
    const [x, y] = pixelsAt(app, event);
    app.look(zoomed(app.box, Math.exp(Math.max(-50, Math.min(50, event.deltaY)) / 150), x, y));
  };
  frame.addEventListener("wheel", wheel, { passive: false });
  frame.addEventListener("keydown", (event) => keyed(app, event));
}
