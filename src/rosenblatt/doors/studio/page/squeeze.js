// The squeeze: after k updates |w| is at least kγ and at most √k R, so k cannot be more than (R/γ)². With a start w₀
// and a margin β the same two sentences are: kγη + w₀·u ≤ |w| ≤ √(|w₀|² + k(η²R² + 2ηβ)). And where no line separates
// the points, which of them prove it.

import { h } from "./dom.js";
import { shown, valueOf } from "./numbers.js";
import { hidesLater, seen, weights } from "./run.js";
import { marginOf } from "./words.js";
import { msg, phrase } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

const [WIDTH, HEIGHT, LEFT, LOW, TOP] = [440, 190, 34, 26, 12];

/** @param {App} app @returns {VNode} */
export function squeezePanel(app) {
  return h(
    "section",
    { class: "card squeeze", key: "squeeze", "aria-label": msg("squeeze") },
    h("h2", null, `${msg("squeeze")}: kγ ≤ |w| ≤ √k R`),
    content(app),
  );
}

/** @param {App} app @returns {Child} */
function content(app) {
  const { run, state } = app;
  if (run.error || !run.frames.visits) return null;
  const why =
    state.kernel !== "linear"
      ? msg("squeeze_kernel")
      : run.machines > 1
        ? msg("squeeze_classes")
        : state.step !== "perceptron"
          ? msg("squeeze_step")
          : "";
  if (why || !run.certificate) return h("p", { class: "lead" }, why || msg("squeeze_recorded"));
  return [chart(app, bounds(app)), verdict(app), scaling(app)];
}

/** The numbers of the two sides. @param {App} app */
export function bounds(app) {
  const { run, state } = app;
  const certificate = /** @type {import("./types").Certificate} */ (run.certificate);
  const start = weights(run, 0)[0].map(valueOf);
  const direction = Array.from(certificate.direction ?? [], valueOf);
  const separable = certificate.separable === true && valueOf(certificate.gamma) > 0;
  const gamma = separable ? valueOf(certificate.gamma) : 0;
  const radius = valueOf(certificate.radius);
  const along = separable ? start.reduce((sum, v, j) => sum + v * (direction[j] ?? 0), 0) : 0;
  const start2 = start.reduce((sum, v) => sum + v * v, 0);
  const growth = state.eta0 ** 2 * radius ** 2 + 2 * state.eta0 * marginOf(state);
  const low = (/** @type {number} */ k) => k * gamma * state.eta0 + along;
  const high = (/** @type {number} */ k) => Math.sqrt(start2 + k * growth);
  // The largest k with low(k)² ≤ high(k)².
  const a = (gamma * state.eta0) ** 2;
  const b = growth - 2 * along * gamma * state.eta0;
  const most = separable ? (b + Math.sqrt(Math.max(0, b * b + 4 * a * (start2 - along ** 2)))) / (2 * a) : Infinity;
  const plain = start2 === 0 && marginOf(state) === 0;
  return { separable, gamma, radius, low, high, most, plain };
}

