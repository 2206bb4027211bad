// Builds and updates the document. Text is always inserted as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Creates an element with attributes, listeners (`onclick`) and children: nodes or strings. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Returns the names in a text: separated by commas, except those inside of brackets, as in `Pair<Hp, Mana>`. */
export function namesIn(text) {
  const names = [""];
  let depth = 0;
  let before = "";
  for (const letter of text ?? "") {
    if ("<([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter) || (letter === ">" && before !== "-")) depth -= 1;
    if (letter === "," && depth === 0) names.push("");
    else names[names.length - 1] += letter;
    before = letter;
  }
  return names.map((name) => name.trim()).filter(Boolean);
}

/** Sets the text if it differs; returns whether it did. */
export function setText(element, text) {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

/** Sets an attribute if it differs; null removes it. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Updates the children of an element from a list, in its order: one child for each key, which is kept
 * as long as the key. `create` returns an object with an `element` and a method `update`.
 */
export function keyed(parent, parts, items, keyOf, create) {
  const seen = new Set();
  let at = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    seen.add(key);
    if (!parts.has(key)) parts.set(key, create(item));
    const part = parts.get(key);
    if (part.element === at) at = at.nextElementSibling;
    else parent.insertBefore(part.element, at);
    part.update(item);
  }
  for (const [key, part] of parts) {
    if (seen.has(key)) continue;
    part.element.remove();
    parts.delete(key);
  }
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const flashed = new WeakMap();

/** Highlights a change, at most a few times a second. */
export function flash(element) {
  const now = performance.now();
  if (calm.matches || now - (flashed.get(element) ?? 0) < 900) return;
  flashed.set(element, now);
  element.animate({ backgroundColor: ["var(--flash)", "transparent"] }, 800);
}

const numbers = new Intl.NumberFormat("en");

export function count(number) {
  return numbers.format(number);
}

export function bytes(number) {
  if (number < 1024) return `${number} B`;
  if (number < 1024 * 1024) return `${(number / 1024).toFixed(1)} KiB`;
  return `${(number / 1024 / 1024).toFixed(2)} MiB`;
}

/** Formats a time in nanoseconds. */
export function time(nanoseconds) {
  if (nanoseconds < 1000) return `${nanoseconds} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toFixed(2)} ms`;
  return `${(nanoseconds / 1e9).toFixed(2)} s`;
}

/** Limits calls to one per frame of the screen. */
export function onceAFrame(run) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      run();
    });
  };
}
