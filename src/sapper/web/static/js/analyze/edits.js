/** Pure functions that edit positions and check whether an arrangement fits one. */

import { charOf, isNumber, isUnopened, numberOf } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";
import { mostNeighbours, tilingOf } from "../board/tiling.js";
import { rowsOf } from "./position.js";

/** @typedef {import("./position.js").Position} Position */

/**
 * Replace some cells.
 *
 * @param {Position} position
 * @param {Iterable<number>} indices
 * @param {string} char
 * @returns {Position} The same object if nothing changes.
 */
export function painted(position, indices, char) {
  const cells = [...position.cells];
  for (const index of indices) cells[index] = char;
  const joined = cells.join("");
  return joined === position.cells ? position : { ...position, cells: joined };
}

/**
 * Change the size; cells that remain keep their content.
 *
 * @param {Position} position
 * @param {number} width
 * @param {number} height
 * @returns {Position}
 */
export function resized(position, width, height) {
  const rows = rowsOf(position).slice(0, height);
  const wide = rows.map((row) => row.slice(0, width).padEnd(width, "."));
  while (wide.length < height) wide.push(".".repeat(width));
  return { ...position, width, height, cells: wide.join("") };
}

/**
 * Change the shape; numbers that the new shape does not allow become unopened cells.
 *
 * @param {Position} position
 * @param {string} topology
 * @returns {Position}
 */
export function reshaped(position, topology) {
  const most = mostNeighbours(tilingOf(topology));
  const cells = [...position.cells].map((char) => (isNumber(char) && numberOf(char) > most ? "." : char));
  return { ...position, topology, cells: cells.join("") };
}

/**
 * Open a cell of a known arrangement, with its opening if it is a zero.
 *
 * @param {Position} position
 * @param {Set<number>} mines The indices of the mines.
 * @param {number} index An unopened cell.
 * @returns {Position} With `*` if it was a mine.
 */
export function opened(position, mines, index) {
  const cells = [...position.cells];
  if (mines.has(index)) return painted(position, [index], "*");
  const waiting = [index];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const around = neighbours(position, at);
    const number = around.filter((cell) => mines.has(cell)).length;
    cells[at] = charOf(number);
    if (number) continue;
    for (const cell of around) {
      if (isUnopened(cells[cell]) && !waiting.includes(cell)) waiting.push(cell);
    }
  }
  return { ...position, cells: cells.join("") };
}

/**
 * Whether an arrangement agrees with all numbers and opened mines of a position.
 *
 * @param {Position} position
 * @param {Set<number>} mines
 * @returns {boolean}
 */
export function fits(position, mines) {
  const { cells } = position;
  for (let index = 0; index < cells.length; index++) {
    const char = cells[index];
    if (isUnopened(char)) continue;
    if (mines.has(index) !== (char === "*")) return false;
    if (char === "*") continue;
    if (neighbours(position, index).filter((cell) => mines.has(cell)).length !== numberOf(char)) return false;
  }
  return position.mines === null || position.mines === mines.size;
}
