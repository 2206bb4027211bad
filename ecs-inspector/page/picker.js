// A menu to pick from: a list that is filtered by typing, for keyboard and mouse.

import { el, setAttribute } from "./dom.js";

let nextId = 0;

/** Places a popover below an element, within the window. */
function place(popover, anchor) {
  const box = anchor.getBoundingClientRect();
  const width = Math.min(popover.offsetWidth, innerWidth - 16);
  popover.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  const isLow = box.bottom + popover.offsetHeight + 8 > innerHeight;
  popover.style.top = `${isLow ? Math.max(8, box.top - popover.offsetHeight - 4) : box.bottom + 4}px`;
}

class Picker {
  constructor(anchor, { label, lists, items, isPicked, pick, keeps }) {
    Object.assign(this, { anchor, label, lists, items, isPicked, pick, keeps, list: lists?.[0][0], at: 0 });
    this.id = `picker-${nextId++}`;
    this.input = el("input", {
      type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": this.id, "aria-label": label,
      placeholder: label, autocomplete: "off", spellcheck: "false",
      oninput: () => this.show(0), onkeydown: (event) => this.press(event),
    });
    this.box = el("div", { role: "listbox", id: this.id, "aria-label": label, class: "options" });
    this.element = el("div", { popover: "auto", class: "picker" }, this.switch(), this.input, this.box);
    this.element.addEventListener("toggle", (event) => event.newState === "closed" && this.close());
  }

  /** The tabs for the lists, if there are several. */
  switch() {
    if (!this.lists) return null;
    const radios = this.lists.map(([key, name]) => {
      const onchange = () => {
        this.list = key;
        this.show(0);
        this.input.focus();
      };
      const radio = el("input", { type: "radio", name: `${this.id}-list`, checked: key === this.list, onchange });
      return el("label", {}, radio, el("span", {}, name));
    });
    return el("div", { class: "switch", role: "radiogroup", "aria-label": "Kind" }, radios);
  }

  open() {
    document.body.append(this.element);
    this.element.showPopover();
    this.show(0);
    place(this.element, this.anchor);
    setAttribute(this.anchor, "aria-expanded", "true");
    this.input.focus();
  }

  close() {
    this.element.remove();
    setAttribute(this.anchor, "aria-expanded", "false");
    if (document.activeElement === document.body) this.anchor.focus();
  }

  /** Shows the items that match the text. */
  show(at) {
    const text = this.input.value.toLowerCase();
    const items = this.items(this.list);
    this.found = items.filter(({ name }) => name.toLowerCase().includes(text));
    this.at = Math.max(0, Math.min(at, this.found.length - 1));
    this.box.replaceChildren(...this.found.map((item, nth) => this.option(item, nth)));
    if (!this.found.length) this.box.append(el("p", { class: "none" }, items.length ? "No match" : "Nothing to choose from"));
    this.mark();
  }

  option(item, nth) {
    const picked = this.isPicked?.(item.key, this.list) ?? false;
    const onpointerdown = (event) => {
      event.preventDefault();
      this.choose(nth);
    };
    const name = item.hue === undefined
      ? el("span", {}, item.name)
      : el("span", { class: "chip", style: `--hue:${item.hue}` }, item.name);
    return el("div", { role: "option", id: `${this.id}-${nth}`, "aria-selected": String(picked), onpointerdown },
      name, item.note ? el("span", { class: "note" }, item.note) : null);
  }

  mark() {
    [...this.box.children].forEach((option, nth) => option.classList.toggle("active", nth === this.at));
    setAttribute(this.input, "aria-activedescendant", this.found.length ? `${this.id}-${this.at}` : null);
    this.box.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const moves = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + 8, PageUp: this.at - 8 };
    if (event.key in moves) {
      this.at = Math.max(0, Math.min(moves[event.key], this.found.length - 1));
      this.mark();
    } else if (event.key === "Enter") {
      this.choose(this.at);
    } else {
      return;
    }
    event.preventDefault();
  }

  choose(nth) {
    const item = this.found[nth];
    if (!item) return;
    this.pick(item.key, this.list);
    if (this.keeps) this.show(nth);
    else this.element.hidePopover();
  }
}

/**
 * A button that opens a menu.
 *
 * `items(list)` returns the items, each with `key`, `name` and optionally `hue` and `note`.
 * `pick(key, list)` is called with the chosen item. `lists` is an array of `[key, name]`, if there are
 * several. `keeps` keeps the menu open to choose several items: those with `isPicked(key, list)` are
 * marked.
 */
export function pickerButton(text, options, attributes = {}) {
  const onclick = () => {
    options.before?.();
    new Picker(button, options).open();
  };
  const button = el("button", { "aria-haspopup": "listbox", "aria-expanded": "false", onclick, ...attributes }, text);
  return button;
}

/** Returns the items for components. */
export function componentItems(app, components) {
  return components.filter(({ hidden }) => !hidden).map((component) => ({
    key: component.name,
    name: component.name,
    hue: app.hueOf(component.name),
    note: component.flag ? "flag" : component.relation ? "relation" : "",
  }));
}
