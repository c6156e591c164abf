// Says a text of strings.js in the language that was chosen, or in that of the browser.

import { LANGUAGES, STRINGS } from "./strings.js";

/** @typedef {import("./types").Child} Child */

let place = 0; // of the language among LANGUAGES

/** @param {string} language "" for the browser's @returns {string} the language that is spoken now */
export function speak(language) {
  const wished = language || navigator.language.slice(0, 2);
  place = Math.max(
    0,
    LANGUAGES.findIndex((one) => one === wished),
  );
  return LANGUAGES[place];
}

/** The text of a key, of "one¦many" by {n}. @param {string} key @param {Record<string, any>} values */
function chosen(key, { n }) {
  const [one, many] = STRINGS[key][place].split("¦");
  return many === undefined || n === 1 ? one : many;
}

/** A text with its values filled in. @param {string} key @param {Record<string, any>} [values] @returns {string} */
export function msg(key, values = {}) {
  return chosen(key, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The same, where values may be elements. @param {string} key @param {Record<string, Child>} values @returns {Child[]} */
export function phrase(key, values) {
  return chosen(key, values)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 ? values[part] : part));
}
