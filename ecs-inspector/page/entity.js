// The panel of one entity: its components, relations in both directions, and groups.

import { Card, jsonEditor } from "./card.js";
import { el, keyed, setText } from "./dom.js";
import { componentItems, pickerButton } from "./picker.js";
import { Tree } from "./tree.js";
import { chip, entityLink, shown, toJson } from "./values.js";

/** A relation of the entity. */
class Relation {
  constructor(app, entity, { component }) {
    Object.assign(this, { app, entity, component });
    this.target = el("p", {});
    this.sources = el("div", { class: "sources" });
    this.element = el("section", { class: "relation", "aria-label": component }, this.target, this.sources);
  }

  update({ target, count }) {
    const key = `${target} ${count > 0}`;
    if (this.count) setText(this.count, String(count));
    if (key === this.key) return;
    this.key = key;
    this.stop();
    this.target.replaceChildren(...(target ? [chip(this.app, this.component), " → ", entityLink(this.app, target)] : []));
    if (!count) return this.sources.replaceChildren();
    this.tree = new Tree(this.app, this.component, this.entity);
    this.count = el("span", { class: "note" }, String(count));
    const roots = el("p", {}, chip(this.app, this.component), " ← ", this.count);
    this.sources.replaceChildren(roots, this.tree.element);
  }

  stop() {
    this.tree?.stop();
    this.tree = this.count = null;
  }
}

export class EntityPane {
  constructor(app, entity) {
    Object.assign(this, { app, entity });
    this.cards = new Map();
    this.relations = new Map();
    this.present = [];
    this.build();
    const handlers = { changed: (data) => this.changed(data), failed: (error) => this.failed(error) };
    this.watch = app.link.watch("entity", { context: app.info.name, entity }, handlers);
  }

  build() {
    this.label = el("span", { class: "label" });
    this.title = el("h2", { tabindex: "-1" }, el("span", { class: "id" }, this.entity), this.label);
    const close = el("button", { class: "quiet", "aria-label": "Close", title: "Close (Escape)", onclick: () => this.app.openEntity(null) }, "×");
    this.components = el("div", { class: "cards" });
    this.adding = el("div", {});
    this.links = el("div", { class: "relations" });
    this.groups = el("ul", { class: "groups" });
    this.gone = el("p", { class: "notice", hidden: true }, "This entity has been destroyed. It reappears if you go back to a frame in which it existed.");
    this.rest = el("div", {}, this.components, this.adding,
      this.part("Relations", this.links), this.part("Groups", this.groups));
    this.element = el("div", { class: "entity" }, el("header", {}, this.title, el("span", { class: "gap" }), close), this.actions(), this.gone, this.rest);
  }

  part(name, inner) {
    return el("section", { class: "part" }, el("h3", {}, name), inner);
  }

  actions() {
    const log = el("a", { class: "button", href: this.app.address({ view: "log", of: this.entity }), title: "Changes of this entity" }, "Log");
    if (this.app.world.read_only) return el("div", { class: "buttons" }, log);
    const add = pickerButton("Add component", {
      label: "Add a component", pick: (name) => this.add(name),
      items: () => componentItems(this.app, this.app.info.components.filter((it) => it.editable && !this.present.includes(it.name))),
    }, { id: "add" });
    return el("div", { class: "buttons" }, add,
      el("button", { onclick: () => this.app.create({ like: this.entity }), title: "A new entity with the same components" }, "Clone"), log,
      el("span", { class: "gap" }),
      el("button", { class: "bad", id: "destroy", onclick: () => this.destroy() }, "Destroy"));
  }

  destroy() {
    return this.app.do("destroy", { context: this.app.info.name, entity: this.entity });
  }

  changed({ label, components, relations, groups }) {
    this.setGone(false);
    this.present = components.map(({ name }) => name);
    keyed(this.components, this.cards, components, ({ name }) => name, (held) => new Card(this.app, this.entity, held));
    keyed(this.links, this.relations, relations, ({ component }) => component, (it) => new Relation(this.app, this.entity, it));
    this.links.parentElement.hidden = !relations.length;
    this.showGroups(groups);
    const named = components.find(({ name }) => name === this.app.labelComponent);
    setText(this.label, label ?? (named ? shown(named) : ""));
  }

  showGroups(ids) {
    const key = ids.join();
    if (key === this.groupKey) return;
    this.groupKey = key;
    const named = ids.map((id) => [id, this.app.groupName(id)]);
    this.groups.replaceChildren(...named.map(([id, name]) => el("li", {}, el("a", { class: "code", href: this.app.onlyAddress({ group: id }) }, name))));
    this.groups.parentElement.hidden = !ids.length;
  }

  failed(error) {
    if (error.code === "unknown_entity") this.setGone(true);
    else this.app.say(error.message);
  }

  setGone(gone) {
    this.gone.hidden = !gone;
    this.rest.hidden = gone;
    this.element.classList.toggle("is-gone", gone);
  }

  /** Adds a component. Unless it is a flag, its value is copied from another entity and edited first. */
  async add(name) {
    const params = { context: this.app.info.name, entity: this.entity, component: name };
    if (this.app.component(name).flag) return this.app.do("add", params, "{}");
    const example = await this.example(name);
    const end = () => this.adding.replaceChildren();
    const editor = jsonEditor(name, example, "Add", { save: async (raw) => (await this.app.do("add", params, raw)) && end(), cancel: end });
    this.adding.replaceChildren(el("section", { class: "card", "aria-label": `New ${name}` }, el("header", {}, el("h3", {}, chip(this.app, name))), editor));
    return editor.querySelector("textarea").focus();
  }

  async example(name) {
    const params = { context: this.app.info.name, all: [name], columns: [name], count: 1 };
    const { rows } = await this.app.link.get("entities", params).catch(() => ({ rows: [] }));
    const value = rows[0]?.values[name];
    return value && "json" in value ? toJson(value.json, "", "  ") : "";
  }

  stop() {
    this.watch.stop();
    for (const relation of this.relations.values()) relation.stop();
  }
}
