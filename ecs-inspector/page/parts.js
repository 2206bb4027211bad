// The parts of a value that is too large to show as a whole, one window at a time.

import { el } from "./dom.js";
import { shown } from "./values.js";

/** The window size of the game, in elements or letters of a text. */
const MOST = 4096;

function hasParts({ json, cut }) {
  return cut || (json !== null && typeof json === "object" && Object.keys(json).length > 0);
}

/** Returns the distance to the next window; 0 if this is the last. */
function stepOf({ kind, count, from, items }) {
  if (kind === "text") return items[0].cut ? [...items[0].text].length : 0;
  return count === null || from + items.length < count ? items.length : 0;
}

export class Parts {
  /** `params`: the context, the entity and the component. */
  constructor(app, params) {
    Object.assign(this, { app, params });
    this.element = el("div", { class: "parts", role: "group", "aria-label": `Parts of ${params.component}` });
    this.windows = [];
    this.show("", 0);
  }

  async show(path, from) {
    try {
      const found = await this.app.link.get("value", { ...this.params, path, from, count: MOST });
      this.windows.push([path, from]);
      this.render(found);
    } catch (error) {
      this.app.say(error.message);
    }
  }

  back() {
    this.windows.pop();
    const [path, from] = this.windows.pop();
    this.show(path, from);
  }

  render(found) {
    const { path, kind, count, from, items } = found;
    const step = stepOf(found);
    const where = [path || "the whole value", count === null ? "" : `${count} ${count === 1 ? "part" : "parts"}`, from ? `from ${from}` : ""].filter(Boolean).join(", ");
    const isText = kind === "text";
    this.element.replaceChildren(
      el("div", { class: "buttons" },
        el("button", { class: "small", disabled: this.windows.length < 2, onclick: () => this.back() }, "Back"),
        el("button", { class: "small", disabled: !step, onclick: () => this.show(path, from + step) }, "Next"),
        el("span", { class: "note" }, where)),
      isText ? el("pre", { class: "text" }, items[0].text) : el("ul", {}, items.map((item, nth) => this.row(path, item, from + nth))),
    );
  }

  row(path, item, nth) {
    const pointer = item.key ?? String(nth);
    const inner = `${path}/${pointer}`;
    const key = pointer.replaceAll("~1", "/").replaceAll("~0", "~");
    const name = hasParts(item) ? el("button", { class: "quiet small", onclick: () => this.show(inner, 0) }, key) : el("span", { class: "key" }, key);
    return el("li", {}, name, " ", el("span", { class: "value" }, shown(item)));
  }
}
