// From the plane of the points to the pixels of the plot and back, and what of a line or a half-plane is in view.

/** @typedef {import("./types").Box} Box */

const FARTHEST = 1e300; // what is beyond is out of view: the width of a box around it would be no number

/**
 * A box around the points, with air, of the shape of the plot.
 * @param {number[][]} points @param {number} width @param {number} height @returns {Box}
 */
export function boxAround(points, width, height) {
  const range = (/** @type {number} */ j) => {
    const values = points.map((point) => Math.max(-FARTHEST, Math.min(FARTHEST, point[j])));
    return values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
  };
  const [[left, right], [low, high]] = [range(0), range(1)];
  const size = Math.max(right - left, high - low) || Math.max(1, Math.abs(right), Math.abs(high));
  const unit = Math.max((right - left + 0.56 * size) / width, (high - low + 0.56 * size) / height);
  const [cx, cy] = [(left + right) / 2, (low + high) / 2];
  const [w, h] = [(unit * width) / 2, (unit * height) / 2];
  return { x0: cx - w, x1: cx + w, y0: cy - h, y1: cy + h, width, height };
}

/** @param {Box} box @param {number} x */
export function px(box, x) {
  return round(((x - box.x0) / (box.x1 - box.x0)) * box.width);
}

/** @param {Box} box @param {number} y */
export function py(box, y) {
  return round(box.height - ((y - box.y0) / (box.y1 - box.y0)) * box.height);
}

/** Where a pixel is in the plane. @param {Box} box @param {number} x @param {number} y */
export function placeOf(box, x, y) {
  return [box.x0 + (x / box.width) * (box.x1 - box.x0), box.y1 - (y / box.height) * (box.y1 - box.y0)];
}

/** Tenths of a pixel are enough, and make short paths. @param {number} v */
function round(v) {
  return Math.round(v * 10) / 10;
}

/** The grid's step: 1, 2 or 5 times a power of ten, about seven lines. @param {Box} box */
export function gridStep(box) {
  const rough = Math.max(box.x1 - box.x0, box.y1 - box.y0) / 7;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : 5);
}

/** @param {Box} box @returns {number[][]} */
export function corners(box) {
  return [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x1, box.y1],
    [box.x0, box.y1],
  ];
}

/**
 * The part of a polygon where c + a x + b y >= 0.
 * @param {number[][]} polygon @param {number[]} line constant first @returns {number[][]}
 */
export function clip(polygon, [c, a, b]) {
  const value = (/** @type {number[]} */ p) => c + a * p[0] + b * p[1];
  /** @type {number[][]} */
  const kept = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [u, v] = [value(p), value(q)];
    if (u >= 0) kept.push(p);
    if (u >= 0 !== v >= 0) {
      const t = u / (u - v);
      kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
    }
  });
  return kept;
}

/**
 * The two ends of the line in the box, or null.
 * @param {Box} box @param {number[]} line @returns {number[][] | null}
 */
export function segment(box, [c, a, b]) {
  const length = Math.hypot(a, b);
  if (!(length > 0)) return null;
  // A thin polygon around the line would do; simpler: both sides' shared corners are the ends.
  const ends = clip(corners(box), [c, a, b]).filter(
    (p) => Math.abs(c + a * p[0] + b * p[1]) <= 1e-9 * length * (box.x1 - box.x0 + box.y1 - box.y0),
  );
  return ends.length >= 2 ? [ends[0], ends[ends.length - 1]] : null;
}

/**
 * The foot of the box's centre on the line, moved into the box: where the arrow begins.
 * @param {Box} box @param {number[]} line @returns {number[] | null}
 */
export function foot(box, line) {
  const ends = segment(box, line);
  if (!ends) return null;
  const [[ax, ay], [bx, by]] = ends;
  const [cx, cy] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = length2 ? ((cx - ax) * (bx - ax) + (cy - ay) * (by - ay)) / length2 : 0.5;
  const kept = Math.min(0.85, Math.max(0.15, t));
  return [ax + kept * (bx - ax), ay + kept * (by - ay)];
}

/** As the `points` of an SVG polygon. @param {Box} box @param {number[][]} polygon */
export function pixels(box, polygon) {
  return polygon.map((p) => `${px(box, p[0])},${py(box, p[1])}`).join(" ");
}

/**
 * The regions of the plane where one class is ahead of all others.
 * @param {Box} box @param {number[][]} w one row a class, constant first @returns {number[][][]}
 */
export function regions(box, w) {
  return w.map((mine, c) =>
    w.reduce(
      (polygon, other, d) =>
        d === c
          ? polygon
          : clip(
              polygon,
              mine.map((v, j) => v - other[j]),
            ),
      corners(box),
    ),
  );
}
