/** Hints and explanations of losses, on a page without a server. */

import { slowly } from "../thinking/answers.js";
import { withoutFlags } from "../thinking/chances.js";
import { workerEngine } from "../thinking/engine.js";
import { number, t, tn } from "../translation.js";
import { proofOf } from "./proof.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("../protocol.js").HintMessage} HintMessage */
/** @typedef {import("../protocol.js").ReviewMessage} ReviewMessage */
/** @typedef {import("../thinking/chances.js").PositionJson} PositionJson */
/** @typedef {import("../thinking/chances.js").Analysis} Analysis */

/** A bound on rounding errors; real differences in risk are larger. */
const EQUAL = 1e-12;

/**
 * @param {PositionJson} given
 * @param {number} turn
 * @returns {Promise<HintMessage>} The cell to open next.
 */
export async function hintFor(given, turn) {
  const position = withoutFlags(given);
  const found = await slowly(position);
  if (!found) throw new Error(t("Hints need WebAssembly, which this browser does not have."));
  const base = { type: /** @type {const} */ ("hint"), turn, action: "open", because: [], safe_count: found.safe.length, exact: found.exact };
  if (found.safe.length) {
    const plain = { cell: cellAt(position, found.safe[0]), sentence: t("No arrangement that fits has a mine here.") };
    return { ...base, p_mine: 0, proved: true, ...(proofOf(position) ?? plain) };
  }
  return { ...base, ...(await guess(position, found)), proved: false };
}

/**
 * @param {PositionJson} position
 * @param {Analysis} found
 */
async function guess(position, found) {
  const mined = new Set(found.mined);
  const open = [...found.pMine.keys()].filter((index) => !Number.isNaN(found.pMine[index]) && !mined.has(index));
  if (!open.length) throw new Error(t("Every unopened cell is a mine."));
  const least = open.reduce((best, index) => (found.pMine[index] < found.pMine[best] - EQUAL ? index : best));
  const worker = await workerEngine();
  const value = await worker?.winChance(/** @type {any} */ (position), { seed: 0 }).catch(() => null);
  const best = value?.cells[0];
  const cell = best ? best.cell : least;
  const risk = found.pMine[cell];
  const rival = value?.cells.find((one) => one.pMine <= found.pMine[least] + EQUAL);
  const better = best && rival && best.winChance > rival.winChance + EQUAL;
  return {
    cell: cellAt(position, cell),
    p_mine: risk,
    sentence: guessed(position, percent(risk), value),
    win_chance: best ? best.winChance : null,
    kind: value && (value.kind === "exact" ? /** @type {const} */ ("exact") : /** @type {const} */ ("estimated")),
    least_risky: better
      ? { cell: cellAt(position, rival.cell), p_mine: rival.pMine, win_chance: rival.winChance, error: rival.error }
      : null,
    ways: await bothWays(position, cell),
  };
}

/**
 * @param {PositionJson} position
 * @param {string} risk
 * @param {import("../../engine/index.js").WinChance | null | undefined} value
 * @returns {string} The reason for a guess, with its win chance, if it is known.
 */
function guessed({ density }, risk, value) {
  if (!value) {
    return density === null
      ? t("No cell is safe. This is the least risky: {risk} of the arrangements have a mine here.", { risk })
      : t("No cell is safe. This is the least risky: its chance of a mine is {risk}.", { risk });
  }
  const share = percent(value.winChance);
  const chance = value.kind === "exact" ? share : t("about {share}", { share });
  return density === null
    ? t("No cell is safe. This one has the best win chance, {chance}; {risk} of the arrangements have a mine here.", { chance, risk })
    : t("No cell is safe. This one has the best win chance, {chance}; its chance of a mine is {risk}.", { chance, risk });
}

/**
 * @param {PositionJson} position
 * @param {number} cell
 * @returns {Promise<import("../protocol.js").Ways | null>} An arrangement with a mine on the cell, and one without.
 */
async function bothWays(position, cell) {
  const worker = await workerEngine();
  const drawn = async (/** @type {"safe" | "mined"} */ what) => {
    const [board] = await /** @type {import("../../engine/index.js").WorkerEngine} */ (worker).sample(
      /** @type {any} */ (position),
      { n: 1, [what]: [cell], seconds: 2 },
    );
    return minesOf(board);
  };
  try {
    return worker && { mined: await drawn("mined"), clear: await drawn("safe") };
  } catch {
    return null;
  }
}

/**
 * Explain a loss.
 *
 * @param {PositionJson} given The position before the last move.
 * @param {{cell: number, turn: number, mined: number[], wrong: number[]}} lost The mine that was opened, all mines, and the wrong flags around a chord.
 * @returns {Promise<ReviewMessage | null>}
 */
export async function reviewOf(given, { cell, turn, mined, wrong }) {
  const position = withoutFlags(given);
  const found = await slowly(position).catch(() => null);
  if (!found?.exact) return null;
  const known = new Set(found.mined);
  const p = found.pMine[cell];
  const least = found.safe.length ? 0 : Math.min(...found.pMine.filter((chance) => !Number.isNaN(chance)));
  const ways = known.has(cell) ? null : await bothWays(position, cell);
  return {
    type: "review",
    turn,
    cell: cellAt(position, cell),
    p,
    least,
    safe: Array.from(found.safe, (index) => cellAt(position, index)),
    mined,
    clear: ways?.clear ?? null,
    sentence: explained(p, least, found.safe.length, known.has(cell)),
    wrong_flags: wrong.map((index) => cellAt(position, index)),
    exact: true,
    pattern: null,
  };
}

/**
 * @param {number} p The risk taken.
 * @param {number} least The lowest risk.
 * @param {number} safe The number of cells that were proved safe.
 * @param {boolean} certain Whether the cell was certainly a mine.
 * @returns {string}
 */
function explained(p, least, safe, certain) {
  if (certain) {
    if (!safe) return t("This cell was certainly a mine.");
    return tn("This cell was certainly a mine, and there was a safe cell.", "This cell was certainly a mine, and there were {n} safe cells.", safe);
  }
  const risk = percent(p);
  if (safe) {
    return tn("You took a risk of {risk} although a cell was safe.", "You took a risk of {risk} although {n} cells were safe.", safe, { risk });
  }
  if (p > least + EQUAL) {
    return t("No cell was safe, but you took a risk of {risk} when the lowest was {best}.", { risk, best: percent(least) });
  }
  if (Math.abs(p - 0.5) < EQUAL) return t("No cell was safe: this was a true coin flip.");
  return t("No cell was safe, and none was less risky than this one at {risk}.", { risk });
}

/** @param {number} share */
function percent(share) {
  return t("{share} %", { share: number(100 * share, share < 0.0995 ? 1 : 0) });
}

/** @param {import("../../engine/index.js").Board} board */
export function minesOf({ mined }) {
  return [...mined.keys()].filter((index) => mined[index]);
}

/**
 * @param {{width: number}} position
 * @param {number} index
 * @returns {Cell}
 */
function cellAt({ width }, index) {
  return [Math.floor(index / width), index % width];
}
