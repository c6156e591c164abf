// The player: step, back, next mistake, play, speed, scrub; each with its key.

import { h } from "./dom.js";
import { hidesLater, nextMistake, seen } from "./run.js";

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
  const of = (/** @type {number} */ n) => (hidesLater(app) ? "" : ` of ${n}`);
  return h(
    "nav",
    { class: "player", key: "player", "aria-label": "Player" },
    h("button", { class: "start", onclick: () => app.go(0), "aria-keyshortcuts": "Home" }, "Start"),
    h(
      "button",
      { class: "back", onclick: () => app.go(state.visit - 1), disabled: state.visit === 0, "aria-keyshortcuts": "," },
      "Back",
    ),
    h(
      "button",
      { class: "main step", onclick: () => app.go(state.visit + 1), disabled: atEnd, "aria-keyshortcuts": "." },
      "Step",
    ),
    h(
      "button",
      {
        class: "next",
        onclick: () => app.go(nextMistake(run, state.visit)),
        disabled: atEnd,
        "aria-keyshortcuts": "m",
      },
      "Next mistake",
    ),
    h("button", { class: "play", onclick: () => play(app), "aria-keyshortcuts": "p" }, ui.playing ? "Pause" : "Play"),
    h(
      "label",
      { class: "speed" },
      h("span", { class: "unseen" }, "Visits a second"),
      h(
        "select",
        {
          value: String(ui.speed),
          onchange: (/** @type {any} */ e) => {
            ui.speed = Number(e.target.value);
            app.draw();
          },
        },
        SPEEDS.map((n) => h("option", { value: n }, `${n} a second`)),
      ),
    ),
    h("input", {
      type: "range",
      class: "scrub",
      "aria-label": "Visit",
      min: 0,
      max: frames.visits,
      value: String(state.visit),
      "aria-valuetext": `visit ${state.visit} of ${frames.visits}`,
      oninput: (/** @type {any} */ e) => app.go(Number(e.target.value)),
    }),
    h(
      "p",
      { class: "where" },
      [
        `visit ${state.visit}${of(frames.visits)}`,
        `pass ${pass}${of(frames.mistakes.length)}`,
        `updates ${k}${of(frames.visits ? frames.k[frames.visits - 1] : 0)}`,
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
