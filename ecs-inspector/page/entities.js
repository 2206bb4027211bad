// The view of all entities: a filtered table, of which only the visible rows are requested.

import { count, el, flash, namesIn, setAttribute, setText } from "./dom.js";
import { componentItems, pickerButton } from "./picker.js";
import { savedButton } from "./saved.js";
import { chip, showIn } from "./values.js";
import { VirtualList } from "./virtual.js";

const MOST_COLUMNS = 16;
const USUAL_COLUMNS = 4;
const LISTS = [["all", "All of"], ["any", "Any of"], ["none", "None of"], ["group", "Group"], ["roots", "Roots of"]];
const STEP = 16;

export class EntitiesView {
  constructor(app) {
    this.app = app;
    this.rows = [];
    this.from = 0;
    this.hidden = new Set();
    this.chosen = this.savedColumns();
    this.columns = this.wantedColumns();
    this.build();
  }

  savedColumns() {
    const known = new Set(this.app.info.components.map(({ name }) => name));
    const asked = this.app.route.get("columns") ?? this.app.setting(`columns of ${this.app.info.name}`);
    this.isChosen = asked !== null;
    if (this.isChosen) return namesIn(asked).filter((name) => known.has(name));
    const telling = this.app.info.components.filter((it) => !it.flag && !it.unique && !it.label && !it.hidden);
    const rank = (it) => (it.name === this.app.labelComponent ? 0 : it.editable ? 1 : 2);
    return telling.sort((a, b) => rank(a) - rank(b)).slice(0, USUAL_COLUMNS).map(({ name }) => name);
  }

  /** The columns of the filters, then the chosen ones. */
  wantedColumns() {
    const isColumn = (name) => this.app.component(name).flag === false && !this.hidden.has(name);
    const asked = ["all", "any"].flatMap((list) => this.filter(list)).filter(isColumn);
    const most = this.isChosen ? MOST_COLUMNS : Math.max(USUAL_COLUMNS, asked.length);
    return [...new Set([...asked, ...this.chosen])].slice(0, Math.min(most, MOST_COLUMNS));
  }

  followColumns() {
    const columns = this.wantedColumns();
    if (columns.join() === this.columns.join()) return;
    this.columns = columns;
    this.showHead();
    this.list.render(true);
  }

  build() {
    this.search = el("input", {
      type: "search", id: "search", placeholder: "Search ids, components, values", "aria-label": "Search", "aria-keyshortcuts": "/",
      value: this.app.route.get("text") ?? "", autocomplete: "off", spellcheck: "false",
      oninput: () => this.narrow({ text: this.search.value || null }),
    });
    this.chips = el("div", { class: "chips", role: "group", "aria-label": "Narrowed by" });
    this.total = el("p", { class: "total", role: "status", id: "total" });
    this.head = el("div", { class: "head", role: "row", "aria-rowindex": "1" });
    this.list = new VirtualList({
      label: "Entities", head: this.head, rowHeight: 30,
      create: () => this.createLine(), fill: (line, index) => this.fillLine(line, index),
      moved: () => this.ask(), open: (index, how) => this.open(index, how),
    });
    const bar = el("div", { class: "bar" }, this.search, this.filterButton(), savedButton(this.app, (filters) => this.narrowTo(filters)), this.columnsButton(), this.newButton(), el("span", { class: "gap" }), this.total);
    this.element = el("section", { class: "view entities" }, bar, this.chips, this.list.element);
    this.showHead();
    this.showChips();
  }

  filterButton() {
    return pickerButton("Filter", {
      label: "Filter by", lists: LISTS, keeps: true, before: () => this.app.refreshWorld(),
      items: (list) => this.pickable(list),
      isPicked: (key, list) => this.filter(list).includes(key),
      pick: (key, list) => this.toggleFilter(key, list),
    }, { id: "filter", "aria-keyshortcuts": "F", title: "Filter by components, a group or a relation (F)" });
  }

  pickable(list) {
    const { components, groups } = this.app.info;
    if (list === "group") return groups.map(({ id, name }) => ({ key: String(id), name }));
    return componentItems(this.app, list === "roots" ? components.filter((it) => it.relation) : components);
  }

