/**
 * Positions and boards in their JSON and text forms, with the messages of the Python package.
 */

import { GAME_ID, folded, isSkipped, pastedRow } from "../../../src/sapper/web/static/js/board/pasted-text.js";
import { checkKeys } from "./arguments.js";
import { SapperError } from "./errors.js";
import { shown } from "./shown.js";

/** @typedef {"rectangle" | "torus" | "cylinder" | "hexagon" | "triangle"} TopologyName */

/**
 * @typedef {object} Grid A parsed position or board.
 * @property {TopologyName} topology
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} cells One ASCII character for each cell; 0 plus the number for numbers.
 * @property {number | undefined} mines
 * @property {number | undefined} density
 * @property {boolean | undefined} [running] Whether the game of a position is not over; undefined
 *   for yes.
 */

/** The most neighbours of a cell of each shape. @type {Readonly<Record<TopologyName, number>>} */
export const TOPOLOGIES = { rectangle: 8, torus: 8, cylinder: 8, hexagon: 6, triangle: 12 };

const MOST_CELLS = 4_000_000;
const ROWS = ["width", "height", "mines", "density", "running", "topology", "rows"];
const CELLS = ["width", "height", "mines", "density", "running", "topology", "cells"];
/** The last five are fields of no-guess boards. */
const MINED = ["width", "height", "mines", "topology", "mined", "start", "seed", "logic", "method", "tries"];
const PROBLEMS = {
  empty: "has an empty cell; use . for unopened, or 0 for open without mines around it",
  joined: "separates some cells and not others; separate all or none",
};
const DIGITS = "0123456789abc";
const ZERO = 48;
const LINE = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/; // eslint-disable-line no-control-regex
const EDGES = /^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g; // eslint-disable-line no-control-regex
const DENSITY = /^[0-9]*\.?[0-9]+(e[-+]?[0-9]{1,3})?$/;

/** Read a position. @returns {Grid} */
export function readPosition(/** @type {unknown} */ input) {
  return read(input, ".F*", "bad_position");
}

/**
 * Read a board: `mined` has 1 for a mine.
 *
 * @param {unknown} input
 * @param {(grid: Grid, mined: Uint8Array) => Uint8Array} numbers Counts the mines around each cell.
 */
export function readBoard(input, numbers) {
  if (typeof input === "object" && input !== null && "mined" in input) return minedBoard(input);
  const grid = read(input, "*", "bad_board");
  const mined = grid.cells.map((cell) => (cell === 42 ? 1 : 0));
  const mines = mined.reduce((sum, mine) => sum + mine, 0);
  if (grid.mines !== undefined && grid.mines !== mines) {
    throw bad("bad_board", `the header has mines: ${grid.mines}, but the rows have ${mines} mines`);
  }
  const counted = numbers(grid, mined);
  const wrong = grid.cells.findIndex((cell, at) => !mined[at] && cell !== ZERO + counted[at]);
  if (wrong >= 0) {
    const cell = `(${Math.floor(wrong / grid.width)}, ${wrong % grid.width})`;
    throw bad(
      "bad_board",
      `cell ${cell} shows ${grid.cells[wrong] - ZERO}, but has ${counted[wrong]} mines around it`,
    );
  }
  return { ...grid, mines, mined };
}

function minedBoard(/** @type {object} */ input) {
  checkKeys(input, MINED, "key", "bad_board");
  const { width, height, topology = "rectangle", mined } = /** @type {Record<string, unknown>} */ (input);
  const shape = checkShape(topology, width, height, "bad_board");
  if (!(mined instanceof Uint8Array)) {
    throw bad("wrong_type", `mined must be bytes, got ${shown(mined)}`);
  }
  const size = shape.width * shape.height;
  if (mined.length !== size) {
    throw bad("bad_board", `a board of ${width}x${height} has ${size} cells, got ${mined.length}`);
  }
  const strange = mined.find((cell) => cell > 1);
  if (strange !== undefined) {
    throw bad("bad_board", `a cell must be 1 for a mine or 0 for none, got ${strange}`);
  }
  const mines = mined.reduce((sum, mine) => sum + mine, 0);
  return { ...shape, mined, mines, density: undefined };
}

