/** The cells that are drawn pressed while a button is held, before the server answers. */

import { isNumber, isUnopened, numberOf } from "./cells.js";
import { neighbours } from "./neighbours.js";

/**
 * @param {import("./neighbours.js").Shape & {cells: string[]}} game
 * @param {number} index The cell under the pointer.
 * @param {"open" | "chord"} kind
 * @returns {number[]} The cells to draw pressed; never a flagged one.
 */
export function sunken(game, index, kind) {
  const closed = (/** @type {number} */ i) => isUnopened(game.cells[i]) && game.cells[i] !== "F";
  if (kind === "open") return closed(index) ? [index] : [];
  return [index, ...neighbours(game, index)].filter(closed);
}

/**
 * Return the action of a left click on a cell.
 *
 * @param {string} char The cell's content.
 * @returns {"open" | "chord"}
 */
export function meaning(char) {
  return isNumber(char) ? "chord" : "open";
}

/**
 * Return the neighbours of a number to flag if its unopened neighbours, flags included, are as many
 * as its mines.
 *
 * @param {import("./neighbours.js").Shape & {cells: string[]}} game
 * @param {number} index The cell of the number.
 * @returns {number[]} Empty if there is nothing to flag.
 */
export function flaggable(game, index) {
  const char = game.cells[index];
  const closed = neighbours(game, index).filter((i) => isUnopened(game.cells[i]));
  return isNumber(char) && closed.length === numberOf(char) ? closed.filter((i) => game.cells[i] !== "F") : [];
}
