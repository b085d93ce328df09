/** Positions on the Analyze page: their text form and edits. Pure functions. */

import { charOf, isNumber, isUnopened, numberOf } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";
import { mostNeighbours, tilingOf, tilings } from "../board/tiling.js";
import { number as written, t } from "../translation.js";

/** The largest number of cells that the server analyses for a page. */
export const MOST_CELLS = 10_000;
const MOST_SIDE = 200;

/**
 * An immutable position.
 *
 * @typedef {object} Position
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {number | null} mines The total; null if unknown.
 * @property {number | null} density The mine probability of each cell on a board by density; null if there is a total or neither is known.
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
 * @returns {{width: number, height: number, mines: number | null, density: number | null, topology: string, rows: string[]}} The server's form.
 */
export function toJson(position) {
  const { width, height, mines, density, topology } = position;
  return { width, height, mines, density, topology, rows: rowsOf(position) };
}

/**
 * @param {{width?: number, height?: number, mines?: number | null, density?: number | null, topology?: string, rows: string[]}} json
 * @returns {Position}
 */
export function fromJson({ mines = null, density = null, topology = "rectangle", rows }) {
  return { width: rows[0].length, height: rows.length, mines, density, topology, cells: rows.join("") };
}

/**
 * @param {Position} position
 * @returns {string} The text form that the library and the command line read.
 */
export function toText(position) {
  const head = position.mines === null ? [] : [`mines: ${position.mines}`];
  if (position.density !== null) head.push(`density: ${position.density}`);
  if (position.topology !== "rectangle") head.push(`topology: ${position.topology}`);
  return [...head, ...rowsOf(position)].join("\n");
}

/**
 * Read a position in text or JSON form.
 *
 * @param {string} text
 * @returns {Position}
 * @throws {Error} If it is invalid; the message says where.
 */
export function parse(text) {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  return checked(trimmed.startsWith("{") ? readJson(trimmed) : readText(trimmed));
}

/** @param {string} text */
function readText(text) {
  /** @type {number | null} */
  let mines = null;
  /** @type {number | null} */
  let density = null;
  let topology = "rectangle";
  /** @type {string[]} */
  const rows = [];
  for (const [number, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (!line || line.startsWith("//")) continue;
    const header = /^(\w+)\s*:\s*(.*)$/.exec(line);
    if (!header || rows.length) rows.push(line);
    else if (header[1] === "mines" && /^\d{1,9}$/.test(header[2])) mines = Number(header[2]);
    else if (header[1] === "density" && /^\d*\.?\d+(e[-+]?\d{1,3})?$/.test(header[2])) density = Number(header[2]);
    else if (header[1] === "topology") topology = header[2];
    else throw new Error(`Line ${number + 1}: use “mines: N”, “density: D” or “topology: NAME”.`);
  }
  return { rows, mines, density, topology };
}

/** @param {string} text */
function readJson(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(t("The JSON is incomplete."));
  }
  const { rows, mines = null, density = null, topology = "rectangle" } = found ?? {};
  if (!Array.isArray(rows) || rows.some((row) => typeof row !== "string")) {
    throw new Error(t("The JSON needs “rows”, a list of strings."));
  }
  if (mines !== null && !(Number.isInteger(mines) && mines >= 0)) {
    throw new Error(t("“mines” must be a whole number or null."));
  }
  if (density !== null && typeof density !== "number") {
    throw new Error(t("“density” must be a number from 0 to 1, or null."));
  }
  return { rows, mines, density, topology: String(topology) };
}

/**
 * @param {{rows: string[], mines: number | null, density: number | null, topology: string}} found
 * @returns {Position}
 */
function checked({ rows, mines, density, topology }) {
  if (!rows.length || !rows[0]) throw new Error(t("Enter at least one row."));
  if (!tilings().some(({ name }) => name === topology)) {
    const names = tilings().map(({ name }) => name).join(", ");
    throw new Error(t("The topology must be one of: {names}.", { names }));
  }
  const most = mostNeighbours(tilingOf(topology));
  const width = rows[0].length;
  for (const [at, row] of rows.entries()) {
    const strange = [...row].findIndex((char) => !(".F*".includes(char) || (isNumber(char) && numberOf(char) <= most)));
    if (strange >= 0) {
      const where = { row: at + 1, column: strange + 1, char: row[strange], most: charOf(most) };
      throw new Error(t("Row {row}, column {column}: “{char}” is not a cell; use . for unopened, 0 to {most}, F or *.", where));
    }
    if (row.length !== width) {
      throw new Error(t("Row {row} has {cells} cells, but row 1 has {width}.", { row: at + 1, cells: row.length, width }));
    }
  }
  const problem = sizeProblem(width, rows.length, mines, density);
  if (problem) throw new Error(problem);
  return fromJson({ rows, mines, density, topology });
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number | null} mines
 * @param {number | null} [density]
 * @returns {string} The problem; empty if there is none.
 */
export function sizeProblem(width, height, mines, density = null) {
  if (!whole(width) || width < 1 || width > MOST_SIDE) return t("Columns must be a whole number from 1 to {most}.", { most: MOST_SIDE });
  if (!whole(height) || height < 1 || height > MOST_SIDE) return t("Rows must be a whole number from 1 to {most}.", { most: MOST_SIDE });
  if (width * height > MOST_CELLS) return t("A board here can have at most {most} cells.", { most: written(MOST_CELLS) });
  if (mines !== null && (!whole(mines) || mines < 0 || mines > width * height)) {
    return t("Mines must be a whole number from 0 to {most}, or empty.", { most: width * height });
  }
  if (density !== null && !(density >= 0 && density <= 1)) return t("The density must be from 0 to 100 %, or empty.");
  if (mines !== null && density !== null) return t("Enter the mine total or the density, not both.");
  return "";
}

const whole = Number.isInteger;

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

/**
 * Return a game's position for the Analyze page, as seen before the end, without mines.
 *
 * @param {{width: number, height: number, mines: number | null, density?: number | null, topology?: string, cells: string[]}} game
 * @returns {Position}
 */
export function ofGame({ width, height, mines, density = null, topology = "rectangle", cells }) {
  const seen = cells.map((char) => (isNumber(char) || char === "F" ? char : char === "x" ? "F" : "."));
  return { width, height, mines, density, topology, cells: seen.join("") };
}
