// The player: step, back, next mistake, play, speed, scrub; each with its key.

import { h } from "./dom.js";
import { hidesLater, nextMistake, seen } from "./run.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

const SPEEDS = [1, 2, 5, 20];

/** @param {App} app @returns {VNode} */
export function playerPanel(app) {
  const { run, state, ui } = app;
  const { frames } = run;
  const atEnd = state.visit >= frames.visits;
  const k = seen(app) ? frames.k[seen(app) - 1] : 0;
  const pass = state.visit ? frames.pass[state.visit - 1] : 0;
  const of = (/** @type {number} */ a, /** @type {number} */ b) => (hidesLater(app) ? a : msg("of", { a, b }));
  return h(
    "nav",
    { class: "player", key: "player", "aria-label": msg("player") },
    h("button", { class: "start", onclick: () => app.go(0), "aria-keyshortcuts": "Home" }, msg("start")),
    h(
      "button",
      { class: "back", onclick: () => app.go(state.visit - 1), disabled: state.visit === 0, "aria-keyshortcuts": "," },
      msg("back"),
    ),
    h(
      "button",
      { class: "main step", onclick: () => app.go(state.visit + 1), disabled: atEnd, "aria-keyshortcuts": "." },
      msg("step"),
    ),
    h(
      "button",
      {
        class: "next",
        onclick: () => app.go(nextMistake(run, state.visit)),
        disabled: atEnd,
        "aria-keyshortcuts": "m",
      },
      msg("next_mistake"),
    ),
    h(
      "button",
      { class: "play", onclick: () => play(app), "aria-keyshortcuts": "p" },
      msg(ui.playing ? "pause" : "play"),
    ),
    h(
      "label",
      { class: "speed" },
      h("span", { class: "unseen" }, msg("speed")),
      h(
        "select",
        {
          value: String(ui.speed),
          onchange: (/** @type {any} */ e) => {
            ui.speed = Number(e.target.value);
            app.draw();
          },
        },
        SPEEDS.map((n) => h("option", { value: n }, msg("n_second", { n }))),
      ),
    ),
    h("input", {
      type: "range",
      class: "scrub",
      "aria-label": msg("visit"),
      min: 0,
      max: frames.visits,
      value: String(state.visit),
      "aria-valuetext": msg("where_visit", { n: msg("of", { a: state.visit, b: frames.visits }) }),
      oninput: (/** @type {any} */ e) => app.go(Number(e.target.value)),
    }),
    h(
      "p",
      { class: "where" },
      [
        msg("where_visit", { n: of(state.visit, frames.visits) }),
        msg("where_pass", { n: of(pass, frames.mistakes.length) }),
        msg("where_updates", { n: of(k, frames.visits ? frames.k[frames.visits - 1] : 0) }),
      ].join(" · "),
    ),
  );
}

/** Visit after visit, until the end. @param {App} app */
export function play(app) {
  const { ui } = app;
  if (ui.playing) {
    clearTimeout(ui.playing);
    ui.playing = 0;
    app.draw();
    return;
  }
  if (app.state.visit >= app.run.frames.visits) app.go(0);
  const next = () => {
    if (app.state.visit >= app.run.frames.visits) {
      ui.playing = 0;
      app.draw();
      return;
    }
    ui.playing = window.setTimeout(next, 1000 / ui.speed);
    app.go(app.state.visit + 1);
  };
  ui.playing = window.setTimeout(next, 0);
  app.draw();
}

/** Keys that work wherever nothing is typed. @param {App} app @param {KeyboardEvent} event */
export function playerKeys(app, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!app.ui.keys || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest?.("input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]")) return;
  /** @type {Record<string, () => void>} */
  const keys = {
    ".": () => app.go(app.state.visit + 1),
    ",": () => app.go(app.state.visit - 1),
    m: () => app.go(nextMistake(app.run, app.state.visit)),
    p: () => play(app),
    a: () => {
      app.ui.revealed = app.state.visit;
      app.draw();
    },
    Home: () => app.go(0),
    End: () => app.go(app.run.frames.visits),
  };
  const act = keys[event.key];
  if (!act) return;
  act();
  event.preventDefault();
  event.stopPropagation(); // a notebook has keys of its own
}
