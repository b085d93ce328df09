/** The calendar of days played, with a column per week and darker shades for more games. */

import { date, number, t, tn } from "../translation.js";

const CELL = 13;
const TOP = 16;
const WEEKS = 53;
const STEPS = 4;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function element(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text) made.textContent = text;
  return made;
}

/** @param {Date} day */
export const isoDay = (day) =>
  [day.getFullYear(), String(day.getMonth() + 1).padStart(2, "0"), String(day.getDate()).padStart(2, "0")].join("-");

/**
 * @param {number} games
 * @param {number} most The most games on any day shown.
 * @returns {number} The shade of a day, from 0 (no game) to 4.
 */
export const shade = (games, most) => (games ? Math.max(1, Math.ceil((STEPS * games) / most)) : 0);

/**
 * @param {Record<string, number>} days The number of games on each day.
 * @param {Date} last The last day shown.
 * @returns {SVGElement}
 */
export function calendar(days, last) {
  // Weeks begin on Mondays (ISO 8601).
  const weekday = (last.getDay() + 6) % 7;
  const first = new Date(last.getFullYear(), last.getMonth(), last.getDate() - weekday - 7 * (WEEKS - 1));
  const shown = [];
  for (const day = new Date(first); day <= last; day.setDate(day.getDate() + 1)) shown.push(new Date(day));
  const counts = shown.map((day) => days[isoDay(day)] ?? 0);
  const most = Math.max(1, ...counts);
  const played = counts.filter(Boolean).length;
  const says = tn("Played on {n} of the last {all} days", "Played on {n} of the last {all} days", played, { all: number(shown.length) });
  const svg = element("svg", {
    viewBox: `0 0 ${WEEKS * CELL} ${TOP + 7 * CELL}`,
    width: WEEKS * CELL,
    height: TOP + 7 * CELL,
    role: "img",
    "aria-label": says,
  });
  let month = -1;
  shown.forEach((day, at) => {
    const [week, row] = [Math.floor(at / 7), at % 7];
    if (row === 0 && day.getMonth() !== month) {
      if (month >= 0 || day.getDate() <= 7) {
        svg.append(element("text", { x: week * CELL, y: 11 }, date(day, { month: "short" })));
      }
      month = day.getMonth();
    }
    const box = element("rect", {
      class: `day shade-${shade(counts[at], most)}`,
      x: week * CELL,
      y: TOP + row * CELL,
      width: CELL - 2,
      height: CELL - 2,
      rx: 2,
    });
    const name = date(day, { dateStyle: "medium" });
    box.append(element("title", {}, t("{day}: {games}", { day: name, games: tn("{n} game", "{n} games", counts[at]) })));
    svg.append(box);
  });
  return /** @type {SVGElement} */ (svg);
}
