// The studio as a page of its own: the core, the presets and a recorded run are in blocks of the page, or else the
// core and the presets lie beside it.

import { loadCore } from "./core.js";
import { studio } from "./studio.js";

/** What the page was before anything is drawn: the one-file page copies itself from it. */
const source = document.documentElement.outerHTML;

/** @param {string} id */
function block(id) {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? text : null;
}

/** @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function coreBytes() {
  const text = block("studio-core");
  if (text) {
    const packed = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
    return new Uint8Array(
      await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer(),
    );
  }
  return new Uint8Array(await (await fetch("core.wasm")).arrayBuffer());
}

const PAUSE = 250; // milliseconds: browsers refuse a page that changes its address too often
let waiting = 0;
let stepped = false;

/**
 * The hash goes into the address, after a short rest. Another run is a new entry, so that the browser's Back undoes it;
 * not in a frame, where Back belongs to the page around it.
 * @param {string} hash @param {boolean} step
 */
function address(hash, step) {
  clearTimeout(waiting);
  stepped ||= step;
  waiting = window.setTimeout(() => {
    const isNew = stepped && window === window.parent && hash !== location.hash;
    stepped = false;
    // A page in a file may not always change its history; the link can still be copied.
    try {
      if (isNew) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch {
      /* no history here */
    }
  }, PAUSE);
}

async function main() {
  const root = /** @type {HTMLElement} */ (document.getElementById("studio"));
  const presets = JSON.parse(block("studio-presets") ?? "null") ?? (await (await fetch("presets.json")).json());
  const core = await loadCore(await coreBytes());
  const whole = block("studio-core") !== null;
  const made = studio(
    root,
    core,
    {
      changed: address,
      address: () => location.href.split(/[?#]/)[0],
      page: () => (whole ? source : ""),
      embedded: new URLSearchParams(location.search).has("embed"),
      keys: document,
    },
    {
      presets,
      hash: location.hash || JSON.parse(block("studio-state") ?? "null") || "",
      run: JSON.parse(block("studio-run") ?? "null"),
    },
  );
  window.addEventListener("hashchange", () => made.follow(location.hash));
  root.dataset.ready = "1";
}

main().catch((error) => {
  const root = /** @type {HTMLElement} */ (document.getElementById("studio"));
  const said = document.createElement("p");
  said.className = "error";
  said.textContent = `The studio could not start: ${error instanceof Error ? error.message : error}`;
  root.prepend(said);
});
