// The page as a whole: views, the route in the address, keys and messages.

import { byId, el, setAttribute, setText } from "./dom.js";
import { EntityPane } from "./entity.js";
import { EntitiesView } from "./entities.js";
import { CanvasView } from "./canvas.js";
import { CountsView } from "./counts.js";
import { HistoryBar } from "./history.js";
import { keys, listenToKeys } from "./keys.js";
import { Link } from "./link.js";
import { LogView } from "./log.js";
import { MemoryView } from "./memory.js";
import { SystemsView } from "./systems.js";
import { UniquesView } from "./uniques.js";

const VIEWS = [
  ["entities", "Entities", EntitiesView],
  ["canvas", "Canvas", CanvasView],
  ["uniques", "Uniques", UniquesView],
  ["counts", "Counts", CountsView],
  ["systems", "Systems", SystemsView],
  ["memory", "Memory", MemoryView],
  ["log", "Log", LogView],
];
const FILTERS = ["all", "any", "none", "group", "roots", "text"];
const BEAT = 1000;
const narrow = matchMedia("(max-width: 720px)");

/** Instead of a view of a context, if none can be shown. */
class NothingView {
  constructor({ world }) {
    const why = "their values stay on their thread, which the inspector and the observers of its log may leave";
    this.element = el("section", { class: "view" }, el("p", { class: "notice" }, `All contexts are local and not shown (${world.local.join(", ")}): ${why}.`));
  }

  show() {}

  hide() {}
}

class App {
  constructor() {
    this.route = new URLSearchParams(location.hash.slice(1));
    this.views = new Map();
    this.world = null;
    this.buildTabs();
    this.link = new Link({ onHello: (world) => this.greet(world), onState: (state, reason) => this.showState(state, reason) });
    this.history = new HistoryBar(this, byId("history"));
    this.listen();
  }

  listen() {
    addEventListener("hashchange", () => this.followAddress());
    addEventListener("themechange", () => this.showTheme());
    byId("pause").onclick = () => this.togglePause();
    byId("step").onclick = () => this.do("step", { frames: 1 });
    byId("theme").onclick = () => nextTheme();
    byId("help").onclick = () => keys.show();
    byId("skip").onclick = (event) => {
      event.preventDefault();
      byId("main").focus();
    };
    byId("context").onchange = (event) => this.setRoute({ context: event.target.value, entity: null, columns: null, ...this.withoutFilters() }, true);
    listenToKeys(this);
    this.showTheme();
    setInterval(() => this.beat(), BEAT);
  }

  // The world.

  get isNarrow() {
    return narrow.matches;
  }

  get contextName() {
    const names = this.world.contexts.map(({ name }) => name);
    const asked = this.route.get("context");
    return names.includes(asked) ? asked : names[0];
  }

  /** The shown context: its components, groups and templates. */
  get info() {
    return this.world.contexts.find(({ name }) => name === this.contextName) ?? { name: "", components: [], groups: [], templates: [] };
  }

  component(name) {
    return this.info.components.find((it) => it.name === name) ?? {};
  }

  groupName(id) {
    const found = this.info.groups.find((group) => group.id === id);
    if (!found) this.refreshWorld();
    return found?.name ?? `group ${id}`;
  }

  hueOf(name) {
    const index = this.info.components.findIndex((it) => it.name === name);
    return Math.round((220 + index * 137.5) % 360);
  }

  /** The component with the label of an entity, if there is one. */
  get labelComponent() {
    const marked = this.info.components.find(({ label }) => label);
    return (marked ?? this.info.components.find(({ name }) => /^(name|label|title)$/i.test(name)))?.name;
  }

  /** Whether the game has a label component, and so sends labels with ids. */
  get hasLabels() {
    return this.info.components.some(({ label }) => label);
  }

  greet(world) {
    const isSame = this.world && JSON.stringify(this.world) === JSON.stringify(world);
    this.world = world;
    if (!isSame) this.showWorld();
  }

  async refreshWorld() {
    this.world = await this.link.get("world").catch(() => this.world);
  }

