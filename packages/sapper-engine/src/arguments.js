/**
 * Checks of arguments, with the messages of the Python package.
 */

import { SapperError } from "./errors.js";
import { shown } from "./shown.js";

/** Seeds are below this number. */
const SEEDS = 2n ** 64n;
const MOST_EXACT = Number.MAX_SAFE_INTEGER;

/**
 * Return a whole number.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {{least?: number, most?: number}} [range]
 */
export function whole(value, name, { least = 0, most = MOST_EXACT } = {}) {
  const given = typeof value === "bigint" && value <= MOST_EXACT ? Number(value) : value;
  if (Number.isSafeInteger(given)) {
    const number = /** @type {number} */ (given);
    if (number >= least && number <= most) return number;
  }
  const allowed = most === MOST_EXACT ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new SapperError("bad_setting", `${name} must be a whole number ${allowed}, got ${shown(value)}`);
}

/** Return a time limit in seconds; undefined for none. */
export function secondsOf(/** @type {unknown} */ value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value >= 0) return value;
  throw new SapperError("bad_setting", `seconds must be a number 0 or more, got ${shown(value)}`);
}

/** Return a limit of states; undefined for the engine's own. */
export function statesOf(/** @type {unknown} */ value) {
  return value === undefined || value === null ? undefined : whole(value, "states");
}

/** Return a seed; a random one below 2**53 if there is none. */
export function seedOf(/** @type {unknown} */ value) {
  if (value === undefined || value === null) {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return (BigInt(high & 0x1fffff) << 32n) | BigInt(low);
  }
  const seed = Number.isSafeInteger(value) ? BigInt(/** @type {number} */ (value)) : value;
  if (typeof seed === "bigint" && seed >= 0n && seed < SEEDS) return seed;
  throw new SapperError(
    "bad_setting",
    `seed must be an integer from 0 to 2**64 - 1, got ${shown(value)}`,
  );
}

/**
 * Return one of several names.
 *
 * @template {string} Name
 * @param {unknown} value Undefined or null for the first name.
 * @param {readonly Name[]} names
 * @param {string} setting
 * @param {string} [where] The context that limits the choice.
 * @returns {Name}
 */
export function oneOf(value, names, setting, where = "") {
  if (value === undefined || value === null) return names[0];
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  const last = names[names.length - 1];
  const either = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
  throw new SapperError(
    "bad_setting",
    `${setting} must be ${either}${where && ` ${where}`}, got ${shown(value)}`,
  );
}

/**
 * Return a boolean.
 *
 * @param {unknown} value Undefined or null for the default.
 * @param {string} name
 * @param {boolean} otherwise
 */
export function switchOf(value, name, otherwise) {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === "boolean") return value;
  throw new SapperError("bad_setting", `${name} must be True or False, got ${shown(value)}`);
}

/**
 * Return an object of options.
 *
 * @param {unknown} value
 * @param {readonly string[]} names Their names.
 * @returns {Record<string, unknown>}
 */
export function optionsOf(value, names) {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) {
    checkKeys(value, names, "option", "bad_setting");
    return /** @type {Record<string, unknown>} */ (value);
  }
  throw new SapperError("wrong_type", `expected options by name, got ${shown(value)}`);
}

/**
 * Refuse a misspelt key, which would otherwise be ignored.
 *
 * @param {object} value
 * @param {readonly string[]} names
 * @param {string} what
 * @param {string} code The code of errors.
 */
export function checkKeys(value, names, what, code) {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SapperError(code, `unknown ${what} ${shown(unknown)}; use ${names.join(", ")}`);
  }
}

/**
 * Return the index of a cell given as an index or as `[row, col]`.
 *
 * @param {unknown} cell
 * @param {{width: number, height: number}} board
 */
export function indexOf(cell, { width, height }) {
  if (Array.isArray(cell) && cell.length === 2 && cell.every(Number.isSafeInteger)) {
    const [row, col] = cell;
    if (row >= 0 && row < height && col >= 0 && col < width) return row * width + col;
    throw new SapperError(
      "bad_cell",
      `no cell (${shown(row)}, ${shown(col)}) on a board with ${height} rows and ${width} columns`,
    );
  }
  if (!Number.isSafeInteger(cell)) {
    throw new SapperError("bad_cell", `a cell is an index or [row, col], got ${shown(cell)}`);
  }
  const index = /** @type {number} */ (cell);
  if (index >= 0 && index < width * height) return index;
  throw new SapperError("bad_cell", `no cell ${index} on a board of ${width * height} cells`);
}

/**
 * Return the indices of several cells.
 *
 * @param {unknown} cells
 * @param {{width: number, height: number}} board
 */
export function indicesOf(cells, board) {
  if (cells === undefined || cells === null) return new Uint32Array(0);
  if (Array.isArray(cells) || cells instanceof Uint32Array) {
    return Uint32Array.from(/** @type {unknown[]} */ (cells), (cell) => indexOf(cell, board));
  }
  throw new SapperError("wrong_type", `expected cells (row, col), got ${shown(cells)}`);
}

/** Return a cell as Python writes it. */
export function written(/** @type {number} */ index, /** @type {number} */ width) {
  return `(${Math.floor(index / width)}, ${index % width})`;
}
