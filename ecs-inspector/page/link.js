// The WebSocket to the game: queries, commands, watches. Reconnects by itself.
//
// Answers to watches are passed on once per frame of the screen, or before a later answer to another
// request. Only the last one is passed on, but those of the log are collected.

import { onceAFrame } from "./dom.js";

const PATIENCE = 4000;
const MOST_COLLECTED = 4000;

/** Keeps numbers that JavaScript cannot represent as they are written. */
export class BigNumber {
  constructor(text) {
    this.text = text;
  }
}

function keepNumbers(_key, value, context) {
  const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && context?.source ? new BigNumber(context.source) : value;
}

function parse(text) {
  return /\d{16}/.test(text) ? JSON.parse(text, keepNumbers) : JSON.parse(text);
}

/** A query that is answered whenever its answer changes. */
class Watch {
  constructor(link, id, query, params, handlers) {
    Object.assign(this, { link, id, query, params, handlers });
    this.answers = [];
  }

  /** Changes the parameters. */
  ask(params) {
    const asked = JSON.stringify(params);
    if (asked === JSON.stringify(this.params)) return;
    this.params = params;
    this.link.send({ id: this.id, watch: this.query, params });
  }

  stop() {
    if (this.link.watches.delete(this.id)) this.link.send({ unwatch: this.id });
  }
}

export class Link {
  constructor({ onHello, onState }) {
    Object.assign(this, { onHello, onState });
    this.token = new URLSearchParams(location.search).get("token");
    this.nextId = 1;
    this.waiting = new Map();
    this.watches = new Map();
    this.tries = 0;
    this.frame = null;
    this.deliver = onceAFrame(() => this.handOn());
    this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    this.onState("connecting");
    const token = this.token === null ? "" : `?token=${encodeURIComponent(this.token)}`;
    const url = new URL(`ws${token}`, location.href); // the page may be below a path
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = (message) => this.hear(parse(message.data));
    socket.onclose = () => this.lost(token);
  }

  async lost(token) {
    for (const { reject } of this.waiting.values()) reject(new Error("the connection has been lost"));
    this.waiting.clear();
    this.frame = null;
    this.tries += 1;
    const delay = Math.min(250 * 2 ** this.tries, 5000);
    this.onState("lost");
    setTimeout(() => this.connect(), delay);
    this.onState("lost", await this.reason(token));
  }

  /** Returns why there is no connection, if the server says so. */
  async reason(token) {
    if (this.tries < 2) return undefined;
    try {
      const answer = await fetch(`api/history${token}`);
      const failed = (await answer.json()).error;
      return answer.ok ? undefined : failed.message;
    } catch {
      return undefined;
    }
  }

  send(message) {
    if (this.isOpen) this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  hear(message) {
    if (message.hello) return this.welcome(message.hello);
    if (message.frame !== undefined) this.frame = message.frame;
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.handOn(); // updates that were sent before the answer
      return this.settle(waiting, message);
    }
    const watch = this.watches.get(message.id);
    if (!watch) return undefined;
    if (!watch.handlers.collects) watch.answers.length = 0;
    if (watch.answers.length < MOST_COLLECTED) watch.answers.push(message);
    return this.deliver();
  }

  welcome(world) {
    this.tries = 0;
    this.onState("connected");
    this.onHello(world);
    for (const { id, query, params } of this.watches.values()) this.send({ id, watch: query, params });
  }

  settle(waiting, message) {
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(Object.assign(new Error(message.error.message), message.error));
    else waiting.resolve(message.data);
  }

  handOn() {
    for (const watch of this.watches.values()) {
      const answers = watch.answers;
      if (!answers.length) continue;
      watch.answers = [];
      for (const { data, error } of answers) {
        if (error) watch.handlers.failed?.(error);
        else watch.handlers.changed(data);
      }
    }
  }

  /** Watches a query. `handlers`: `changed(data)`, `failed(error)`, and whether it `collects` answers. */
  watch(query, params, handlers) {
    const watch = new Watch(this, this.nextId++, query, params, handlers);
    this.watches.set(watch.id, watch);
    this.send({ id: watch.id, watch: query, params });
    return watch;
  }

  /** Sends a query once. */
  get(query, params = {}) {
    return this.request((id) => JSON.stringify({ id, get: query, params }));
  }

  /** Sends a command; `raw` is the JSON of the parameter `value`, as the user wrote it. */
  do(command, params = {}, raw) {
    return this.request((id) => {
      const all = JSON.stringify(params);
      const whole = raw === undefined ? all : `${all.slice(0, -1)},"value":${raw}}`;
      return `{"id":${id},"do":${JSON.stringify(command)},"params":${whole}}`;
    });
  }

  request(message) {
    if (!this.isOpen) return Promise.reject(new Error("there is no connection to the game"));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      setTimeout(() => {
        if (this.waiting.delete(id)) reject(new Error("the game does not answer"));
      }, PATIENCE);
      this.send(message(id));
    });
  }
}
