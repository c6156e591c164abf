// Numbers as people write them: four digits unless they are whole, a true minus sign, fractions as they came.

/** @typedef {import("./types").Num} Num */

/** The value of a number that may be text such as "1/17". @param {Num} v @returns {number} */
export function valueOf(v) {
  if (typeof v === "number") return v;
  const [top, bottom] = v.split("/");
  return bottom === undefined ? Number(top) : Number(top) / Number(bottom);
}

/** @param {Num} v @param {number} digits @returns {string} */
export function shown(v, digits = 4) {
  if (typeof v === "string") return v.replace("-", "−");
  if (!Number.isFinite(v)) return v > 0 ? "∞" : v < 0 ? "−∞" : "none";
  const whole = Number.isInteger(v) && Math.abs(v) < 1e9;
  const text = whole ? String(v) : Math.abs(v) < 5e-13 ? "0" : String(Number(v.toPrecision(digits)));
  return (text === "-0" ? "0" : text).replace("-", "−");
}

/** With its sign always. @param {Num} v */
export function signed(v) {
  return valueOf(v) < 0 ? shown(v) : `+${shown(v)}`;
}

/** As a factor: negative numbers in brackets. @param {Num} v */
export function factor(v) {
  return valueOf(v) < 0 ? `(${shown(v)})` : shown(v);
}

/** @param {ArrayLike<Num>} v */
export function vector(v) {
  return `(${Array.from(v, (one) => shown(one)).join(", ")})`;
}

const SMALL = "₀₁₂₃₄₅₆₇₈₉";
/** A letter with a small number below. @param {string} letter @param {number} number */
export function sub(letter, number) {
  return letter + Array.from(String(number), (digit) => SMALL[Number(digit)]).join("");
}
