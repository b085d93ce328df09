/** Answers about a position of the analysis board, computed in this window. */

import { isAlone, engineNow, loadEngine, workerEngine } from "./engine.js";
import { overlayOf, withoutFlags } from "./chances.js";
import { Refusal } from "../refusal.js";
import { t } from "../translation.js";

/** @typedef {import("./chances.js").PositionJson} PositionJson */
/** @typedef {import("./chances.js").Analysis} Analysis */
/** @typedef {import("../analyze/types.js").ChancesAnswer} ChancesAnswer */
/** @typedef {import("../analyze/types.js").Impossible} Impossible */
/** @typedef {import("../analyze/types.js").WinsAnswer} WinsAnswer */

/** The time limit of an analysis between a key press and the next frame. */
const QUICK = { states: 30_000, seconds: 0.1 };
/** The time limit of an analysis in the worker, as on the server. */
const SLOW = { seconds: 2 };
/** The number of cells that get a win chance, as on the server. */
const BEST = 8;

/**
 * Analyse a position in this thread if that takes only a few milliseconds.
 *
 * @param {import("./engine.js").Engine} engine
 * @param {PositionJson} position Without flags.
 * @returns {Analysis | null}
 */
export function quickly(engine, position) {
  const found = engine.analyze(/** @type {any} */ (position), QUICK);
  return found.exact ? found : null;
}

/**
 * Analyse a position in the worker.
 *
 * @param {PositionJson} position Without flags.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Analysis | null>} Null if there is no worker.
 */
export async function slowly(position, signal) {
  const worker = await workerEngine();
  return worker?.analyze(/** @type {any} */ (position), { ...SLOW, ...(signal && { signal }) }) ?? null;
}

/**
 * @param {PositionJson} given
 * @param {AbortSignal} signal
 * @returns {Promise<ChancesAnswer | Impossible | null>} The answer in the server's form; null if
 * the server should answer.
 */
export async function chancesHere(given, signal) {
  const engine = isAlone() ? await loadEngine() : engineNow();
  if (!engine) return null;
  const position = withoutFlags(given);
  try {
    const found = quickly(engine, position) ?? (await slowly(position, signal));
    if (!found || !(found.exact || isAlone())) return null;
    return { ...overlayOf(position, found, 0), safe: found.safe.length, mined: found.mined.length };
  } catch (problem) {
    // The server finds the smallest contradiction.
    return isAlone() ? impossible(problem, position) : null;
  }
}

/**
 * @param {unknown} problem
 * @param {PositionJson} position
 * @returns {Impossible}
 */
function impossible(problem, { width, mines }) {
  const { code = "internal", message, cells = [], why } = /** @type {import("../../engine/index.js").SapperError} */ (problem);
  const at = Array.from(cells, (index) => /** @type {[number, number]} */ ([Math.floor(index / width), index % width]));
  const sentences = {
    number: t("No arrangement fits this number."),
    component: t("No arrangement fits these numbers together."),
    total: t("The numbers fit together, but not with the mine total."),
  };
  const conflict = why === undefined || why === "over" ? null : { cells: at, mines, minimal: false, sentence: sentences[why] };
  return { error: { code, message }, conflict };
}

/**
 * @param {PositionJson} position With a mine total or a density.
 * @param {AbortSignal} signal
 * @returns {Promise<WinsAnswer | null>} The answer in the server's form; null if the server should
 * answer.
 */
export async function winsHere(position, signal) {
  const worker = await workerEngine();
  if (!worker) return null;
  let found;
  try {
    found = await worker.winChance(/** @type {any} */ (withoutFlags(position)), { seed: 0, signal });
  } catch (problem) {
    if (isAlone()) throw new Refusal(/** @type {import("../../engine/index.js").SapperError} */ (problem));
    return null;
  }
  return {
    win_chance: found.winChance,
    kind: found.kind,
    error: found.error,
    cells: found.cells.slice(0, BEST).map(({ cell, pMine, winChance, error }) => ({
      cell: [Math.floor(cell / position.width), cell % position.width],
      p_mine: pMine,
      win_chance: winChance,
      error,
    })),
  };
}

/**
 * @param {PositionJson} position
 * @param {AbortSignal} signal
 * @returns {Promise<number[] | null>} The mines of a random arrangement, by index; null if the server should answer.
 */
export async function dealHere(position, signal) {
  const worker = await workerEngine();
  if (!worker) return null;
  let board;
  try {
    [board] = await worker.sample(/** @type {any} */ (withoutFlags(position)), { ...SLOW, n: 1, signal });
  } catch (problem) {
    if (isAlone()) throw new Refusal(/** @type {import("../../engine/index.js").SapperError} */ (problem));
    return null;
  }
  return [...board.mined.keys()].filter((index) => board.mined[index]);
}
