// Values of components as short texts, and names as chips.

import { BigNumber } from "./link.js";
import { toHex } from "./colors.js";
import { el, setText } from "./dom.js";

const ID = /^\d+v\d+$/;

/** Whether a value is the id of an entity. */
export function isId(value) {
  return typeof value === "string" && ID.test(value);
}

/** Returns the JSON of a value, with numbers as the game wrote them. */
export function toJson(value, indent = "", step = "") {
  if (value instanceof BigNumber) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = indent + step;
  const parts = Object.entries(value).map(([key, part]) => {
    const text = toJson(part, inner, step);
    return isList ? text : `${JSON.stringify(key)}:${step ? " " : ""}${text}`;
  });
  const [open, close] = isList ? "[]" : "{}";
  if (!parts.length) return open + close;
  return step ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}` : `${open}${parts.join(",")}${close}`;
}

/** Whether an object is a variant of an enum with fields: `{"Busy": ..}`. */
export function variantOf(value) {
  const keys = Object.keys(value);
  return keys.length === 1 && /^[A-Z]/.test(keys[0]) ? keys[0] : null;
}

function shortNumber(value) {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function shortObject(value) {
  const variant = variantOf(value);
  if (variant) return `${variant} ${short(value[variant])}`.trimEnd();
  const entries = Object.entries(value);
  if (entries.length === 1) return short(entries[0][1]);
  return entries.map(([key, part]) => `${key} ${short(part)}`).join("  ");
}

/** Returns a value as one line of text. */
export function short(value) {
  if (value === null) return "none";
  if (typeof value === "number") return shortNumber(value);
  if (value instanceof BigNumber) return value.text;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.slice(0, 16).map(short).join(", ")}${value.length > 16 ? ", …" : ""}]`;
  return shortObject(value);
}

/** Returns an answer with a value as one line of text: from JSON, or `Debug` output. */
export function shown(value) {
  if (!value) return "";
  if ("text" in value) return value.text;
  const text = short(value.json);
  return text === "" && value.json !== "" ? "✓" : text;
}

/** Returns the parts of `shown`: names of fields in `<i>`, to be toned down, their values, and colors in `<s>`. */
function partsOf(value, hints = []) {
  const json = value?.json;
  const hasFields = json !== null && typeof json === "object" && !Array.isArray(json) && !(json instanceof BigNumber);
  const hintOf = (path) => hints.find((hint) => hint.path === path)?.kind;
  const part = (path, inner) => (hintOf(path) === "color" && toHex(inner) ? ["s", toHex(inner)] : ["b", short(inner)]);
  if (!hasFields || variantOf(json)) return [hintOf("") === "color" && toHex(json) ? ["s", toHex(json)] : ["b", shown(value)]];
  const entries = Object.entries(json).filter(([key]) => hintOf(`/${key}`) !== "hidden");
  if (Object.keys(json).length < 2) return [entries.length ? part(`/${entries[0][0]}`, entries[0][1]) : ["b", shown(value)]];
  return entries.flatMap(([key, inner]) => [["i", key], part(`/${key}`, inner)]);
}

/** Shows a value in an element, writing only what has changed; returns whether anything has. */
export function showIn(element, value, hints) {
  const parts = partsOf(value, hints);
  const kinds = parts.map(([kind]) => kind).join("");
  const isSame = element.dataset.kinds === kinds;
  if (!isSame) element.replaceChildren(...parts.map(([kind]) => el(kind)));
  element.dataset.kinds = kinds;
  for (const [nth, [kind, text]] of parts.entries()) if (kind === "s") element.children[nth].style.setProperty("--color", text);
  return parts.filter(([, text], nth) => setText(element.children[nth], text)).length > 0;
}

/** The name of a component, with its color. */
export function chip(app, name, tag = "span", attributes = {}) {
  const hue = app.hueOf(name);
  return el(tag, { class: "chip", style: `--hue:${hue}`, ...attributes }, name);
}

/** A link that opens an entity. */
export function entityLink(app, id, attributes = {}) {
  return el("a", { class: "id", href: app.address({ entity: id }), ...attributes }, id);
}
