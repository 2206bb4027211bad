// A client in plain JavaScript, without prediction: see PROTOCOL.md. For browsers, and for Node from version 22 on.

/** Reads postcard. Integers above 2^53 lose their last digits. */
export class Reader {
  constructor(bytes) { [this.bytes, this.at] = [bytes, 0]; }
  get left() { return this.bytes.length - this.at; }
  u8() {
    if (this.left < 1) throw new Error("the data ends too early");
    return this.bytes[this.at++];
  }
  uint() { // u16, u32, u64, lengths, variants of enums
    for (let value = 0, place = 1; ; place *= 128) {
      const byte = this.u8();
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
  }
  int() { const number = this.uint(); return number % 2 ? -(number + 1) / 2 : number / 2; } // i16, i32, i64
  bool() { return this.u8() === 1; }
  raw(length) {
    if (length > this.left) throw new Error("the data ends too early");
    return this.bytes.subarray(this.at, this.at += length);
  }
  view(length) { const it = this.raw(length); return new DataView(it.buffer, it.byteOffset, length); }
  f32() { return this.view(4).getFloat32(0, true); }
  f64() { return this.view(8).getFloat64(0, true); }
  text() { return new TextDecoder().decode(this.raw(this.uint())); }
  option(read) { return this.u8() ? read(this) : null; }
  list(read) { return Array.from({ length: this.uint() }, () => read(this)); }
}

export const uint = (value) => { // writes what `Reader.uint` reads
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return [...bytes, value];
};
export const int = (value) => uint(value < 0 ? -2 * value - 1 : 2 * value);
export const text = (value) => { const bytes = new TextEncoder().encode(value); return [...uint(bytes.length), ...bytes]; };

const ids = (from, count, areFirst) => {
  for (var list = [], index = 0; list.length < count;) list.push((index += from.uint()) + "v" + (areFirst ? 1 : from.uint()));
  return list;
};
const inOrder = (left, right) => { // by index, then by generation
  const [[index, generation], [other, later]] = [left, right].map((id) => id.split("v"));
  return index - other || generation - later;
};
const sizedIds = (from) => { const head = from.uint(); return ids(from, Math.floor(head / 2), head % 2); };
const some = (from, all) => { // which of `all`: as bits, as distances, or all
  const kind = from.u8();
  if (kind === 2) return all;
  if (kind === 0) { const bits = from.raw(Math.ceil(all.length / 8)); return all.filter((_, at) => bits[at >> 3] >> (at & 7) & 1); }
  let next = 0;
  return from.list(() => { const at = next + from.uint(); next = at + 1; return all[at]; });
};

/** The entities of a room, by id: `entities.get("12v1").Position`. `components` reads the value of each component. */
export class Mirror {
  entities = new Map();
  #names = [];
  constructor(components) { this.components = components; }
  apply(from) {
    const head = from.u8();
    if (head === 4) return this.#everything(from);
    from.raw(2); // a checksum: a WebSocket damages nothing
    if (head & 128) [from.uint(), from.uint()]; // with baselines: its number, and of how many it has the changes
    if (!from.left) return;
    const flags = from.uint();
    let all = ids(from, Math.floor(flags / 32), flags & 1);
    for (const id of flags & 2 ? some(from, all) : []) this.entities.set(id, {});
    if (flags & 4) { const gone = sizedIds(from); some(from, gone); for (const id of gone) this.entities.delete(id); }
    if (flags & 8) sizedIds(from); // ids in values whose entities do not exist
    if (flags & 16) { // how many other entities are here, and which of them have changed
      const others = [...this.entities.keys()].filter((id) => !all.includes(id)).sort(inOrder);
      if (from.uint() !== others.length) throw new Error("the gateway expects other entities here");
      all = [...all, ...some(from, others)].sort(inOrder);
    }
    while (from.left) {
      const column = from.uint(), name = this.#names[column >> 3], set = column & 1 ? all : some(from, all);
      for (const id of column & 2 ? some(from, all) : []) delete this.entities.get(id)?.[name];
      this.#column(from, name, set);
      if (column & 4) from.list((it) => it.option((id) => [id.uint(), id.uint()])); // the order of a relation
    }
  }
  #everything(from) {
    from.text(); // the name of the context; then the run, the feed, the number
    [from.uint(), from.uint(), from.uint()];
    const all = sizedIds(from);
    this.entities = new Map(some(from, all).map((id) => [id, {}]));
    sizedIds(from);
    this.#names = from.list(() => {
      const [name, , steps] = from.text().split("\0");
      if (steps !== undefined) throw new Error(`component ${name} is sent by fields, which only Rust reads: remove \`delta\``);
      from.uint(); // its version
      this.#column(from, name, some(from, all));
      from.list((it) => it.option((id) => [id.uint(), id.uint()]));
      return name;
    });
  }
  #column(from, name, set) {
    if (!this.components[name]) throw new Error(`no reader for component ${name}`);
    for (const id of set) {
      const value = this.components[name](from);
      if (this.entities.has(id)) this.entities.get(id)[name] = value;
    }
  }
}

/** A connection that reconnects by itself. `on` has a function per type of message, `delta`, `closed`, and `unknown`: gets
 * the numbers of inputs of which nothing more will be heard, since the client has left their room, or lost its place in it.
 * `Socket` can be `WebTransportSocket` of web_transport.mjs. */
