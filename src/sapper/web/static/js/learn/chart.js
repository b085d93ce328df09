/** A small chart of a rating over time. */

import { t, tn } from "../translation.js";

const [WIDTH, HEIGHT] = [300, 96];
const EDGE = { left: 38, right: 10, top: 10, bottom: 10 };

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

/**
 * Return the range of the vertical axis: multiples of a hundred around all ratings.
 *
 * @param {number[]} ratings
 * @returns {[number, number]}
 */
export function range(ratings) {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const [from, to] = [Math.floor(low / 100) * 100, Math.ceil(high / 100) * 100];
  return from === to ? [from - 100, to + 100] : [from, to];
}

/**
 * @param {[number, boolean][]} history The rating after each answer, and whether it was solved.
 * @returns {SVGElement}
 */
export function chart(history) {
  const ratings = history.map(([rating]) => rating);
  const [low, high] = range(ratings);
  const last = history.length - 1;
  const x = (/** @type {number} */ at) => EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * at) / Math.max(1, last);
  const y = (/** @type {number} */ rating) =>
    HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.top - EDGE.bottom) * (rating - low)) / (high - low);
  const says = tn(
    "Rating over the last {n} answer: from {first} to {last}",
    "Rating over the last {n} answers: from {first} to {last}",
    history.length,
    { first: ratings[0], last: ratings[last] },
  );
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": says });
  for (const at of [low, high]) {
    svg.append(
      element("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(at), y2: y(at) }),
      element("text", { x: EDGE.left - 6, y: y(at) + 4, "text-anchor": "end" }, String(at)),
    );
  }
  svg.append(element("polyline", { class: "line", points: ratings.map((rating, at) => `${x(at)},${y(rating)}`).join(" ") }));
  // Too many dots would hide the line.
  history.forEach(([rating, solved], at) => {
    if (history.length > 60 && at < last) return;
    const dot = element("circle", { class: solved ? "dot" : "dot missed", cx: x(at), cy: y(rating), r: at === last ? 4 : 2.5 });
    dot.append(element("title", {}, `${rating}, ${solved ? t("solved") : t("not solved")}`));
    svg.append(dot);
  });
  return /** @type {SVGElement} */ (svg);
}
