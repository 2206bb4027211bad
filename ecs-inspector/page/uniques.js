// The view of unique components: states first, each with its entity.

import { Card } from "./card.js";
import { el, keyed, setText } from "./dom.js";
import { chip, entityLink } from "./values.js";

/** A unique component. It has the card of its entity, which is replaced if it moves to another one. */
class Unique {
  constructor(app, { name }) {
    Object.assign(this, { app, name });
    this.owner = el("p", { class: "owner" });
    this.place = el("div", {});
    this.element = el("li", { class: "tile", "aria-label": name }, this.place, this.owner);
  }

  update({ entity, label, value }) {
    if (entity !== this.entity || !this.place.firstChild) this.show(entity);
    setText(this.named, label ?? "");
    if (value) this.card.update({ name: this.name, ...value });
  }

  show(entity) {
    this.entity = entity;
    this.card = entity && new Card(this.app, entity, { name: this.name });
    this.named = el("span", { class: "named" });
    const missing = () => el("h3", {}, chip(this.app, this.name));
    this.place.replaceChildren(this.card ? this.card.element : missing());
    this.owner.replaceChildren(...(entity ? [entityLink(this.app, entity), this.named] : [el("span", { class: "none" }, "not set")]));
  }
}

export class UniquesView {
  constructor(app) {
    this.app = app;
    this.lines = new Map();
    this.total = el("p", { class: "total", role: "status" });
    this.empty = el("p", { class: "notice", hidden: true }, "This context has no unique components.");
    this.list = el("ul", { class: "tiles" });
    const bar = el("div", { class: "bar" }, el("p", {}, "Unique components and states"), el("span", { class: "gap" }), this.total);
    this.element = el("section", { class: "view uniques scrolls", tabindex: "0", "aria-label": "Unique components" }, bar, this.empty, this.list);
  }

  changed({ uniques }) {
    const isState = ({ name }) => (this.app.component(name).state ? 0 : 1);
    const sorted = [...uniques].sort((a, b) => isState(a) - isState(b));
    keyed(this.list, this.lines, sorted, ({ name }) => name, (unique) => new Unique(this.app, unique));
    const set = uniques.filter(({ entity }) => entity).length;
    setText(this.total, `${set} of ${uniques.length} are set`);
    this.empty.hidden = uniques.length > 0;
  }

  show() {
    const handlers = { changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) };
    this.watch = this.app.link.watch("uniques", { context: this.app.info.name }, handlers);
  }

  hide() {
    this.watch.stop();
  }
}
