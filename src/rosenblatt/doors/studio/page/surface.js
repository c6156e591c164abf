// A surface over the plane, given at the nodes of a grid: the part of it that is above a level, and the level's line.
// Each cell is cut by straight lines between its nodes (marching squares), so that edges are smooth on coarse grids.

import { px, py } from "./geometry.js";

/** @typedef {import("./types").Box} Box */

/**
 * The nodes of a grid over the box, row by row from below.
 * @param {Box} box @param {number} across @returns {{ nx: number, ny: number, at: number[][] }}
 */
export function gridOver(box, across) {
  const nx = across;
  const ny = Math.max(2, Math.round((across * box.height) / box.width));
  /** @type {number[][]} */
  const at = [];
  for (let j = 0; j < ny; j++) {
    const y = box.y0 + (j / (ny - 1)) * (box.y1 - box.y0);
    for (let i = 0; i < nx; i++) at.push([box.x0 + (i / (nx - 1)) * (box.x1 - box.x0), y]);
  }
  return { nx, ny, at };
}

/**
 * Paths in pixels: the area above the level, and its edge.
 * @param {Box} box @param {{ nx: number, ny: number, at: number[][] }} grid @param {ArrayLike<number>} values
 * @param {number} level
 */
export function above(box, { nx, ny, at }, values, level) {
  let area = "";
  let edge = "";
  const node = (/** @type {number} */ k) => ({ x: px(box, at[k][0]), y: py(box, at[k][1]), v: values[k] - level });
  for (let j = 0; j + 1 < ny; j++) {
    let full = -1; // where a run of cells that are all above began
    for (let i = 0; i + 1 < nx; i++) {
      const k = j * nx + i;
      const cell = [node(k), node(k + 1), node(k + 1 + nx), node(k + nx)];
      const n = cell.filter((p) => p.v > 0).length;
      if (n === 4) {
        if (full < 0) full = k;
        if (i + 2 === nx) area += strip(node(full), cell[2]);
        continue;
      }
      if (full >= 0) area += strip(node(full), cell[3]);
      full = -1;
      if (n > 0) {
        const [polygon, cuts] = cut(cell);
        area += `M${polygon.join("L")}Z`;
        for (let c = 0; c + 1 < cuts.length; c += 2) edge += `M${cuts[c]}L${cuts[c + 1]}`;
      }
    }
  }
  return { area, edge };
}

/** @typedef {{ x: number, y: number, v: number }} Corner */

/** Whole cells side by side. @param {Corner} from @param {Corner} to */
function strip(from, to) {
  return `M${from.x} ${from.y}H${to.x}V${to.y}H${from.x}Z`;
}

/**
 * The part of a cell above 0, and where its border is crossed.
 * @param {Corner[]} cell @returns {[string[], string[]]}
 */
function cut(cell) {
  /** @type {string[]} */ const polygon = [];
  /** @type {string[]} */ const cuts = [];
  cell.forEach((p, i) => {
    const q = cell[(i + 1) % 4];
    if (p.v > 0) polygon.push(`${p.x} ${p.y}`);
    if (p.v > 0 !== q.v > 0) {
      const t = p.v / (p.v - q.v);
      const place = `${(p.x + t * (q.x - p.x)).toFixed(1)} ${(p.y + t * (q.y - p.y)).toFixed(1)}`;
      polygon.push(place);
      cuts.push(place);
    }
  });
  return [polygon, cuts];
}
