// One component of an entity: its fields, its JSON, and a button to remove it.

import { el, flash, setText } from "./dom.js";
import { build } from "./fields.js";
import { Parts } from "./parts.js";
import { chip, toJson } from "./values.js";

export class Card {
  constructor(app, entity, held) {
    Object.assign(this, { app, entity, name: held.name });
    this.info = app.component(held.name);
    this.readOnly = app.world.read_only || !this.info.editable;
    this.place = el("div", { class: "inner" });
    this.element = el("section", { class: "card", "aria-label": held.name }, this.head(), this.place);
  }

  head() {
    const traits = [this.info.state ? "state" : this.info.unique && "unique", this.info.relation && "relation", this.info.flag && "flag"].filter(Boolean);
    const isWritten = this.info.editable && !this.info.flag && !this.app.world.read_only;
    this.edit = isWritten
      ? el("button", { class: "quiet small", "aria-label": `Edit ${this.name} as JSON`, title: "Edit as JSON", onclick: () => this.editJson() }, "{ }") : null;
    const buttons = this.app.world.read_only ? [] : [
      this.edit,
      el("button", { class: "quiet small", "aria-label": `Remove ${this.name}`, title: "Remove", onclick: () => this.remove() }, "×"),
    ];
    return el("header", {}, el("h3", { title: this.info.type }, chip(this.app, this.name)),
      el("span", { class: "note" }, traits.join(", ")), el("span", { class: "gap" }), buttons);
  }

  update(held) {
    this.held = held;
    if (this.isEditing) return;
    if (this.edit) this.edit.hidden = "text" in held;
    if ("text" in held) this.showText(held);
    else if (!this.info.flag && !this.field?.update(held.json)) this.showFields(held.json);
  }

  showText({ text, cut }) {
    this.field = null;
    if (!this.text || this.isCut !== cut) {
      this.text = el("pre", { class: "text" });
      this.place.replaceChildren(this.text, cut ? this.cutNote() : "");
    }
    this.isCut = cut;
    if (setText(this.text, text)) flash(this.text);
  }

  /** A note that the value is truncated, with a button to show its parts. */
  cutNote() {
    const note = el("p", { class: "note" }, "Too large to show or edit as a whole. ",
      el("button", { class: "small", onclick: () => note.replaceWith(new Parts(this.app, this.params()).element) }, "Show parts"));
    return note;
  }

  showFields(value) {
    this.text = null;
    this.field = build(this, value, "", this.name);
    this.place.replaceChildren(this.field.element);
  }

  params(more) {
    return { context: this.app.info.name, entity: this.entity, component: this.name, ...more };
  }

  /** Writes a part of the value; returns whether the game has accepted it. */
  commit(path, raw) {
    return this.app.do("set", this.params({ path }), raw);
  }

  async remove() {
    await this.app.do("remove", this.params());
  }

  editJson() {
    if (this.isEditing) return this.endEdit();
    this.isEditing = true;
    const editor = jsonEditor(this.name, toJson(this.held.json, "", "  "), "Replace", {
      save: async (raw) => (await this.app.do("replace", this.params(), raw)) && this.endEdit(),
      cancel: () => this.endEdit(),
    });
    this.place.replaceChildren(editor);
    editor.querySelector("textarea").focus();
    return undefined;
  }

  endEdit() {
    this.isEditing = false;
    this.field = this.text = null;
    this.update(this.held);
  }
}

/** An editor for JSON text, with buttons to save and cancel. */
export function jsonEditor(name, text, action, { save, cancel }) {
  const area = el("textarea", {
    class: "json", spellcheck: "false", rows: Math.min(14, text.split("\n").length + 1), "aria-label": `${name} as JSON`, value: text,
    onkeydown: (event) => {
      if (event.key === "Escape") cancel();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  const problem = el("p", { class: "problem", role: "alert" });
  const submit = () => {
    try {
      JSON.parse(area.value);
    } catch (error) {
      return setText(problem, error.message);
    }
    setText(problem, "");
    return save(area.value);
  };
  return el("div", { class: "editor" }, area, problem,
    el("div", { class: "buttons" }, el("button", { class: "primary", onclick: submit, title: "Ctrl+Enter" }, action), el("button", { onclick: cancel, title: "Escape" }, "Cancel")));
}
