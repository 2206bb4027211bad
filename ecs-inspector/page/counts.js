// The view of counts: a line chart of the last minute for each group, collector, inbox and index.

import { count, el, keyed, setText } from "./dom.js";

const SAMPLES = 300;
const PERIOD = 200;
const KINDS = [
  ["groups", "Groups", "entities that match"],
  ["collectors", "Collectors", "collected entities"],
  ["inboxes", "Inboxes", "unread messages"],
  ["indexes", "Indexes", "entities that can be looked up"],
];

/** The last samples of a number, each with its minimum and maximum. */
class Series {
  constructor() {
    this.low = [];
    this.high = [];
    this.value = null;
  }

  note(value) {
    this.value = value;
    this.least = Math.min(this.least ?? value, value);
    this.most = Math.max(this.most ?? value, value);
  }

  sample() {
    if (this.value === null) return;
    this.low.push(this.least);
    this.high.push(this.most);
    this.least = this.most = this.value;
    if (this.low.length > SAMPLES) {
      this.low.shift();
      this.high.shift();
    }
  }
}

/** A line on a canvas, with the area between minimum and maximum filled. */
class Line {
  constructor(view, { name, id }, kind) {
    Object.assign(this, { view, series: view.seriesOf(`${kind} ${id}`) });
    this.number = el("span", { class: "number" });
    this.range = el("span", { class: "note" });
    this.canvas = el("canvas", { "aria-hidden": "true" });
    const title = kind === "groups" ? el("a", { class: "code", href: view.app.onlyAddress({ view: "entities", group: id }), title: "Its entities" }, name) : el("span", { class: "code" }, name);
    this.element = el("li", { class: "count" }, el("div", { class: "top" }, title, this.number), this.canvas, this.range);
  }

  update({ count: value }) {
    this.series.note(value);
    setText(this.number, count(value));
  }

  draw() {
    const { low, high } = this.series;
    const least = Math.min(...low);
    const most = Math.max(...high);
    setText(this.range, low.length ? (least === most ? "no change" : `${count(least)} to ${count(most)}`) : "");
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio];
    if (!width) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const place = most > least ? (value) => height - 3 - ((value - least) / (most - least)) * (height - 6) : () => height / 2;
    this.paint(canvas.getContext("2d"), { low, high, width, height, place });
  }

  paint(pen, { low, high, width, height, place }) {
    const across = (nth) => ((SAMPLES - low.length + nth) / (SAMPLES - 1)) * width;
    pen.clearRect(0, 0, width, height);
    pen.beginPath();
    high.forEach((value, nth) => pen.lineTo(across(nth), place(value)));
    pen.strokeStyle = this.view.color;
    pen.lineWidth = 1.5 * devicePixelRatio;
    pen.lineJoin = "round";
    pen.stroke();
    for (let nth = low.length - 1; nth >= 0; nth--) pen.lineTo(across(nth), place(low[nth]));
    pen.fillStyle = this.view.color;
    pen.globalAlpha = 0.18;
    pen.fill();
    pen.globalAlpha = 1;
  }
}

export class CountsView {
  constructor(app) {
    this.app = app;
    this.series = new Map();
    this.parts = KINDS.map(([kind, name, what]) => this.part(kind, name, what));
    this.entities = el("strong", {});
    const bar = el("div", { class: "bar" }, el("p", {}, this.entities, " entities"), el("span", { class: "gap" }), el("p", { class: "note" }, "the last minute"));
    this.element = el("section", { class: "view counts scrolls", tabindex: "0", "aria-label": "Counts" }, bar, this.parts.map(({ element }) => element));
  }

  part(kind, name, what) {
    const list = el("ul", {});
    const element = el("section", { class: "part" }, el("h2", {}, name, el("span", { class: "note" }, what)), list);
    return { kind, list, element, lines: new Map() };
  }

  seriesOf(key) {
    if (!this.series.has(key)) this.series.set(key, new Series());
    return this.series.get(key);
  }

  changed(data) {
    setText(this.entities, count(data.entities));
    for (const { kind, list, element, lines } of this.parts) {
      keyed(list, lines, data[kind], ({ id }) => id, (entry) => new Line(this, entry, kind));
      element.hidden = !data[kind].length;
    }
  }

  draw() {
    this.color = getComputedStyle(this.element).getPropertyValue("--accent");
    const view = this.element.getBoundingClientRect();
    for (const { lines } of this.parts) for (const line of lines.values()) {
      line.series.sample();
      const box = line.element.getBoundingClientRect();
      if (box.bottom > view.top && box.top < view.bottom) line.draw();
    }
  }

  show() {
    this.watch = this.app.link.watch("counts", { context: this.app.info.name }, { changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) });
    this.clock = setInterval(() => requestAnimationFrame(() => this.draw()), PERIOD);
  }

  hide() {
    this.watch.stop();
    clearInterval(this.clock);
  }
}
