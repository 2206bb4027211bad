// The view of systems: the tree with the times of each, and a switch for each.

import { count, el, keyed, setAttribute, setText, svg, time } from "./dom.js";

const PLACES = 24;
const PHASES = [["execute", "Execute"], ["cleanup", "Cleanup"]];
const ORDERS = [["run", "Execution order"], ["mean", "Mean"], ["worst", "Worst"], ["last", "Last"], ["name", "Name"]];

/** Returns a histogram as an SVG path: each bar is one wide, the highest is one high. */
function bars(histogram) {
  const most = Math.max(1, ...histogram);
  const bar = (calls, place) => (calls ? `M${place + 0.08} 1V${1 - Math.max(0.06, Math.sqrt(calls / most))}h.84V1z` : "");
  return histogram.map(bar).join("");
}

function describe(histogram) {
  const name = (place) => (place === 0 ? "below 1 µs" : `${time(1000 * 2 ** (place - 1))} to ${time(1000 * 2 ** place)}`);
  return histogram.map((calls, place) => (calls ? `${name(place)}: ${count(calls)}` : "")).filter(Boolean).join("; ");
}

class System {
  constructor(view, system) {
    this.view = view;
    this.name = el("span", { class: "name" });
    this.note = el("span", { class: "note" });
    this.missed = el("span", { class: "warning" });
    this.switch = el("button", { class: "toggle", role: "switch", hidden: system.list, disabled: view.app.world.read_only, onclick: () => this.toggle() });
    [this.last, this.mean, this.worst] = ["last", "mean", "worst"].map(() => el("td", { class: "time" }));
    this.path = svg("path", {});
    this.picture = svg("svg", { viewBox: `0 0 ${PLACES} 1`, preserveAspectRatio: "none", role: "img" }, this.path);
    this.meter = el("i", {});
    this.element = el("tr", { role: "row" },
      this.head = el("th", { scope: "row" }, el("div", {}, this.switch, el("div", { class: "names" }, this.name, this.note, this.missed))),
      this.last, this.mean, this.worst, el("td", { class: "meter" }, this.meter), el("td", { class: "histogram" }, this.picture));
  }

  toggle() {
    const enabled = !this.system.enabled;
    return this.view.app.do("enable", { system: this.system.name, enabled });
  }

  update(system) {
    this.system = system;
    this.head.style.setProperty("--depth", this.view.isTree ? system.depth : 0);
    const times = system[this.view.phase];
    setText(this.name, system.name);
    setAttribute(this.switch, "aria-checked", String(system.enabled));
    setAttribute(this.switch, "aria-label", system.name);
    setAttribute(this.element, "aria-level", system.depth + 1);
    this.element.classList.toggle("is-off", !system.enabled || system.state !== "");
    setText(this.note, [this.view.isTree ? "" : system.within, this.describe(system)].filter(Boolean).join(" · "));
    setText(this.missed, system.missed.map(({ component, entities }) => `missed ${count(entities)} of ${component}`).join(", "));
    const texts = times.calls ? [times.last, times.mean, times.worst].map(time) : ["–", "–", "–"];
    [this.last, this.mean, this.worst].forEach((cell, nth) => setText(cell, texts[nth]));
    this.meter.style.width = `${(100 * times.mean) / this.view.greatest}%`;
    setAttribute(this.path, "d", bars(times.histogram));
    setAttribute(this.picture, "aria-label", describe(times.histogram));
  }

  describe({ state, reactions }) {
    const reacted = reactions ? `reacted ${count(reactions.calls)} times, to ${count(reactions.last)} entities last` : "";
    return [state, reacted].filter(Boolean).join(" · ");
  }
}

