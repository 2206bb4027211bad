// What the player does, by keys, mouse and touch.
const canvas = document.getElementById("canvas");
/** A way, an aim, a trigger, a weapon. */
export const hands = { x: 0, y: 0, aimX: 0, aimY: 0, shoots: false, weapon: 0 };
/** Where thumbs are on a touch screen. */
export const sticks = new Map();
const keys = new Set();
const ways = { KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0], KeyW: [0, -1], ArrowUp: [0, -1], KeyS: [0, 1], ArrowDown: [0, 1] };
const scaled = (x, y, most) => { const by = 100 / Math.max(Math.hypot(x, y), most, 1); return [x * by, y * by].map(Math.round); };
const move = () => {
  let x = 0, y = 0;
  for (const key of keys) if (ways[key]) { x += ways[key][0]; y += ways[key][1]; }
  [hands.x, hands.y] = scaled(x * 100, y * 100, 0);
  for (const { side, x, y, fromX, fromY } of sticks.values()) {
    const [dx, dy] = scaled(x - fromX, y - fromY, 50), far = Math.hypot(dx, dy);
    if (side === "left") [hands.x, hands.y] = [dx, dy];
    else { hands.shoots = far > 40; if (far > 15) [hands.aimX, hands.aimY] = [dx, dy]; }
  }
};
onkeydown = (event) => {
  if (event.target.id === "name") return;
  if (/^Digit[123]$/.test(event.code)) hands.weapon = Number(event.code[5]);
  if (event.code === "Space") hands.shoots = true;
  if (ways[event.code] || event.code === "Space") event.preventDefault();
  keys.add(event.code); move();
};
onkeyup = (event) => { if (event.code === "Space") hands.shoots = false; keys.delete(event.code); move(); };
onblur = () => { keys.clear(); hands.shoots = false; move(); };
const pointer = (event) => {
  if (event.pointerType === "touch") {
    const side = event.clientX < innerWidth / 2 ? "left" : "right", at = { x: event.clientX, y: event.clientY };
    const stick = sticks.get(event.pointerId) ?? { side, fromX: at.x, fromY: at.y };
    if (event.type === "pointerdown" || sticks.has(event.pointerId)) sticks.set(event.pointerId, Object.assign(stick, at));
    move();
  } else {
    [hands.aimX, hands.aimY] = scaled(event.clientX - innerWidth / 2, event.clientY - innerHeight / 2, 0);
    hands.shoots = (event.buttons & 1) === 1;
  }
};
const lift = (event) => {
  const stick = sticks.get(event.pointerId);
  sticks.delete(event.pointerId);
  if (stick?.side === "left") [hands.x, hands.y] = [0, 0];
  hands.shoots = false;
  move();
};
canvas.onpointerdown = canvas.onpointermove = pointer;
canvas.onpointerup = canvas.onpointercancel = lift;
canvas.oncontextmenu = (event) => event.preventDefault();
document.getElementById("own").onclick = ({ target }) => { hands.weapon = Number(target.dataset.weapon ?? 0); };
