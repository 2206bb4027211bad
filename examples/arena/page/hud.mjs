// Scores, the clock, who has hit whom: what is text.
export const color = (number) => `hsl(${(205 + number * 137.5) % 360} 78% ${number % 2 ? 66 : 60}%)`;
const at = (id) => document.getElementById(id);
const safe = (value) => String(value).replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`);
const guns = { Blaster: "Blaster", Scatter: "Scatter", Rocket: "Rockets" };
const written = {};
const write = (id, html) => { if (written[id] !== html) at(id).innerHTML = written[id] = html; };

const table = (pilots, me, count) => {
  const row = (it) => `<tr class="${it.player === me ? "me" : ""}"><td><i style="background:${color(it.color)}"></i>${safe(it.name)}</td><td>${it.kills}</td><td>${it.deaths}</td></tr>`;
  const shown = pilots.slice(0, count), own = pilots.find((it) => it.player === me);
  if (own && !shown.includes(own)) shown[count - 1] = own;
  return `<table><tr><th></th><th>hits</th><th>deaths</th></tr>${shown.map(row).join("")}</table>`;
};

export const show = (report) => {
  if (!report) return;
  const { me, round, gun, health, trouble } = report;
  const pilots = report.pilots.sort((a, b) => b.kills - a.kills || a.deaths - b.deaths || a.player - b.player);
  const pilot = (number) => pilots.find((it) => it.player === number) ?? { name: "someone", color: 0 };
  const name = (number) => `<span style="color:${color(pilot(number).color)}">${safe(pilot(number).name)}</span>`;
  const isOver = Boolean(round?.winner);
  write("scores", pilots.length ? table(pilots, me, innerWidth < 760 ? 5 : 10) : "");
  at("scores").hidden = isOver || !pilots.length;
  at("clock").hidden = !round;
  if (round) write("clock", `<small>round ${round.number}</small>${Math.floor(round.left / 60)}:${String(round.left % 60).padStart(2, "0")}`);
  const killed = (it) => `<div class="panel">${it.killer === it.victim ? "" : name(it.killer)} <span class="wide">${{ Blaster: "➤", Scatter: "⁘", Rocket: "✹" }[it.weapon]}</span> ${name(it.victim)}</div>`;
  write("kills", report.kills.slice(-5).map(killed).join(""));
  at("own").hidden = health === null || isOver;
  if (health !== null && gun) {
    const ammo = { Blaster: "∞", Scatter: gun.ammo[0], Rocket: gun.ammo[1] };
    const held = (it) => it === gun.weapon ? "held" : ammo[it] ? "" : "none";
    const tile = (it, number) => `<span class="gun ${held(it)}" data-weapon="${number + 1}"><span class="wide">${number + 1} ${guns[it]} </span>${innerWidth < 760 ? guns[it][0] : ""} ${ammo[it]}</span>`;
    const tint = health > 60 ? "#5fd38d" : health > 30 ? "#ffd166" : "#ef5d60";
    write("own", `<div id="bar"><div style="width:${health}%;background:${tint}"></div></div>${Object.keys(guns).map(tile).join("")}`);
  }
  const last = report.kills.findLast((it) => it.victim === me);
  const dead = last && last.killer !== me ? `hit by ${name(last.killer)}` : "you are out";
  const isDead = health === null && round && !isOver && pilots.some((it) => it.player === me);
  write("note", trouble ? `${safe(trouble)} …` : isDead ? `${dead}<br><small>back in a moment</small>` : "");
  at("result").hidden = !isOver;
  if (isOver) write("result", `<h1>${name(round.winner[0])} wins round ${round.number}</h1>${table(pilots, me, 12)}`);
};
