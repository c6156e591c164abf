// Mistakes a pass, as bars with their numbers; a bar goes to the end of its pass.

import { h } from "./dom.js";
import { hidesLater, isSecret } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

const MOST_BARS = 24;

/** @param {App} app @returns {VNode} */
export function passesPanel(app) {
  const { run, state } = app;
  const mistakes = Array.from(run.frames.mistakes);
  const now = state.visit ? run.frames.pass[state.visit - 1] : 0;
  const over = now && !isSecret(app) && run.frames.pass[state.visit] !== now ? now : Math.max(0, now - 1);
  const seen = hidesLater(app) ? mistakes.slice(0, over) : mistakes;
  const first = Math.max(0, Math.min(now - Math.ceil(MOST_BARS / 2), seen.length - MOST_BARS));
  const bars = seen.slice(first, first + MOST_BARS);
  const top = Math.max(1, ...bars);
  return h(
    "section",
    { class: "card passes", key: "passes", "aria-label": msg("passes") },
    h("h2", null, msg("passes")),
    h(
      "ol",
      { class: "bars", start: first + 1 },
      bars.map((count, i) => bar(app, first + i + 1, count, top, first + i + 1 === now)),
    ),
    h(
      "p",
      { class: "lead" },
      bars.length < seen.length
        ? msg("pass_range", { a: first + 1, b: first + bars.length, n: seen.length })
        : bars.length
          ? ""
          : msg("no_pass"),
    ),
  );
}

/** @param {App} app @param {number} pass @param {number} count @param {number} top @param {boolean} now */
function bar(app, pass, count, top, now) {
  const { frames } = app.run;
  let end = frames.visits;
  while (end > 0 && frames.pass[end - 1] > pass) end--;
  return h(
    "li",
    { key: pass, class: now ? "now" : "" },
    h(
      "button",
      {
        class: "bar",
        onclick: () => app.go(end),
        "aria-label": msg("bar", { p: pass, mistakes: msg("n_mistakes", { n: count }) }),
      },
      h("span", { class: "count" }, count),
      h(
        "svg",
        { viewBox: "0 0 10 60", preserveAspectRatio: "none", "aria-hidden": "true" },
        h("rect", {
          x: 0,
          y: (60 - (56 * count) / top - 2).toFixed(1),
          width: 10,
          height: ((56 * count) / top + 2).toFixed(1),
        }),
      ),
      h("span", { class: "pass" }, pass),
    ),
  );
}
