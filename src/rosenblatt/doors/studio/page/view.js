// What part of the plane is in view, unless the reader has chosen it.

import { boxAround, foot, segment } from "./geometry.js";
import { lineOf } from "./lines.js";
import { placeIn, weights } from "./run.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Box} Box */

/**
 * All points are in view, and the line at the end of the run if it is not far; so is the origin where no constant
 * feature moves lines away from it.
 * @param {App} app @param {number[][]} also further places @returns {Box}
 */
export function fittedBox({ run, state, box, ...app }, also) {
  const points = [...run.points.map((point) => placeIn(run, point)), ...also];
  const linear = state.kernel === "linear";
  if (points.length && !state.fit_intercept && linear) points.push([0, 0]);
  const around = boxAround(points, box.width, box.height);
  if (!linear || run.machines > 1 || run.features !== 2 || !run.frames.visits) return around;
  const line = lineOf({ run, state, box, ...app }, weights(run, run.frames.visits)[0]);
  if (segment(around, line)) return around;
  const { x0, x1, y0, y1 } = around;
  const [dx, dy] = [x1 - x0, y1 - y0];
  const near = foot({ ...around, x0: x0 - dx, x1: x1 + dx, y0: y0 - dy, y1: y1 + dy }, line);
  return near ? boxAround([...points, near], box.width, box.height) : around;
}

/** Whether all points are in view. @param {App} app */
export function holdsPoints({ run, box }) {
  const places = run.points.map((point) => placeIn(run, point));
  return places.every(([x, y]) => x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1);
}
