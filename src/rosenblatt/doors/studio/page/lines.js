// Which lines the plot has: that of the weights now, turning from those before, and beside it those of the other
// readouts, the widest margin, and the band that no point is in. Their numbers are the run's.

import { street } from "./ask.js";
import { h } from "./dom.js";
import { foot, px, py, segment } from "./geometry.js";
import { valueOf } from "./numbers.js";
import { average, placeIn, pocket, seen, weights } from "./run.js";
import { marginOf } from "./words.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Box} Box */
/** @typedef {import("./types").Num} Num */
/** @typedef {import("./types").VNode} VNode */

/**
 * The line of a weight vector: constant first, times the value of the constant feature.
 * @param {App} app @param {Num[]} w @returns {number[]}
 */
export function lineOf(app, w) {
  const bias = app.run.constant ? app.state.intercept_scaling : 0;
  return [valueOf(w[0]) * bias, valueOf(w[1]), w.length > 2 ? valueOf(w[2]) : 0];
}

/** The weights that answer now, while they turn in between. @param {App} app @returns {Num[][]} */
export function answering(app) {
  const { run, state, ui } = app;
  const visit = seen(app);
  const of = { last: weights, average, vote: weights, pocket }[state.readout];
  const now = of(run, visit);
  if (ui.tween >= 1) return now;
  const before = of(run, Math.min(ui.from, visit));
  return now.map((row, m) => row.map((v, j) => valueOf(before[m][j]) * (1 - ui.tween) + valueOf(v) * ui.tween));
}

/** @param {Box} box @param {number[]} line @param {string} name @returns {VNode | null} */
export function drawn(box, line, name) {
  const ends = segment(box, line);
  if (!ends) return null;
  const [[x1, y1], [x2, y2]] = ends;
  return h("line", { class: `line ${name}`, x1: px(box, x1), y1: py(box, y1), x2: px(box, x2), y2: py(box, y2) });
}

/**
 * The arrow of w: it stands on the line and points to the + side.
 * @param {Box} box @param {number[]} line @returns {VNode | null}
 */
export function arrow(box, line) {
  const at = foot(box, line);
  if (!at) return null;
  const [, a, b] = line;
  const length = Math.hypot(a, b);
  const [x, y] = [px(box, at[0]), py(box, at[1])];
  const reach = 0.16 * Math.min(box.width, box.height);
  const [dx, dy] = [(reach * a) / length, (-reach * b) / length];
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  return h(
    "g",
    { class: "arrow" },
    h("line", { x1: x, y1: y, x2: x + dx * 0.93, y2: y + dy * 0.93 }),
    h("path", { d: "M0 0L-13 5.5L-13-5.5Z", transform: `translate(${x + dx} ${y + dy}) rotate(${angle})` }),
    h("text", { x: x + dx * 1.14, y: y + dy * 1.14 + 5, "text-anchor": "middle" }, "w"),
  );
}

/**
 * No point is nearer to the line than this: the set's margin, or the β that was asked for.
 * @param {App} app @param {number[]} line
 */
function halfBand(app, line) {
  const length = Math.hypot(line[1], line[2]);
  const asked = marginOf(app.state);
  if (asked > 0) return asked / length;
  const gaps = app.run.points.map((point) => {
    const [x, y] = placeIn(app.run, point);
    return ((point.at(-1) === 1 ? 1 : -1) * (line[0] + line[1] * x + line[2] * y)) / length;
  });
  return Math.min(...gaps);
}

/** @param {App} app @param {number[]} line @returns {VNode[]} */
export function band(app, line) {
  const half = halfBand(app, line);
  const length = Math.hypot(line[1], line[2]);
  if (!(half > 0) || !(length > 0)) return [];
  const { box } = app;
  const ends = segment(box, line);
  if (!ends) return [];
  const wide = (2 * half * box.width) / (box.x1 - box.x0);
  const [[x1, y1], [x2, y2]] = ends;
  // The ends are drawn out so that the band's corners are outside of the view.
  const [ex, ey] = [(x2 - x1) * 2, (y2 - y1) * 2];
  return [
    h("line", {
      class: "band",
      "stroke-width": wide.toFixed(1),
      x1: px(box, x1 - ex),
      y1: py(box, y1 - ey),
      x2: px(box, x2 + ex),
      y2: py(box, y2 + ey),
    }),
  ];
}

/** The widest street between the classes: its middle and its kerbs. @param {App} app @returns {(VNode | null)[]} */
export function widest(app) {
  const found = street(app);
  if (!found) return [];
  const { line, half } = found;
  return [
    drawn(app.box, line, "widest"),
    drawn(app.box, [line[0] - half, line[1], line[2]], "kerb"),
    drawn(app.box, [line[0] + half, line[1], line[2]], "kerb"),
  ];
}

/** The lines of the other readouts, where they are asked for. @param {App} app @returns {(VNode | null)[]} */
export function others(app) {
  const { state, run, box } = app;
  const of = { last: weights, average, pocket };
  return /** @type {("last" | "average" | "pocket")[]} */ (["last", "average", "pocket"])
    .filter((name) => state.show.includes(name) && name !== state.readout)
    .map((name) => drawn(box, lineOf(app, of[name](run, seen(app))[0]), name));
}
