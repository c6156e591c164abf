// Centring and scaling, as a switch: the run learns from the scaled points, and R and gamma change with them.
// The map is affine, so a point that is dragged can be mapped back.

/** @typedef {import("./types").Scale} Scale */
/** @typedef {{ shift: number[], stretch: number[] }} Affine */

/**
 * The map of these points: none; centre (the mean goes to 0); standard (and the deviation of each feature to 1);
 * unit (the longest has length 1, nothing is shifted).
 * @param {number[][]} points @param {Scale} scale @returns {Affine}
 */
export function affine(points, scale) {
  const n = Math.max(1, points.length);
  const over = (/** @type {number} */ j, /** @type {(v: number) => number} */ of) =>
    points.reduce((sum, point) => sum + of(point[j]), 0) / n;
  if (scale === "none" || points.length === 0) return { shift: [0, 0], stretch: [1, 1] };
  if (scale === "unit") {
    const longest = Math.max(...points.map(([a, b]) => Math.hypot(a, b)));
    const s = longest > 0 ? 1 / longest : 1;
    return { shift: [0, 0], stretch: [s, s] };
  }
  const shift = [0, 1].map((j) => over(j, (v) => v));
  if (scale === "centre") return { shift, stretch: [1, 1] };
  const deviation = [0, 1].map((j) => Math.sqrt(over(j, (v) => (v - shift[j]) ** 2)));
  return { shift, stretch: deviation.map((d) => (d > 0 ? 1 / d : 1)) };
}

/** @param {Affine} map @param {number[]} point */
export function scaled(map, [a, b, label]) {
  return [(a - map.shift[0]) * map.stretch[0], (b - map.shift[1]) * map.stretch[1], label];
}

/** @param {Affine} map @param {number[]} place */
export function unscaled(map, [a, b]) {
  return [a / map.stretch[0] + map.shift[0], b / map.stretch[1] + map.shift[1]];
}
