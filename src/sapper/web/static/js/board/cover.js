/** The marks of a registered overlay: what unopened cells show, and their words. */

import { isUnopened } from "./cells.js";
import { STEPS } from "./overlay.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {{look: string, text: string, spoken?: string}} Cover Classes, text, and a description for screen readers. */

/**
 * Apply the changes in a message.
 *
 * @param {Map<number, Mark>} marks By index; changed in place.
 * @param {{whole: boolean, looks: Mark[], cells: [number, number | null][]}} message
 * @param {number} size The cells of the board.
 * @returns {Iterable<number>} The cells whose mark may have changed.
 */
export function takeMarks(marks, { whole, looks, cells }, size) {
  if (whole) marks.clear();
  for (const [index, look] of cells) {
    if (look === null) marks.delete(index);
    else marks.set(index, looks[look]);
  }
  return whole ? Array(size).keys() : cells.map(([index]) => index);
}

/**
 * How a mark is drawn on an unopened cell.
 *
 * @param {Mark | undefined} mark
 * @param {string} char The cell's content.
 * @returns {Cover}
 */
export function coverOf(mark, char) {
  if (!mark || !isUnopened(char)) return { look: "", text: "" };
  const { tint, heat, spoken } = mark;
  // Flags and question marks stay visible.
  const text = char === "." ? mark.text : "";
  if (heat !== null) return { look: `heat heat-${Math.min(STEPS - 1, Math.floor(heat * STEPS))}`, text, spoken };
  if (text || !tint) return { look: `note ${tint}`.trim(), text, spoken };
  return { look: `state ${tint}${char === "." ? "" : " marked"}`, text, spoken };
}
