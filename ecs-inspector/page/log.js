// The view of the log: changes as they happen, the newest first.

import { count, el, namesIn, setAttribute, setText } from "./dom.js";
import { componentItems, pickerButton } from "./picker.js";
import { chip, isId, showIn, shown } from "./values.js";
import { VirtualList } from "./virtual.js";

const KEPT = 5000;
/** How often new entries are shown, in milliseconds; no one reads faster. */
const PERIOD = 120;
const SIGNS = { created: "created", destroyed: "destroyed", added: "added", replaced: "replaced", removed: "removed" };

/** Describes the change that woke a reactive system, or what is known of it. */
function causeOf(woken) {
  if (!woken) return "";
  const rest = woken.count > 1 ? ` and ${count(woken.count - 1)} more` : "";
  const what = woken.kind ? `: ${woken.kind} ${woken.component}` : "";
  return `triggered by ${woken.entity}${woken.label ? ` ${woken.label}` : ""}${what}${rest}`;
}

export class LogView {
  constructor(app) {
    this.app = app;
    this.components = [];
    this.entries = [];
    this.newer = 0;
    this.forgotten = 0;
    this.isHeld = false;
    this.build();
  }

  build() {
    this.entity = el("input", {
      type: "search", id: "of", placeholder: "Entity, as 12v3", "aria-label": "Entity", autocomplete: "off", spellcheck: "false",
      onchange: () => this.follow(this.entity.value.trim()),
    });
    this.hold = el("button", { id: "hold", "aria-pressed": "false", title: "Hold the shown changes (F)", "aria-keyshortcuts": "F", onclick: () => this.setHeld(!this.isHeld) }, "Hold");
    this.note = el("p", { class: "total", role: "status" });
    this.chips = el("div", { class: "chips", role: "group", "aria-label": "Narrowed to", hidden: true });
    const filter = pickerButton("Components", {
      label: "Components", keeps: true, items: () => componentItems(this.app, this.app.info.components),
      isPicked: (key) => this.components.includes(key), pick: (key) => this.toggle(key),
    }, { id: "log-components" });
    const head = el("div", { class: "head", role: "row" }, ["Frame", "Entity", "Component", "Change", "By"].map((name) => el("div", { role: "columnheader" }, name)));
    this.list = new VirtualList({
      label: "Log", head, rowHeight: 28, create: () => this.createLine(), fill: (line, index) => this.fillLine(line, index),
      slotOf: (index) => this.forgotten + this.entries.length - 1 - index,
      open: (index, how) => how !== "move" && this.app.openEntity(this.at(index).entity),
      moved: (first) => first > 0 && !this.isHeld && this.list.element.scrollTop > 60 && this.setHeld(true),
    });
    this.empty = el("p", { class: "notice" }, "Nothing has changed since the log was opened.");
    const bar = el("div", { class: "bar" }, filter, this.entity, this.hold, el("button", { onclick: () => this.clear() }, "Clear"), el("span", { class: "gap" }), this.note);
    this.element = el("section", { class: "view log" }, bar, this.chips, this.empty, this.list.element);
  }

  /** Entries are kept in chronological order; the newest is shown first. */
  at(index) {
    return this.entries[this.entries.length - 1 - index];
  }

  createLine() {
    const [frame, component, by] = ["note", "", "by"].map((kind) => el("div", { role: "gridcell", class: kind }));
    const id = el("a", { class: "id", tabindex: "-1" });
    const [actor, cause] = [el("span", {}), el("span", { class: "note" })];
    by.append(actor, cause);
    const named = el("span", { class: "named" });
    const [kind, old, arrow, next] = ["kind", "old", "arrow", "new"].map((name) => el("span", { class: name }));
    const change = el("div", { role: "gridcell", class: "change" }, kind, old, arrow, next);
    const element = el("div", { role: "row" }, frame, el("div", { role: "gridcell", class: "who" }, id, named), component, change, by);
    return { element, actor, cause, frame, id, named, component, kind, old, arrow, next, by };
  }

