/** Numbers that count down: the number less the flags around it. */

import { isNumber } from "./cells.js";
import { neighbours } from "./neighbours.js";

/** @typedef {import("./neighbours.js").Shape & {cells: string[]}} Board */

/**
 * How many mines a number still wants flags for.
 *
 * @param {Board} board
 * @param {number} index
 * @returns {number | null} Below 0 with a flag too many; null where no number is, or no flag near.
 */
export function wanting(board, index) {
  const char = board.cells[index];
  if (!isNumber(char)) return null;
  const flags = neighbours(board, index).filter((near) => board.cells[near] === "F").length;
  return flags ? Number(char) - flags : null;
}

/**
 * The cells to draw anew when some have changed: they, and the numbers around them.
 *
 * @param {Board} board
 * @param {number[]} changed
 * @returns {Set<number>}
 */
export function touched(board, changed) {
  const all = new Set(changed);
  for (const index of changed) {
    for (const near of neighbours(board, index)) if (isNumber(board.cells[near])) all.add(near);
  }
  return all;
}
