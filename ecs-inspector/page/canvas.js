// The view of entities as points, with coordinates and colors from their components.

import { toHex } from "./colors.js";
import { count, el, setText } from "./dom.js";
import { below } from "./fields.js";

const RADIUS = 3.5;
const REACH = 12;
const MARGIN = 26;
const MOST_NAMED = 8;

/** Returns the JSON pointers of all numbers in a value. */
function numbersIn(value, path = "", depth = 0) {
  if (typeof value === "number") return [path];
  if (value === null || typeof value !== "object" || depth > 3) return [];
  return Object.entries(value).slice(0, 16).flatMap(([key, part]) => numbersIn(part, below(path, key), depth + 1));
}

function hueOf(text) {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 3600;
  return sum % 360;
}

/** Assigns colors to points, and shows the legend. */
class Colors {
  constructor(values, dark) {
    this.tone = dark ? "72% 0.14" : "58% 0.16";
    this.none = dark ? "#5d6577" : "#a9b0be";
    const numbers = values.filter((value) => typeof value === "number");
    this.least = Math.min(...numbers);
    this.most = Math.max(...numbers);
    this.hasNumbers = numbers.length > 0;
    this.names = [...new Set(values.filter((value) => value !== null && typeof value !== "number" && !this.own(value)).map((value) => this.nameOf(value)))];
  }

  own(value) {
    return typeof value === "number" ? null : toHex(value);
  }

  nameOf(value) {
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  of(value) {
    if (value === null) return this.none;
    if (typeof value === "number") return this.ofHue(270 - 240 * (this.most > this.least ? (value - this.least) / (this.most - this.least) : 0.5));
    return this.own(value) ?? this.ofHue(hueOf(this.nameOf(value)));
  }

  ofHue(hue) {
    return `oklch(${this.tone} ${hue})`;
  }

  legend() {
    const mark = (color, name) => el("li", {}, el("i", { style: `background:${color}` }), name);
    if (this.hasNumbers) return [this.least, this.most].map((number) => mark(this.of(number), String(Number(number.toPrecision(4)))));
    const rest = this.names.length - MOST_NAMED;
    return [...this.names.slice(0, MOST_NAMED).map((name) => mark(this.ofHue(hueOf(name)), name)), ...(rest > 0 ? [el("li", {}, `and ${rest} more`)] : [])];
  }
}

export class CanvasView {
  constructor(app) {
    this.app = app;
    this.points = [];
    [this.x, this.y, this.color] = ["x", "y", "color"].map((name) => el("select", { id: `of-${name}`, onchange: () => this.choose() }));
    const labelled = (text, select) => el("label", { class: "choice" }, el("span", { class: "note" }, text), select);
    this.up = el("input", { type: "checkbox", onchange: () => this.draw() });
    this.total = el("p", { class: "total", role: "status" });
    this.legend = el("ul", { class: "legend" });
    this.tip = el("div", { class: "tip", hidden: true });
    this.canvas = el("canvas", {
      class: "picture", tabindex: "0", role: "img", "aria-label": "Entities as points",
      onpointermove: (event) => this.hover(event), onpointerleave: () => (this.tip.hidden = true), onclick: (event) => this.open(event),
    });
    this.notice = el("p", { class: "notice", hidden: true }, "No component has numbers to use as coordinates.");
    const bar = el("div", { class: "bar" }, labelled("X", this.x), labelled("Y", this.y), labelled("Color", this.color), el("label", { class: "choice" }, this.up, el("span", { class: "note" }, "Y up")), el("span", { class: "gap" }), this.total);
    this.element = el("section", { class: "view canvas" }, bar, this.notice, el("div", { class: "stage" }, this.canvas, this.tip), this.legend);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Finds the available numbers, from one entity of each component. */
  async fields() {
    const components = this.app.info.components.filter((it) => it.editable && !it.flag);
    const ask = async ({ name }) => {
      const params = { context: this.app.info.name, all: [name], columns: [name], count: 1 };
      const { rows } = await this.app.link.get("entities", params).catch(() => ({ rows: [] }));
      return numbersIn(rows[0]?.values[name]?.json).map((path) => name + path);
    };
    return (await Promise.all(components.map(ask))).flat();
  }

  async offer() {
    const fields = await this.fields();
    const option = (text) => el("option", { value: text }, text);
    this.x.replaceChildren(...fields.map(option));
    this.y.replaceChildren(...fields.map(option));
    const whole = this.app.info.components.filter((it) => !it.unique).map(({ name }) => name);
    this.color.replaceChildren(el("option", { value: "" }, "none"), ...[...new Set([...whole, ...fields])].map(option));
    const usual = this.usual(fields);
    for (const name of ["x", "y", "color"]) this[name].value = this.app.route.get(`c${name}`) ?? this.app.setting(this.key(name)) ?? usual[name];
    this.notice.hidden = fields.length > 0;
    if (fields.length) this.start();
  }

  key(name) {
    return `canvas ${name} of ${this.app.info.name}`;
  }

  /** Returns the first pair that looks like coordinates, or the first two numbers. */
  usual(fields) {
    const ends = [["/x", "/y"], ["/0", "/1"]];
    const pair = ([x, y]) => fields.find((field) => field.endsWith(x) && fields.includes(field.slice(0, -x.length) + y));
    const [end, found] = ends.map((end) => [end, pair(end)]).find(([, field]) => field) ?? [];
    return found ? { x: found, y: found.slice(0, -end[0].length) + end[1], color: "" } : { x: fields[0], y: fields[1] ?? fields[0], color: "" };
  }

  choose() {
    const chosen = Object.fromEntries(["x", "y", "color"].map((name) => [`c${name}`, this[name].value || null]));
    for (const name of ["x", "y", "color"]) this.app.saveSetting(this.key(name), this[name].value);
    this.app.setRoute(chosen);
    this.start();
  }

  params() {
    const params = { context: this.app.info.name, x: this.x.value, y: this.y.value };
    if (this.color.value) params.color = this.color.value;
    for (const list of ["all", "any", "none"]) if (this.app.route.get(list)) params[list] = this.app.route.get(list);
    if (this.app.route.get("group")) params.group = Number(this.app.route.get("group"));
    return params;
  }

  changed({ total, points }) {
    this.points = points;
    const part = points.length < total ? `${count(points.length)} of ` : "";
    const isNarrowed = ["all", "any", "none", "group"].some((list) => this.app.route.get(list));
    setText(this.total, `${part}${count(total)} entities${isNarrowed ? ", filtered as in Entities" : ""}`);
    this.colors = new Colors(points.map(([, , , color]) => color), this.isDark());
    const legend = this.color.value ? this.colors.legend() : [];
    const key = legend.map((it) => it.outerHTML).join();
    if (key !== this.legendKey) this.legend.replaceChildren(...legend);
    this.legendKey = key;
    this.draw();
  }

  isDark() {
    return getComputedStyle(document.documentElement).colorScheme === "dark";
  }

  /** Returns the position of a point in the canvas, in CSS pixels. */
  placing(width, height) {
    const of = (nth) => this.points.map((point) => point[nth]);
    const [xs, ys] = [of(1), of(2)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = (size) => Math.max(1, size - 2 * MARGIN);
    const scale = Math.min(room(width) / (right - left || 1), room(height) / (bottom - top || 1));
    const [centerX, centerY] = [(left + right) / 2, (top + bottom) / 2];
    const turn = this.up.checked ? -1 : 1;
    return ([, x, y]) => [width / 2 + (x - centerX) * scale, height / 2 + turn * (y - centerY) * scale];
  }

  draw() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    const [across, down] = [width, height].map((size) => Math.round(size * devicePixelRatio));
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    const pen = canvas.getContext("2d");
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!this.points.length) return;
    const place = this.placing(width, height);
    this.places = this.points.map(place);
    const dot = (nth, isOpen) => this.dot(pen, this.places[nth], this.colors.of(this.points[nth][3]), isOpen);
    for (let nth = 0; nth < this.points.length; nth++) dot(nth, false);
    const open = this.points.findIndex(([entity]) => entity === this.app.route.get("entity"));
    if (open >= 0) dot(open, true); // above the others
  }

