// Whether the studio's surroundings are dark: a notebook or a site says so itself, else the system's wish counts. Paper
// is light.

/** @typedef {import("./types").App} App */

const WISH = "(prefers-color-scheme: dark)";
const DARK = "[data-jp-theme-light=false], [data-theme=dark], .vscode-dark, .vscode-high-contrast, .dark-theme";
const LIGHT = "[data-jp-theme-light=true], [data-theme=light], .vscode-light, .light-theme";

/** @param {App} app */
export function isDark({ root, ui }) {
  if (ui.printing) return false;
  const said = root.closest(`${DARK}, ${LIGHT}`);
  return said ? said.matches(DARK) : matchMedia(WISH).matches;
}

/**
 * Draws again when it changes.
 * @param {App} app @param {AbortSignal} signal
 */
export function watchTheme(app, signal) {
  const changed = () => {
    if (isDark(app) !== app.root.classList.contains("dark")) app.draw();
  };
  matchMedia(WISH).addEventListener("change", changed, { signal });
  const observer = new MutationObserver(changed);
  const attributeFilter = ["class", "data-theme", "data-jp-theme-light"];
  for (const host of [document.documentElement, document.body]) observer.observe(host, { attributeFilter });
  signal.addEventListener("abort", () => observer.disconnect());
}
