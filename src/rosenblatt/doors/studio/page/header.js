// The top of the page: which example, and the doors to what is needed less often. Below it what a tap on the plot does.

import { h } from "./dom.js";
import { MOST_CLASSES, className, icon } from "./marks.js";
import { MOVE, REMOVE } from "./points.js";
import { changes } from "./state.js";
import { msg, speak } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @param {App} app @returns {VNode} */
export function header(app) {
  const { presets, state, run } = app;
  const preset = presets.find((one) => one.id === state.preset);
  const source = preset?.source ? ` ${preset.source}.` : "";
  const changed = preset ? changes(state, presets) : "";
  const doors = [
    run.live ? door(app, "points", msg("points")) : null,
    door(app, "take", msg("share")),
    door(app, "class", msg("for_class")),
  ];
  return h(
    "header",
    { class: "top", key: "header" },
    h(
      "div",
      { class: "names" },
      h("h1", null, msg("title")),
      run.live ? examples(app) : h("p", { class: "title" }, run.title),
      preset && changed
        ? h("button", { class: "quiet again", onclick: () => app.choose(preset.id) }, msg("start_over"))
        : null,
      h("div", { class: "doors" }, doors),
    ),
    preset?.task
      ? h(
          "p",
          { class: changed ? "task old" : "task" },
          changed ? h("b", null, msg(`changed_${changed}`)) : null,
          inLanguage(preset, state.lang).task,
          source,
        )
      : null,
  );
}

/** The name and the task. @param {import("./types").Preset} preset @param {string} lang */
function inLanguage(preset, lang) {
  return preset.in?.[speak(lang)] ?? preset;
}

/** The presets, in their groups. @param {App} app */
function examples({ presets, state, choose }) {
  const groups = [...new Set(presets.map((one) => one.group))];
  const option = (/** @type {import("./types").Preset} */ one) =>
    h("option", { value: one.id }, inLanguage(one, state.lang).name);
  const listed = groups.map((group) =>
    h(
      "optgroup",
      { label: msg(`group_${group.toLowerCase()}`), key: group },
      presets.filter((one) => one.group === group).map(option),
    ),
  );
  const own = state.preset === "" ? h("option", { value: "" }, msg("own_points")) : null;
  const onchange = (/** @type {any} */ event) => choose(event.target.value);
  return h(
    "label",
    { class: "field preset" },
    h("span", null, msg("example")),
    h("select", { value: state.preset, onchange }, own, listed),
  );
}

/** @param {App} app @param {"points" | "take" | "class"} panel @param {string} words */
function door(app, panel, words) {
  const open = app.ui.panel === panel;
  return h(
    "button",
    {
      "aria-expanded": String(open),
      onclick: () => {
        app.ui.panel = open ? "" : panel;
        app.draw();
      },
    },
    words,
  );
}

/** @param {App} app @returns {VNode | null} */
export function tools(app) {
  const { state, ui, run } = app;
  if (!run.live) return null;
  const two = state.labels.length === 2;
  const pick = (/** @type {number} */ tool, /** @type {import("./types").Child} */ words, /** @type {string} */ said) =>
    h(
      "button",
      {
        key: tool,
        "aria-pressed": String(ui.tool === tool),
        "aria-label": said,
        onclick: () => {
          ui.tool = tool;
          app.draw();
        },
      },
      words,
    );
  const order = two ? [1, 0] : state.labels.map((_, c) => c);
  return h(
    "div",
    { class: "tools", key: "tools", role: "group", "aria-label": msg("tools") },
    pick(MOVE, msg("move"), msg("move_points")),
    order.map((c) =>
      pick(c, [`${msg("add")} `, icon(c, state.labels)], msg("add_class", { c: className(state.labels, c) })),
    ),
    pick(REMOVE, msg("remove"), msg("remove_points")),
    state.kernel === "linear" && state.labels.length < MOST_CLASSES
      ? h("button", { key: "more", class: "quiet", onclick: () => another(app) }, msg("new_class"))
      : null,
    two
      ? null
      : h(
          "button",
          { key: "fewer", class: "quiet", onclick: () => withoutLast(app) },
          msg("remove_class", { c: className(state.labels, state.labels.length - 1) }),
        ),
    h("span", { class: "steps-back", key: "undo" }, [
      turn(msg("undo"), "↶", "Control+Z", app.canUndo(), app.undo),
      turn(msg("redo"), "↷", "Control+Y", app.canRedo(), app.redo),
    ]),
  );
}

/**
 * Undo or redo: its word where there is room.
 * @param {string} name @param {string} sign @param {string} keys @param {boolean} can @param {() => void} act
 */
function turn(name, sign, keys, can, act) {
  const words = [sign, h("span", { class: "long" }, ` ${name}`)];
  const props = {
    "aria-label": name,
    "aria-keyshortcuts": keys,
    title: `${name} (${keys.replace("Control", "Ctrl")})`,
  };
  return h("button", { key: name, disabled: !can, onclick: act, ...props }, words);
}

/** The last class goes, with its points; two that are left of 1, 2 and 3 are −1 and +1 again. @param {App} app */
function withoutLast(app) {
  const { labels, points, first_row } = app.state;
  const left = labels.slice(0, -1);
  const plain = left.length === 2 && left[0] === "1" && left[1] === "2" ? ["-1", "+1"] : left;
  app.ui.tool = MOVE;
  const kept = points.filter((point) => point[2] < left.length);
  app.set({ labels: plain, points: kept, init: null, first_row: first_row < kept.length ? first_row : 0 });
}

/** One class more; two that are called −1 and +1 become 1, 2 and 3. @param {App} app */
function another(app) {
  const { labels } = app.state;
  const plain = labels[0] === "-1" && labels[1] === "+1" ? ["1", "2"] : labels;
  app.ui.tool = labels.length;
  app.set({ labels: [...plain, String(labels.length + 1)], init: null, readout: "last" });
}
