// The studio: holds the state, asks the core for the run, and has it drawn. It knows no learning rule.

import { boxAround } from "./geometry.js";
import { newHistory } from "./history.js";
import { lay, layPlot } from "./layout.js";
import { listen } from "./listen.js";
import { recordedRun, recordedState } from "./recorded.js";
import { liveRun } from "./run.js";
import { affine } from "./scale.js";
import { begin, checked, fromHash, looksHash, looksOf, toHash } from "./state.js";
import { fittedBox, holdsPoints } from "./view.js";
import { spoken } from "./visit.js";
import { resized } from "./zoom.js";
import { msg, speak } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").State} State */

const TURN = 260; // milliseconds in which the line turns

/** @returns {import("./types").Ui} */
function newUi() {
  return {
    tool: -1,
    zoomed: false,
    held: -1,
    at: 0,
    tween: 1,
    from: 0,
    playing: 0,
    speed: 2,
    panel: "",
    output: null,
    said: "",
    revealed: -1,
    quiz: null,
    sheet: null,
    paste: "",
    error: "",
    printing: false,
    keys: true,
  };
}

/**
 * Fills `root`. `follow` goes to a link, `end` stops listening.
 * @param {HTMLElement} root @param {import("./core.js").Core} core @param {import("./types").Host} host
 * @param {{ presets: import("./types").Preset[], hash: string, run: any }} given
 */
export function studio(root, core, host, given) {
  const { presets } = given;
  const ui = newUi();
  const steps = newHistory();
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let map = affine([], "none");
  let turning = 0;
  let asked = 0;

  /** @type {App} */
  const app = {
    root,
    core,
    host,
    presets,
    ui,
    state: begin(presets[0]),
    run: /** @type {any} */ (null),
    box: boxAround([], 600, 480),
    set,
    move,
    go,
    draw: () => draw(),
    look,
    undo: () => again(steps.undo(), msg("undone")),
    redo: () => again(steps.redo(), msg("redone")),
    canUndo: steps.canUndo,
    canRedo: steps.canRedo,
    choose,
    say,
  };

  /** The run of the state as it is. While a point is dragged the scaling stays. */
  function learn() {
    speak(app.state.lang); // the run says its conventions and its end
    if (!given.run) {
      if (ui.held < 0) map = affine(app.state.points, app.state.scale);
      app.run = liveRun(core, app.state, map);
    }
    app.state.visit = Math.min(app.state.visit, app.run.frames.visits);
  }

  /** @param {number[][]} [also] places that are to be in view */
  function fit(also = []) {
    ui.zoomed = false;
    app.box = fittedBox(app, also);
  }

  /** All points are in view, unless the view was chosen. */
  function keepInView() {
    if (!ui.zoomed && !holdsPoints(app)) fit();
  }

  /** @param {import("./types").Box | null} box @param {number[][]} also */
  function look(box, ...also) {
    if (box) [app.box, ui.zoomed] = [box, true];
    else fit(also);
    draw();
  }

  /** A state that was there before. @param {State | null} state @param {string} words */
  function again(state, words) {
    if (!state) return;
    const other = state.preset !== app.state.preset;
    app.state = { ...state };
    ui.tween = 1;
    ui.tool = Math.min(ui.tool, state.labels.length - 1);
    ui.at = Math.min(ui.at, Math.max(0, state.points.length - 1));
    learn();
    if (other) fit();
    else keepInView();
    draw();
    say(words);
  }

  /** @param {Partial<State>} change */
  function set(change) {
    const refit = "points" in change || "scale" in change || "fit_intercept" in change;
    app.state = checked({ ...app.state, ...change });
    ui.tween = 1;
    learn();
    if (refit) fit();
    draw();
  }

  /**
   * New points; `live` while they are dragged: then once a frame.
   * @param {number[][]} points @param {boolean} [live]
   */
  function move(points, live = false) {
    app.state = checked({ ...app.state, points });
    ui.at = Math.min(ui.at, Math.max(0, points.length - 1));
    ui.tween = 1;
    if (live) {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        learn();
        draw();
      });
      return;
    }
    learn();
    keepInView();
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
      layPlot(app);
      if (t < 1) turn(began);
    });
  }

  /** @param {string} id */
  function choose(id) {
    ui.quiz = ui.sheet = ui.output = null;
    ui.revealed = -1;
    const { big, contrast, hide, lang } = app.state;
    app.state = checked({ ...begin(presets.find((one) => one.id === id)), big, contrast, hide, lang });
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

  /** @param {boolean} [linked] whether the address is there already */
  function draw(linked = false) {
    const step = ui.held < 0 && !given.run && steps.note(app.state);
    lay(app);
    if (ui.held < 0) {
      root.dataset.state = given.run ? looksHash(app.state) : toHash(app.state, presets);
      host.changed(root.dataset.state, step && !linked);
    }
  }

  /** What a link says; what is wrong with it is said, and the first preset shown. @param {string} hash */
  function follow(hash) {
    const plain = given.run ? recordedState(given.run) : checked(begin(presets[0]));
    ui.error = "";
    speak("");
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
    const end = listen(app, resize);
    const link = (/** @type {string} */ hash) => {
      if (hash === root.dataset.state) return;
      follow(hash);
      draw(true);
    };
    return { follow: link, end };
  }

  /**
   * The plot has another size.
   * @param {number} width @param {number} height
   */
  function resize(width, height) {
    if (ui.zoomed) app.box = resized(app.box, width, height);
    else {
      app.box = { ...app.box, width, height };
      fit();
    }
    draw();
  }

  return start();
}