/**
 * Return a checked shape.
 *
 * @param {unknown} topology
 * @param {unknown} width
 * @param {unknown} height
 * @param {string} code The code of errors.
 * @returns {{topology: TopologyName, width: number, height: number}}
 */
export function checkShape(topology, width, height, code) {
  if (typeof topology !== "string" || !Object.hasOwn(TOPOLOGIES, topology)) {
    const names = Object.keys(TOPOLOGIES).join(", ");
    throw bad(code, `unknown topology ${shown(topology)}; choose from: ${names}`);
  }
  if (!isSide(width) || !isSide(height)) {
    throw bad(
      code,
      "a board needs at least one row and one column, in whole numbers, " +
        `got ${shown(width)}x${shown(height)}`,
    );
  }
  if (width * height > MOST_CELLS) {
    throw bad(
      code,
      `a board of ${width}x${height} has ${width * height} cells; the maximum is ${MOST_CELLS}`,
    );
  }
  return { topology: /** @type {TopologyName} */ (topology), width, height };
}

/** @type {(side: unknown) => side is number} */
function isSide(side) {
  return Number.isSafeInteger(side) && /** @type {number} */ (side) >= 1;
}

/**
 * Return a checked mine total and density; at most one of them is given.
 *
 * @param {unknown} mines
 * @param {unknown} density
 * @param {number} cells
 * @param {() => string} where
 * @param {string} code
 * @param {string} what
 */
export function checkKnown(mines, density, cells, where, code, what = "position") {
  const [total, chance] = [mines ?? undefined, density ?? undefined];
  if (total !== undefined && chance !== undefined) {
    throw bad(
      code,
      `a ${what} has a mine total or a density, not both, got ${shown(total)} and ${shown(chance)}`,
    );
  }
  if (total !== undefined) {
    if (!Number.isSafeInteger(total)) {
      throw bad(code, `mines must be a whole number or None, got ${shown(total)}`);
    }
    const number = /** @type {number} */ (total);
    if (number < 0 || number > cells) {
      throw bad(code, `mines must be between 0 and ${cells} for ${where()}, got ${shown(total)}`);
    }
    return { mines: number, density: undefined };
  }
  if (chance !== undefined && !(typeof chance === "number" && chance >= 0 && chance <= 1)) {
    throw bad(code, `density must be between 0 and 1, got ${shown(chance)}`);
  }
  return { mines: undefined, density: /** @type {number | undefined} */ (chance) };
}

/**
 * Return whether a position is that of a running game; always with a mine total, which says the same.
 *
 * @param {unknown} running
 * @param {number | undefined} mines
 * @param {string} code
 */
function checkRunning(running, mines, code) {
  if (typeof (running ?? true) !== "boolean") {
    throw bad(code, `'running' must be true or false, got ${shown(running)}`);
  }
  return mines !== undefined || running !== false;
}

/** Return the JSON form of a position. */
export function positionJson(/** @type {Grid} */ grid) {
  const { topology, width, height, cells, mines, density, running } = grid;
  const text = textOf(cells);
  const rows = Array.from({ length: height }, (_, row) => text.slice(row * width, (row + 1) * width));
  return {
    width,
    height,
    mines: mines ?? null,
    ...(density === undefined ? {} : { density }),
    ...(running === false ? { running } : {}),
    ...(topology === "rectangle" ? {} : { topology }),
    rows,
  };
}

function textOf(/** @type {Uint8Array} */ cells) {
  let text = "";
  for (const cell of cells) {
    text += cell > ZERO + 9 && cell <= ZERO + 12 ? DIGITS[cell - ZERO] : String.fromCharCode(cell);
  }
  return text;
}

/**
 * @param {unknown} input
 * @param {string} others The characters of cells without a number.
 * @param {string} code
 * @returns {Grid}
 */
