// Numbers and values as people read them, and elements with text in them: never markup, whatever a label contains.
const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (value) => (value === null || value === undefined ? "–" : whole.format(value));
export const rate = (value) => (value >= 100 ? whole.format(Math.round(value)) : short.format(value));
export const percent = (part, all) => (all ? `${short.format((100 * part) / all)} %` : "–");
export const number = (value) => short.format(value);

export function text(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(" "); // tags, words
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
