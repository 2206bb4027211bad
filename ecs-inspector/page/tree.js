// The entities that refer to one through a relation, as a collapsible tree.

import { el, setAttribute } from "./dom.js";
import { entityLink, shown } from "./values.js";

const DEPTH = 4;
const NODES = 200;

export class Tree {
  constructor(app, relation, root) {
    Object.assign(this, { app, relation, root });
    this.closed = new Set();
    this.element = el("ul", {
      class: "tree", role: "tree", "aria-label": `Entities that refer to ${root} through ${relation}`,
      onkeydown: (event) => this.press(event), onclick: (event) => this.click(event),
    });
    const columns = app.labelComponent && !app.hasLabels ? [app.labelComponent] : [];
    const params = { context: app.info.name, relation, entity: root, depth: DEPTH, count: NODES, columns };
    this.watch = app.link.watch("tree", params, { changed: (data) => this.changed(data), failed: () => this.element.replaceChildren() });
  }

  stop() {
    this.watch.stop();
  }

  changed(node) {
    const text = JSON.stringify(node);
    if (text === this.text) return;
    this.text = text;
    this.node = node;
    this.render();
  }

  render() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.entity : null;
    this.element.replaceChildren(...this.children(this.node));
    const items = [...this.element.querySelectorAll("[role=treeitem]")];
    const item = items.find((it) => it.dataset.entity === focused);
    setAttribute(item ?? items[0] ?? this.element, "tabindex", 0);
    item?.focus();
  }

  children(node) {
    const items = node.children.map((child) => this.item(child));
    const rest = node.count - node.children.length;
    if (rest > 0) items.push(el("li", { role: "none", class: "none" }, entityLink(this.app, node.entity, { tabindex: "-1" }), `: ${rest} more`));
    return items;
  }

  item(node) {
    const isOpen = !this.closed.has(node.entity);
    const label = node.label ?? shown(Object.values(node.values)[0]);
    const line = el("span", { class: "node" }, el("span", { class: "turn", "aria-hidden": "true" }),
      entityLink(this.app, node.entity, { tabindex: "-1" }), el("span", { class: "value" }, label),
      node.count ? el("span", { class: "note" }, String(node.count)) : null);
    const group = node.count && isOpen ? el("ul", { role: "group" }, this.children(node)) : null;
    return el("li", {
      role: "treeitem", tabindex: "-1", "data-entity": node.entity, "aria-label": `${node.entity} ${label}`,
      "aria-expanded": node.count ? String(isOpen) : undefined,
    }, line, group);
  }

  turn(entity, opens) {
    if (opens) this.closed.delete(entity);
    else this.closed.add(entity);
    this.render();
  }

  click(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.target.closest("a") || !item.hasAttribute("aria-expanded")) return;
    this.turn(item.dataset.entity, item.getAttribute("aria-expanded") === "false");
  }

  press(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.target !== item) return;
    const items = [...this.element.querySelectorAll("[role=treeitem]")];
    const at = items.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key in moves) this.focus(items[moves[event.key]], item);
    else if (event.key === "ArrowRight" && expanded === "false") this.turn(item.dataset.entity, true);
    else if (event.key === "ArrowRight") this.focus(item.querySelector("[role=treeitem]"), item);
    else if (event.key === "ArrowLeft" && expanded === "true") this.turn(item.dataset.entity, false);
    else if (event.key === "ArrowLeft") this.focus(item.parentElement.closest("[role=treeitem]"), item);
    else if (event.key === "Enter") this.app.openEntity(item.dataset.entity, true);
    else return;
    event.preventDefault();
  }

  focus(next, now) {
    if (!next) return;
    now.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
