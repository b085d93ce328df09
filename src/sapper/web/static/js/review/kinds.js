/** The marks for each kind of decision, with a colour and a shape. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<import("./types.js").Kind, string>} Paths in a box of 16 units around 8, 8. */
export const SHAPES = {
  proved: "M8 4.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6Z",
  good_guess: "M8 1.8 14.6 13.4H1.4Z",
  forced_guess: "M8 1 15 8 8 15 1 8Z",
  needless_guess: "M2 2h12v12H2Z",
  blunder: "M4.2 1.2 8 5l3.8-3.8 3 3L11 8l3.8 3.8-3 3L8 11l-3.8 3.8-3-3L5 8 1.2 4.2Z",
};

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
export function svg(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text) made.textContent = text;
  return made;
}

/**
 * @param {import("./types.js").Kind} kind
 * @returns {Element} Its mark, hidden from screen readers.
 */
export function mark(kind) {
  const made = svg("svg", { class: `kind ${kind}`, viewBox: "0 0 16 16", "aria-hidden": "true" });
  made.append(svg("path", { d: SHAPES[kind] }));
  return made;
}
