// Where the panels are: the whole page from the state, in the order in which it is read.

import { answersPanel } from "./answers_panel.js";
import { classPanel } from "./classroom.js";
import { conventionsPanel } from "./conventions.js";
import { h, patch } from "./dom.js";
import { header, tools } from "./header.js";
import { legend } from "./legend.js";
import { passesPanel } from "./passes.js";
import { playerPanel } from "./player.js";
import { plot } from "./plot.js";
import { pointsPanel } from "./points_panel.js";
import { quizPanel } from "./quiz.js";
import { readoutsPanel } from "./readouts.js";
import { sheetPanel } from "./sheet.js";
import { toHash } from "./state.js";
import { squeezePanel } from "./squeeze.js";
import { sumPanel } from "./sum.js";
import { ROW_HEIGHT, shownVisits, tablePanel } from "./table.js";
import { takePanel } from "./take_away.js";
import { isDark } from "./theme.js";
import { zoomButtons } from "./zoom.js";
import { msg, speak } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @param {App} app */
export function lay(app) {
  const { root, state, ui } = app;
  const classes = { dark: isDark(app), big: state.big, contrast: state.contrast };
  root.lang = speak(state.lang);
  root.className = ["rosenblatt", ...Object.entries(classes).flatMap(([name, on]) => (on ? [name] : []))].join(" ");
  const panel = { "": () => null, points: pointsPanel, take: takePanel, class: classPanel }[ui.panel];
  const plotFrame = h("div", { class: "plot", key: "plot-frame" }, plotParts(app));
  const side = [quizPanel(app), sumPanel(app), sheetPanel(app), answersPanel(app), ui.sheet ? null : tablePanel(app)];
  const stack = h("div", { class: "stack", key: "stack" }, passesPanel(app), readoutsPanel(app));
  const live = h("p", { class: "live unseen", "aria-live": "polite", key: "live" }, ui.said);
  if (app.host.embedded) {
    const board = h("div", { class: "board", key: "board" }, plotFrame, playerPanel(app));
    const sum = h("div", { class: "side", key: "side" }, sumPanel(app), openWhole(app));
    patch(root, [h("div", { class: "studio embedded", key: "studio" }, problem(app), board, sum, live)]);
    return;
  }
  const parts = [
    header(app),
    problem(app),
    panel(app),
    h("div", { class: "board", key: "board" }, plotFrame, legend(app), playerPanel(app)),
    h("div", { class: "side", key: "side" }, side),
    h("div", { class: "more", key: "more" }, squeezePanel(app), stack, conventionsPanel(app)),
    live,
  ];
  patch(root, [h("div", { class: "studio", key: "studio" }, parts)]);
  keepInSight(app);
}

/** From the part to the whole, in a window of its own. @param {App} app */
function openWhole(app) {
  const href = app.host.address() + toHash(app.state, app.presets);
  return h("p", { class: "lead whole" }, h("a", { href, target: "_blank", rel: "noopener" }, msg("open_whole")));
}

/** The plot alone, while its line turns. @param {App} app */
export function layPlot(app) {
  const frame = app.root.querySelector(".plot");
  if (frame) patch(frame, h("div", null, plotParts(app)).children);
}

/** @param {App} app */
function plotParts(app) {
  return [
    app.host.embedded ? null : tools(app),
    h("div", { class: "canvas", key: "canvas" }, plot(app), zoomButtons(app)),
  ];
}

/** What went wrong, until it is put away. @param {App} app @returns {VNode | null} */
function problem(app) {
  const { ui } = app;
  if (!ui.error) return null;
  const away = () => {
    ui.error = "";
    app.draw();
  };
  const button = h("button", { class: "quiet", onclick: away }, msg("close"));
  return h("p", { class: "error", role: "alert", key: "error" }, ui.error, " ", button);
}

/** Rows of the table are of one height, so nothing needs to be measured. @param {App} app */
function keepInSight(app) {
  const scroll = app.root.querySelector(".table .scroll");
  if (!scroll || !app.state.visit) return;
  const height = parseFloat(getComputedStyle(app.root).getPropertyValue("--row")) || ROW_HEIGHT;
  const top = (app.state.visit - shownVisits(app).first) * height;
  const room = scroll.clientHeight - 2 * height;
  if (top < scroll.scrollTop || top > scroll.scrollTop + room) scroll.scrollTop = Math.max(0, top - room / 2);
}
