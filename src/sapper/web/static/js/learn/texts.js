/** The text of the Learn page. */

import { sentence, sentences } from "../sentence.js";
import { number, t, tn } from "../translation.js";

const NEEDS = /** @type {Record<string, string>} */ ({
  one: t("Needs one number"),
  two: t("Needs two numbers together"),
  component: t("Needs three or more numbers together"),
  total: t("Needs the mine total"),
  guess: t("Needs a guess"),
});

const TITLES = { safe: t("Find a safe cell"), all: t("Mark everything that is proved"), guess: t("Find the best guess") };

/**
 * @param {import("./types.js").Question} question
 * @returns {string}
 */
export const title = (question) => TITLES[question];

/**
 * Return the instruction, in one line.
 *
 * @param {import("./types.js").Question} question
 * @param {{newcomer: boolean, touch: boolean}} who
 * @returns {string}
 */
export function prompt(question, { newcomer, touch }) {
  if (question === "safe" && newcomer) {
    const start = t("A number counts the mines around it, and flags mark mines.");
    return sentences(start, touch ? t("Tap a cell that cannot be a mine.") : t("Click a cell that cannot be a mine."));
  }
  if (question === "safe") {
    return touch ? t("Tap a cell that is proved safe.") : t("Click a cell that is proved safe.");
  }
  if (question === "all") {
    return touch
      ? t("Tap once for a safe cell, twice for a mine. Then check.")
      : t("Click once for a safe cell, twice for a mine. Then check.");
  }
  return touch
    ? t("Nothing is proved safe. Tap the cell with the best chance of winning.")
    : t("Nothing is proved safe. Click the cell with the best chance of winning.");
}

/**
 * @param {string[]} rows
 * @param {number | null} mines
 * @returns {string} The number of mines, and of those still to find.
 */
export function mineCount(rows, mines) {
  if (mines === null) return "";
  const left = mines - (rows.join("").match(/F/g)?.length ?? 0);
  return tn("{n} mine in all, {left} without a flag.", "{n} mines in all, {left} without a flag.", mines, { left });
}

/**
 * @param {number} seconds
 * @returns {string} `1:05`
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * @param {import("./types.js").Verdict} verdict
 * @returns {string} The meaning of any figures on the board.
 */
export function chancesText({ chances }) {
  return chances.length ? t("The board shows each cell's win chance as a percentage.") : "";
}

/**
 * @param {import("./types.js").Outcome} outcome
 * @returns {{title: string, text: string, about: string}}
 */
export function outcomeText(outcome) {
  const { solved, late, counted, change, need, puzzle_rating: rated, seconds, text } = outcome;
  const signed = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
  const head = solved ? t("Solved") : late ? t("Right, but too late") : t("Not solved");
  const about = [NEEDS[need], t("puzzle rating {rating}", { rating: rated })];
  if (counted) about.push(t("{time} s", { time: number(seconds, 1) }));
  const figures = chancesText(outcome);
  return {
    title: counted ? `${head} (${signed})` : head,
    text,
    about: figures ? sentences(sentence(about.join(" · ")), figures) : about.join(" · "),
  };
}
