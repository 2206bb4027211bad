// The view of memory: used and allocated memory of each component, and fragmentation of entities.

import { bytes, count, el, keyed, setAttribute, setText } from "./dom.js";
import { chip } from "./values.js";

class Bar {
  constructor(app, place, { name, isComponent }) {
    this.place = place;
    this.used = el("i", { class: "used" });
    this.held = el("i", { class: "held" });
    this.track = el("div", { class: "track", role: "img" }, this.held, this.used);
    this.number = el("span", { class: "number" });
    this.note = el("span", { class: "note" });
    this.element = el("li", {}, el("span", { class: "name" }, isComponent ? chip(app, name) : name), this.track, this.number, this.note);
  }

  update({ used, held, note, name }) {
    this.held.style.width = `${(100 * held) / this.place.greatest}%`;
    this.used.style.width = `${(100 * used) / this.place.greatest}%`;
    setText(this.number, bytes(held));
    setText(this.note, note);
    setAttribute(this.track, "aria-label", `${name}: ${bytes(used)} used of ${bytes(held)} held`);
  }
}

function tile(name) {
  const value = el("strong", {});
  const note = el("span", { class: "note" });
  return { value, note, element: el("div", { class: "tile" }, el("span", { class: "what" }, name), value, note) };
}

export class MemoryView {
  constructor(app) {
    this.app = app;
    this.tiles = { total: tile("In all"), components: tile("Components"), scattered: tile("Fragmentation") };
    this.components = { list: el("ul", { class: "bars" }), bars: new Map() };
    this.others = { list: el("ul", { class: "bars" }), bars: new Map() };
    this.meter = el("i", { class: "used" });
    this.tiles.scattered.element.append(el("div", { class: "track" }, this.meter));
    const key = el("span", { class: "note key" }, el("i", { class: "used" }), "used by values ", el("i", { class: "held" }), "held from the allocator");
    this.element = el("section", { class: "view memory scrolls", tabindex: "0", "aria-label": "Memory" },
      el("div", { class: "tiles" }, Object.values(this.tiles).map(({ element }) => element)),
      el("section", { class: "part" }, el("h2", {}, "Components", key), this.components.list),
      el("section", { class: "part" }, el("h2", {}, "Everything else"), this.others.list));
  }

  changed({ components, other, total, fragmentation }) {
    const others = Object.entries(other).map(([name, held]) => ({ name, used: held, held, note: "" }));
    const bars = components.map((it) => ({ ...it, isComponent: true, note: `${count(it.values)} × ${it.size} B in ${count(it.blocks)} blocks` }));
    for (const [place, entries] of [[this.components, bars], [this.others, others]]) {
      place.greatest = Math.max(1, ...entries.map(({ held }) => held));
      entries.sort((a, b) => b.held - a.held);
      keyed(place.list, place.bars, entries, ({ name }) => name, (entry) => new Bar(this.app, place, entry));
    }
    this.showTiles(bars, total, fragmentation);
  }

  showTiles(components, total, { entities, scattered: apart, blocks, blocks_needed, ratio }) {
    const sum = (what) => components.reduce((all, it) => all + it[what], 0);
    const { total: whole, components: parts, scattered } = this.tiles;
    setText(whole.value, bytes(total));
    setText(whole.note, entities ? `${(total / entities).toFixed(0)} B for each entity` : "");
    setText(parts.value, bytes(sum("held")));
    setText(parts.note, `${bytes(sum("used"))} of it used by values`);
    setText(scattered.value, `${(100 * ratio).toFixed(1)} %`);
    setText(scattered.note, `${count(apart)} of ${count(entities)} entities scattered, ${count(blocks)} blocks instead of ${count(blocks_needed)}`);
    this.meter.style.width = `${100 * ratio}%`;
  }

  show() {
    this.watch = this.app.link.watch("memory", { context: this.app.info.name }, { changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) });
  }

  hide() {
    this.watch.stop();
  }
}
