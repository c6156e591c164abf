// The plot as a file: SVG with its colours written into it, so that it looks the same anywhere, and PNG drawn from it.

import { msg } from "./speak.js";

/** @typedef {import("./types").App} App */

const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-weight",
  "font-style",
  "font-family",
  "paint-order",
];

/** @param {App} app @returns {string} */
export function asSvg(app) {
  const svg = /** @type {SVGSVGElement} */ (app.root.querySelector(".plot-svg"));
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const originals = [svg, ...svg.querySelectorAll("*")];
  const halos = copy.querySelectorAll(".halo");
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "role", "data-point"]) element.removeAttribute(name);
  });
  halos.forEach((halo) => halo.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(app.box.width));
  copy.setAttribute("height", String(app.box.height));
  return new XMLSerializer().serializeToString(copy);
}

/** Twice as fine as on the screen. @param {App} app @returns {Promise<Blob>} */
export async function asPng(app) {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error(msg("no_picture")));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asSvg(app))}`;
  await loaded;
  const canvas = document.createElement("canvas");
  canvas.width = 2 * app.box.width;
  canvas.height = 2 * app.box.height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(msg("no_picture")))), "image/png");
  });
}
