/**
 * The win chance of a position: exact, estimated or sampled, as in `sapper.win_chance`.
 */

import { SapperError } from "./errors.js";

/**
 * @typedef {object} CellChance
 * @property {number} cell
 * @property {number} pMine
 * @property {number} winChance
 * @property {number | null} error
 */

/**
 * @typedef {object} Methods The engine's computations; each takes seconds, or undefined for no limit.
 * @property {(seconds: number | undefined) => CellChance[] | null} exact Every cell, if perfect play
 *   is known.
 * @property {() => boolean} learned Whether estimates are win chances on such a board.
 * @property {(seconds: number | undefined) => CellChance[]} estimated Candidates, best first.
 * @property {(cell: number, samples: number, seconds: number | undefined) => Float64Array} sampled
 */

const SAMPLES = 200;
/** Shares of the remaining time. */
const PERFECT = 0.5;
const BEFORE_GAMES = 0.3;
const SAMPLED_CELLS = 3;
const Z95_SQUARED = 1.959963984540054 ** 2;

/**
 * Return the win chance of a position that is not over.
 *
 * @param {Methods} methods
 * @param {number} samples Games for each of the best cells.
 * @param {() => number | undefined} left The seconds left.
 */
export function winChanceOf(methods, samples, left) {
  const part = (/** @type {number} */ share) => {
    const seconds = left();
    return seconds === undefined ? undefined : share * seconds;
  };
  const exact = methods.exact(part(PERFECT));
  if (exact) {
    exact.sort((a, b) => b.winChance - a.winChance || a.pMine - b.pMine);
    return answer(exact, "exact", 0);
  }
  const games = samples || (methods.learned() ? 0 : SAMPLES);
  const estimated = methods.estimated(part(games ? BEFORE_GAMES : 1));
  if (estimated.length === 0) throw pastLimit("estimated", left);
  if (!games) return answer(estimated, "estimated", null);
  /** @type {CellChance[]} */
  const played = [];
  estimated.slice(0, SAMPLED_CELLS).forEach((at, number) => {
    const found = methods.sampled(at.cell, games, part(1 / (SAMPLED_CELLS - number)));
    if (found.length > 0) played.push({ ...at, ...meanOf(found) });
  });
  if (played.length === 0) throw pastLimit("sampled", left);
  played.sort((a, b) => b.winChance - a.winChance);
  return answer(played, "sampled", played[0].error);
}

/**
 * @template {"exact" | "estimated" | "sampled"} Kind
 * @param {CellChance[]} cells
 * @param {Kind} kind
 * @param {number | null} error
 */
function answer(cells, kind, error) {
  return { winChance: cells[0].winChance, kind, error, cells };
}

function pastLimit(/** @type {string} */ how, /** @type {() => number | undefined} */ left) {
  const message =
    left() === 0
      ? `no win chance was ${how} within the limit`
      : `the position is too wide for its win chance to be ${how}`;
  return new SapperError("limit_reached", message);
}

/** Return the mean of shares, and its 95 % half-width (Agresti and Coull, extended to shares). */
function meanOf(/** @type {Float64Array} */ values) {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  const [winChance, n] = [sum / values.length, values.length + Z95_SQUARED];
  const middle = (sum + Z95_SQUARED / 2) / n;
  const square = (squares + Z95_SQUARED / 2) / n;
  const spread = Math.sqrt((Z95_SQUARED * Math.max(0, square - middle ** 2)) / n);
  const low = Math.max(0, middle - spread);
  const high = Math.min(1, middle + spread);
  return { winChance, error: Math.max(winChance - low, high - winChance) };
}
