// The state of the studio: its defaults, and the two ways that it is written down. In a link it is `#key=value&...`,
// only what differs from the preset, so that a person can write one by hand: #preset=xor&visit=7.

import { msg } from "./speak.js";
import { LANGUAGES } from "./strings.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Preset} Preset */

/** @type {State} */
export const DEFAULTS = {
  preset: "",
  points: [],
  labels: ["-1", "+1"],
  tie: "mistake",
  fit_intercept: true,
  intercept_scaling: 1,
  init: null,
  first_row: 0,
  order: "listed",
  seed: 0,
  eta0: 1,
  margin: null,
  step: "perceptron",
  C: 1,
  r: 1,
  multiclass: "argmax",
  max_iter: 100,
  kernel: "linear",
  gamma: 1,
  coef0: 0,
  degree: 2,
  readout: "last",
  scale: "none",
  visit: 0,
  show: ["band"],
  big: false,
  contrast: false,
  hide: false,
  lang: "",
};

const WORDS = {
  tie: ["mistake", "positive", "negative"],
  order: ["listed", "shuffled", "first-wrong", "worst-wrong"],
  step: ["perceptron", "pa", "pa1", "pa2", "arow"],
  multiclass: ["argmax", "one-vs-rest"],
  kernel: ["linear", "poly", "rbf"],
  readout: ["last", "average", "vote", "pocket"],
  scale: ["none", "centre", "standard", "unit"],
  lang: ["", ...LANGUAGES],
};
/** Whether a number is allowed, by name. @type {Record<string, (v: number) => boolean>} */
const RANGES = {
  intercept_scaling: (v) => v > 0,
  eta0: (v) => v > 0,
  C: (v) => v > 0,
  r: (v) => v > 0,
  gamma: (v) => v > 0,
  coef0: () => true,
  margin: (v) => v >= 0,
  first_row: (v) => Number.isInteger(v) && v >= 0,
  seed: (v) => Number.isInteger(v) && v >= 0 && v < 2 ** 31,
  visit: (v) => Number.isInteger(v) && v >= 0,
  max_iter: (v) => Number.isInteger(v) && v >= 1 && v <= 4000,
  degree: (v) => Number.isInteger(v) && v >= 1 && v <= 9,
};

/** How a run is looked at: all that a link may say of a recorded one. */
const LOOKS = /** @type {const} */ (["visit", "show", "readout", "big", "contrast", "hide", "lang"]);

/** The state that a preset begins with. @param {Preset | undefined} preset @returns {State} */
export function begin(preset) {
  const state = { ...structuredClone(DEFAULTS), ...structuredClone(preset?.state ?? {}) };
  return { ...state, preset: preset?.id ?? "", visit: preset?.state.visit ?? 0 };
}

/** What decides the run of a state, as text that can be compared. @param {State} state */
export function decides(state) {
  return JSON.stringify(
    Object.entries(state).filter(([key]) => !(/** @type {readonly string[]} */ (LOOKS).includes(key))),
  );
}

/**
 * What is no longer as in the preset: "points", "conventions", "both", or "" for neither.
 * @param {State} state @param {Preset[]} presets
 */
export function changes(state, presets) {
  const base = /** @type {Record<string, any>} */ (begin(presets.find((one) => one.id === state.preset)));
  const looks = new Set(["preset", ...LOOKS]);
  const names = Object.entries(state)
    .filter(([key, value]) => !looks.has(key) && written(value) !== written(base[key]))
    .map(([key]) => (key === "points" || key === "labels" ? "points" : "conventions"));
  return new Set(names).size > 1 ? "both" : (names[0] ?? "");
}

