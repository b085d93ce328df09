/** The verdicts of a review on the clicks in a replay. */

import { KINDS } from "../review/wording.js";

/** @typedef {import("./recorded-game.js").RecordedGame} RecordedGame */
/** @typedef {import("../review/game.js").ReviewedGame | null} Review */

/**
 * @param {RecordedGame} game
 * @param {Review} review
 * @returns {number[]} The steps that were guesses, by index.
 */
export function guessSteps(game, review) {
  const guesses = (review?.decisions ?? []).filter((each) => each && each.kind !== "proved");
  return [...new Set(guesses.map(({ index }) => game.stepOf(index)))].filter((step) => step >= 0);
}

/**
 * @param {RecordedGame} game
 * @param {Review} review
 * @param {number} step The index of the step.
 * @returns {import("../review/types.js").Decision | null} The worst verdict on a click.
 */
export function verdictOn(game, review, step) {
  const found = game.decisionsOf(step).map((index) => review?.decisions[index]);
  const known = found.filter((each) => each !== undefined);
  return known.sort((a, b) => KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind))[0] ?? null;
}

/**
 * @param {RecordedGame} game
 * @param {Review} review
 * @param {number} count The number of steps so far.
 * @returns {{now: number, end: number} | null} The chance of losing from the risks taken, once all are known.
 */
export function risks(game, review, count) {
  if (!review?.decisions.length) return null;
  let [now, end] = [1, 1];
  for (const decision of review.decisions) {
    if (!decision) return null;
    const safe = decision.promised ? 1 : 1 - decision.p_mine;
    end *= safe;
    if (game.stepOf(decision.index) < count) now *= safe;
  }
  return { now: 1 - now, end: 1 - end };
}
