/**
 * Everything drawn on cells, as a single SVG sprite built in the browser.
 *
 * The shapes are defined here, their colours in the style sheet. A cell selects a glyph by its
 * position in the sprite.
 */

/** The custom properties that hold the sprite's colours. */
export const INKS = [
  "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11", "n12",
  "flag", "pole", "mine", "glint", "cross", "question", "safe", "danger", "unknown", "mark",
  "heat-text", "heat-text-deep",
];

/** @typedef {Record<string, string>} Palette A CSS colour for each name in `INKS`. */

const DIGITS = [
  "M5.6 5.3 8.6 3.9V12M5.4 12.1h6",
  "M4.7 5.6q.1-1.6 1.8-1.6h3q1.9 0 1.9 1.8 0 1.2-1.3 2L6 10.6q-1.1.7-1.1 1.6h6.7",
  "M4.6 4h5q1.8 0 1.8 1.9T9.5 8H6.8m2.7 0q2 0 2 2t-2 2.1h-5",
  "M6.2 3.2 5 8.6h6.8M9.7 3.4v9.8",
  "M11.4 4H5.5L5 8h4.5q2 0 2 2t-2 2.1H4.6",
  "M10.9 4H7.2Q4.9 4 4.9 6.4v3.4q0 2.3 2.1 2.3h2.2q2.1 0 2.1-2.1T9.2 7.8H5.2",
  "M4.5 4h6.9q0 2-1.3 3.7Q8.4 9.8 8.2 13.2",
  "M6.9 4h2.3q1.8 0 1.8 1.9T9.2 7.9H6.9Q5.1 7.9 5.1 5.9T6.9 4ZM6.8 7.9h2.5q2.1 0 2.1 2.1T9.3 12.1H6.8Q4.7 12.1 4.7 10T6.8 7.9Z",
];

/** The strokes of the digits that only numbers above 8 use. */
const ROUND = /** @type {Record<string, string>} */ ({
  0: "M6.8 4h2.4q2.2 0 2.2 2.3v3.5q0 2.3-2.2 2.3H6.8q-2.2 0-2.2-2.3V6.3Q4.6 4 6.8 4Z",
  9: "M5.1 12.1h3.7q2.3 0 2.3-2.4V6.3Q11.1 4 9 4H6.8Q4.7 4 4.7 6.1T6.8 8.3h4",
});

/** The largest number that a cell can show. */
const MOST = 12;

/**
 * @param {number} number From 1 to `MOST`.
 * @param {string} colour
 * @returns {string}
 */
function digits(number, colour) {
  const style = `fill="none" stroke="${colour}" stroke-width="2.4" stroke-linejoin="round"`;
  const paths = [...String(number)].map((digit) => ROUND[digit] ?? DIGITS[Number(digit) - 1]);
  if (paths.length === 1) return `<path d="${paths[0]}" ${style}/>`;
  // Two digits share the square; each keeps its full height and most of its width.
  const places = ["translate(-1.6 0) scale(.8 1)", "translate(4.4 0) scale(.8 1)"];
  return paths.map((path, i) => `<path transform="${places[i]}" d="${path}" ${style}/>`).join("");
}

/**
 * @param {Palette} ink
 * @returns {string}
 */
function flag(ink) {
  return (
    `<path fill="${ink.flag}" d="M9.6 1.9v7.6L1.9 5.7Z"/>` +
    `<path fill="${ink.pole}" d="M8.9 1.9h1.1v9.6H8.9ZM6.9 11.2h5.1v1h1.8v1.6H5.1v-1.6h1.8Z"/>`
  );
}

/**
 * @param {Palette} ink
 * @returns {string}
 */
function mine(ink) {
  return (
    `<path stroke="${ink.mine}" stroke-width="1.3" stroke-linecap="round" ` +
    'd="M8 2v12M2 8h12M3.9 3.9l8.2 8.2M12.1 3.9l-8.2 8.2"/>' +
    `<circle cx="8" cy="8" r="4.3" fill="${ink.mine}"/>` +
    `<circle cx="6.5" cy="6.5" r="1.25" fill="${ink.glint}"/>`
  );
}

