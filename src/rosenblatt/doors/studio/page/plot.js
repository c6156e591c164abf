// The plot: what the weights say about the plane, the points on it, and the line between.

import { kernelScores, voteScores } from "./ask.js";
import { h } from "./dom.js";
import { clip, corners, gridStep, pixels, px, py, regions } from "./geometry.js";
import { answering, arrow, band, drawn, lineOf, others, widest } from "./lines.js";
import { shown, valueOf } from "./numbers.js";
import { drawnPoints } from "./points.js";
import { seen, weights } from "./run.js";
import { above, gridOver } from "./surface.js";
import { said, verdict } from "./verdict.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

const [COARSE, SMOOTH, FINE] = [30, 72, 150]; // nodes across: while something moves, for a score, for votes, which jump

/** @param {App} app @returns {VNode} */
export function plot(app) {
  const { box, state, run } = app;
  const flat = run.features <= 2;
  return h(
    "svg",
    {
      class: `plot-svg${["", " removing"][-1 - app.ui.tool] ?? " adding"}`,
      viewBox: `0 0 ${box.width} ${box.height}`,
      role: "group",
      "aria-label": msg("plot", { n: state.points.length, verdict: verdict(app) }),
      key: "plot",
    },
    h("rect", { class: "paper", x: 0, y: 0, width: box.width, height: box.height }),
    flat ? sides(app) : null,
    grid(app),
    flat ? boundary(app) : null,
    proof(app),
    drawnPoints(app),
    said(app),
  );
}

/** The classes' sides of the plane. @param {App} app @returns {Child} */
function sides(app) {
  const { box, state, run } = app;
  if (run.error || !run.frames.visits) return null;
  const visit = seen(app);
  if (state.kernel !== "linear") return visit ? surface(app, kernelScores, 3) : null;
  if (state.readout === "vote" && run.machines === 1) return visit ? surface(app, voteScores, 1, FINE) : null;
  const w = answering(app);
  if (w.length > 1) {
    if (w.every((row) => row.every((v) => !valueOf(v)))) return null;
    return regions(
      box,
      w.map((row) => lineOf(app, row)),
    ).map((polygon, c) => h("polygon", { class: `side class-${c}`, points: pixels(box, polygon) }));
  }
  const line = lineOf(app, w[0]);
  if (!line.some(Boolean)) return null;
  return [
    h("polygon", { class: "side class-1", points: pixels(box, clip(corners(box), line)) }),
    h("polygon", {
      class: "side class-0",
      points: pixels(
        box,
        clip(
          corners(box),
          line.map((v) => -v),
        ),
      ),
    }),
  ];
}

/**
 * The surface of a score: coarse while a point is dragged.
 * @param {App} app @param {(app: App, visit: number, places: number[][]) => ArrayLike<number>} scoreAt
 * @param {number} levels @param {number} [across] @returns {Child}
 */
function surface(app, scoreAt, levels, across = SMOOTH) {
  const grid = gridOver(app.box, app.ui.held >= 0 || app.ui.playing ? COARSE : across);
  const values = Array.from(scoreAt(app, seen(app), grid.at));
  const low = values.map((v) => -v);
  const top = Math.max(...values, ...low) || 1;
  const edge = above(app.box, grid, values, 0).edge;
  const parts = [];
  for (let n = 0; n < levels; n++) {
    const level = (n * top) / (levels + 0.5);
    parts.push(h("path", { class: "side class-1", d: above(app.box, grid, values, level).area }));
    parts.push(h("path", { class: "side class-0", d: above(app.box, grid, low, level).area }));
  }
  return [parts, h("path", { class: "line last", d: edge, fill: "none" })];
}

/** @param {App} app @returns {Child} */
function boundary(app) {
  const { box, state, run, ui } = app;
  if (run.error || state.kernel !== "linear") return null;
  const w = answering(app);
  if (w.length > 1) return null;
  const line = lineOf(app, w[0]);
  const visit = seen(app);
  const before = visit && state.show.includes("before") ? weights(run, visit - 1)[0] : null;
  const voted = state.show.includes("vote") && state.readout !== "vote" && visit && ui.tween >= 1;
  const isVote = state.readout === "vote";
  return [
    state.show.includes("band") && !isVote ? band(app, line) : null,
    state.show.includes("widest") ? widest(app) : null,
    others(app),
    voted ? h("path", { class: "line vote", fill: "none", d: contour(app) }) : null,
    before && !isVote ? drawn(box, lineOf(app, before), "before") : null,
    isVote ? null : [drawn(box, line, "last now"), arrow(box, line)],
  ];
}

/** @param {App} app */
function contour(app) {
  const grid = gridOver(app.box, app.ui.held >= 0 ? COARSE : FINE);
  return above(app.box, grid, voteScores(app, seen(app), grid.at), 0).edge;
}

/** @param {App} app @returns {VNode} */
function grid(app) {
  const { box } = app;
  const step = gridStep(box);
  const from = (/** @type {number} */ low) => Math.ceil(low / step);
  const lines = [];
  for (let n = from(box.x0); n * step <= box.x1; n++) {
    const x = px(box, n * step);
    lines.push(h("line", { class: n ? "grid" : "axis", x1: x, x2: x, y1: 0, y2: box.height }));
    const y = box.height - 6;
    if (x > 34 && x < box.width - 12) lines.push(h("text", { x, y, "text-anchor": "middle" }, shown(n * step)));
  }
  for (let n = from(box.y0); n * step <= box.y1; n++) {
    const y = py(box, n * step);
    lines.push(h("line", { class: n ? "grid" : "axis", y1: y, y2: y, x1: 0, x2: box.width }));
    if (y > 12 && y < box.height - 24) lines.push(h("text", { x: 5, y: n ? y + 4 : y - 4 }, shown(n * step)));
  }
  return h("g", { class: "axes", "aria-hidden": "true" }, lines);
}

/**
 * Why no line separates: the hulls of these points of either class meet. Where there is a constant feature, the
 * certificate's weights give one place that is in both.
 * @param {App} app @returns {Child}
 */
function proof(app) {
  const { run, state, box } = app;
  const certificate = run.certificate;
  if (run.features !== 2 || certificate?.separable !== false || !state.show.includes("proof")) return null;
  const lambda = Array.from(certificate.lambda, valueOf);
  const hulls = [0, 1].map((label) => run.points.filter((p, i) => lambda[i] > 1e-9 && p[2] === label));
  const place = [0, 0];
  let total = 0;
  run.points.forEach((p, i) => {
    if (p[2] !== 1) return;
    total += lambda[i];
    place[0] += lambda[i] * valueOf(p[0]);
    place[1] += lambda[i] * valueOf(p[1]);
  });
  const meets = state.fit_intercept && total > 0 ? place.map((v) => v / total) : null;
  return [
    hulls.map((hull, label) =>
      h("polygon", {
        class: `hull class-${label}`,
        points: pixels(
          box,
          hull.map((p) => [valueOf(p[0]), valueOf(p[1])]),
        ),
      }),
    ),
    meets
      ? h("path", {
          class: "meets",
          d: "M-6-6L6 6M-6 6L6-6",
          transform: `translate(${px(box, meets[0])} ${py(box, meets[1])})`,
        })
      : null,
  ];
}