  columnsButton() {
    return pickerButton("Columns", {
      label: "Columns", keeps: true,
      items: () => componentItems(this.app, this.app.info.components.filter((it) => !it.flag)),
      isPicked: (key) => this.columns.includes(key),
      pick: (key) => this.toggleColumn(key),
    }, { id: "columns", "aria-keyshortcuts": "C", title: "Choose the shown values (C)" });
  }

  newButton() {
    if (this.app.world.read_only) return null;
    const templates = () => this.app.info.templates.map((name) => ({ key: name, name, note: "template" }));
    return pickerButton("New", {
      label: "New entity", items: () => [{ key: "", name: "Empty entity" }, ...templates()],
      pick: (key) => this.app.create(key ? { template: key } : {}),
    }, { id: "new", "aria-keyshortcuts": "N", title: "New entity (N)" });
  }

  /** Returns the content of a filter: names, or the id of a group. */
  filter(list) {
    return namesIn(this.app.route.get(list));
  }

  narrow(changes) {
    this.app.setRoute(changes);
    this.showChips();
    this.list.element.scrollTop = 0;
    this.ask();
  }

  toggleFilter(key, list) {
    const now = this.filter(list);
    const isOne = list === "group" || list === "roots";
    const others = isOne ? [] : now.filter((name) => name !== key);
    const next = now.includes(key) ? others : [...others, key];
    const changes = { [list]: next.join(",") || null };
    for (const other of isOne || now.includes(key) ? [] : ["all", "any", "none"]) {
      if (other !== list) changes[other] = this.filter(other).filter((name) => name !== key).join(",") || null;
    }
    this.narrow(changes);
  }

  toggleColumn(name) {
    const rest = this.columns.filter((other) => other !== name);
    const isGone = rest.length < this.columns.length;
    this.hidden[isGone ? "add" : "delete"](name);
    this.chosen = isGone ? rest : [...rest, name].slice(-MOST_COLUMNS);
    this.isChosen = true;
    this.app.saveSetting(`columns of ${this.app.info.name}`, this.chosen.join(","));
    this.app.setRoute({ columns: null });
    this.followColumns();
    this.ask();
  }

  showChips() {
    this.followColumns();
    const parts = LISTS.flatMap(([list, name]) => this.filter(list).map((key) => this.filterChip(list, name, key)));
    if (parts.length) parts.push(el("button", { class: "quiet small", onclick: () => this.clear() }, "Clear"));
    this.chips.replaceChildren(...parts);
    this.chips.hidden = !parts.length;
  }

  filterChip(list, what, key) {
    const group = list === "group" ? this.app.info.groups.find(({ id }) => String(id) === key)?.name ?? `group ${key}` : null;
    const name = group === null ? chip(this.app, key) : el("span", { class: "code" }, group);
    const onclick = () => {
      this.toggleFilter(key, list);
      (this.chips.querySelector("button") ?? this.search).focus();
    };
    const remove = el("button", { class: "x", "aria-label": `Without ${what.toLowerCase()} ${group ?? key}`, onclick }, "×");
    return el("span", { class: `pill ${list}` }, el("span", { class: "what" }, what.toLowerCase()), name, remove);
  }

  clear() {
    this.narrowTo({});
    this.search.focus();
  }

  /** Filters the list by only these filters. */
  narrowTo(filters) {
    this.search.value = filters.text ?? "";
    this.narrow({ ...this.app.withoutFilters(), ...filters });
  }

  showHead() {
    this.hints = this.columns.map((name) => this.app.component(name).hints);
    const cell = (...inner) => el("div", { role: "columnheader" }, inner);
    this.head.replaceChildren(cell("Entity"), ...this.columns.map((name) => cell(chip(this.app, name))), cell("Other components"));
    const values = this.columns.map((name) => (name === this.app.labelComponent ? "minmax(7rem, 1fr)" : "minmax(8.5rem, 1fr)"));
    const first = this.app.hasLabels ? 12 : 5.5;
    this.list.element.style.setProperty("--columns", `${first}rem ${values.join(" ")} minmax(12rem, 1.6fr)`);
    this.list.element.style.setProperty("--least", `${first + 8.5 * values.length + 12}rem`);
    setAttribute(this.list.element, "aria-colcount", this.columns.length + 2);
    this.list.provide(0);
  }

