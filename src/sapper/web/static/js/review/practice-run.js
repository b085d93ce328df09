/**
 * A game's mistakes as a series of questions: the current one and the results, without any drawing.
 */

import { t, tn } from "../translation.js";

/** @typedef {"solved" | "missed" | "shown"} Outcome Right at the first attempt, right later, or shown. */

export class PracticeRun {
  /** The index of the current question; after the last one comes the summary. */
  at = 0;
  /** @type {Map<number, Outcome>} Of the questions answered so far, by index. */
  outcomes = new Map();
  /** @type {Set<number>} The indexes of questions whose first answer was wrong. */
  #wrong = new Set();

  /** @param {number[]} moves The moves with a mistake, by index. */
  constructor(moves) {
    this.moves = moves;
  }

  /** @returns {number | null} The move in question; null at the summary. */
  get move() {
    return this.moves[this.at] ?? null;
  }

  /**
   * @param {1 | -1} step
   * @returns {boolean} Whether there is another question in that direction.
   */
  go(step) {
    const to = this.at + step;
    if (to < 0 || to > this.moves.length) return false;
    this.at = to;
    return true;
  }

  /**
   * Record the result of an answer. The first result for a question is kept.
   *
   * @param {"right" | "wrong" | "shown"} answer
   */
  take(answer) {
    if (answer === "wrong") this.#wrong.add(this.at);
    else if (!this.outcomes.has(this.at)) {
      const outcome = answer === "shown" ? "shown" : this.#wrong.has(this.at) ? "missed" : "solved";
      this.outcomes.set(this.at, outcome);
    }
  }

  /** @returns {number} The number of questions missed at first, which are kept for later. */
  get kept() {
    const missed = [...this.outcomes].filter(([, outcome]) => outcome !== "solved").map(([place]) => place);
    return new Set([...this.#wrong, ...missed]).size;
  }

  /** @returns {string[]} The summary, in sentences. */
  get summary() {
    const all = this.moves.length;
    const solved = [...this.outcomes.values()].filter((outcome) => outcome === "solved").length;
    const head = t("Solved on the first try: {solved} of {all}.", { solved, all });
    const { kept } = this;
    if (!kept) return [head];
    return [head, tn("One is saved in Learn, under Your mistakes.", "{n} are saved in Learn, under Your mistakes.", kept, { n: kept })];
  }
}
