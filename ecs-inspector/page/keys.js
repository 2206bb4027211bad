// Shortcuts, and the dialog that lists them.

import { byId, el } from "./dom.js";

const KEYS = [
  ["1 – 7", "Entities, canvas, uniques, counts, systems, memory, log"],
  ["/", "Search"],
  ["F", "Filter entities; hold the log"],
  ["C", "Columns"],
  ["N", "New entity"],
  ["Escape", "Close the entity"],
  ["P", "Pause, or resume"],
  ["S", "Step one frame"],
  ["R", "Record history, or stop"],
  ["[ ]", "One frame back, forward"],
  ["G", "Continue from a past frame"],
  ["B", "Back to the present"],
  ["T", "Theme: light, dark, or as the system"],
  ["?", "Show these keys"],
  ["↑ ↓ Enter", "Move through a list, open an entity"],
  ["↑ ↓ in a number", "One more, one less; ten with Shift"],
];

export const keys = {
  show() {
    const dialog = byId("keys");
    const close = el("button", { class: "primary", onclick: () => dialog.close() }, "Close");
    const list = KEYS.flatMap(([key, what]) => [el("dt", {}, key.split(" ").map((part) => (/^[a-z–]/.test(part) ? ` ${part} ` : el("kbd", {}, part)))), el("dd", {}, what)]);
    dialog.replaceChildren(el("h2", { id: "keys-title" }, "Keys"), el("dl", {}, list), el("div", { class: "buttons" }, el("span", { class: "gap" }), close));
    dialog.showModal();
  },
};

function click(id) {
  const button = byId(id);
  if (button?.checkVisibility() && !button.disabled) button.click();
}

function search() {
  const input = byId("search") ?? byId("of");
  input?.focus();
  input?.select();
}

function actions(app) {
  const press = Object.fromEntries(Object.entries({ p: "pause", s: "step", r: "record", "[": "back", "]": "forth", g: "go-on", b: "present", t: "theme", "?": "help", c: "columns", n: "new" })
    .map(([key, id]) => [key, () => click(id)]));
  return {
    ...press,
    "/": search,
    f: () => click(byId("filter") ? "filter" : "hold"),
    Escape: () => app.pane && app.openEntity(null),
  };
}

// A dialog keeps the focus until the frame after it is closed.
function isTyping(target) {
  return target.matches?.("textarea, select, dialog[open] *, :popover-open *") || (target.matches?.("input") && !["checkbox", "radio", "range"].includes(target.type));
}

export function listenToKeys(app) {
  const run = actions(app);
  addEventListener("keydown", (event) => {
    const isCombined = event.ctrlKey || event.metaKey || event.altKey;
    if (isCombined || event.defaultPrevented) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape" && event.target.matches("input:not([popover] *), textarea")) event.target.blur();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-9]$/.test(key)) app.viewAt(Number(key) - 1);
    else if (run[key]) run[key]();
    else return;
    event.preventDefault();
  });
}
