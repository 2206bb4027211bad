// A list of very many lines, of which only the visible ones are in the document.

import { el, onceAFrame, setAttribute } from "./dom.js";

/** Browsers limit elements to about ten million pixels of height; scrolling is scaled beyond that. */
const HIGHEST = 6_000_000;
const OVERSCAN = 6;

export class VirtualList {
  /**
   * `head`: an element above the lines. `create()` makes a line, `fill(line, index)` fills it with the item at
   * an index. `moved(first, count)` is called with the visible range, `open(index)` when a line is chosen.
   * `slotOf(index)` is a number that an item keeps when it moves, so that its line moves with it.
   */
  constructor({ label, head, rowHeight, create, fill, moved, open, slotOf = (index) => index }) {
    Object.assign(this, { rowHeight, create, fill, moved, open, slotOf });
    this.count = 0;
    this.active = 0;
    this.lines = [];
    this.body = el("div", { class: "lines", role: "rowgroup" });
    this.element = el("div", {
      class: "virtual", role: "grid", tabindex: "0", "aria-label": label,
      onscroll: onceAFrame(() => this.render(true)), onkeydown: (event) => this.press(event),
    }, head, this.body);
    this.head = head;
    this.resized = new ResizeObserver(() => this.render(true));
    this.resized.observe(this.element);
  }

  get view() {
    return Math.max(this.rowHeight, this.element.clientHeight - (this.head?.offsetHeight ?? 0));
  }

  get total() {
    return this.count * this.rowHeight;
  }

  get height() {
    return Math.min(this.total, HIGHEST);
  }

  /** The scroll position without scaling. */
  get top() {
    const room = this.height - this.view;
    const scrolled = this.element.scrollTop;
    return this.total > HIGHEST && room > 0 ? (scrolled * (this.total - this.view)) / room : scrolled;
  }

  setCount(count) {
    if (count === this.count) return;
    this.count = count;
    this.active = Math.max(0, Math.min(this.active, count - 1));
    this.body.style.height = `${this.height}px`;
    setAttribute(this.element, "aria-rowcount", count);
    this.render(true);
  }

  /** The first visible line, and the number of visible lines. */
  get range() {
    const first = Math.max(0, Math.floor(this.top / this.rowHeight) - OVERSCAN);
    const seen = Math.ceil(this.view / this.rowHeight) + 2 * OVERSCAN;
    return { first, count: Math.max(0, Math.min(seen, this.count - first)) };
  }

  render(hasMoved = false) {
    if (!this.element.isConnected) return;
    const { first, count } = this.range;
    this.provide(count);
    const shift = this.element.scrollTop - this.top;
    for (let index = first; index < first + count; index++) this.place(index, shift);
    if (hasMoved) this.moved?.(first, count);
    setAttribute(this.element, "aria-activedescendant", count ? this.lineOf(this.active)?.id ?? null : null);
  }

  lineOf(index) {
    const line = this.lines[this.slotOf(index) % this.lines.length];
    return line?.index === index ? line.element : undefined;
  }

  provide(count) {
    while (this.lines.length < count) {
      const line = this.create();
      line.element.id = `line-${Math.random().toString(36).slice(2)}`;
      line.element.classList.add("line");
      line.element.addEventListener("click", (event) => this.click(event, line));
      this.lines.push(line);
      this.body.append(line.element);
      for (const other of this.lines) other.index = undefined;
    }
    while (this.lines.length > count) {
      this.lines.pop().element.remove();
      for (const other of this.lines) other.index = undefined;
    }
  }

  place(index, shift) {
    const line = this.lines[this.slotOf(index) % this.lines.length];
    const top = index * this.rowHeight + shift;
    if (line.top !== top) line.element.style.transform = `translateY(${(line.top = top)}px)`;
    line.isNew = line.index !== index;
    if (line.isNew) setAttribute(line.element, "aria-rowindex", index + 2);
    line.index = index;
    line.element.classList.toggle("active", index === this.active);
    this.fill(line, index);
  }

  click(event, line) {
    if (event.target.closest("a, button")) return;
    this.active = line.index;
    this.open?.(line.index, "click");
    this.render();
  }

  press(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.view / this.rowHeight) - 1);
    const moves = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1,
      PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: this.count - 1,
    };
    if (event.key in moves) {
      this.activate(moves[event.key]);
      this.open?.(this.active, "move");
    } else if (event.key === "Enter" || event.key === " ") {
      this.open?.(this.active, "enter");
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Activates a line, and scrolls it into view. */
  activate(index) {
    this.active = Math.max(0, Math.min(index, this.count - 1));
    const top = this.active * this.rowHeight;
    const seen = this.top;
    if (top < seen) this.scrollTo(top);
    else if (top + this.rowHeight > seen + this.view) this.scrollTo(top + this.rowHeight - this.view);
    this.render(true);
  }

  scrollTo(top) {
    const scale = this.total > HIGHEST ? (this.height - this.view) / (this.total - this.view) : 1;
    this.element.scrollTop = top * scale;
  }
}
