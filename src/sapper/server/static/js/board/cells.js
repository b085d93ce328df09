/**
 * What a cell shows, as the server writes it: one character a cell.
 *
 * `.` unopened, `F` flag, `?` question mark, `0`-`8` opened; once the game is over also
 * `*` a mine, `X` the mine that was opened, `x` a flag where no mine was.
 */

/** @typedef {[number, number]} Cell Row and column, from 0. */

const SPOKEN = /** @type {Record<string, string>} */ ({
  ".": "unopened",
  F: "flag",
  "?": "question mark",
  "*": "mine",
  X: "mine, exploded",
  x: "flag, wrong",
});

const LOOKS = /** @type {Record<string, string>} */ ({
  ".": "closed",
  F: "closed flag",
  "?": "closed question",
  "*": "open mine",
  X: "open mine hit",
  x: "open wrong",
});

/**
 * @param {string} char
 * @returns {boolean} Whether the cell is unopened, marked or not.
 */
export function isUnopened(char) {
  return char === "." || char === "F" || char === "?";
}

/**
 * @param {string} char
 * @returns {boolean} Whether the cell shows a number, zero included.
 */
export function isNumber(char) {
  return char >= "0" && char <= "8" && char.length === 1;
}

/**
 * A cell's accessible name: row and column are spoken from 1.
 *
 * @param {number} row
 * @param {number} col
 * @param {string} char
 * @param {number | null} [wanting] How many flags its number still wants.
 * @returns {string}
 */
export function cellName(row, col, char, wanting = null) {
  const flags = wanting === null ? "" : wanting < 0 ? `, ${-wanting} too many` : `, ${wanting} to flag`;
  return `row ${row + 1}, column ${col + 1}, ${SPOKEN[char] ?? char}${flags}`;
}

/**
 * The classes that draw a cell.
 *
 * @param {string} char
 * @param {number | null} [wanting] How many flags its number still wants, to be shown instead.
 * @returns {string}
 */
export function cellLook(char, wanting = null) {
  if (wanting !== null) {
    return `cell open ${wanting > 0 ? `n${wanting}` : wanting ? `over${-wanting}` : "done"}`;
  }
  return `cell ${LOOKS[char] ?? (char === "0" ? "open" : `open n${char}`)}`;
}

/**
 * @param {Cell} cell
 * @returns {string} Where a cell is, in words.
 */
export function placeName([row, col]) {
  return `row ${row + 1}, column ${col + 1}`;
}