function read(input, others, code) {
  if (typeof input === "string") return readText(input, others, code);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw bad(code, `expected a JSON object with 'rows', got ${shown(input)}`);
  }
  const obj = /** @type {Record<string, unknown>} */ (input);
  if (obj.cells instanceof Uint8Array && obj.rows === undefined) {
    checkKeys(obj, CELLS, "key", code);
    return readCells(obj, others, code);
  }
  checkKeys(obj, ROWS, "key", code);
  const { rows, mines, density, running, topology = "rectangle" } = obj;
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === "string")) {
    throw bad(code, `'rows' must be a list of strings, got ${shown(rows)}`);
  }
  if (mines !== undefined && mines !== null && !Number.isSafeInteger(mines)) {
    throw bad(code, `'mines' must be a whole number or null, got ${shown(mines)}`);
  }
  if (density !== undefined && density !== null && typeof density !== "number") {
    throw bad(code, `'density' must be a number or null, got ${shown(density)}`);
  }
  if (typeof topology !== "string") {
    throw bad(code, `'topology' must be a name, got ${shown(topology)}`);
  }
  const grid = readRows(rows, topology, { mines, density, running }, others, code);
  for (const [key, actual] of [["width", grid.width], ["height", grid.height]]) {
    const given = obj[key] === undefined ? actual : obj[key];
    if (given !== actual) {
      throw bad(code, `'${key}' is ${shown(given)}, but the rows give ${actual}`);
    }
  }
  return grid;
}

/**
 * @param {Record<string, unknown>} obj
 * @param {string} others
 * @param {string} code
 * @returns {Grid}
 */
function readCells(obj, others, code) {
  const { cells, width, height, topology = "rectangle", mines, density, running } = obj;
  const shape = checkShape(topology, width, height, code);
  const bytes = /** @type {Uint8Array} */ (cells);
  const size = shape.width * shape.height;
  if (bytes.length !== size) {
    throw bad(code, `a position of ${width}x${height} has ${size} cells, got ${bytes.length}`);
  }
  const most = TOPOLOGIES[shape.topology];
  const strangers = forbiddenCells(most, others);
  if (hasAny(bytes, strangers)) {
    const names = [...DIGITS.slice(0, most + 1), ...others].join(" ");
    const strange = String.fromCharCode(bytes[bytes.findIndex((cell) => strangers[cell] === 1)]);
    throw bad(code, `a cell must be one of ${names}, got ${shown(strange)}`);
  }
  const known = checkKnown(mines, density, size, () => `${width}x${height}`, code);
  return {
    topology: shape.topology,
    width: shape.width,
    height: shape.height,
    cells: bytes,
    mines: known.mines,
    density: known.density,
    running: checkRunning(running, known.mines, code),
  };
}

/** @type {Map<string, Uint8Array>} */
const forbidden = new Map();

/** Return a table with 1 for bytes that are not cell characters. */
function forbiddenCells(/** @type {number} */ most, /** @type {string} */ others) {
  const key = `${most}${others}`;
  let table = forbidden.get(key);
  if (!table) {
    table = new Uint8Array(256).fill(1).fill(0, ZERO, ZERO + most + 1);
    for (const char of others) table[char.charCodeAt(0)] = 0;
    forbidden.set(key, table);
  }
  return table;
}

function hasAny(/** @type {Uint8Array} */ cells, /** @type {Uint8Array} */ table) {
  // Without a branch for each cell, this takes a third of the time.
  let found = 0;
  for (let at = 0; at < cells.length; at += 1) found |= table[cells[at]];
  return found !== 0;
}

/**
 * @param {string} text
 * @param {string} others
 * @param {string} code
 * @returns {Grid}
 */
