// Small controls with a name: a choice, a number, a switch. What is out of range is not taken, and says why.

import { written } from "./answers.js";
import { h } from "./dom.js";
import { msg } from "./speak.js";

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
 * A number, a decimal or a fraction such as 1/3. What is not taken stays where it was typed, marked, with the reason.
 * @param {string} name @param {number | null} value
 * @param {{ min?: number, max?: number, step?: number, blank?: boolean, off?: boolean }} range a step of 1: whole numbers
 * @param {(value: any) => void} take @returns {VNode}
 */
export function number(name, value, range, take) {
  const text = value === null ? "" : String(value);
  return h(
    "label",
    { class: "field" },
    h("span", null, name),
    h("input", {
      type: "text",
      class: "number",
      inputmode: "decimal",
      autocomplete: "off",
      value: text,
      disabled: range.off ?? false,
      placeholder: range.blank ? msg("none") : null,
      onchange: (/** @type {any} */ e) => {
        const input = /** @type {HTMLInputElement} */ (e.target);
        const reason = refusal(input.value, range);
        mark(input, reason, text);
        if (!reason) take(input.value.trim() === "" ? null : written(input.value)?.value);
      },
      onkeydown: (/** @type {any} */ e) => {
        const way = { ArrowUp: 1, ArrowDown: -1 }[/** @type {string} */ (e.key)];
        if (!way) return;
        e.preventDefault();
        const next = (written(e.target.value)?.value ?? 0) + way;
        if (!refusal(String(next), range)) take(next);
      },
    }),
  );
}

/** Why a number is not taken; "" if it is. @param {string} text @param {Parameters<typeof number>[2]} range */
function refusal(text, { min = -Infinity, max = Infinity, step, blank }) {
  if (text.trim() === "" && blank) return "";
  const value = written(text)?.value;
  const above = max < Infinity ? msg("from_to", { a: min, b: max }) : msg("at_least", { a: min });
  const limits = min > -Infinity ? above : "";
  const good = value !== undefined && Number.isFinite(value) && (step !== 1 || Number.isInteger(value));
  return good && value >= min && value <= max ? "" : msg(step === 1 ? "not_whole" : "not_number", { limits });
}

/**
 * @param {HTMLInputElement} input @param {string} reason @param {string} running the number that the run goes on with
 */
function mark(input, reason, running) {
  if (reason) input.dataset.running = running;
  else delete input.dataset.running;
  input.setAttribute("aria-invalid", String(Boolean(reason)));
  input.title = reason;
  input.closest("label")?.setAttribute("data-reason", reason);
}

/**
 * @param {string} name @param {boolean} value @param {(value: boolean) => void} take
 * @param {import("./types").Child} [looks] how what it shows looks
 * @returns {VNode}
 */
export function toggleField(name, value, take, looks) {
  return h(
    "label",
    { class: "field switch" },
    h("input", {
      type: "checkbox",
      checked: value,
      onchange: (/** @type {any} */ e) => take(e.target.checked),
    }),
    looks,
    h("span", null, name),
  );
}
