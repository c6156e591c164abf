// The studio as one file that holds its state: the page as it was before anything was drawn, with the state in its
// block, and with what is to be seen now as still markup, so that it is not blank even where no script runs.

import { toHash } from "./state.js";
import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */

/** @param {App} app @returns {string} */
export function asPage(app) {
  const made = new DOMParser().parseFromString(app.host.page(), "text/html");
  const state = made.getElementById("studio-state");
  const root = made.getElementById("studio");
  if (!state || !root) throw new Error(msg("no_block"));
  state.textContent = JSON.stringify(toHash(app.state, app.presets)).replaceAll("<", "\\u003c");
  root.replaceChildren(...Array.from(app.root.childNodes, (node) => made.importNode(node, true)));
  // Without scripts a control would do nothing; the bars of the passes are a chart too, and stay.
  for (const node of root.querySelectorAll(".panel, .fields, .preset, .tools, button:not(.bar), input, textarea"))
    node.remove();
  return `<!doctype html>\n${made.documentElement.outerHTML}\n`;
}