  showWorld() {
    setText(byId("title"), this.world.title);
    document.title = `${this.world.title} · Inspector`;
    byId("transport").hidden = this.world.read_only;
    const select = byId("context");
    const shown = this.world.contexts.map(({ name }) => el("option", { value: name }, name));
    const local = this.world.local.map((name) => el("option", { value: name, disabled: true }, `${name} (local, not shown)`));
    select.replaceChildren(...shown, ...local);
    select.hidden = select.options.length < 2;
    this.discard();
    this.showRoute();
  }

  discard() {
    this.current?.hide();
    this.current = null;
    this.views.clear();
    this.closePane();
    this.shownContext = this.contextName;
  }

  // The address.

  /** Returns the present address with some changes. */
  address(changes) {
    const route = new URLSearchParams(this.route);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === undefined) route.delete(key);
      else route.set(key, value);
    }
    return `#${route}`;
  }

  withoutFilters() {
    return Object.fromEntries(FILTERS.map((filter) => [filter, null]));
  }

  /** Returns the address of the list of entities with only these filters. */
  onlyAddress(filters) {
    return this.address({ view: "entities", ...this.withoutFilters(), ...filters });
  }

  setRoute(changes, isStep = false) {
    const address = this.address(changes);
    if (isStep) location.hash = address;
    else {
      history.replaceState(null, "", location.pathname + location.search + address);
      this.route = new URLSearchParams(address.slice(1));
    }
  }

  followAddress() {
    this.route = new URLSearchParams(location.hash.slice(1));
    if (!this.world) return;
    if (this.contextName !== this.shownContext) this.discard();
    this.showRoute();
  }

  showRoute() {
    byId("context").value = this.contextName;
    this.showView(this.route.get("view") ?? "entities");
    this.showPane(this.route.get("entity"));
    this.current.routed?.();
  }

  showView(asked) {
    const [key, , OfContext] = VIEWS.find(([name]) => name === asked) ?? VIEWS[0];
    const View = this.world.contexts.length || key === "systems" ? OfContext : NothingView;
    if (!this.views.has(key)) this.views.set(key, new View(this));
    const view = this.views.get(key);
    if (view === this.current) return;
    this.current?.hide();
    this.current = view;
    byId("main").replaceChildren(view.element);
    view.show();
    this.markTab(key);
  }

  buildTabs() {
    const tab = ([key, name], nth) => el("a", {
      role: "tab", id: `tab-${key}`, href: `#view=${key}`, "aria-controls": "main", "aria-keyshortcuts": String(nth + 1), title: `${name} (${nth + 1})`,
      onclick: (event) => {
        event.preventDefault();
        this.openView(key);
      },
      onkeydown: (event) => this.pressTab(event, nth),
    }, name);
    byId("tabs").append(...VIEWS.map(tab));
    this.markTab(this.route.get("view") ?? "entities");
  }

  pressTab(event, nth) {
    const to = { ArrowRight: nth + 1, ArrowLeft: nth - 1, Home: 0, End: VIEWS.length - 1 }[event.key];
    if (event.key === " ") byId("main").focus();
    else if (to === undefined) return;
    else {
      const [key] = VIEWS[(to + VIEWS.length) % VIEWS.length];
      this.openView(key);
      byId(`tab-${key}`).focus();
    }
    event.preventDefault();
  }

  markTab(key) {
    for (const [name] of VIEWS) {
      setAttribute(byId(`tab-${name}`), "aria-selected", String(name === key));
      byId(`tab-${name}`).tabIndex = name === key ? 0 : -1;
    }
    setAttribute(byId("main"), "aria-labelledby", `tab-${key}`);
  }

  openView(key) {
    this.setRoute({ view: key }, true);
  }

  viewAt(nth) {
    if (VIEWS[nth]) this.openView(VIEWS[nth][0]);
  }

  openEntity(entity, takesFocus = false) {
    this.takesFocus = takesFocus;
    this.setRoute({ entity }, true);
  }

  showPane(entity) {
    if (entity === (this.pane?.entity ?? null)) return this.focusPane();
    const hadFocus = byId("aside").contains(document.activeElement);
    this.closePane();
    if (!entity) return hadFocus ? byId("main").querySelector("[tabindex='0']")?.focus() : undefined;
    this.pane = new EntityPane(this, entity);
    byId("aside").replaceChildren(this.pane.element);
    byId("aside").hidden = false;
    if (hadFocus || this.isNarrow) this.takesFocus = true;
    return this.focusPane();
  }

  focusPane() {
    if (this.takesFocus) this.pane?.title.focus();
    this.takesFocus = false;
  }

  closePane() {
    this.pane?.stop();
    this.pane = null;
    byId("aside").hidden = true;
    byId("aside").replaceChildren();
  }

  // Commands.

  /** Sends a command. Shows an error with its remedy, and returns null, if it fails. */
  async do(command, params, raw, remedy) {
    try {
      return (await this.link.do(command, params, raw)) ?? true;
    } catch (error) {
      this.say(error.message, remedy?.(error));
      return null;
    }
  }

  async create(params) {
    const made = await this.do("create", { context: this.info.name, ...params });
    if (made) this.openEntity(made.entity);
  }

  togglePause() {
    return this.do(this.isPaused ? "resume" : "pause");
  }

  setPaused(paused) {
    this.isPaused = paused;
    setText(byId("pause"), paused ? "Resume" : "Pause");
    byId("pause").title = paused ? "Resume the game (P)" : "Pause all systems (P)";
    setAttribute(byId("pause"), "aria-pressed", String(paused));
    document.documentElement.classList.toggle("is-paused", paused);
    if (this.link?.isOpen) this.tellState();
  }

  // State and messages.

  showState(state, reason) {
    this.rate = this.beaten = null;
    setAttribute(byId("state"), "data-state", state);
    setText(byId("state-text"), { connecting: "Connecting", connected: "Connected", lost: "No connection" }[state]);
    if (reason && reason !== this.lastReason) this.say(reason);
    this.lastReason = reason ?? (state === "connected" ? null : this.lastReason);
  }

  /** Asks once a second, to measure the frame rate and to notice if the game does not answer. */
  async beat() {
    if (!this.link.isOpen || this.isBeating || document.hidden) return;
    this.isBeating = true;
    const answered = await this.link.get("world").catch(() => null);
    this.isBeating = false;
    if (!this.link.isOpen) return;
    if (answered) this.world = answered;
    const now = { frame: this.link.frame, time: performance.now() };
    const passed = this.beaten && now.frame > this.beaten.frame ? now.frame - this.beaten.frame : null;
    this.rate = passed && (1000 * passed) / (now.time - this.beaten.time);
    this.beaten = now;
    setAttribute(byId("state"), "data-state", answered ? "connected" : "waiting");
    this.tellState(answered);
  }

  tellState(answers = true) {
    const rate = this.isPaused ? "Paused" : this.rate ? `${Math.round(this.rate)} frames/s` : "Connected";
    setText(byId("state-text"), answers ? rate : "The game does not answer");
    byId("state").dataset.rate = this.rate ? this.rate.toFixed(1) : "";
    byId("state").dataset.frame = this.link.frame ?? "";
  }

  /** Shows a message that disappears by itself, with an optional button: its text and its action. */
  say(text, [action, run] = []) {
    const button = action && el("button", { class: "small", onclick: () => message.remove() || run() }, action);
    const message = el("div", { class: "message" }, el("div", {}, el("p", {}, text), button), el("button", { class: "quiet small", "aria-label": "Dismiss", onclick: () => message.remove() }, "×"));
    byId("messages").append(message);
    while (byId("messages").childElementCount > 4) byId("messages").firstChild.remove();
    setTimeout(() => message.remove(), 8000);
  }

  showTheme() {
    const theme = document.documentElement.dataset.theme;
    setText(byId("theme"), { system: "◐", light: "☀", dark: "☾" }[theme]);
    setAttribute(byId("theme"), "aria-label", `Theme: ${theme}`);
    byId("theme").title = `Theme: ${theme} (T)`;
  }

  setting(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  saveSetting(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Without storage, the setting lasts as long as the page.
    }
  }
}

new App();
