// The glue between the page and the client, a module of WebAssembly: a socket, keys, and a frame at a time.
import { draw } from "./draw.mjs";
import { hands, sticks } from "./hands.mjs";
import { show } from "./hud.mjs";

const query = new URLSearchParams(location.search);
const { exports: wasm } = (await WebAssembly.instantiateStreaming(fetch("arena.wasm"))).instance;
const utf8 = new TextEncoder(), text = new TextDecoder();
const put = (bytes) => {
  const at = wasm.reserve(bytes.length); // first: it may replace the memory's buffer
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
};
const take = () => new Uint8Array(wasm.memory.buffer, wasm.buffer(), wasm.length()).slice();

// The sockets, by number. The client says when to open and close them, and what to send.
const sockets = new Map();
const hear = (number, kind, bytes, code = 0) => {
  put(bytes);
  wasm.incoming(number, kind, code); // which ignores one that it has closed
};
const open = (number, url) => {
  const own = new WebSocket(url);
  sockets.set(number, own);
  own.binaryType = "arraybuffer";
  own.onopen = () => hear(number, 1, []);
  own.onmessage = ({ data }) => typeof data === "string" ? hear(number, 2, utf8.encode(data)) : hear(number, 3, new Uint8Array(data));
  own.onclose = ({ code, reason }) => hear(number, 4, utf8.encode(reason), code);
};
const obey = () => {
  for (let kind; (kind = wasm.outgoing());) {
    const bytes = take(), number = wasm.socket(), socket = sockets.get(number);
    if (kind === 1) open(number, text.decode(bytes));
    else if (kind === 4) { socket.close(); sockets.delete(number); }
    else if (socket.readyState === 1) socket.send(kind === 2 ? text.decode(bytes) : bytes);
  }
};

let report = null, reported = 0;
const frame = (now) => {
  requestAnimationFrame(frame);
  arena.steer?.(report, hands); // of a test
  wasm.controls(hands.x, hands.y, hands.aimX, hands.aimY, hands.shoots ? 1 : 0, hands.weapon);
  hands.weapon = 0;
  const count = wasm.frame(now);
  obey();
  arena.scene = new Float64Array(wasm.memory.buffer, wasm.scene(), count).slice();
  if (now - reported > 150) {
    wasm.report();
    [report, reported] = [JSON.parse(text.decode(take()) || "null"), now];
    arena.report = report;
    if (report?.token) sessionStorage.setItem("token", report.token);
    show(report);
  }
  draw(arena.scene, report, now, sticks.values());
};
const start = (name) => {
  const number = (key) => query.has(key) ? Number(query.get(key)) : undefined;
  const options = { bots: number("bots"), walls: number("walls"), seconds: number("seconds") };
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  put(utf8.encode(JSON.stringify({ url, name, options, room: query.get("room"), token: sessionStorage.getItem("token") })));
  if (!wasm.start()) throw new Error("the client cannot begin");
  document.getElementById("start").hidden = true;
  requestAnimationFrame(frame);
};
const arena = window.arena = { report, scene: [], hands };
const field = document.getElementById("name");
field.value = localStorage.getItem("name") ?? "";
document.querySelector("form").onsubmit = (event) => { event.preventDefault(); localStorage.setItem("name", field.value); start(field.value); };
if (query.has("name")) start(query.get("name"));