  dot(pen, [x, y], color, isOpen) {
    pen.beginPath();
    pen.arc(x, y, isOpen ? 2 * RADIUS : RADIUS, 0, 7);
    pen.fillStyle = color;
    pen.fill();
    if (!isOpen) return;
    pen.strokeStyle = getComputedStyle(this.element).color;
    pen.lineWidth = 2;
    pen.stroke();
  }

  /** Returns the index of the point near the pointer, if there is one. */
  at({ offsetX, offsetY }) {
    let [nearest, least] = [null, REACH];
    this.places?.forEach(([x, y], nth) => {
      const far = Math.hypot(x - offsetX, y - offsetY);
      if (far < least) [nearest, least] = [nth, far];
    });
    return nearest;
  }

  hover(event) {
    const nth = this.at(event);
    this.tip.hidden = nth === null;
    this.canvas.style.cursor = nth === null ? "" : "pointer";
    if (nth === null) return;
    const [entity, x, y, color] = this.points[nth];
    setText(this.tip, [entity, `${x}, ${y}`, color === null ? "" : this.colors.nameOf(color)].filter(Boolean).join(" · "));
    this.tip.style.left = `${Math.min(event.offsetX + 14, this.canvas.clientWidth - 180)}px`;
    this.tip.style.top = `${event.offsetY + 14}px`;
  }

  open(event) {
    const nth = this.at(event);
    if (nth !== null) this.app.openEntity(this.points[nth][0]);
  }

  start() {
    const handlers = { changed: (data) => this.changed(data), failed: (error) => this.app.say(error.message) };
    this.watch?.stop();
    this.watch = this.isShown ? this.app.link.watch("points", this.params(), handlers) : null;
  }

  show() {
    this.isShown = true;
    this.offer();
  }

  hide() {
    this.isShown = false;
    this.watch?.stop();
    this.watch = null;
  }

  /** Called when another entity is open, or none. */
  routed() {
    this.draw();
  }
}