  createLine() {
    const id = el("a", { class: "id", tabindex: "-1" });
    const cells = this.columns.map(() => el("div", { role: "gridcell", class: "value" }));
    const has = el("div", { role: "gridcell", class: "has" });
    const named = el("span", { class: "named" });
    return { element: el("div", { role: "row" }, el("div", { role: "gridcell", class: "who" }, id, named), cells, has), id, named, cells, has };
  }

  fillLine(line, index) {
    const row = this.rows[index - this.from];
    line.element.classList.toggle("waits", !row);
    if (!row) return;
    const isSame = line.entity === row.entity;
    if (!isSame) {
      setText(line.id, row.entity);
      line.id.href = this.app.address({ entity: row.entity });
    }
    line.entity = row.entity;
    setText(line.named, row.label ?? "");
    const isOpen = this.app.route.get("entity") === row.entity;
    setAttribute(line.element, "aria-selected", String(isOpen));
    this.columns.forEach((name, nth) => {
      const hasChanged = showIn(line.cells[nth], row.values[name], this.hints[nth]);
      if (hasChanged && isSame && !line.isNew) flash(line.cells[nth]);
    });
    this.fillHas(line, row.has);
  }

  fillHas(line, has) {
    const key = has.join();
    if (line.hasKey === key) return;
    line.hasKey = key;
    const names = has.map((index) => this.app.info.components[index]?.name ?? "?").filter((name) => !this.columns.includes(name));
    line.has.replaceChildren(...names.map((name) => chip(this.app, name)));
    line.has.title = names.join(", ");
  }

  open(index, how) {
    const row = this.rows[index - this.from];
    const follows = how !== "move" || (this.app.route.get("entity") && !this.app.isNarrow);
    if (row && follows) this.app.openEntity(row.entity, how === "enter");
  }

  /** The parameters of the query: a window around the visible rows. */
  params() {
    const { first, count: seen } = this.list.range;
    const from = Math.max(0, Math.floor((first - STEP) / STEP) * STEP);
    const wanted = Math.ceil((first + Math.max(seen, 40) + STEP - from) / STEP) * STEP;
    const params = { context: this.app.info.name, from, count: Math.min(200, wanted), columns: this.columns };
    for (const list of ["all", "any", "none"]) if (this.filter(list).length) params[list] = this.filter(list);
    for (const one of ["text", "roots"]) if (this.app.route.get(one)) params[one] = this.app.route.get(one);
    if (this.filter("group").length) params.group = Number(this.filter("group")[0]);
    return params;
  }

  ask() {
    this.watch?.ask(this.params());
  }

  changed({ total, complete, from, cut, rows }) {
    this.rows = rows;
    this.from = from;
    const partly = cut ? `, only the first 4 KiB of large values searched (${count(cut)})` : "";
    setText(this.total, `${count(total)} ${total === 1 ? "entity" : "entities"}${complete ? "" : ", searching"}${partly}`);
    this.element.classList.toggle("is-empty", total === 0 && complete);
    if (total !== this.list.count) this.list.setCount(total);
    else this.list.render();
  }

  /** Called if a filter is of another program, or of a group that no longer exists. */
  failed(error) {
    this.app.say(error.message);
    this.watch = null;
    if (!LISTS.some(([list]) => this.app.route.get(list))) return;
    this.app.setRoute({ all: null, any: null, none: null, group: null, roots: null });
    this.showChips();
    this.watch = this.start();
  }

  start() {
    const handlers = { changed: (data) => this.changed(data), failed: (error) => this.failed(error) };
    return this.app.link.watch("entities", this.params(), handlers);
  }

  show() {
    this.search.value = this.app.route.get("text") ?? "";
    this.showChips();
    this.watch = this.start();
    this.list.render(true);
  }

  hide() {
    this.watch?.stop();
    this.watch = null;
  }

  /** Called when another entity is open, or none. */
  routed() {
    this.showChips();
    if (this.search !== document.activeElement) this.search.value = this.app.route.get("text") ?? "";
    this.ask();
    this.list.render();
  }
}
