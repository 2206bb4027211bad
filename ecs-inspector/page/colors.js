// Colors in values: three or four numbers up to 1 or up to 255, a number `0xRRGGBB`, a text `#rrggbb`.

const HEX = /^#[0-9a-f]{6}$/i;

function isColorList(parts) {
  return parts.length >= 3 && parts.length <= 4 && parts.every((part) => typeof part === "number");
}

/** Whether its numbers go up to 255 instead of 1. */
function isOfBytes(parts) {
  return parts.every(Number.isInteger) && parts.some((part) => part > 1);
}

function hexOf(parts) {
  const scale = isOfBytes(parts) ? 1 : 255;
  const byte = (part) => Math.round(Math.max(0, Math.min(255, part * scale))).toString(16).padStart(2, "0");
  return `#${parts.slice(0, 3).map(byte).join("")}`;
}

/** Returns a value as `#rrggbb`; null if it is not a color. */
export function toHex(value) {
  if (typeof value === "string") return HEX.test(value) ? value.toLowerCase() : null;
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 && value <= 0xffffff ? `#${value.toString(16).padStart(6, "0")}` : null;
  const parts = value === null || typeof value !== "object" ? [] : Object.values(value);
  return isColorList(parts) ? hexOf(parts) : null;
}

/** Returns a color in the form of a value. */
export function likeColor(value, hex) {
  if (typeof value === "string") return hex;
  if (typeof value === "number") return Number.parseInt(hex.slice(1), 16);
  const isBytes = isOfBytes(Object.values(value));
  const part = (nth) => Number.parseInt(hex.slice(1 + 2 * nth, 3 + 2 * nth), 16) / (isBytes ? 1 : 255);
  const entries = Object.entries(value).map(([key, old], nth) => [key, nth < 3 ? part(nth) : old]);
  return Array.isArray(value) ? entries.map(([, number]) => number) : Object.fromEntries(entries);
}