/**
 * The three states of the overlay: a tick in a disc, a cross in a diamond, a ring.
 *
 * @param {Palette} ink
 * @returns {string[]}
 */
function states(ink) {
  return [
    `<circle cx="8" cy="8" r="5.2" fill="${ink.safe}"/>` +
      `<path d="M5.5 8.2l1.8 1.9 3.3-4" fill="none" stroke="${ink.mark}" stroke-width="1.5"/>`,
    `<path d="M8 1.8 14.2 8 8 14.2 1.8 8Z" fill="${ink.danger}"/>` +
      `<path d="M6 6l4 4M10 6l-4 4" stroke="${ink.mark}" stroke-width="1.5"/>`,
    `<circle cx="8" cy="8" r="2.6" fill="none" stroke="${ink.unknown}" stroke-width="1.5"/>`,
  ];
}

/**
 * The three classes of risk: one, two or three lines.
 *
 * @param {Palette} ink
 * @returns {Record<string, string>}
 */
function risks(ink) {
  const lines = (/** @type {number[]} */ heights, /** @type {string} */ colour) =>
    `<path stroke="${colour}" stroke-width="1.7" d="${heights.map((y) => `M4.2 ${y}h7.6`).join("")}"/>`;
  return {
    low: lines([8], ink["heat-text"]),
    medium: lines([6.4, 9.6], ink["heat-text"]),
    high: lines([4.8, 8, 11.2], ink["heat-text-deep"]),
  };
}

/**
 * Return all glyphs in the order of the sprite; the first one is empty.
 *
 * @param {Palette} ink
 * @returns {Record<string, string>}
 */
export function shapes(ink) {
  const small = (/** @type {string} */ shape) =>
    `<g transform="translate(9.4 9.4) scale(.38)">${shape}</g>`;
  const [safe, danger, unknown] = states(ink);
  /** @type {Record<string, string>} */
  const all = { none: "" };
  for (let number = 1; number <= MOST; number++) all[`n${number}`] = digits(number, ink[`n${number}`]);
  // A number with all its flags, and numbers with too many.
  all.done = `<circle cx="8" cy="8" r="1.5" fill="${ink.n8}"/>`;
  for (let number = 1; number <= MOST; number++) {
    all[`over${number}`] =
      `<path d="M1.6 8.2h3.6" stroke="${ink.cross}" stroke-width="1.9"/>` +
      `<g transform="translate(3.6 1.6) scale(.8)">${digits(number, ink.cross)}</g>`;
  }
  all.flag = flag(ink);
  all.mine = mine(ink);
  all.wrong =
    mine(ink) +
    `<path d="M2.5 2.5l11 11M13.5 2.5l-11 11" stroke="${ink.cross}" stroke-width="1.7"/>`;
  all.question =
    `<path d="M5.3 5.9Q5.4 3.5 8 3.5t2.7 2.1q0 1.2-1.3 2Q8.1 8.3 8.1 9.7" ` +
    `fill="none" stroke="${ink.question}" stroke-width="1.9"/>` +
    `<circle cx="8.1" cy="12.2" r="1.15" fill="${ink.question}"/>`;
  const overlay = { safe, danger, unknown, ...risks(ink) };
  Object.assign(all, overlay);
  for (const [name, shape] of Object.entries(overlay)) all[`${name}-corner`] = small(shape);
  return all;
}

/** The position of each glyph in the sprite. */
export const PLACES = Object.fromEntries(Object.keys(shapes({})).map((name, i) => [name, i]));

/** The number of glyphs in the sprite. */
export const COUNT = Object.keys(PLACES).length;

/**
 * Return the sprite: all glyphs in a row, 16 units wide, with equal gaps, so that a cell larger
 * than its glyph does not show another one.
 *
 * @param {Palette} ink
 * @returns {string} An SVG document.
 */
export function sprite(ink) {
  const glyphs = Object.values(shapes(ink))
    .map((shape, i) => (shape ? `<g transform="translate(${32 * i})">${shape}</g>` : ""))
    .join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${32 * COUNT} 16" ` +
    `width="${32 * COUNT}" height="16">${glyphs}</svg>`
  );
}
