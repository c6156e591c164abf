// The page, updated in place. A view is a tree of plain objects made by `h`; `patch` changes only what differs, so that
// focus, selection and scrolling survive. Nothing is ever parsed as HTML: what a user types stays text.

const SVG = "http://www.w3.org/2000/svg";
/** What a node was last made of. @type {WeakMap<Node, VNode>} */
const madeOf = new WeakMap();

/** @typedef {import("./types").VNode} VNode */
/** @typedef {import("./types").Child} Child */

/**
 * An element: `on...` are listeners; `key` keeps its identity among siblings; `value`, `checked` and `scrollTop` are
 * properties; false, null and undefined leave an attribute out.
 * @param {string} tag @param {Record<string, any> | null} props @param {Child[]} children @returns {VNode}
 */
export function h(tag, props, ...children) {
  /** @type {(VNode | string)[]} */
  const flat = [];
  const add = (/** @type {Child} */ child) => {
    if (Array.isArray(child)) child.forEach(add);
    else if (child !== null && child !== undefined && child !== false && child !== true)
      flat.push(typeof child === "object" ? child : String(child));
  };
  children.forEach(add);
  return { tag, props: props ?? {}, children: flat };
}

/** Makes the children of `parent` what they should be. @param {Node} parent @param {(VNode | string)[]} wanted */
export function patch(parent, wanted) {
  /** @type {Map<any, ChildNode>} */
  const keyed = new Map();
  for (const node of parent.childNodes) {
    const key = madeOf.get(node)?.props.key;
    if (key !== undefined) keyed.set(key, node);
  }
  let at = parent.firstChild;
  for (const child of wanted) {
    const key = typeof child === "string" ? undefined : child.props.key;
    const known = key === undefined ? at : (keyed.get(key) ?? null);
    const usable = known && same(known, child) ? known : null;
    const node = usable ?? create(child, parent);
    if (node !== at) parent.insertBefore(node, at);
    else at = at.nextSibling;
    update(node, child);
  }
  while (at) {
    const next = at.nextSibling;
    parent.removeChild(at);
    at = next;
  }
}

/** @param {Node} node @param {VNode | string} child */
function same(node, child) {
  if (typeof child === "string") return node.nodeType === Node.TEXT_NODE;
  const old = madeOf.get(node);
  return old !== undefined && old.tag === child.tag && old.props.key === child.props.key;
}

/** @param {VNode | string} child @param {Node} parent @returns {ChildNode} */
function create(child, parent) {
  if (typeof child === "string") return document.createTextNode(child);
  const inSvg = child.tag === "svg" || (parent instanceof SVGElement && parent.tagName !== "foreignObject");
  const node = inSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  madeOf.set(node, { tag: child.tag, props: { key: child.props.key }, children: [] });
  return node;
}

/** @param {ChildNode} node @param {VNode | string} child */
function update(node, child) {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {HTMLElement} */ (node);
  const old = madeOf.get(node)?.props ?? {};
  for (const name in old) if (!(name in child.props)) set(element, name, null, old[name]);
  // An option must be there before its select can have its value: properties come after the children.
  const late = [];
  for (const name in child.props) {
    if (name === "value" || name === "checked" || name === "scrollTop") late.push(name);
    else if (child.props[name] !== old[name]) set(element, name, child.props[name], old[name]);
  }
  madeOf.set(node, child);
  patch(element, child.children);
  for (const name of late) property(element, name, child.props[name]);
}

/** @param {HTMLElement} element @param {string} name @param {any} value @param {any} before */
function set(element, name, value, before) {
  if (name === "key") return;
  if (name.startsWith("on")) {
    if (before) element.removeEventListener(name.slice(2), before);
    if (value) element.addEventListener(name.slice(2), value);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * What is typed is not overwritten with the same number in other digits; nor what was refused, while the number that the
 * run goes on with is the same.
 * @param {any} element @param {string} name @param {any} value
 */
function property(element, name, value) {
  if (value === null || value === undefined) return;
  if (name === "value" && element.dataset.running !== undefined) {
    if (element.dataset.running === value) return;
    delete element.dataset.running;
    element.removeAttribute("aria-invalid");
    element.title = "";
    element.closest("label")?.setAttribute("data-reason", "");
  } else if (name === "value" && element === document.activeElement && element.inputMode === "decimal") {
    if (element.value !== "" && +element.value === +value) return;
  }
  if (element[name] !== value) element[name] = value;
}
