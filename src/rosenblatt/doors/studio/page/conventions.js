// The conventions of a run, each a control, named as the lectures name them.

import { h } from "./dom.js";
import { choice, number, toggleField } from "./fields.js";
import { className } from "./marks.js";
import { sub } from "./numbers.js";
import { sample, toggle } from "./readouts.js";
import { wrongOnly } from "./words.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").State} State */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/** @param {App} app @returns {VNode} */
export function conventionsPanel(app) {
  return h(
    "section",
    { class: "card conventions", key: "conventions", "aria-label": "Conventions" },
    h("h2", null, "Conventions"),
    app.run.live
      ? [
          h("div", { class: "fields" }, ofMistakes(app), ofFeatures(app), ofOrder(app), ofStep(app)),
          app.state.kernel === "linear" && app.state.labels.length === 2
            ? [h("h2", null, "Also draw"), h("div", { class: "fields drawn" }, ofDrawing(app))]
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
      "A tie, s = 0",
      state.tie,
      [
        ["mistake", "is a mistake (y s ≤ 0)"],
        ["positive", "counts as +1 (s ≥ 0 is +)"],
        ["negative", "counts as −1 (s > 0 is +)"],
      ],
      (tie) => set({ tie }),
    ),
    number("Margin β", state.margin, { min: 0, blank: true }, (margin) => set({ margin })),
    many
      ? choice(
          "Classes",
          state.multiclass,
          [
            ["argmax", "the largest score wins"],
            ["one-vs-rest", "one against the rest"],
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
    ["linear", "w·x, a line"],
    ["poly", "polynomial"],
    ["rbf", "rbf, Gaussian"],
  ];
  return [
    choice("Score", state.kernel, state.labels.length > 2 ? kernels.slice(0, 1) : kernels, (value) =>
      set({ kernel: value }),
    ),
    kernel ? number("Kernel γ", state.gamma, { min: 0.001 }, (gamma) => set({ gamma })) : null,
    state.kernel === "poly" ? number("Kernel c", state.coef0, {}, (coef0) => set({ coef0 })) : null,
    state.kernel === "poly"
      ? number("Degree", state.degree, { min: 1, max: 9, step: 1 }, (degree) => set({ degree }))
      : null,
    kernel
      ? null
      : toggleField("Constant feature (bias)", state.fit_intercept, (fit_intercept) => set({ fit_intercept })),
    kernel || !state.fit_intercept
      ? null
      : number("Its value", state.intercept_scaling, { min: 0.001 }, (v) => set({ intercept_scaling: v })),
    choice(
      "Scaling",
      state.scale,
      [
        ["none", "as they are"],
        ["centre", "centred"],
        ["standard", "centred, deviation 1"],
        ["unit", "scaled to length ≤ 1"],
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
    h("legend", null, "Start weights"),
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
      "Order",
      state.order,
      [
        ["listed", "as listed"],
        ["shuffled", "shuffled each pass"],
        ["first-wrong", "always the first wrong"],
        ["worst-wrong", "always the worst wrong"],
      ],
      (order) => set({ order }),
    ),
    state.order === "shuffled"
      ? number("Seed", state.seed, { min: 0, max: 2 ** 31 - 1, step: 1 }, (seed) => set({ seed }))
      : choice(
          "First point",
          String(state.first_row),
          state.points.map((_, i) => /** @type {[string, string]} */ ([String(i), `point ${i + 1}`])),
          (v) => set({ first_row: Number(v) }),
        ),
    number(
      wrongOnly(state) ? "Most visits" : "Most passes",
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
          "Step",
          state.step,
          [
            ["perceptron", "perceptron: η y x"],
            ["pa", "PA: just to the margin"],
            ["pa1", "PA-I: at most C"],
            ["pa2", "PA-II: softened by C"],
            ["arow", "AROW: confidence"],
          ],
          (one) => set({ step: one, margin: null }),
        ),
    step === "perceptron" ? number("Learning rate η", state.eta0, { min: 0.0001 }, (eta0) => set({ eta0 })) : null,
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
    draws("band", "margin band", sample("band", 10)),
    draws("before", "the line before the step", sample("line before")),
    run.certificate?.separable ? draws("widest", "the widest margin", sample("line widest")) : null,
    run.certificate?.separable === false
      ? draws("proof", "why no line separates", [sample("hull class-0"), sample("hull class-1")])
      : null,
    state.step === "perceptron" ? draws("alpha", "α, mistakes on each point") : null,
  ];
}
