/** Defines how an overlay's mark is drawn on an unopened cell. */

import { isUnopened } from "./cells.js";
import { STEPS } from "./chances.js";

/**
 * @typedef {import("../protocol.js").Mark & {far?: boolean, best?: boolean}} Mark The content of a cell. Far cells touch no number and are faded; the best guess is ringed.
 */
/** @typedef {{look: string, text: string, spoken: string}} Cover Classes, text, and a description for screen readers. */

/** @type {Cover} */
export const BARE = { look: "", text: "", spoken: "" };

/**
 * @param {Mark | undefined} mark
 * @param {string} char The cell's content.
 * @returns {Cover}
 */
export function coverOf(mark, char) {
  if (!mark || !isUnopened(char)) return BARE;
  const { spoken, far, best } = mark;
  // Flags and question marks stay visible.
  const text = char === "." ? mark.text : "";
  const look = [lookOf(mark, text, char), far && "far", best && "best"].filter(Boolean).join(" ");
  return { look, text, spoken };
}

/**
 * @param {Mark} mark
 * @param {string} shown The text on the cell.
 * @param {string} char The cell's content.
 * @returns {string} Classes of the colour and glyph.
 */
function lookOf({ text, tint, heat }, shown, char) {
  if (heat !== null) return `heat heat-${Math.min(STEPS - 1, Math.floor(heat * STEPS))}`;
  if (shown || (text && !tint)) return `note ${tint}`.trim();
  return tint && `state ${tint}${char === "." ? "" : " marked"}`;
}
