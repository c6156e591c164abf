// Small controls with a name: a choice, a number, a switch. What is out of range is not taken, and says why.

import { h } from "./dom.js";

/** @typedef {import("./types").VNode} VNode */

/**
 * @param {string} name @param {string} value @param {[string, string][]} options value and words
 * @param {(value: any) => void} take @param {boolean} [off] @returns {VNode}
 */
export function choice(name, value, options, take, off = false) {
  return h(
    "label",
    { class: "field" },
    h("span", null, name),
    h(
      "select",
      { value, disabled: off, onchange: (/** @type {any} */ e) => take(e.target.value) },
      options.map(([one, words]) => h("option", { value: one }, words)),
    ),
  );
}

/**
 * @param {string} name @param {number | null} value
 * @param {{ min?: number, max?: number, step?: number | "any", blank?: boolean, off?: boolean }} range
 * @param {(value: any) => void} take @returns {VNode}
 */
export function number(name, value, range, take) {
  return h(
    "label",
    { class: "field" },
    h("span", null, name),
    h("input", {
      type: "number",
      value: value === null ? "" : String(value),
      min: range.min,
      max: range.max,
      disabled: range.off ?? false,
      step: range.step ?? "any",
      placeholder: range.blank ? "none" : null,
      onchange: (/** @type {any} */ e) => {
        const input = /** @type {HTMLInputElement} */ (e.target);
        if (input.value === "" && range.blank && !input.validity.badInput) take(null);
        else if (input.value !== "" && input.validity.valid) take(Number(input.value));
        else input.reportValidity();
      },
    }),
  );
}

/**
 * @param {string} name @param {boolean} value @param {(value: boolean) => void} take @param {boolean} [off]
 * @returns {VNode}
 */
export function toggleField(name, value, take, off = false) {
  return h(
    "label",
    { class: "field switch" },
    h("input", {
      type: "checkbox",
      checked: value,
      disabled: off,
      onchange: (/** @type {any} */ e) => take(e.target.checked),
    }),
    h("span", null, name),
  );
}
