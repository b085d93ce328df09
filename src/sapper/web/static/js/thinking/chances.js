/** The engine's answers in the form of the server's messages. Pure functions. */

import { isNumber, isUnopened } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";

/** @typedef {import("../../engine/index.js").Analysis} Analysis */
/** @typedef {import("../board/chances.js").Chance} Chance */
/** @typedef {{width: number, height: number, mines: number | null, density: number | null, running?: boolean, topology: string, rows: string[]}} PositionJson */

/** The server rounds chances to multiples of one over this number. */
const PART = 1e6;
/** Longer counts are shortened to three digits. */
const FULL = 10n ** 15n;

/** The neighbours of each cell of the last board. */
let near = { shape: "", cells: /** @type {number[][]} */ ([]) };

/** @param {PositionJson} position */
function neighboursIn({ width, height, topology }) {
  const shape = `${width}x${height} ${topology}`;
  if (near.shape !== shape) {
    near = { shape, cells: Array.from({ length: width * height }, (_, index) => neighbours({ width, height, topology }, index)) };
  }
  return near.cells;
}

/**
 * @param {PositionJson} position
 * @returns {PositionJson} Without flags, as for every analysis.
 */
export function withoutFlags(position) {
  return { ...position, rows: position.rows.map((row) => row.replaceAll("F", ".")) };
}

/**
 * Return the overlay of an analysis, as in the server's message.
 *
 * @param {PositionJson} position Without flags.
 * @param {Analysis} analysis
 * @param {number} turn
 * @returns {import("../protocol.js").OverlayMessage}
 */
export function overlayOf(position, analysis, turn) {
  const cells = position.rows.join("");
  const { besideOpen, besideNumber } = touched(position, cells);
  /** @type {Chance[]} */
  const chances = Array.from(analysis.pMine, (p) => Math.round(PART * p) / PART);
  for (const index of analysis.safe) chances[index] = "safe";
  for (const index of analysis.mined) chances[index] = "mine";
  const unweighted = position.mines === null && position.density === null;
  /** @type {Chance | null} */
  let outside = null;
  /** @type {[number, Chance][]} */
  const beside = [];
  for (let index = 0; index < cells.length; index++) {
    if (!isUnopened(cells[index])) continue;
    const chance = unweighted && !besideNumber[index] ? "unknown" : chances[index];
    if (!besideOpen[index]) outside ??= chance;
    if (besideOpen[index] || chance !== outside) beside.push([index, chance]);
  }
  return {
    type: "overlay",
    turn,
    whole: true,
    chances: beside,
    outside,
    solutions: analysis.solutions === null ? null : countText(analysis.solutions),
    exact: analysis.exact,
    weighted: position.density !== null,
  };
}

/**
 * @param {PositionJson} position
 * @param {string} cells
 * @returns {{besideOpen: Uint8Array, besideNumber: Uint8Array}} Which cells have an open neighbour, and which a number.
 */
function touched(position, cells) {
  const [besideOpen, besideNumber] = [new Uint8Array(cells.length), new Uint8Array(cells.length)];
  const all = neighboursIn(position);
  for (let index = 0; index < cells.length; index++) {
    if (isUnopened(cells[index])) continue;
    const shows = isNumber(cells[index]);
    for (const other of all[index]) {
      besideOpen[other] = 1;
      if (shows) besideNumber[other] = 1;
    }
  }
  return { besideOpen, besideNumber };
}

/**
 * @param {bigint} count
 * @returns {string} In full below 10^15, otherwise like `1.23e45`.
 */
export function countText(count) {
  if (count < FULL) return String(count);
  const digits = String(count);
  const dropped = digits.length - 3;
  const [lead, rest] = [BigInt(digits.slice(0, 3)), digits.slice(3)];
  const half = `5${"0".repeat(dropped - 1)}`;
  // Ties go to the even neighbour, as in Python.
  const up = rest > half || (rest === half && lead % 2n === 1n);
  const rounded = String(up ? lead + 1n : lead);
  const exponent = rounded.length > 3 ? dropped + 3 : dropped + 2;
  return `${rounded[0]}.${rounded.slice(1, 3)}e${exponent}`;
}
