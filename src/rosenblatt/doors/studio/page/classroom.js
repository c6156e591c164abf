// For class: big type, high contrast, answers hidden until asked for, a quiz, a sheet to fill in; and the keys.

import { h } from "./dom.js";
import { toggleField } from "./fields.js";
import { newQuiz } from "./quiz.js";
import { newSheet } from "./sheet.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

const KEYS = [
  [".", "step"],
  [",", "back"],
  ["m", "next mistake"],
  ["p", "play, pause"],
  ["Home, End", "start, end"],
  ["a", "show the answer"],
  ["Page Down, Page Up", "in the plot: next point, point before"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Ctrl and wheel", "zoom"],
  ["arrows", "move the point (with Shift further)"],
  ["+ − 1 2 3", "set its class"],
  ["Delete", "remove it"],
];

/** What opens is where one looks. @param {App} app @param {string} panel */
function show(app, panel) {
  app.ui.panel = "";
  app.draw();
  app.root.querySelector(panel)?.scrollIntoView({ block: "nearest" });
}

/** @param {App} app @returns {VNode} */
export function classPanel(app) {
  const { state, ui } = app;
  return h(
    "section",
    { class: "card panel class", key: "class", "aria-label": "For class" },
    h("h2", null, "For class"),
    h(
      "div",
      { class: "fields drawn" },
      toggleField("Big type", state.big, (big) => app.set({ big })),
      toggleField("High contrast", state.contrast, (contrast) => app.set({ contrast })),
      toggleField("Hide the answer", state.hide, (hide) => app.set({ hide })),
    ),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          onclick: () => {
            ui.quiz = newQuiz();
            show(app, ".quiz");
          },
        },
        "What comes next? A quiz",
      ),
      h(
        "button",
        {
          onclick: () => {
            ui.sheet = newSheet(app);
            app.go(0);
            show(app, ".sheet");
          },
        },
        "A sheet to fill in",
      ),
    ),
    h("h2", { class: "of-keys" }, "Keys"),
    toggleField("Single keys work", ui.keys, (keys) => {
      ui.keys = keys;
      app.draw();
    }),
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([key, does]) => h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, does))),
    ),
  );
}
