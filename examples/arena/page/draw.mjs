// The picture. The scene has seven numbers for each thing: see `client/src/scene.rs`.
import { color } from "./hud.mjs";

const canvas = document.getElementById("canvas");
const TILE = 64, RADIUS = 18, TURN = 2 * Math.PI;
let map = null, tiles = "", born = new Map(), flashes = [];

/** The floor and its walls, drawn once per round. */
const build = ({ columns, tiles: all }) => {
  tiles = all;
  const rows = all.length / columns, at = (x, y) => all[y * columns + x] === "#";
  map = new OffscreenCanvas(columns * TILE, rows * TILE);
  const to = map.getContext("2d");
  to.fillStyle = "#1a2130"; to.fillRect(0, 0, map.width, map.height);
  for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) {
    if ((x + y) % 2) { to.fillStyle = "#1d2536"; to.fillRect(x * TILE, y * TILE, TILE, TILE); }
  }
  to.strokeStyle = "#ffffff0b"; to.lineWidth = 1; to.beginPath();
  for (let x = 0; x <= columns; x++) { to.moveTo(x * TILE, 0); to.lineTo(x * TILE, map.height); }
  for (let y = 0; y <= rows; y++) { to.moveTo(0, y * TILE); to.lineTo(map.width, y * TILE); }
  to.stroke();
  const each = (call) => { for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) if (at(x, y)) call(x * TILE, y * TILE, x, y); };
  to.save(); to.shadowColor = "#000c"; to.shadowBlur = 22; to.shadowOffsetX = 9; to.shadowOffsetY = 13; to.fillStyle = "#36425a";
  const shape = new Path2D();
  each((x, y) => shape.rect(x, y, TILE, TILE));
  to.fill(shape); to.restore();
  each((x, y, column, row) => {
    const shade = to.createLinearGradient(x, y, x, y + TILE);
    shade.addColorStop(0, "#4c5b78"); shade.addColorStop(1, "#3d4a64");
    to.fillStyle = shade; to.fillRect(x, y, TILE, TILE);
    to.fillStyle = "#2a3448"; if (!at(column, row + 1) && row + 1 < rows) to.fillRect(x, y + TILE - 14, TILE, 14);
    to.fillStyle = "#7687a8"; if (!at(column, row - 1) && row) to.fillRect(x, y, TILE, 3);
    if (!at(column - 1, row) && column) to.fillRect(x, y, 2, TILE - 14);
  });
};

const circle = (to, x, y, radius, fill) => { to.fillStyle = fill; to.beginPath(); to.arc(x, y, radius, 0, TURN); to.fill(); };

const item = (to, [, x, y, kind], now) => {
  const tint = { 0: "#5fd38d", 2: "#ffb454", 3: "#ff6b6b" }[kind], lift = 3 * Math.sin(now / 350 + x);
  circle(to, x + 3, y + 9, 17, "#0006");
  to.save(); to.translate(x, y + lift - 2); to.shadowColor = tint; to.shadowBlur = 18;
  to.fillStyle = "#141b29"; to.strokeStyle = tint; to.lineWidth = 2.5;
  to.beginPath(); to.roundRect(-17, -17, 34, 34, 9); to.fill(); to.stroke(); to.shadowBlur = 0; to.fillStyle = tint;
  if (kind === 0) { to.fillRect(-3.5, -10, 7, 20); to.fillRect(-10, -3.5, 20, 7); }
  if (kind === 2) for (const [dx, dy] of [[-7, 6], [0, -7], [7, 6], [0, 3]]) circle(to, dx, dy, 3.2, tint);
  if (kind === 3) { to.rotate(-0.8); to.beginPath(); to.roundRect(-10, -4, 15, 8, 2); to.fill(); to.beginPath(); to.moveTo(5, -4); to.lineTo(12, 0); to.lineTo(5, 4); to.fill(); to.fillRect(-12, -7, 4, 14); }
  to.restore();
};

const body = (to, [, x, y, aimX, aimY, , player], tint, isOwn) => {
  circle(to, x + 5, y + 8, RADIUS, "#0007");
  to.save(); to.translate(x, y); to.rotate(Math.atan2(aimY, aimX));
  to.fillStyle = "#c3cede"; to.strokeStyle = "#0b0f17"; to.lineWidth = 2.5;
  to.beginPath(); to.roundRect(8, -5, 21, 10, 3); to.fill(); to.stroke();
  const shade = to.createRadialGradient(-6, -6, 3, 0, 0, RADIUS);
  shade.addColorStop(0, "#fff"); shade.addColorStop(0.35, tint); shade.addColorStop(1, tint);
  to.fillStyle = shade; to.beginPath(); to.arc(0, 0, RADIUS, 0, TURN); to.fill(); to.stroke();
  circle(to, 6, 0, 6, "#0b0f17c0");
  to.restore();
  if (isOwn) { to.strokeStyle = "#ffffffb0"; to.lineWidth = 2; to.beginPath(); to.arc(x, y, RADIUS + 5, 0, TURN); to.stroke(); }
};

const label = (to, [, x, y, , , health], name, tint) => {
  to.font = "600 13px system-ui, sans-serif"; to.textAlign = "center"; to.lineJoin = "round";
  to.strokeStyle = "#0b0f17d0"; to.lineWidth = 4; to.strokeText(name, x, y - 38); to.fillStyle = tint; to.fillText(name, x, y - 38);
  to.fillStyle = "#0b0f17d0"; to.fillRect(x - 23, y - 32, 46, 7);
  to.fillStyle = health > 60 ? "#5fd38d" : health > 30 ? "#ffd166" : "#ef5d60"; to.fillRect(x - 22, y - 31, 44 * health / 100, 5);
};

