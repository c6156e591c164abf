// What can be taken away: a link, Python, CSV, LaTeX, SVG, PNG, the page as one file, paper; and points brought along.
// What is copied is also shown, for where a page may not use the clipboard.

import { h } from "./dom.js";
import { asPage } from "./page_file.js";
import { readPoints } from "./paste.js";
import { asPng, asSvg } from "./picture.js";
import { asPython } from "./python.js";
import { toHash } from "./state.js";
import { asCsv, asLatex } from "./tabular.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */
/** @typedef {import("./types").VNode} VNode */

/** @param {App} app @returns {VNode} */
export function takePanel(app) {
  const { ui, run } = app;
  const copying = (/** @type {string} */ words, /** @type {() => string} */ make) =>
    h("button", { onclick: () => copy(app, words, make) }, words);
  const saving = (
    /** @type {string} */ words,
    /** @type {string} */ name,
    /** @type {() => Blob | Promise<Blob>} */ make,
  ) => h("button", { onclick: () => save(app, name, make) }, words);
  const text = (/** @type {string} */ kind, /** @type {() => string} */ make) => () =>
    new Blob([make()], { type: kind });
  return h(
    "section",
    { class: "card panel take", key: "take", "aria-label": msg("share") },
    h("h2", null, msg("share")),
    h(
      "div",
      { class: "actions" },
      run.live
        ? [
            copying(msg("copy_link"), () => linkOf(app)),
            copying(msg("copy_frame"), () => frameOf(app)),
            copying(msg("copy_python"), () => asPython(app)),
          ]
        : null,
      copying(msg("copy_csv"), () => asCsv(app)),
      copying(msg("copy_latex"), () => asLatex(app)),
      saving(
        msg("save_csv"),
        "rosenblatt.csv",
        text("text/csv", () => asCsv(app)),
      ),
      saving(
        msg("save_svg"),
        "rosenblatt.svg",
        text("image/svg+xml", () => asSvg(app)),
      ),
      saving(msg("save_png"), "rosenblatt.png", () => asPng(app)),
      app.host.page()
        ? saving(
            msg("save_page"),
            "rosenblatt.html",
            text("text/html", () => asPage(app)),
          )
        : null,
      h("button", { onclick: () => window.print() }, msg("print")),
    ),
    ui.output
      ? h(
          "div",
          { class: "output" },
          h(
            "label",
            null,
            h("span", null, ui.output.title),
            h("textarea", {
              readonly: true,
              rows: Math.min(10, ui.output.text.split("\n").length + 1),
              value: ui.output.text,
              spellcheck: "false",
            }),
          ),
          ui.output.note ? h("p", { class: "lead" }, ui.output.note) : null,
        )
      : null,
    run.live ? bring(app) : null,
  );
}

/** Points of one's own: typed, pasted, or a file that is dropped. @param {App} app @returns {VNode} */
function bring(app) {
  const { ui } = app;
  return h(
    "form",
    {
      class: "bring",
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        takePoints(app, ui.paste);
      },
    },
    h(
      "label",
      null,
      h("span", null, msg("bring")),
      h("textarea", {
        rows: 4,
        placeholder: "0, 0, -1\n1, 1, +1",
        value: ui.paste,
        spellcheck: "false",
        oninput: (/** @type {any} */ e) => {
          ui.paste = e.target.value;
        },
      }),
    ),
    h("div", { class: "actions" }, h("button", { type: "submit" }, msg("use_points"))),
  );
}

/** @param {App} app @param {string} text */
export function takePoints(app, text) {
  try {
    const { points, labels } = readPoints(text);
    app.ui.error = "";
    app.set({
      preset: "",
      points,
      labels,
      visit: 0,
      init: null,
      first_row: 0,
      kernel: labels.length > 2 ? "linear" : app.state.kernel,
    });
    app.say(msg("points_read", { n: points.length, c: labels.length }));
  } catch (error) {
    app.ui.error = error instanceof Error ? error.message : String(error);
    app.draw();
  }
}

/** @param {App} app */
export function linkOf(app) {
  return app.host.address() + toHash(app.state, app.presets);
}

/** A link to a file is good on this computer alone. @param {App} app */
function whereItWorks(app) {
  const address = app.host.address();
  if (address.startsWith("file:")) {
    return msg("link_of_file");
  }
  return address ? "" : msg("link_of_notebook");
}

/** The plot, the sum and the player for a page of one's own. @param {App} app */
function frameOf(app) {
  const source = `${app.host.address()}?embed${toHash(app.state, app.presets)}`.replaceAll("&", "&amp;");
  const attributes = { src: source, title: msg("title"), width: "100%", height: "560", style: "border: 0" };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
  return `<iframe ${written.join(" ")}></iframe>\n`;
}

/** @param {App} app @param {string} title @param {() => string} make */
function copy(app, title, make) {
  const text = make();
  app.ui.output = { title, text, note: [msg("copy_link"), msg("copy_frame")].includes(title) ? whereItWorks(app) : "" };
  app.draw();
  const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
  copied.then(
    () => app.say(msg("copied", { what: title })),
    () => app.say(msg("not_copied", { what: title })),
  );
}

/** @param {App} app @param {string} name @param {() => Blob | Promise<Blob>} make */
async function save(app, name, make) {
  try {
    const address = URL.createObjectURL(await make());
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    app.say(msg("saved", { name }));
  } catch (error) {
    app.ui.error = error instanceof Error ? error.message : String(error);
    app.draw();
  }
}
