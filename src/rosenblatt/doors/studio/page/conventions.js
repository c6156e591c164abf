// The conventions of a run, each a control, named as the lectures name them.

import { h } from "./dom.js";
import { choice, number, toggleField } from "./fields.js";
import { className } from "./marks.js";
import { sub } from "./numbers.js";
import { sample, toggle } from "./readouts.js";
import { wrongOnly } from "./words.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").State} State */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/** @param {App} app @returns {VNode} */
export function conventionsPanel(app) {
  return h(
    "section",
    { class: "card conventions", key: "conventions", "aria-label": msg("conventions") },
    h("h2", null, msg("conventions")),
    app.run.live
      ? [
          h("div", { class: "fields" }, ofMistakes(app), ofFeatures(app), ofOrder(app), ofStep(app)),
          app.state.kernel === "linear" && app.state.labels.length === 2
            ? [h("h2", null, msg("also_draw")), h("div", { class: "fields drawn" }, ofDrawing(app))]
            : null,
        ]
      : null,
    h("p", { class: "lead line" }, app.run.conventions),
  );
}

/** @param {App} app @returns {Child} */
function ofMistakes({ state, set }) {
  const many = state.labels.length > 2;
  return [
    choice(
      msg("tie"),
      state.tie,
      [
        ["mistake", msg("tie_mistake")],
        ["positive", msg("tie_positive")],
        ["negative", msg("tie_negative")],
      ],
      (tie) => set({ tie }),
    ),
    number(msg("margin"), state.margin, { min: 0, blank: true }, (margin) => set({ margin })),
    many
      ? choice(
          msg("classes"),
          state.multiclass,
          [
            ["argmax", msg("argmax")],
            ["one-vs-rest", msg("one_vs_rest")],
          ],
          (multiclass) => set({ multiclass }),
        )
      : null,
  ];
}

/** @param {App} app @returns {Child} */
function ofFeatures(app) {
  const { state, set } = app;
  const kernel = state.kernel !== "linear";
  /** @type {[string, string][]} */
  const kernels = [
    ["linear", msg("linear")],
    ["poly", msg("poly")],
    ["rbf", msg("rbf")],
  ];
  return [
    choice(msg("score"), state.kernel, state.labels.length > 2 ? kernels.slice(0, 1) : kernels, (value) =>
      set({ kernel: value }),
    ),
    kernel ? number(msg("kernel_gamma"), state.gamma, { min: 0.001 }, (gamma) => set({ gamma })) : null,
    state.kernel === "poly" ? number(msg("kernel_c"), state.coef0, {}, (coef0) => set({ coef0 })) : null,
    state.kernel === "poly"
      ? number(msg("degree"), state.degree, { min: 1, max: 9, step: 1 }, (degree) => set({ degree }))
      : null,
    kernel ? null : toggleField(msg("bias"), state.fit_intercept, (fit_intercept) => set({ fit_intercept })),
    kernel || !state.fit_intercept
      ? null
      : number(msg("bias_value"), state.intercept_scaling, { min: 0.001 }, (v) => set({ intercept_scaling: v })),
    choice(
      msg("scaling"),
      state.scale,
      [
        ["none", msg("scale_none")],
        ["centre", msg("scale_centre")],
        ["standard", msg("scale_standard")],
        ["unit", msg("scale_unit")],
      ],
      (scale) => set({ scale }),
    ),
    kernel ? null : starts(app),
  ];
}

/** The start weights, a number each. @param {App} app @returns {Child} */
function starts({ state, set }) {
  const machines = state.labels.length > 2 ? state.labels.length : 1;
  const init = state.init ?? new Array(machines * 3).fill(0);
  return h(
    "fieldset",
    { class: "field starts" },
    h("legend", null, msg("start_weights")),
    init.map((v, i) => {
      const [m, j] = [Math.floor(i / 3), i % 3];
      if (j === 0 && !state.fit_intercept) return null;
      const name = sub("w", j) + (machines > 1 ? `[${className(state.labels, m)}]` : "");
      return h(
        "span",
        { key: i },
        number(name, v, {}, (value) => {
          const next = init.map((old, at) => (at === i ? value : old));
          set({ init: next.some(Boolean) ? next : null });
        }),
      );
    }),
  );
}

/** @param {App} app @returns {Child} */
function ofOrder({ state, set }) {
  return [
    choice(
      msg("order"),
      state.order,
      [
        ["listed", msg("listed")],
        ["shuffled", msg("shuffled")],
        ["first-wrong", msg("first_wrong")],
        ["worst-wrong", msg("worst_wrong")],
      ],
      (order) => set({ order }),
    ),
    state.order === "shuffled"
      ? number(msg("seed"), state.seed, { min: 0, max: 2 ** 31 - 1, step: 1 }, (seed) => set({ seed }))
      : choice(
          msg("first_point"),
          String(state.first_row),
          state.points.map((_, i) => /** @type {[string, string]} */ ([String(i), msg("point_i", { i: i + 1 })])),
          (v) => set({ first_row: Number(v) }),
        ),
    number(
      msg(wrongOnly(state) ? "max_visits" : "max_passes"),
      state.max_iter,
      { min: 1, max: 4000, step: 1 },
      (max_iter) => set({ max_iter }),
    ),
  ];
}

/** @param {App} app @returns {Child} */
function ofStep({ state, set }) {
  const kernel = state.kernel !== "linear";
  const step = kernel ? "perceptron" : state.step;
  return [
    kernel
      ? null
      : choice(
          msg("step_rule"),
          state.step,
          [
            ["perceptron", msg("step_perceptron")],
            ["pa", msg("step_pa")],
            ["pa1", msg("step_pa1")],
            ["pa2", msg("step_pa2")],
            ["arow", msg("step_arow")],
          ],
          (one) => set({ step: one, margin: null }),
        ),
    step === "perceptron" ? number(msg("eta"), state.eta0, { min: 0.0001 }, (eta0) => set({ eta0 })) : null,
    step === "pa1" || step === "pa2" ? number("C", state.C, { min: 0.0001 }, (C) => set({ C })) : null,
    step === "arow" ? number("r", state.r, { min: 0.0001 }, (r) => set({ r })) : null,
  ];
}

/** @param {App} app @returns {Child} */
function ofDrawing(app) {
  const { state, run } = app;
  const draws = (/** @type {string} */ name, /** @type {string} */ words, /** @type {Child} */ looks = null) =>
    toggleField(words, state.show.includes(name), () => toggle(app, name), looks);
  return [
    draws("band", msg("draw_band"), sample("band", 10)),
    draws("before", msg("draw_before"), sample("line before")),
    run.certificate?.separable ? draws("widest", msg("widest"), sample("line widest")) : null,
    run.certificate?.separable === false
      ? draws("proof", msg("draw_proof"), [sample("hull class-0"), sample("hull class-1")])
      : null,
    state.step === "perceptron" ? draws("alpha", msg("draw_alpha")) : null,
  ];
}
