/** Positions in text form, and the limits of their size. */

import { charOf, isNumber, numberOf } from "../board/cells.js";
import { GAME_ID, folded, isSkipped, pastedRow } from "../board/pasted-text.js";
import { mostNeighbours, tilingOf, tilings } from "../board/tiling.js";
import { number as written, t } from "../translation.js";
import { fromJson, MOST_CELLS, rowsOf } from "./position.js";

const MOST_SIDE = 200;
const KEYS = ["width", "height", "mines", "density", "running", "topology", "rows"];

/** @typedef {import("./position.js").Position} Position */

/**
 * @param {Position} position
 * @returns {string} The text form that the library and the command line read.
 */
export function toText(position) {
  const head = position.mines === null ? [] : [`mines: ${position.mines}`];
  if (position.density !== null) head.push(`density: ${position.density}`);
  if (position.running === false) head.push("running: no");
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
  let running = true;
  let topology = "rectangle";
  /** @type {string[]} */
  const rows = [];
  for (const [number, raw] of text.split(/\r?\n/).entries()) {
    const whole = folded(raw);
    const line = whole.trim();
    if (isSkipped(line)) continue;
    if (isGameId(line)) throw new Error(t("This is a game id: a board, not a position."));
    const header = /^(\w+)\s*:\s*(.*)$/.exec(line);
    const key = header?.[1].toLowerCase();
    if (!header || rows.length) rows.push(rowOf(whole, rows.length + 1));
    else if (key === "mines" && /^\d{1,9}$/.test(header[2])) mines = Number(header[2]);
    else if (key === "density" && /^\d*\.?\d+(e[-+]?\d{1,3})?$/.test(header[2])) density = Number(header[2]);
    else if (key === "running" && /^(yes|no)$/.test(header[2])) running = header[2] === "yes";
    else if (key === "topology") topology = header[2];
    else throw new Error(`Line ${number + 1}: use “mines: N”, “density: D”, “running: no” or “topology: NAME”.`);
  }
  return { rows, mines, density, running, topology };
}

/**
 * @param {string} line
 * @param {number} row
 */
function rowOf(line, row) {
  const { row: cells, problem } = pastedRow(line);
  if (problem === "empty") throw new Error(t("Row {row} has an empty cell: use . for unopened, or 0 for open without mines around it.", { row }));
  if (problem === "joined") throw new Error(t("Row {row} separates some cells and not others: separate all or none.", { row }));
  return cells;
}

/**
 * @param {string} line
 * @returns {boolean} Whether it is a board and its first click in one word.
 */
export function isGameId(line) {
  return GAME_ID.test(folded(line).trim());
}

/** @param {string} text */
function readJson(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(t("The JSON is incomplete."));
  }
  const unknown = Object.keys(found ?? {}).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new Error(t("The JSON has an unknown field “{name}”.", { name: unknown }));
  const { rows, mines = null, density = null, running = true, topology = "rectangle" } = found ?? {};
  if (!Array.isArray(rows) || rows.some((row) => typeof row !== "string")) {
    throw new Error(t("The JSON needs “rows”, a list of strings."));
  }
  if (mines !== null && !(Number.isInteger(mines) && mines >= 0)) {
    throw new Error(t("“mines” must be a whole number or null."));
  }
  if (density !== null && typeof density !== "number") {
    throw new Error(t("“density” must be a number from 0 to 1, or null."));
  }
  if (typeof running !== "boolean") throw new Error(t("“running” must be true or false."));
  return { rows, mines, density, running, topology: String(topology) };
}

/**
 * @param {{rows: string[], mines: number | null, density: number | null, running: boolean, topology: string}} found
 * @returns {Position}
 */
function checked({ rows, mines, density, running, topology }) {
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
  // A total says itself whether a clear cell is left.
  return fromJson({ rows, mines, density, running: running || mines !== null, topology });
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