export class SystemsView {
  constructor(app) {
    this.app = app;
    this.phase = "execute";
    this.order = "run";
    this.lines = new Map();
    this.summary = el("p", { role: "status" });
    this.body = el("tbody", {});
    const column = (name, kind, title) => el("th", { scope: "col", class: kind, title }, name);
    const scale = el("span", { class: "scale", "aria-hidden": "true" }, ...["1 µs", "1 ms", "1 s"].map((text, nth) => el("span", { style: `left:${((1 + 10 * nth) / PLACES) * 100}%` }, text)));
    const head = el("tr", {}, column("System"), column("Last", "time"), column("Mean", "time"), column("Worst", "time"), column("Share", "meter", "The mean relative to that of the slowest"), el("th", { scope: "col", class: "histogram", title: "How many frames took how long" }, el("span", { class: "hidden" }, "Histogram"), scale));
    const table = el("table", { role: "treegrid", "aria-label": "Systems" }, el("thead", {}, head), this.body);
    this.element = el("section", { class: "view systems" }, el("div", { class: "bar" }, this.finder(), this.sorter(), this.phases(), this.steps(), el("span", { class: "gap" }), this.summary),
      el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Systems" }, table));
  }

  finder() {
    const oninput = () => this.changed(this.data);
    this.search = el("input", { type: "search", id: "search", placeholder: "Search systems", "aria-label": "Search", "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false", oninput });
    return this.search;
  }

  sorter() {
    const onchange = (event) => {
      this.order = event.target.value;
      this.changed(this.data);
    };
    return el("select", { id: "order", "aria-label": "Order", onchange }, ORDERS.map(([value, name]) => el("option", { value }, value === "run" ? name : `By ${name.toLowerCase()}`)));
  }

  /** Whether all systems are shown in order of execution, each in its list. */
  get isTree() {
    return this.order === "run" && !this.search.value;
  }

  /** Returns the shown systems in order, each with its lists. */
  arranged(systems) {
    const outer = [];
    for (const system of systems) {
      outer.length = system.depth;
      system.within = outer.join(" › ");
      outer.push(system.name);
    }
    const text = this.search.value.toLowerCase();
    const found = systems.filter(({ name, within }) => `${within} ${name}`.toLowerCase().includes(text));
    if (this.order === "name") return found.sort((a, b) => a.name.localeCompare(b.name));
    if (this.order === "run") return found;
    return found.sort((a, b) => b[this.phase][this.order] - a[this.phase][this.order]);
  }

  phases() {
    const radio = ([phase, name]) => {
      const onchange = () => {
        this.phase = phase;
        this.changed(this.data);
      };
      return el("label", {}, el("input", { type: "radio", name: "phase", checked: phase === this.phase, onchange }), el("span", {}, name));
    };
    return el("div", { class: "switch", role: "radiogroup", "aria-label": "Phase" }, PHASES.map(radio));
  }

  steps() {
    if (this.app.world.read_only) return null;
    const frames = el("input", { type: "text", inputmode: "numeric", class: "frames", value: "10", "aria-label": "Frames to step" });
    const go = () => this.app.do("step", { frames: Math.max(1, Number.parseInt(frames.value, 10) || 1) });
    frames.addEventListener("keydown", (event) => event.key === "Enter" && go());
    return el("div", { class: "buttons" }, el("button", { onclick: go }, "Step"), frames, el("span", { class: "note" }, "frames"));
  }

  changed(data) {
    this.data = data;
    if (!data) return;
    const { systems } = data;
    const means = systems.map((system) => system[this.phase].mean);
    this.greatest = Math.max(1, ...means);
    keyed(this.body, this.lines, this.arranged(systems), ({ id }) => id, (system) => new System(this, system));
    const whole = systems.filter(({ depth }) => depth === 0).reduce((sum, system) => sum + system[this.phase].mean, 0);
    setText(this.summary, systems.length ? `${time(whole)} a frame on average` : "There are no systems");
  }

  show() {
    this.watch = this.app.link.watch("systems", {}, { changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) });
  }

  hide() {
    this.watch.stop();
  }
}