const shot = (to, [, x, y, dx, dy, weapon]) => {
  const length = Math.hypot(dx, dy) || 1, [ux, uy] = [dx / length, dy / length];
  const [tail, width, tint] = { 1: [26, 4, "#7fd4ff"], 2: [14, 3.5, "#ffcf7d"], 3: [34, 8, "#ff8a5c"] }[weapon];
  const shade = to.createLinearGradient(x, y, x - ux * tail, y - uy * tail);
  shade.addColorStop(0, tint); shade.addColorStop(1, "#0000");
  to.strokeStyle = shade; to.lineWidth = width; to.lineCap = "round";
  to.beginPath(); to.moveTo(x, y); to.lineTo(x - ux * tail, y - uy * tail); to.stroke();
  circle(to, x, y, width * 2.2, `${tint}38`); circle(to, x, y, width * 0.7, "#fff");
};

/** Blasts are drawn for longer than the client knows them. */
const blasts = (to, things, now) => {
  const seen = new Map(born);
  for (const [, x, y, weapon, id] of things) if (!seen.has(id)) { born.set(id, now); flashes.push({ x, y, weapon, now }); }
  if (born.size > 200) born = new Map([...born].slice(-100));
  flashes = flashes.filter((it) => now - it.now < 450);
  for (const { x, y, weapon, now: then } of flashes) {
    const part = (now - then) / 450, size = weapon === 3 ? 110 : 22, left = 1 - part, [red, green, blue] = weapon === 1 ? [127, 212, 255] : [255, 160, 90];
    circle(to, x, y, size * (0.35 + 0.65 * part), `rgba(${red}, ${green}, ${blue}, ${0.45 * left * left})`);
    to.strokeStyle = `rgba(255, 240, 220, ${0.8 * left})`; to.lineWidth = 3 * left;
    to.beginPath(); to.arc(x, y, size * Math.sqrt(part), 0, TURN); to.stroke();
    for (let spark = 0; spark < (weapon === 3 ? 14 : 5); spark++) {
      const turn = spark * 2.4 + x, way = size * part * (0.6 + (spark * 7 % 5) / 8);
      circle(to, x + Math.cos(turn) * way, y + Math.sin(turn) * way, 2.5 * left, `rgba(255, 225, 170, ${left})`);
    }
  }
};

const radar = (to, size, things, eye, tint) => {
  const width = Math.min(180, size.width * 0.22, size.height * 0.35), by = width / map.width, [left, top] = [size.width - width - 14, size.height - map.height * by - 14];
  to.globalAlpha = 0.75; to.drawImage(map, left, top, width, map.height * by); to.globalAlpha = 1;
  to.strokeStyle = "#ffffff30"; to.lineWidth = 1; to.strokeRect(left, top, width, map.height * by);
  for (const it of things) circle(to, left + it[1] * by, top + it[2] * by, 2.5, tint(it[6]));
  to.strokeStyle = "#fff"; to.beginPath(); to.arc(left + eye[1] * by, top + eye[2] * by, 4.5, 0, TURN); to.stroke();
};

export const draw = (scene, report, now, sticks) => {
  const ratio = devicePixelRatio || 1, size = { width: innerWidth, height: innerHeight };
  if (canvas.width !== size.width * ratio || canvas.height !== size.height * ratio) [canvas.width, canvas.height] = [size.width * ratio, size.height * ratio];
  if (report?.walls && report.walls.tiles !== tiles) build(report.walls);
  const to = canvas.getContext("2d");
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.fillStyle = "#10141d"; to.fillRect(0, 0, size.width, size.height);
  if (!map || !scene.length) return;
  const things = [[], [], [], [], []];
  for (let at = 0; at < scene.length; at += 7) things[scene[at]].push(scene.slice(at, at + 7));
  const [[eye], bodies, shots, items, ends] = things;
  const pilots = new Map(report.pilots.map((it) => [it.player, it]));
  const tint = (player) => color(pilots.get(player)?.color ?? 0);
  const scale = Math.max(size.width / 1280, size.height / 800); // everyone sees the same part of the arena
  to.save();
  to.translate(size.width / 2, size.height / 2); to.scale(scale, scale); to.translate(-eye[1], -eye[2]);
  to.drawImage(map, 0, 0);
  for (const it of items) item(to, it, now);
  for (const it of bodies) body(to, it, tint(it[6]), it[6] === report.me);
  for (const it of shots) shot(to, it);
  blasts(to, ends, now);
  for (const it of bodies) label(to, it, pilots.get(it[6])?.name ?? "", tint(it[6]));
  to.restore();
  const shade = to.createRadialGradient(size.width / 2, size.height / 2, size.height * 0.45, size.width / 2, size.height / 2, size.width * 0.75);
  shade.addColorStop(0, "#0000"); shade.addColorStop(1, "#000a");
  to.fillStyle = shade; to.fillRect(0, 0, size.width, size.height);
  if (size.width > 500) radar(to, size, bodies, eye, tint);
  for (const { fromX, fromY, x, y } of sticks) { circle(to, fromX, fromY, 50, "#ffffff1c"); circle(to, x, y, 22, "#ffffff40"); }
};
