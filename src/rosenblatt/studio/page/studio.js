// The studio: holds the state, asks the core for the run, and draws the panels. It knows no learning rule.

import { answersPanel } from "./answers_panel.js";
import { classPanel } from "./classroom.js";
import { conventionsPanel } from "./conventions.js";
import { h, patch } from "./dom.js";
import { boxAround } from "./geometry.js";
import { header, tools } from "./header.js";
import { passesPanel } from "./passes.js";
import { playerKeys, playerPanel } from "./player.js";
import { plot } from "./plot.js";
import { pointing } from "./points.js";
import { pointsPanel } from "./points_panel.js";
import { quizPanel } from "./quiz.js";
import { readoutsPanel } from "./readouts.js";
import { recordedRun, recordedState } from "./recorded.js";
import { liveRun, placeIn } from "./run.js";
import { affine } from "./scale.js";
import { sheetPanel } from "./sheet.js";
import { squeezePanel } from "./squeeze.js";
import { begin, checked, fromHash, looksHash, looksOf, toHash } from "./state.js";
import { spoken, sumPanel } from "./sum.js";
import { ROW_HEIGHT, shownVisits, tablePanel } from "./table.js";
import { takePanel, takePoints } from "./take_away.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").State} State */

const TURN = 260; // milliseconds in which the line turns

/**
 * @param {HTMLElement} root @param {import("./core.js").Core} core @param {import("./types").Host} host
 * @param {{ presets: import("./types").Preset[], hash: string, run: any }} given
 */