  fillLine(line, index) {
    const entry = this.at(index);
    if (line.entry === entry) return;
    line.entry = entry;
    setText(line.frame, String(entry.frame));
    setText(line.id, entry.entity);
    setText(line.named, entry.label ?? "");
    line.id.href = this.app.address({ entity: entry.entity });
    if (line.name !== entry.component) line.component.replaceChildren(...(entry.component ? [chip(this.app, entry.component)] : []));
    line.name = entry.component;
    setText(line.kind, SIGNS[entry.kind] ?? entry.kind);
    setAttribute(line.element, "data-kind", entry.kind);
    showIn(line.old, entry.old);
    setText(line.arrow, entry.old && entry.new ? "→" : "");
    showIn(line.next, entry.new);
    setText(line.actor, entry.by ?? "the program");
    setText(line.cause, causeOf(entry.woken_by));
    line.by.classList.toggle("is-me", entry.by === "inspector");
    line.element.title = `${shown(entry.old)} → ${shown(entry.new)}${entry.woken_by ? `, ${causeOf(entry.woken_by)}` : ""}`;
  }

  changed({ entries, lost }) {
    this.lost = lost - (this.lostBefore ??= lost);
    if (this.isHeld) {
      this.newer += entries.length;
    } else {
      this.entries.push(...entries);
    }
    this.clock ??= setTimeout(() => this.render(), PERIOD);
  }

  render() {
    this.clock = null;
    const tooMany = this.entries.length - KEPT;
    if (tooMany > KEPT / 5) {
      this.entries.splice(0, tooMany);
      this.forgotten += tooMany;
    }
    this.list.setCount(this.entries.length);
    this.list.render();
    this.empty.hidden = this.entries.length > 0;
    this.tell();
  }

  tell() {
    const parts = [`${count(this.entries.length)} changes`];
    if (this.newer) parts.push(`${count(this.newer)} more since held`);
    if (this.lost) parts.push(`${count(this.lost)} dropped, too many in one frame`);
    setText(this.note, parts.join(" · "));
  }

  setHeld(held) {
    this.isHeld = held;
    this.newer = 0;
    setAttribute(this.hold, "aria-pressed", String(held));
    if (!held) this.list.element.scrollTop = 0;
    this.tell();
  }

  clear() {
    this.entries = [];
    this.lostBefore = undefined;
    this.lost = this.newer = 0;
    this.render();
  }

  toggle(name) {
    const rest = this.components.filter((other) => other !== name);
    this.components = rest.length < this.components.length ? rest : [...rest, name];
    this.app.setRoute({ log: this.components.join(",") || null });
    this.restart();
  }

  follow(entity) {
    if (entity && !isId(entity)) return this.app.say(`\`${entity}\` is not an entity id, such as 12v3`);
    this.app.setRoute({ of: entity || null });
    return this.restart();
  }

  showChips() {
    const remove = (name) => el("button", { class: "x", "aria-label": `Without ${name}`, onclick: () => this.toggle(name) }, "×");
    this.chips.replaceChildren(...this.components.map((name) => el("span", { class: "pill" }, chip(this.app, name), remove(name))));
    this.chips.hidden = !this.components.length;
  }

  restart() {
    this.hide();
    this.clear();
    this.setHeld(false);
    this.show();
  }

  show() {
    const of = this.app.route.get("of") ?? "";
    this.shownOf = of;
    this.entity.value = of;
    this.components = namesIn(this.app.route.get("log")).filter((name) => this.app.component(name).type);
    this.showChips();
    const params = { context: this.app.info.name, count: 500 };
    if (this.components.length) params.components = this.components;
    if (of) params.entity = of;
    this.watch = this.app.link.watch("log", params, { collects: true, changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) });
    this.list.render();
  }

  hide() {
    this.watch?.stop();
  }

  routed() {
    if ((this.app.route.get("of") ?? "") !== this.shownOf) this.restart();
  }
}
