/** Member colours. Names are always shown beside them, so no colour carries a meaning alone. */

/** The golden angle spreads the hues evenly, however many there are. */
const TURN = 137.508;
const FIRST = 250;
/** Members beyond this number share colours. */
const COLOURS = 24;

/**
 * @param {number} colour The number of a member's colour.
 * @returns {string} In CSS.
 */
export function colourOf(colour) {
  return `oklch(0.64 0.16 ${Math.round((FIRST + TURN * (colour % COLOURS)) % 360)})`;
}

/** @returns {void} Add the classes `by-0`, `by-1`..., which give cells the members' colours. */
export function addColourClasses() {
  const sheet = new CSSStyleSheet();
  const rules = Array.from({ length: COLOURS }, (_, colour) => `.by-${colour}{--owner:${colourOf(colour)}}`);
  sheet.replaceSync(rules.join(""));
  document.adoptedStyleSheets.push(sheet);
}

/**
 * @param {number} colour
 * @returns {string} The class of the colour.
 */
export function colourClass(colour) {
  return `by-${colour % COLOURS}`;
}
