// The history bar: recording, a slider through the frames, continuing from one of them.

import { count, el, setAttribute, setText } from "./dom.js";

export class HistoryBar {
  constructor(app, element) {
    Object.assign(this, { app, element });
    this.record = el("button", { id: "record", "aria-pressed": "false", "aria-keyshortcuts": "R", title: "Record history (R)", onclick: () => this.toggle() }, el("span", { class: "dot", "aria-hidden": "true" }), el("span", {}, "Record"));
    this.back = this.button("back", "◀", "One frame back ([)", () => this.look(this.target - 1));
    this.forth = this.button("forth", "▶", "One frame forward (])", () => this.look(this.target + 1));
    this.slider = el("input", { type: "range", id: "moment", "aria-label": "Frame", oninput: () => this.look(Number(this.slider.value)) });
    this.note = el("p", { class: "note", role: "status" });
    this.goOn = this.button("go-on", "Continue from here", "Continue the game from this frame (G)", () => this.app.do("resume"));
    this.present = this.button("present", "Back to the present", "To the last frame (B)", () => this.toPresent());
    this.goOn.classList.add("primary");
    element.append(this.record, this.back, this.slider, this.forth, this.note, this.goOn, this.present);
    this.show({ recording: false });
    app.link.watch("history", {}, { changed: (data) => this.changed(data), failed: (error) => app.say(error.message) });
  }

  button(id, text, title, onclick) {
    return el("button", { id, title, "aria-label": text.length === 1 ? title : undefined, onclick }, text);
  }

  changed(data) {
    const hasFailed = data.rejected && data.rejected !== this.data?.rejected;
    if (hasFailed && !this.isAsking) this.app.say(`History is not recorded: ${data.rejected}`);
    this.data = data;
    this.app.setPaused(data.paused);
    this.show(data);
  }

  get isPast() {
    return Boolean(this.data?.recording) && this.data.at < this.data.last;
  }

  /** The requested mark, or the present one. */
  get target() {
    return this.wanted ?? this.data.at;
  }

  show({ recording, excluded, first, last, at, changes }) {
    const isFixed = this.app.world?.read_only ?? false;
    for (const part of [this.back, this.forth, this.slider]) part.hidden = !recording;
    this.record.hidden = isFixed;
    setAttribute(this.record, "aria-pressed", String(recording));
    setText(this.record.lastChild, recording ? "Recording" : "Record");
    this.goOn.hidden = this.present.hidden = !this.isPast || isFixed;
    document.documentElement.classList.toggle("is-past", this.isPast);
    if (!recording) return setText(this.note, isFixed ? "History is not recorded" : "Record history to go back to any frame");
    this.slider.min = first;
    this.slider.max = last;
    if (this.wanted === undefined) this.slider.value = at;
    for (const part of [this.back, this.forth, this.slider]) part.disabled = isFixed;
    this.slider.style.setProperty("--at", `${last > first ? (100 * (this.target - first)) / (last - first) : 100}%`);
    const kept = `${count(last - first + 1)} frames, ${count(changes)} changes`;
    this.note.title = excluded?.length ? `Without ${excluded.join(", ")}` : "";
    return setText(this.note, this.isPast ? `${count(last - at)} frames ago` : kept);
  }

  async toggle() {
    await this.ask({ on: !this.data?.recording });
  }

  /** Starts or stops recording. If some components prevent it, offers to exclude them. */
  async ask(params) {
    this.isAsking = true;
    await this.app.do("record", params, undefined, () => this.remedy(params));
    this.isAsking = false;
  }

  remedy({ on, exclude }) {
    const fixed = this.app.world.contexts.flatMap(({ name, components }) => components.filter((it) => !it.clone).map((it) => `${name}.${it.name}`));
    return on && !exclude && fixed.length ? ["Record without uncloneable components", () => this.ask({ on, exclude: fixed })] : [];
  }

  /** Seeks to a mark. Of several requests during a seek, only the last is done. */
  async look(mark) {
    if (!this.data?.recording) return;
    const isBusy = this.wanted !== undefined;
    if (!isBusy && !this.isPast) this.ranBefore = !this.data.paused;
    this.wanted = Math.max(this.data.first, Math.min(mark, this.data.last));
    this.slider.value = this.wanted;
    if (isBusy) return;
    while (this.wanted !== undefined) {
      const asked = this.wanted;
      const done = await this.app.do("look", { mark: asked });
      if (this.wanted === asked || !done) this.wanted = undefined;
      if (done) this.changed({ ...this.data, at: asked, paused: true });
    }
  }

  async toPresent() {
    await this.look(this.data.last);
    if (this.ranBefore) await this.app.do("resume");
  }
}
