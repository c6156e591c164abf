// What the plot says in words, at its foot.

import { h } from "./dom.js";
import { clip, corners, segment } from "./geometry.js";
import { answering, lineOf } from "./lines.js";
import { className } from "./marks.js";
import { seen } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

const [LETTER, LINE] = [7.5, 18]; // pixels of a letter, and from line to line

/** In words what a glance may miss. @param {App} app */
export function verdict(app) {
  const { run, state, box } = app;
  if (run.error) return "";
  if (run.features > 2) return msg("only_two", { n: run.features });
  if (state.kernel !== "linear") return seen(app) ? "" : msg("no_alpha");
  const w = answering(app);
  if (w.length > 1 || state.readout === "vote") return "";
  const line = lineOf(app, w[0]);
  if (!line[1] && !line[2]) {
    if (!line[0]) return msg("no_line");
    return msg("no_direction", { c: className(state.labels, line[0] > 0 ? 1 : 0) });
  }
  if (segment(box, line)) return "";
  const side = className(state.labels, clip(corners(box), line).length ? 1 : 0);
  return msg("line_outside", { c: side });
}

/** The verdict at the foot of the plot, in lines that are not wider than it. @param {App} app @returns {VNode} */
export function said(app) {
  const { width, height } = app.box;
  /** @type {string[]} */
  const lines = [];
  for (const word of verdict(app).split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && longer.length * LETTER > width - 16) lines.push(word);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return h(
    "text",
    { class: "said", "text-anchor": "middle" },
    lines.map((line, i) =>
      h("tspan", { x: width / 2, y: height - 26 - LINE * (lines.length - 1 - i) }, i ? ` ${line}` : line),
    ),
  );
}
