// For class: big type, high contrast, answers hidden until asked for, a quiz, a sheet to fill in; and the keys.

import { h } from "./dom.js";
import { choice, toggleField } from "./fields.js";
import { newQuiz } from "./quiz.js";
import { newSheet } from "./sheet.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @type {[string, string][]} each in its own */
const NAMES = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
];
const KEYS = [
  [".", "key_step"],
  [",", "key_back"],
  ["m", "key_mistake"],
  ["p", "key_play"],
  ["Home, End", "key_ends"],
  ["a", "key_answer"],
  ["Page Down, Page Up", "key_points"],
  ["Ctrl+Z, Ctrl+Y", "key_undo"],
  ["key_wheel", "key_zoom"],
  ["key_arrows", "key_move"],
  ["+ − 1 2 3", "key_class"],
  ["Delete", "key_remove"],
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
    { class: "card panel class", key: "class", "aria-label": msg("for_class") },
    h("h2", null, msg("for_class")),
    h(
      "div",
      { class: "fields drawn" },
      toggleField(msg("big"), state.big, (big) => app.set({ big })),
      toggleField(msg("contrast"), state.contrast, (contrast) => app.set({ contrast })),
      toggleField(msg("hide"), state.hide, (hide) => app.set({ hide })),
      choice(msg("language"), state.lang, [["", msg("by_browser")], ...NAMES], (lang) => app.set({ lang })),
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
        msg("open_quiz"),
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
        msg("open_sheet"),
      ),
    ),
    h("h2", { class: "of-keys" }, msg("keys")),
    toggleField(msg("single_keys"), ui.keys, (keys) => {
      ui.keys = keys;
      app.draw();
    }),
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([key, does]) =>
        h(
          "div",
          { key },
          h("dt", null, h("kbd", null, key.startsWith("key_") ? msg(key) : key)),
          h("dd", null, msg(does)),
        ),
      ),
    ),
  );
}
