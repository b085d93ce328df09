/**
 * The content of cells, as sent by the server or made by a page without one: one character per cell.
 *
 * `.` unopened, `F` flag, `?` question mark, `0`-`9` and `a`-`c` (10 to 12) opened; after the game
 * also `*` a mine, `X` the mine that was opened, `x` a wrong flag.
 */

import { listed } from "../sentence.js";
import { t, tn } from "../translation.js";

/** Boards with more cells than this are big: they are drawn on a canvas. */
export const MOST_ELEMENTS = 10_000;

/** @typedef {[number, number]} Cell Row and column, from 0. */

const SPOKEN = /** @type {Record<string, string>} */ ({
  ".": t("unopened"),
  F: t("flag"),
  "?": t("question mark"),
  "*": t("mine"),
  X: t("mine, exploded"),
  x: t("flag, wrong"),
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
  return /^[0-9a-c]$/.test(char);
}

/**
 * @param {string} char A cell that shows a number.
 * @returns {number}
 */
export function numberOf(char) {
  return parseInt(char, 16);
}

/**
 * @param {number} number
 * @returns {string} The character that shows it.
 */
export function charOf(number) {
  return number.toString(16);
}

/**
 * @param {string} char A cell at the end of a game.
 * @param {boolean} mined
 * @returns {string} The cell once all mines are shown.
 */
export function atEnd(char, mined) {
  if (char === "F") return mined ? "F" : "x";
  return mined && isUnopened(char) ? "*" : char;
}

/**
 * Return the accessible name of a cell, in which rows and columns count from 1.
 *
 * @param {number} row
 * @param {number} col
 * @param {string} char
 * @param {number | null} [wanting] The number of flags still missing around the cell's number.
 * @returns {string}
 */
export function cellName(row, col, char, wanting = null) {
  const parts = [placeName([row, col]), SPOKEN[char] ?? numberOf(char)];
  if (wanting !== null) {
    parts.push(wanting < 0 ? tn("{n} too many", "{n} too many", -wanting) : tn("{n} to flag", "{n} to flag", wanting));
  }
  return listed(parts);
}

/**
 * Return the CSS classes of a cell.
 *
 * @param {string} char
 * @param {number | null} [wanting] The number of flags missing around the cell's number, which is shown instead.
 * @returns {string}
 */
export function cellLook(char, wanting = null) {
  if (wanting !== null) {
    return `cell open ${wanting > 0 ? `n${wanting}` : wanting ? `over${-wanting}` : "done"}`;
  }
  return `cell ${LOOKS[char] ?? (char === "0" ? "open" : `open n${numberOf(char)}`)}`;
}

/**
 * @param {Cell} cell
 * @returns {string} A cell's row and column as text.
 */
export function placeName([row, col]) {
  return t("row {row}, column {column}", { row: row + 1, column: col + 1 });
}
