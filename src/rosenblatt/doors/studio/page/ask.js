// What the panels ask the core beside the run: who is wrong, how the weights vote, the widest street, a surface.

import { valueOf } from "./numbers.js";
import { average, conventionsFor, kernelOf, labelsOf, pocket, placesOf, weights } from "./run.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").Readout} Readout */
/** @typedef {import("./types").Num} Num */

/**
 * The weight vectors of a readout, flat as the core has them, and the votes of each.
 * @param {App} app @param {Readout} readout @param {number} visit
 */
function voters({ run }, readout, visit) {
  const { frames } = run;
  const width = run.machines * (run.features + Number(run.constant));
  if (readout === "vote" && visit > 0) {
    const last = frames.k[visit - 1];
    const votes = new Float64Array(last + 1);
    for (let v = 0; v < visit; v++) votes[frames.k[v]] += 1;
    return { w: Float64Array.from({ length: (last + 1) * width }, (_, i) => valueOf(frames.weights[i])), votes };
  }
  const of = { last: weights, average, vote: weights, pocket }[readout];
  const rows = of(run, visit).map((row) => (run.constant ? row : row.slice(1)));
  return { w: Float64Array.from(rows.flat(), valueOf), votes: Float64Array.of(1) };
}

/**
 * Votes for each class, point by point.
 * @param {App} app @param {Readout} readout @param {number} visit @param {number[][]} places
 */
function votesAt(app, readout, visit, places) {
  const { w, votes } = voters(app, readout, visit);
  return app.core.votes(places, w, votes, conventionsFor(app.state));
}

/** How far + is ahead of − at places, in votes. @param {App} app @param {number} visit @param {number[][]} places */
export function voteScores(app, visit, places) {
  const votes = votesAt(app, "vote", visit, places);
  return places.map((_, i) => votes[2 * i + 1] - votes[2 * i]);
}

/** How many of the points a readout gets wrong. @param {App} app @param {Readout} readout @param {number} visit */
export function wrongPoints(app, readout, visit) {
  const { run, state } = app;
  const { errors, k, pocket: best } = run.frames;
  // The core has counted those of each weight vector; averages and votes are asked for.
  if (errors && readout === "last") return errors[visit ? k[visit - 1] : 0];
  if (errors && readout === "pocket" && best) return errors[visit ? best[visit - 1] : 0];
  const votes = votesAt(app, readout, visit, placesOf(run.points));
  const classes = state.labels.length;
  return labelsOf(run.points).filter((label, i) => {
    const mine = votes[i * classes + label];
    return votes.slice(i * classes, (i + 1) * classes).some((v, c) => c !== label && v >= mine);
  }).length;
}

/** The scores of a kernel run at places. @param {App} app @param {number} visit @param {number[][]} places */
export function kernelScores(app, visit, places) {
  const { run, state, core } = app;
  const n = run.points.length;
  const first = (visit > 0 ? run.frames.k[visit - 1] : 0) * n;
  const alpha = Float64Array.from({ length: n }, (_, i) => Number(run.frames.alpha?.[first + i] ?? 0));
  return core.kernelScores(placesOf(run.points), alpha, kernelOf(state), places);
}

/**
 * The widest street between the classes: the shortest of all differences between their hulls crosses it. Without a
 * constant feature its middle goes through the origin, and the certificate has it.
 * @param {App} app @returns {{ line: number[], half: number } | null}
 */
export function street({ run, state, core }) {
  const certificate = run.certificate;
  if (!certificate || certificate.separable !== true || run.features !== 2) return null;
  if (!state.fit_intercept)
    return { line: Array.from(certificate.direction, valueOf), half: valueOf(certificate.gamma) };
  const [plus, minus] = [1, 0].map((label) => placesOf(run.points.filter((p) => p[2] === label)));
  const differences = plus.flatMap((p) => minus.map((m) => [p[0] - m[0], p[1] - m[1]]));
  const { w, gamma, verdict } = core.nearest(
    differences,
    differences.map(() => 1),
    0,
  );
  if (verdict !== "separable") return null;
  const along = (/** @type {number[]} */ p) => w[0] * p[0] + w[1] * p[1];
  const middle = (Math.min(...plus.map(along)) + Math.max(...minus.map(along))) / 2;
  return { line: [-middle, w[0], w[1]], half: gamma / 2 };
}