/** What differs from the preset. @param {State} state @param {Preset[]} presets @returns {string} */
export function toHash(state, presets) {
  const base = /** @type {Record<string, any>} */ (begin(presets.find((one) => one.id === state.preset)));
  const out = new URLSearchParams();
  if (state.preset) out.set("preset", state.preset);
  for (const [key, value] of Object.entries(state)) {
    const text = written(key === "labels" ? state.labels.map(escaped) : value);
    if (key !== "preset" && written(value) !== written(base[key])) out.set(key, text);
  }
  return `#${readable(out.toString())}`;
}

/** Commas and semicolons may stay as they are in a link. @param {string} text */
function readable(text) {
  return text.replaceAll("%2C", ",").replaceAll("%3B", ";");
}

/** A comma parts labels, so one in a label is written as %2C. @param {string} label */
function escaped(label) {
  return label.replaceAll("%", "%25").replaceAll(",", "%2C");
}

/** @param {any} value @returns {string} */
function written(value) {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (Array.isArray(value)) return value.map(String).join(Array.isArray(value[0]) ? ";" : ",");
  return String(value);
}

/**
 * The state of a link. What it does not say is as in its preset; what it says wrongly is an error that names it.
 * @param {string} hash @param {Preset[]} presets @returns {State}
 */
export function fromHash(hash, presets) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const id = given.get("preset");
  const preset = presets.find((one) => one.id === id);
  if (id !== null && !preset) throw new Error(msg("link_preset", { id }));
  // Points without a preset are the reader's own.
  const state = begin(preset ?? (given.has("points") ? undefined : presets[0]));
  for (const [key, text] of given) {
    if (key !== "preset" && key in DEFAULTS) /** @type {any} */ (state)[key] = read(key, text);
  }
  return checked(state);
}

/** @param {string} hash @returns {Partial<State>} */
export function looksOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(LOOKS.filter((key) => given.has(key)).map((key) => [key, read(key, given.get(key) ?? "")]));
}

/** @param {State} state */
export function looksHash(state) {
  const looks = { ...DEFAULTS, ...Object.fromEntries(LOOKS.map((key) => [key, state[key]])) };
  return toHash(/** @type {State} */ (looks), []);
}

/** @param {string} key @param {string} text @returns {any} */
function read(key, text) {
  const fail = (/** @type {string} */ wanted) => new Error(msg("link_wrong", { key, wanted, text }));
  const number = (/** @type {string} */ one) => {
    if (one.trim() === "" || !Number.isFinite(Number(one))) throw fail(msg("link_number"));
    return Number(one);
  };
  if (key === "points") return text ? text.split(";").map((point) => point.split(",").map(number)) : [];
  if (key === "labels")
    return text ? text.split(",").map((label) => label.replaceAll("%2C", ",").replaceAll("%25", "%")) : [];
  if (key === "show") return text ? text.split(",") : [];
  if (key === "init") return text === "none" ? null : text.split(",").map(number);
  if (key === "margin" && text === "none") return null;
  if (key in WORDS) {
    const words = /** @type {Record<string, string[]>} */ (WORDS)[key];
    if (!words.includes(text)) throw fail(words.join(", "));
    return text;
  }
  if (key in RANGES) {
    if (!RANGES[key](number(text))) throw fail(msg("link_range"));
    return Number(text);
  }
  if (text !== "0" && text !== "1") throw fail(msg("link_switch"));
  return text === "1";
}

/** Points of two numbers and a class that has a name. @param {State} state @returns {State} */
export function checked(state) {
  const good = (/** @type {number[]} */ point) =>
    point.length === 3 && Number.isInteger(point[2]) && point[2] >= 0 && point[2] < state.labels.length;
  const bad = state.points.findIndex((point) => !good(point));
  if (bad >= 0) throw new Error(msg("link_point", { i: bad + 1, n: state.labels.length }));
  if (state.labels.length < 2) throw new Error(msg("link_labels"));
  if (state.first_row >= Math.max(1, state.points.length)) state.first_row = 0;
  const width = (state.labels.length > 2 ? state.labels.length : 1) * 3;
  if (state.init && state.init.length !== width) state.init = null;
  return state;
}