function readText(text, others, code) {
  /** @type {string[]} */
  const rows = [];
  /** @type {{mines?: number, density?: number, running?: boolean}} */
  const known = {};
  let topology = "rectangle";
  text.replace(/^\ufeff/, "").split(LINE).forEach((raw, at) => {
    const whole = folded(raw);
    const line = whole.replace(EDGES, "");
    if (isSkipped(line)) return;
    if (GAME_ID.test(line)) {
      throw bad(code, `line ${at + 1}: a game id is a board, not a position`);
    }
    const colon = line.indexOf(":");
    if (colon < 0) {
      const { row, problem } = pastedRow(whole);
      if (problem) throw bad(code, `row ${rows.length + 1} ${PROBLEMS[problem]}`);
      rows.push(row);
      return;
    }
    const key = line.slice(0, colon).replace(EDGES, "").toLowerCase();
    if (rows.length > 0) throw bad(code, `line ${at + 1}: ${shown(key)} belongs before the rows`);
    const value = line.slice(colon + 1).replace(EDGES, "");
    if (key === "mines") {
      if (!/^[0-9]+$/.test(value)) {
        throw bad(code, `line ${at + 1}: mines must be a whole number, 0 or more, got ${shown(value)}`);
      }
      known.mines = Number(value.slice(0, 12));
    } else if (key === "density") {
      if (!DENSITY.test(value)) {
        throw bad(code, `line ${at + 1}: density must be between 0 and 1, got ${shown(value)}`);
      }
      known.density = Number(value);
    } else if (key === "running") {
      if (value !== "yes" && value !== "no") {
        throw bad(code, `line ${at + 1}: running must be yes or no, got ${shown(value)}`);
      }
      known.running = value === "yes";
    } else if (key === "topology") {
      topology = value;
    } else {
      throw bad(
        code,
        `line ${at + 1}: unknown header ${shown(key)}; use 'mines', 'density', 'running' or ` +
          "'topology'",
      );
    }
  });
  return readRows(rows, topology, known, others, code);
}

/**
 * @param {readonly string[]} rows
 * @param {string} topology
 * @param {{mines?: unknown, density?: unknown, running?: unknown}} known
 * @param {string} others
 * @param {string} code
 * @returns {Grid}
 */
function readRows(rows, topology, known, others, code) {
  if (rows.length === 0) throw bad(code, "expected at least one row");
  const width = length(rows[0]);
  rows.forEach((row, at) => {
    if (length(row) !== width) {
      throw bad(
        code,
        `row ${at + 1} has ${length(row)} cells, but row 1 has ${width}: ${shown(row)}`,
      );
    }
  });
  const shape = checkShape(topology, width, rows.length, code);
  const size = width * rows.length;
  const cells = cellsOf(rows, width, DIGITS.slice(0, TOPOLOGIES[shape.topology] + 1), others, code);
  const where = () => `${size} cells`;
  const checked = checkKnown(known.mines, known.density, size, where, code);
  const running = checkRunning(known.running, checked.mines, code);
  return { ...shape, cells, ...checked, running };
}

/** The cell of each ASCII character, by the characters allowed; 0 for others. @type {Map<string, Uint8Array>} */
const tables = new Map();

/**
 * @param {readonly string[]} rows
 * @param {number} width
 * @param {string} digits
 * @param {string} others
 * @param {string} code
 */
function cellsOf(rows, width, digits, others, code) {
  const alphabet = digits + others;
  let table = tables.get(alphabet);
  if (!table) {
    table = new Uint8Array(128);
    for (const char of others) table[char.charCodeAt(0)] = char.charCodeAt(0);
    for (let digit = 0; digit < digits.length; digit += 1) {
      table[digits.charCodeAt(digit)] = ZERO + digit;
    }
    tables.set(alphabet, table);
  }
  const cells = new Uint8Array(width * rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const cell = table[rows[row].charCodeAt(col)];
      if (!cell) {
        const strange = shown([...rows[row]].find((char) => !alphabet.includes(char)));
        throw bad(
          code,
          `row ${row + 1}, column ${col + 1}: ${strange} is not a cell; ` +
            `use ${meaning(digits, others)}`,
        );
      }
      cells[row * width + col] = cell;
    }
  }
  return cells;
}

/** Return the cells that are allowed, with their meaning. */
function meaning(/** @type {string} */ digits, /** @type {string} */ others) {
  const most = digits[digits.length - 1];
  if (!others.includes(".")) return `0 to ${most}, or * for a mine`;
  return `. for unopened, 0 to ${most}, F for a flag or * for an opened mine`;
}

/** Return the length of a string in characters rather than UTF-16 units. */
function length(/** @type {string} */ text) {
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
}

function bad(/** @type {string} */ code, /** @type {string} */ message) {
  return new SapperError(code, message);
}