export function studio(root, core, host, given) {
  const { presets } = given;
  /** @type {import("./types").Ui} */
  const ui = {
    tool: -1, held: -1, at: 0, tween: 1, from: 0, playing: 0, speed: 2, panel: "", output: null, said: "", revealed: -1,
    quiz: null, sheet: null, paste: "", error: "", printing: false, keys: true,
  };
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let map = affine([], "none");
  let turning = 0;
  let asked = 0;

  /** @type {App} */
  const app = {
    root, core, host, presets, ui, state: begin(presets[0]), run: /** @type {any} */ (null),
    box: boxAround([], 600, 480), set, move, go, draw, choose, say,
  };

  /** The run of the state as it is. While a point is dragged the scaling stays. */
  function learn() {
    if (!given.run) {
      if (ui.held < 0) map = affine(app.state.points, app.state.scale);
      app.run = liveRun(core, app.state, map);
    }
    app.state.visit = Math.min(app.state.visit, app.run.frames.visits);
  }

  function fit() {
    app.box = boxAround(app.run.points.map((point) => placeIn(app.run, point)), app.box.width, app.box.height);
  }

  /** @param {Partial<State>} change */
  function set(change) {
    const refit = "points" in change || "scale" in change;
    app.state = checked({ ...app.state, ...change });
    ui.tween = 1;
    learn();
    if (refit) fit();
    draw();
  }

  /** New points; `live` while they are dragged: then once a frame. @param {number[][]} points @param {boolean} [live] */
  function move(points, live = false) {
    app.state = checked({ ...app.state, points });
    ui.at = Math.min(ui.at, Math.max(0, points.length - 1));
    ui.tween = 1;
    if (live) {
      asked ||= requestAnimationFrame(() => { asked = 0; learn(); draw(); });
      return;
    }
    learn();
    if (points.some(([x, y]) => x < app.box.x0 || x > app.box.x1 || y < app.box.y0 || y > app.box.y1)) fit();
    draw();
  }

  /** To so many visits made. @param {number} visit */
  function go(visit) {
    const to = Math.max(0, Math.min(app.run.frames.visits, visit));
    ui.from = app.state.visit;
    const near = Math.abs(to - ui.from) === 1 && !still.matches && app.state.kernel === "linear" && ui.speed <= 5;
    app.state = { ...app.state, visit: to };
    ui.tween = near ? 0 : 1;
    cancelAnimationFrame(turning);
    if (near) turn(performance.now());
    draw();
    if (!ui.playing || ui.speed <= 2) say(spoken(app));
  }

  /** The line turns, so that it is seen which way. @param {number} began */
  function turn(began) {
    turning = requestAnimationFrame((now) => {
      const t = Math.min(1, Math.max(0, (now - began) / TURN));
      ui.tween = t * t * (3 - 2 * t);
      drawPlot();
      if (t < 1) turn(began);
    });
  }

  /** @param {string} id */
  function choose(id) {
    ui.quiz = ui.sheet = ui.output = null;
    ui.revealed = -1;
    const { big, contrast, hide } = app.state;
    app.state = checked({ ...begin(presets.find((one) => one.id === id)), big, contrast, hide });
    ui.at = 0;
    ui.tool = -1;
    learn();
    fit();
    draw();
  }

  /** Read out, politely. @param {string} text */
  function say(text) {
    ui.said = text;
    const live = root.querySelector(".live");
    if (live && live.textContent !== text) live.textContent = text;
  }

  function drawPlot() {
    const frame = root.querySelector(".plot");
    if (frame) patch(frame, /** @type {any[]} */ ([tools(app), plot(app)].filter(Boolean)));
  }

  function draw() {
    const { state } = app;
    root.className = `rosenblatt${state.big ? " big" : ""}${state.contrast ? " contrast" : ""}${state.hide ? " hiding" : ""}`;
    const panel = { "": null, points: pointsPanel, take: takePanel, class: classPanel, keys: null }[ui.panel];
    patch(root, [h("div", { class: "studio", key: "studio" },
      header(app),
      ui.error ? h("p", { class: "error", role: "alert", key: "error" }, ui.error, " ", h("button", { class: "quiet", onclick: () => { ui.error = ""; draw(); } }, "Good")) : null,
      panel ? panel(app) : null,
      h("div", { class: "board", key: "board" }, h("div", { class: "plot", key: "plot-frame" }, tools(app), plot(app)), playerPanel(app)),
      h("div", { class: "side", key: "side" }, quizPanel(app), sumPanel(app), sheetPanel(app), answersPanel(app), tablePanel(app)),
      h("div", { class: "more", key: "more" }, squeezePanel(app), h("div", { class: "stack", key: "stack" }, passesPanel(app), readoutsPanel(app)), conventionsPanel(app)),
      h("p", { class: "live unseen", "aria-live": "polite", key: "live" }, ui.said))]);
    keepInSight();
    if (ui.held < 0) {
      root.dataset.state = given.run ? looksHash(state) : toHash(state, presets);
      host.changed(root.dataset.state);
    }
  }

  /** Rows are of one height, so nothing needs to be measured. */
  function keepInSight() {
    const scroll = root.querySelector(".table .scroll");
    if (!scroll || !app.state.visit) return;
    const height = parseFloat(getComputedStyle(root).getPropertyValue("--row")) || ROW_HEIGHT;
    const top = (app.state.visit - shownVisits(app).first) * height;
    const room = scroll.clientHeight - 2 * height;
    if (top < scroll.scrollTop || top > scroll.scrollTop + room) scroll.scrollTop = Math.max(0, top - room / 2);
  }

  /** What a link says; what is wrong with it is said, and the first preset shown. @param {string} hash */
  function follow(hash) {
    const plain = given.run ? recordedState(given.run) : checked(begin(presets[0]));
    try {
      app.state = given.run ? { ...plain, ...looksOf(hash) } : fromHash(hash, presets);
    } catch (error) {
      ui.error = error instanceof Error ? error.message : String(error);
      app.state = plain;
    }
    learn();
    fit();
  }

  function start() {
    if (given.run) app.run = recordedRun(given.run);
    follow(given.hash);
    root.replaceChildren();
    draw();
    const frame = /** @type {HTMLElement} */ (root.querySelector(".plot"));
    pointing(app, frame);
    resized(frame);
    new ResizeObserver(() => resized(frame)).observe(/** @type {Element} */ (frame.querySelector(".plot-svg")));
    host.keys.addEventListener("keydown", (event) => playerKeys(app, /** @type {KeyboardEvent} */ (event)));
    root.addEventListener("dragover", (event) => event.preventDefault());
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      event.dataTransfer?.files[0]?.text().then((text) => takePoints(app, text));
    });
    for (const [name, printing] of /** @type {[string, boolean][]} */ ([["beforeprint", true], ["afterprint", false]])) {
      window.addEventListener(name, () => { ui.printing = printing; draw(); });
    }
  }

  /** @param {HTMLElement} frame */
  function resized(frame) {
    const svg = frame.querySelector(".plot-svg");
    const { width, height } = svg?.getBoundingClientRect() ?? { width: 0, height: 0 };
    if (width < 40 || height < 40 || (Math.abs(width - app.box.width) < 1 && Math.abs(height - app.box.height) < 1)) return;
    app.box = { ...app.box, width: Math.round(width), height: Math.round(height) };
    fit();
    draw();
  }

  start();
  return { app, follow: (/** @type {string} */ hash) => { if (hash !== root.dataset.state) { follow(hash); draw(); } } };
}
