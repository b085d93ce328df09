/** Positions on the Analyze page. */

import { isNumber } from "../board/cells.js";

/** The largest number of cells that the server analyses for a page. */
export const MOST_CELLS = 10_000;

/**
 * An immutable position.
 *
 * @typedef {object} Position
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {number | null} mines The total; null if unknown.
 * @property {number | null} density The mine probability of each cell on a board by density; null if there is a total or neither is known.
 * @property {boolean} [running] False if the game may be over, so that only mines may be unopened.
 * @property {string} topology The name of the board's shape.
 * @property {string} cells One character per cell in row order: `.`, `F`, `*`, or a number: `0`-`9` and `a`-`c`.
 */

/**
 * @param {number} width
 * @param {number} height
 * @param {number | null} mines
 * @returns {Position} With nothing open.
 */
export function unopened(width, height, mines) {
  return { width, height, mines, density: null, topology: "rectangle", cells: ".".repeat(width * height) };
}

/**
 * @param {Position} position
 * @returns {string[]} One string per row.
 */
export function rowsOf({ width, height, cells }) {
  return Array.from({ length: height }, (_, row) => cells.slice(row * width, (row + 1) * width));
}

/**
 * @param {Position} position
 * @returns {{width: number, height: number, mines: number | null, density: number | null, running?: boolean, topology: string, rows: string[]}} The server's form.
 */
export function toJson(position) {
  const { width, height, mines, density, running, topology } = position;
  return { width, height, mines, density, ...mayBeOver(running), topology, rows: rowsOf(position) };
}

/** @param {boolean | undefined} running */
const mayBeOver = (running) => (running === false ? { running } : {});

/**
 * @param {{width?: number, height?: number, mines?: number | null, density?: number | null, running?: boolean, topology?: string, rows: string[]}} json
 * @returns {Position}
 */
export function fromJson({ mines = null, density = null, running, topology = "rectangle", rows }) {
  const known = { mines, density, ...mayBeOver(running), topology };
  return { width: rows[0].length, height: rows.length, ...known, cells: rows.join("") };
}

/**
 * Return a game's position for the Analyze page, as seen before the end, without mines.
 *
 * @param {{width: number, height: number, mines: number | null, density?: number | null, topology?: string, settings?: {win?: string}, cells: string[]}} game
 * @returns {Position}
 */
export function ofGame({ width, height, mines, density = null, topology = "rectangle", settings, cells }) {
  // A game won only by flags goes on when only mines are unopened.
  const running = mines === null && settings?.win === "flags" ? false : undefined;
  const seen = cells.map((char) => (isNumber(char) || char === "F" ? char : char === "x" ? "F" : "."));
  return { width, height, mines, density, ...mayBeOver(running), topology, cells: seen.join("") };
}
