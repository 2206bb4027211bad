// Editors of a value: a field for each number, text and boolean in it, at any depth.
//
// A field has an `element` and `update(value)`, which returns false if the value has another shape
// and needs another field. A field that is being edited is not updated.

import { BigNumber } from "./link.js";
import { el, flash, setAttribute } from "./dom.js";
import { likeColor, toHex } from "./colors.js";
import { entityLink, isId, toJson, variantOf } from "./values.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const MOST_PARTS = 100;

/** Escapes a key for a JSON pointer. */
export function below(path, key) {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function kindOf(value) {
  if (value === null) return "null";
  if (value instanceof BigNumber || typeof value === "number") return "number";
  if (Array.isArray(value)) return "list";
  return typeof value;
}

/** Returns the shape of a value; a field can show all values of one shape. */
function shapeOf(value) {
  const kind = kindOf(value);
  if (kind === "list") return `list ${value.length}`;
  if (kind === "object") return `object ${Object.keys(value).join("\n")}`;
  return kind;
}

class Field {
  constructor(element, shape, set) {
    Object.assign(this, { element, shape, set });
  }

  update(value) {
    return shapeOf(value) === this.shape && this.set(value) !== false;
  }
}

/**
 * An input that shows the value in the game. While it has the focus, its text does not change until it
 * is sent.
 */
class Input {
  /** `read(text)` returns the JSON of the typed text, or null if it is invalid. */
  constructor(owner, { type, value, path, label, read }) {
    Object.assign(this, { owner, type, path, read, saved: value, sent: null, isTyped: false, isHeld: false });
    const isLong = type === "string" && value.includes("\n");
    this.element = el(isLong ? "textarea" : "input", {
      class: `field ${type}`, value, "aria-label": label, spellcheck: "false", autocomplete: "off", readonly: owner.readOnly,
      type: isLong ? undefined : "text", rows: isLong ? 4 : undefined, inputmode: type === "number" ? "decimal" : undefined,
      onfocus: () => (this.isHeld = true), oninput: () => (this.isTyped = this.isHeld = true),
      onchange: () => this.commit(), onblur: () => this.leave(),
      onkeydown: owner.readOnly ? undefined : (event) => this.press(event),
    });
  }

  /** Shows a value of the game. */
  show(value) {
    const before = this.sent ?? this.saved;
    this.saved = value;
    this.sent = null;
    if (value === before || this.isHeld) return;
    this.restore();
    flash(this.element);
  }

  leave() {
    this.isHeld = false;
    this.restore();
  }

  /** Shows the value of the game, or the one that was sent and is not yet answered. */
  restore() {
    this.element.value = this.sent ?? this.saved;
    this.element.removeAttribute("aria-invalid");
    this.isTyped = false;
  }

  async commit() {
    if (!this.isTyped) return;
    this.isTyped = false;
    const raw = this.read(this.element.value);
    setAttribute(this.element, "aria-invalid", raw === null ? "true" : null);
    if (raw === null) return;
    this.isHeld = false;
    const text = this.element.value;
    this.sent = text;
    if (await this.owner.commit(this.path, raw)) return;
    if (this.sent === text) this.sent = null; // unless another value has been sent since
    if (!this.isTyped) this.restore();
  }

  press(event) {
    const stepped = this.type === "number" ? step(this.element.value, event) : null;
    if (event.key === "Escape" && this.isTyped) {
      event.stopPropagation();
      this.restore();
    } else if (event.key === "Enter" && !event.shiftKey) {
      this.commit();
    } else if (stepped !== null) {
      this.element.value = stepped;
      this.isTyped = true;
      this.commit();
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** Returns the number after an arrow key, or null: steps are 1, 0.1 for fractions, 10 with Shift. */
function step(text, event) {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  const number = Number(text);
  if (!direction || !NUMBER.test(text) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return null;
  const by = direction * (text.includes(".") ? 0.1 : 1) * (event.shiftKey ? 10 : 1);
  const next = Number((number + by).toPrecision(12));
  return text.includes(".") && Number.isInteger(next) ? next.toFixed(1) : String(next);
}

function numberField(owner, value, path, label) {
  const read = (text) => (NUMBER.test(text.trim()) ? text.trim() : null);
  const input = new Input(owner, { type: "number", value: toJson(value), path, label, read });
  return new Field(input.element, "number", (next) => input.show(toJson(next)));
}

/** Returns the program's hint for a field. */
function hintOf(owner, path) {
  return owner.info?.hints?.find((hint) => hint.path === path);
}

/** Sends only the last of several values that are set while the previous one is not yet answered. */
function commitLast(owner, path) {
  let next = null;
  let isBusy = false;
  return async (raw) => {
    next = raw;
    if (isBusy) return;
    isBusy = true;
    while (next !== null) {
      const now = next;
      next = null;
      await owner.commit(path, now);
    }
    isBusy = false;
  };
}

/** A field for a number with a slider. */
function rangeField(owner, value, path, label, { from, to }) {
  const number = numberField(owner, value, path, label);
  const isWhole = Number.isInteger(value) && Number.isInteger(from) && Number.isInteger(to);
  const commit = commitLast(owner, path);
  const oninput = () => commit(slider.value);
  const slider = el("input", { type: "range", min: from, max: to, step: isWhole ? 1 : (to - from) / 1000, "aria-label": `${label}, from ${from} to ${to}`, disabled: owner.readOnly, oninput });
  slider.value = value;
  return new Field(el("span", { class: "ranged" }, number.element, slider), "number", (next) => {
    if (document.activeElement !== slider) slider.value = next;
    return number.set(next);
  });
}

/** A field for a color, with a picker if the value can be written. */
function colorField(owner, value, path, label) {
  const commit = commitLast(owner, path);
  let shown = value;
  const input = el("input", { type: "color", "aria-label": label, disabled: owner.readOnly, oninput: () => commit(toJson(likeColor(shown, input.value))) });
  input.value = toHex(value);
  return new Field(input, shapeOf(value), (next) => {
    const hex = toHex(next);
    if (!hex) return false;
    shown = next;
    if (document.activeElement !== input) input.value = hex;
    return true;
  });
}

function stringField(owner, value, path, label) {
  const input = new Input(owner, { type: "string", value, path, label, read: (text) => JSON.stringify(text) });
  if (!isId(value)) return new Field(input.element, "string", (next) => input.show(next));
  const place = el("span", { class: "linked" }, input.element, entityLink(owner.app, value, { class: "id go", "aria-label": `Open ${value}` }));
  place.lastChild.textContent = "→";
  return new Field(place, "string", (next) => {
    if (!isId(next)) return false;
    place.lastChild.href = owner.app.address({ entity: next });
    return input.show(next);
  });
}

function booleanField(owner, value, path, label) {
  const box = el("input", { type: "checkbox", "aria-label": label, disabled: owner.readOnly });
  box.checked = value;
  box.addEventListener("change", async () => {
    if (!(await owner.commit(path, String(box.checked)))) box.checked = !box.checked;
  });
  return new Field(box, "boolean", (next) => {
    if (box.checked !== next) box.checked = next;
  });
}

/** The named fields of a list or an object, except hidden ones. */
function groupField(owner, value, path, label) {
  const seen = Object.entries(value).filter(([key]) => hintOf(owner, below(path, key))?.kind !== "hidden");
  const parts = seen.slice(0, MOST_PARTS).map(([key, part]) => [key, build(owner, part, below(path, key), `${label} ${key}`)]);
  const more = seen.length - parts.length;
  const variant = Array.isArray(value) ? null : variantOf(value);
  const rows = parts.map(([key, field]) => row(key, field, variant));
  const element = el("div", { class: `fields${variant ? " variant" : ""}`, role: "group", "aria-label": label }, rows,
    more > 0 ? el("p", { class: "none" }, `and ${more} more`) : null, parts.length ? null : el("p", { class: "none" }, "empty"));
  return new Field(element, shapeOf(value), (next) => parts.every(([key, field]) => field.update(next[key])));
}

function row(key, field, variant) {
  const isInline = field.element.matches("input, textarea, .linked, .ranged, .none");
  const name = el("span", { class: variant ? "tag" : "key" }, key);
  return el("div", { class: isInline ? "row" : "row deep" }, name, field.element);
}

/** Creates the field for a value. `owner` has `commit(path, raw)`, `readOnly` and `app`. */
export function build(owner, value, path, label) {
  const hint = hintOf(owner, path);
  if (hint?.kind === "hidden") return new Field(el("span", { class: "none" }, "hidden"), shapeOf(value), () => true);
  if (hint?.kind === "range" && kindOf(value) === "number") return rangeField(owner, value, path, label, hint);
  if (hint?.kind === "color" && toHex(value)) return colorField(owner, value, path, label);
  switch (kindOf(value)) {
    case "number": return numberField(owner, value, path, label);
    case "string": return stringField(owner, value, path, label);
    case "boolean": return booleanField(owner, value, path, label);
    case "null": return new Field(el("span", { class: "none" }, "none"), "null", () => true);
    default: return groupField(owner, value, path, label);
  }
}
