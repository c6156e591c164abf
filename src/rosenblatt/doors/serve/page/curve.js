// The curve of mistakes as SVG: a line, the area under it, the bound where one is known, and an axis on two sides.
import { count, number, percent } from "./words.js";

const [LEFT, TOP] = [56, 10];
const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Up to five round numbers from 0 on, the last of them at least `most`: steps of 1, 2 or 5 times a power of ten.
export function ticks(most) {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * [1, 2, 5, 10].find((one) => one * power >= rough));
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, k) => k * step);
}

// A bound far above the curve would press it flat: it is then said in words alone.
const inPicture = (bound, mistakes) => bound !== null && bound <= 3 * Math.max(mistakes, 1);

// `points` are {seq, mistakes}, in order; the newest is always among them.
export function draw(svg, legend, { points, bound }, examples) {
  const last = points.at(-1) ?? { seq: 0, mistakes: 0 };
  const drawn = inPicture(bound, last.mistakes);
  // One unit is one pixel, so that words are as large on a phone as on a desk.
  const width = Math.max(svg.clientWidth, 280);
  const height = Math.round(Math.min(Math.max(0.42 * width, 200), 320));
  const [right, bottom] = [width - 12, height - 30];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const across = ticks(last.seq);
  const up = ticks(drawn ? Math.max(bound, last.mistakes) : last.mistakes);
  const x = (seq) => LEFT + ((right - LEFT) * seq) / Math.max(last.seq, 1);
  const y = (mistakes) => bottom - ((bottom - TOP) * mistakes) / up.at(-1);

  const grid = up.flatMap((tick) => [
    shape("line", { class: "rule", x1: LEFT, x2: right, y1: y(tick), y2: y(tick) }),
    shape("text", { x: LEFT - 8, y: y(tick) + 5, "text-anchor": "end" }, count(tick)),
  ]);
  for (const tick of across.filter((one) => one <= last.seq)) {
    const anchor = x(tick) > right - 30 ? "end" : "middle";
    grid.push(shape("text", { x: x(tick), y: bottom + 22, "text-anchor": anchor }, count(tick)));
  }

  const path = [{ seq: 0, mistakes: 0 }, ...points].map((one) => `${x(one.seq).toFixed(1)},${y(one.mistakes).toFixed(1)}`);
  const lines = [];
  if (last.seq) {
    lines.push(shape("path", { class: "under", d: `M${path.join("L")}L${x(last.seq)},${bottom}L${LEFT},${bottom}Z` }));
    lines.push(shape("path", { class: "mistakes", d: `M${path.join("L")}` }));
  }
  if (drawn) {
    lines.push(shape("line", { class: "bound", x1: LEFT, x2: right, y1: y(bound), y2: y(bound) }));
    lines.push(shape("text", { class: "of-bound", x: LEFT + 8, y: y(bound) + 18 }, `bound ${number(bound)}`));
  }

  svg.querySelector("#grid").replaceChildren(...grid);
  svg.querySelector("#lines").replaceChildren(...lines);
  const said = `${count(last.mistakes)} mistakes in ${count(examples)} examples (${percent(last.mistakes, examples)})`;
  const limit = bound === null ? "No bound is known for this stream." : `The theorem allows at most ${number(bound)}.`;
  svg.querySelector("title").textContent = `${said}. ${limit}`;
  legend.textContent = `Across: examples. Up: mistakes so far. ${limit}`;
}
