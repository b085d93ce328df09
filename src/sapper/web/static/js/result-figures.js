/** The figures of a finished game, including personal bests. Pure functions. */

import { t, tn } from "./translation.js";

/** @typedef {import("./protocol.js").Result} Result */
/** @typedef {import("./types.js").Format} Format */
/** @typedef {"seconds" | "bbbv_s" | "efficiency"} Measure */

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} value
 * @property {string} [before] The best value before this one, if this one is a personal best.
 */

/** A win shorter than this, in seconds, was a single click and has no meaningful speed. */
const SHORTEST = 0.01;

/**
 * @param {Partial<Result>} result
 * @returns {Record<Measure, number | null>}
 */
function measures({ seconds = 0, bbbv = 0, clicks }) {
  return {
    seconds,
    bbbv_s: seconds >= SHORTEST ? bbbv / seconds : null,
    efficiency: clicks ? bbbv / clicks : null,
  };
}

/**
 * @param {Partial<Result>} result
 * @returns {Measure[]} Which figures of a win are personal bests; a first win has none to beat.
 */
export function improved(result) {
  const { before } = result;
  if (!before) return [];
  const now = measures(result);
  const better = (/** @type {Measure} */ name) => {
    const [value, best] = [now[name], before[name]];
    if (value === null || best === null) return false;
    return name === "seconds" ? value < best : value > best;
  };
  return /** @type {Measure[]} */ (["seconds", "bbbv_s", "efficiency"]).filter(better);
}

/**
 * Return the figures of a win.
 *
 * @param {Partial<Result>} result
 * @param {Format} format
 * @returns {Figure[]}
 */
export function winFigures(result, format) {
  const now = measures(result);
  const bests = improved(result);
  /** @type {Record<Measure, {name: string, digits: number, write: (value: number, digits: number) => string}>} */
  const kinds = {
    seconds: { name: t("Time"), digits: 2, write: (value, digits) => t("{time} s", { time: format(value, digits) }) },
    bbbv_s: { name: "3BV/s", digits: 2, write: format },
    efficiency: { name: t("Efficiency"), digits: 0, write: (value, digits) => t("{share} %", { share: format(100 * value, digits) }) },
  };
  /** @type {Figure[]} */
  const figures = [];
  for (const measure of /** @type {Measure[]} */ (Object.keys(kinds))) {
    const value = now[measure];
    if (value === null) continue;
    const { name, digits, write } = kinds[measure];
    const before = bests.includes(measure) ? (result.before?.[measure] ?? null) : null;
    if (before === null) figures.push({ name, value: write(value, digits) });
    else {
      // Use enough digits to tell the values apart.
      const more = [0, 1, 2].find((extra) => write(value, digits + extra) !== write(before, digits + extra)) ?? 2;
      figures.push({ name, value: write(value, digits + more), before: write(before, digits + more) });
    }
  }
  const { rank, wins } = result;
  if (rank && wins) figures.push({ name: t("Rank"), value: t("{rank} of {wins}", { rank, wins }) });
  return figures;
}

/**
 * Return the figures of a loss.
 *
 * @param {Result} result
 * @param {Format} format
 * @returns {Figure[]}
 */
export function lossFigures({ seconds, bbbv, solved }, format) {
  return [
    { name: t("Time"), value: t("{time} s", { time: format(seconds, 2) }) },
    { name: "3BV", value: t("{solved} of {all}", { solved, all: bbbv }) },
    { name: t("Solved"), value: t("{share} %", { share: format(bbbv ? (100 * solved) / bbbv : 0, 0) }) },
  ];
}

/**
 * @param {Partial<Result>} result
 * @returns {string} The number of consecutive wins; empty for one.
 */
export function streakText({ streak = 0, longest = 0 }) {
  if (streak < 2) return "";
  if (streak > longest && longest > 0) {
    return tn("{n} win in a row, your longest streak.", "{n} wins in a row, your longest streak.", streak);
  }
  return tn("{n} win in a row.", "{n} wins in a row.", streak);
}
