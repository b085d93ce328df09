/** Countdown numbers: each number minus the flags around it. */

import { isNumber, numberOf } from "./cells.js";
import { neighbours } from "./neighbours.js";

/** @typedef {import("./neighbours.js").Shape & {cells: string[]}} Board */

/**
 * Return the number of flags still missing around a number.
 *
 * @param {Board} board
 * @param {number} index
 * @returns {number | null} The number, negative if there are too many flags; null if the cell shows no number or has no flag around it.
 */
export function wanting(board, index) {
  const char = board.cells[index];
  if (!isNumber(char)) return null;
  const flags = neighbours(board, index).filter((near) => board.cells[near] === "F").length;
  return flags ? numberOf(char) - flags : null;
}

/**
 * Return the cells to redraw after a change: the changed cells and the numbers around them.
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
