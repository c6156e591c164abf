// What the colours, lines and rings of the plot mean: those that are there now.

import { h } from "./dom.js";
import { answering, band, lineOf } from "./lines.js";
import { className, icon } from "./marks.js";
import { sample } from "./readouts.js";
import { isSecret, seen } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/** @param {App} app @returns {VNode | null} */
export function legend(app) {
  const { state, run } = app;
  if (run.error || run.features > 2) return null;
  const entry = (/** @type {string} */ key, /** @type {Child} */ looks, /** @type {string} */ words) =>
    h("li", { key }, looks, h("span", null, words));
  const order = state.labels.length === 2 ? [1, 0] : state.labels.map((_, c) => c);
  const has = (/** @type {string} */ name) => state.show.includes(name) && name !== state.readout;
  const linear = state.kernel === "linear" && run.machines === 1;
  const line = linear && state.readout !== "vote" && lineOf(app, answering(app)[0]).slice(1).some(Boolean);
  const visited = state.visit > 0 && !isSecret(app);
  const mistake = visited && run.frames.mistake[state.visit - 1] > 0;
  const circle = h("circle", { class: `visited ${mistake ? "wrong" : "right"}`, r: 10 });
  return h(
    "ul",
    { class: "legend", key: "legend", "aria-label": msg("legend") },
    order.map((c) => entry(`c${c}`, icon(c, state.labels), classWords(app, c))),
    line ? entry("line", sample("line last"), msg("legend_line")) : null,
    linear && has("band") && line && band(app, lineOf(app, answering(app)[0])).length
      ? entry("band", sample("band", 10), msg("legend_band"))
      : null,
    linear && has("before") && seen(app) ? entry("before", sample("line before"), msg("legend_before")) : null,
    linear && has("widest") ? entry("widest", sample("line widest"), msg("widest")) : null,
    linear && has("average") ? entry("average", sample("line average"), msg("read_average")) : null,
    linear && has("vote") ? entry("vote", sample("line vote"), msg("read_vote")) : null,
    linear && has("pocket") ? entry("pocket", sample("line pocket"), msg("read_pocket")) : null,
    visited
      ? entry(
          "ring",
          h("svg", { class: "icon", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, circle),
          mistake ? msg("legend_mistake") : msg("legend_right"),
        )
      : null,
  );
}

/** @param {App} app @param {number} c */
function classWords({ state, run }, c) {
  const shaded = run.frames.visits > 0 && state.visit > 0;
  return msg(shaded ? "legend_side" : "legend_class", { c: className(state.labels, c) });
}