export class Client {
  pending = new Map(); // inputs without an outcome, by number
  connection = 0; last = 0; sent = 0; shown = 0; // numbers of inputs: the last one, the last sent one, the last in a delta
  tick = 0; token = null; room = null; pause = 250; link = null; next = null; // `next`: the next gateway, while this one ends
  constructor(url, components, on, login = null, Socket = WebSocket) { Object.assign(this, { url, components, on, login, Socket }); this.#connect(); }
  #connect() {
    const socket = new this.Socket(this.url), link = { socket, isWelcome: false, isIn: false, joined: null, heard: 0, asked: 0 };
    this.link ? this.next = link : this.link = link;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#say(link, { type: "hello", version: 3, token: this.token, login: this.login });
    socket.onmessage = ({ data }) => typeof data === "string" ? this.#hear(link, JSON.parse(data)) : this.#show(link, new Uint8Array(data));
    socket.onclose = (event) => this.#close(link, event);
  }
  #close(link, { code, reason }) {
    if (link === this.next) { // there is no other gateway yet: this one is left, and a connection made after a pause
      this.next = null;
      return this.link.socket.close();
    }
    if (link !== this.link) return; // it was left
    this.link = null;
    this.on.closed?.({ code, reason });
    const hadToken = this.token !== null;
    if (code === 4000) { // the token is not good any more, and inputs were another user's
      this.token = null;
      this.#forget();
    }
    if (code === 4004) this.pause = 8000;
    if (code === 4007) { // the room has forgotten the connection, and what became of its inputs
      const numbers = [...this.pending.keys()].filter((number) => number <= this.sent);
      for (const number of numbers) this.pending.delete(number);
      this.connection = 0;
      this.on.unknown?.(numbers);
    }
    if (this.next) return this.#go();
    if (code < 4000 || [4002, 4003, 4004, 4007].includes(code) || code === 4000 && hadToken) setTimeout(() => this.#connect(), this.pause * (1 + Math.random()) / 2);
    this.pause = Math.min(this.pause * 2, 8000);
  }
  #go() { // leaves a gateway that ends
    const before = this.link, { joined } = this.next;
    [this.link, this.next] = [this.next, null];
    before?.socket.close();
    if (joined) this.#enter(this.link, joined);
  }
  #say({ socket }, message) { socket.send(JSON.stringify(message)); }
  /** Sends a request. Returns whether there is a connection for it; `join` and `play` need none. */
  say(message) {
    const isWelcome = Boolean(this.link?.isWelcome);
    if (isWelcome && message.type === "leave") this.link.asked++;
    if (isWelcome) this.#say(this.link, message);
    return isWelcome;
  }
  join(room, spectate = false) {
    if (this.next?.isWelcome) this.#go();
    if (this.room && this.room.room !== room) this.#forget();
    this.room = { room, spectate };
    if (this.link?.isWelcome) this.#join(this.link);
  }
  #join(link) {
    const [first = this.last + 1] = this.pending.keys(), { connection, sent } = this;
    [link.isIn, link.joined] = [false, null];
    link.asked++;
    this.#say(link, { type: "join", ...this.room, connection, known: first - 1, sent });
  }
  /** Sends an input: bytes of postcard. Returns its number; it waits while a connection is made. */
  play(bytes) {
    this.pending.set(++this.last, bytes);
    if (this.link?.isIn && !this.next?.isWelcome) this.#input(this.last, bytes);
    return this.last;
  }
  #input(number, bytes) { this.#send(1, number, bytes); this.sent = Math.max(this.sent, number); }
  #send(kind, number, bytes) { this.link.socket.send(new Uint8Array([kind, ...uint(number), ...bytes])); }
  #show(link, bytes) {
    if (link === this.next && link.joined) this.#go();
    if (link !== this.link || !link.isIn) return; // of a room that it was in before
    const from = new Reader(bytes), [, tick, number, input] = [from.u8(), from.uint(), from.uint(), from.uint()];
    from.uint(); // the length of the delta
    this.mirror.apply(from);
    [this.tick, this.shown] = [tick, Math.max(this.shown, input)];
    this.#send(2, number, uint(link.heard));
    this.on.delta?.(this.mirror.entities, tick, input);
  }
  #enter(link, { connection, inputs }) {
    [link.isIn, this.mirror, this.connection] = [true, new Mirror(this.components), connection];
    if (!this.next?.isWelcome) for (const [number, bytes] of this.pending) if (number > inputs) this.#input(number, bytes);
  }
  #hear(link, message) {
    const { type } = message, isNext = link === this.next;
    if (!isNext && link !== this.link) return; // it was left
    if (type === "welcome") {
      [link.isWelcome, this.token, this.user, this.pause] = [true, message.token, message.user, 250];
      if (this.room) this.#join(link);
      else if (isNext) this.#go();
    } else if (type === "joined") {
      if (this.#isEarlier(link)) return;
      link.heard = 0; // messages with outcomes
      if (isNext) link.joined = message; // it goes there when the room is shown
      else this.#enter(link, message);
    } else if (type === "outcomes") {
      link.heard++;
      for (const [number] of [...message.played, ...message.rejected]) this.pending.delete(number);
    } else if (isNext) {
      this.#go();
      return this.#hear(link, message);
    } else if (type === "left") {
      if (this.#isEarlier(link)) return;
      const { next } = this;
      if (next) { // it may have been asked for this room
        this.next = null;
        next.socket.close();
        this.#connect();
      }
      this.#forget();
      [link.isIn, this.room] = [false, null];
    } else if (type === "reconnect") {
      this.url = message.url ?? this.url;
      if (!this.next) this.#connect();
    }
    this.on[type]?.(message);
  }
  #isEarlier(link) { return (link.asked = Math.max(0, link.asked - 1)) > 0; } // an answer before the last one
  #forget() {
    const numbers = [...this.pending.keys()];
    this.pending.clear();
    this.connection = this.last = this.sent = this.shown = 0;
    if (numbers.length) this.on.unknown?.(numbers);
  }
}
