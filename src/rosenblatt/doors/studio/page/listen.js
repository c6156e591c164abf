// What the studio listens to beside its own controls: keys, a dropped file, a new size, the printer, a new theme.

import { playerKeys } from "./player.js";
import { pointing } from "./pointing.js";
import { takePoints } from "./take_away.js";
import { watchTheme } from "./theme.js";

/** @typedef {import("./types").App} App */

/**
 * Returns what ends it.
 * @param {App} app @param {(width: number, height: number) => void} resize
 */
export function listen(app, resize) {
  const { root, ui } = app;
  const ended = new AbortController();
  const { signal } = ended;
  const frame = /** @type {HTMLElement} */ (root.querySelector(".plot"));
  pointing(app, frame);
  measure(app, frame, resize);
  const observer = new ResizeObserver(() => measure(app, frame, resize));
  observer.observe(/** @type {Element} */ (frame.querySelector(".plot-svg")));
  signal.addEventListener("abort", () => observer.disconnect());

  app.host.keys.addEventListener("keydown", (e) => playerKeys(app, /** @type {KeyboardEvent} */ (e)), { signal });
  app.host.keys.addEventListener("keydown", (e) => undoKeys(app, /** @type {KeyboardEvent} */ (e)), { signal });
  root.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    event.dataTransfer?.files[0]?.text().then((text) => takePoints(app, text));
  };
  root.addEventListener("drop", drop, { signal });
  const printing = (/** @type {Event} */ event) => {
    ui.printing = event.type === "beforeprint";
    app.draw();
  };
  window.addEventListener("beforeprint", printing, { signal });
  window.addEventListener("afterprint", printing, { signal });
  watchTheme(app, signal);
  return () => ended.abort();
}

/** Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y, wherever no text is typed. @param {App} app @param {KeyboardEvent} event */
function undoKeys(app, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!(event.ctrlKey || event.metaKey) || event.altKey || target.closest?.("input[type=text], textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) app.redo();
  else app.undo();
}

/**
 * The plot is drawn in pixels of the screen, so that text in it keeps its size.
 * @param {App} app @param {HTMLElement} frame @param {(width: number, height: number) => void} resize
 */
function measure({ box }, frame, resize) {
  const { width, height } = frame.querySelector(".plot-svg")?.getBoundingClientRect() ?? box;
  const same = Math.abs(width - box.width) < 1 && Math.abs(height - box.height) < 1;
  if (width >= 40 && height >= 40 && !same) resize(Math.round(width), Math.round(height));
}