/** @param {App} app @param {ReturnType<typeof bounds>} b @returns {VNode} */
function chart(app, b) {
  const { frames } = app.run;
  const visit = seen(app);
  const updates = frames.k[frames.visits - 1] || 1;
  const near = b.separable && b.most < 2.2 * updates;
  const K = Math.max(4, Math.ceil(near ? b.most * 1.08 : updates * 1.15));
  const k = visit ? frames.k[visit - 1] : 0;
  const norms = Array.from(frames.norm, valueOf).slice(0, hidesLater(app) ? k + 1 : undefined);
  const top = Math.max(b.high(K), ...norms) * 1.05 || 1;
  const x = (/** @type {number} */ k) => (LEFT + (k / K) * (WIDTH - LEFT - 12)).toFixed(1);
  const y = (/** @type {number} */ v) => (HEIGHT - LOW - (Math.max(0, v) / top) * (HEIGHT - LOW - TOP)).toFixed(1);
  const ks = Array.from({ length: 61 }, (_, i) => (i * K) / 60);
  const back = [...ks].reverse();
  const upper = (/** @type {number} */ one) => [one, b.high(one)];
  const path = (/** @type {number[][]} */ places) => `M${places.map(([k, v]) => `${x(k)} ${y(v)}`).join("L")}`;
  const now = norms[k] ?? 0;
  const [least, most] = [Math.max(0, b.low(k)), b.high(k)];
  const said = msg("squeeze_now", { k, w: shown(now), a: shown(least), b: shown(most) });
  const under = K * 0.62;
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    h("path", { class: "frame", d: `M${LEFT} ${TOP}V${HEIGHT - LOW}H${WIDTH - 8}` }),
    h("path", {
      class: "room",
      d: `${path([...ks.map(upper), ...back.map((one) => [one, Math.min(b.low(one), b.high(one))])])}Z`,
    }),
    h("path", { class: "upper", d: path(ks.map(upper)) }),
    b.separable
      ? h("path", { class: "lower", d: path(ks.filter((one) => b.low(one) <= top).map((one) => [one, b.low(one)])) })
      : null,
    h(
      "text",
      { class: "upper", x: x(K * 0.3), y: Number(y(b.high(K * 0.3))) - 8, "text-anchor": "end" },
      b.plain ? "√k R" : msg("most"),
    ),
    b.separable
      ? h(
          "text",
          { class: "lower", x: x(under), y: Math.min(HEIGHT - LOW - 5, Number(y(b.low(under))) + 18) },
          b.plain ? "kγ" : msg("least"),
        )
      : null,
    b.separable && b.most <= K
      ? [
          h("line", { class: "limit", x1: x(b.most), x2: x(b.most), y1: TOP, y2: HEIGHT - LOW }),
          h(
            "text",
            { class: "tick", x: x(b.most), y: HEIGHT - 10, "text-anchor": "middle" },
            shown(wholeBound(b.most)),
          ),
        ]
      : null,
    h("path", { class: "run", d: path(norms.map((v, i) => [i, v])) }),
    h("circle", { class: "now", cx: x(k), cy: y(now), r: 5.5 }),
    hidesLater(app)
      ? null
      : h("text", { class: "tick", x: x(updates), y: HEIGHT - 10, "text-anchor": "middle" }, updates),
    h("text", { class: "tick", x: LEFT - 4, y: HEIGHT - 10, "text-anchor": "middle" }, "k = 0"),
    h("text", { class: "tick", x: LEFT - 6, y: TOP + 8, "text-anchor": "end" }, shown(top, 2)),
  );
}

/** @param {App} app @returns {VNode} */
function verdict(app) {
  const { run, state } = app;
  const b = bounds(app);
  const updates = run.frames.k[run.frames.visits - 1];
  const certificate = /** @type {import("./types").Certificate} */ (run.certificate);
  if (certificate.separable === null) return h("p", { class: "lead" }, msg("not_known"));
  if (certificate.separable && !b.separable) return h("p", { class: "lead" }, msg("too_small"));
  if (!b.separable) {
    const proving = Array.from(certificate.lambda, valueOf)
      .map((v, i) => (v > 0 ? i + 1 : 0))
      .filter(Boolean);
    return h(
      "p",
      { class: "lead" },
      h("b", { class: "wrong" }, msg(state.fit_intercept ? "inseparable" : "inseparable_origin")),
      msg("prove", { n: proving.length, list: proving.join(", ") }),
    );
  }
  const secret = hidesLater(app) ? "?" : String(updates);
  return h(
    "p",
    { class: "lead" },
    phrase("bound", {
      facts: `γ = ${shown(certificate.gamma)}, R = ${shown(certificate.radius)}${b.plain ? `, (R/γ)² = ${shown(b.most)}` : ""}`,
      most: h("b", null, msg("n_updates", { n: wholeBound(b.most) })),
      updates: h("b", null, secret),
    }),
  );
}

/** Updates are whole: so is their bound. Rounding may have made it too small by a little. @param {number} most */
function wholeBound(most) {
  return Math.floor(most * (1 + 1e-9));
}

/** What scaling did to the bound. @param {App} app @returns {Child} */
function scaling({ run }) {
  if (!run.raw || !run.certificate) return null;
  const ratio = (/** @type {import("./types").Certificate} */ one) =>
    one.separable ? `R/γ = ${shown(valueOf(one.radius) / valueOf(one.gamma))}` : msg("no_line_separates");
  return h(
    "p",
    { class: "lead" },
    phrase("scaled_bound", { before: ratio(run.raw), after: h("b", null, ratio(run.certificate)) }),
  );
}
