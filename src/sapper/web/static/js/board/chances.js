/** The mine chances of unopened cells, and their description in words. */

import { isUnopened, MOST_ELEMENTS } from "./cells.js";
import { t } from "../translation.js";

/** Steps of the colour scale, all below 50 %, where most guesses are made. */
export const STEPS = 10;

/**
 * @typedef {number | "safe" | "mine" | "unknown"} Chance The mine probability from 0 to 1, or a proved state; unknown for cells that no number touches if neither the mine total nor the density is known.
 */

/**
 * @typedef {object} Chances
 * @property {Map<number, Chance>} frontier The unopened cells that a number touches.
 * @property {Chance | null} outside The chance of every unopened cell that no number touches.
 * @property {number | null} best The cell with the lowest risk; null if a cell is proved safe.
 * @property {string | null} solutions The number of arrangements that fit; null if they were not counted.
 * @property {boolean} exact
 * @property {boolean} weighted Whether arrangements have different weights.
 */

/** @returns {Chances} */
export function noChances() {
  return { frontier: new Map(), outside: null, best: null, solutions: null, exact: true, weighted: false };
}

/**
 * Apply the changes that a message contains.
 *
 * @param {Chances} chances The chances before; changed in place.
 * @param {import("../protocol.js").OverlayMessage} message
 * @param {string[]} cells The board at the message's turn.
 * @returns {Iterable<number>} The cells whose look may have changed; all cells if it is no set.
 */
export function takeChances(chances, message, cells) {
  const { frontier } = chances;
  /** @type {Set<number>} */
  const touched = new Set(message.chances.map(([index]) => index));
  if (message.whole) frontier.clear();
  for (const index of frontier.keys()) {
    if (!isUnopened(cells[index])) frontier.delete(index);
  }
  for (const [index, chance] of message.chances) {
    if (chance === null) frontier.delete(index);
    else frontier.set(index, chance);
  }
  const shown = chances.outside;
  const outsideChanged = shownChance(shown) !== shownChance(message.outside);
  if (outsideChanged && cells.length <= MOST_ELEMENTS) {
    cells.forEach((char, index) => {
      if (isUnopened(char) && !frontier.has(index)) touched.add(index);
    });
  }
  if (chances.best !== null) touched.add(chances.best);
  Object.assign(chances, { outside: message.outside, solutions: message.solutions, exact: message.exact, weighted: message.weighted });
  chances.best = bestGuess(chances, cells);
  if (chances.best !== null) touched.add(chances.best);
  return message.whole || (outsideChanged && cells.length > MOST_ELEMENTS) ? cells.keys() : touched;
}

/**
 * @param {Chance | null} chance
 * @returns {string | null}
 */
function shownChance(chance) {
  return typeof chance === "number" ? `${step(chance)} ${percent(chance)} ${riskClass(chance)}` : chance;
}

/**
 * @param {Chances} chances
 * @param {string[]} cells
 * @returns {number | null} The cell with the lowest risk; null if a cell is proved safe.
 */
function bestGuess({ frontier, outside }, cells) {
  let best = null;
  let least = Infinity;
  for (const [index, chance] of frontier) {
    if (chance === "safe") return null;
    if (typeof chance === "number" && (chance < least - ROUNDED || (best !== null && chance < least + ROUNDED && index < best))) {
      [best, least] = [index, chance];
    }
  }
  if (outside === "safe") return null;
  if (typeof outside !== "number" || outside >= least - ROUNDED) return best;
  const elsewhere = cells.findIndex((char, index) => isUnopened(char) && !frontier.has(index));
  return elsewhere < 0 ? best : elsewhere;
}

/**
 * @param {Chances} chances
 * @param {number} index
 * @param {string} char The cell's content.
 * @returns {{chance: Chance | null, floating: boolean}} Floating cells touch no number.
 */
export function chanceOf({ frontier, outside }, index, char) {
  if (!isUnopened(char)) return { chance: null, floating: false };
  const chance = frontier.get(index);
  return chance === undefined ? { chance: outside, floating: true } : { chance, floating: false };
}

/**
 * Return a chance as shown on a cell: a whole percentage, but never 0 or 100 without a proof.
 *
 * @param {number} p
 * @returns {string}
 */
export function percent(p) {
  const rounded = Math.round(100 * p);
  if (rounded <= 0) return "<1";
  if (rounded >= 100) return ">99";
  return String(rounded);
}

/**
 * @param {number} p
 * @returns {number} The step of the colour scale, from 0 to `STEPS - 1`.
 */
export function step(p) {
  return Math.max(0, Math.min(STEPS - 1, Math.floor(2 * p * STEPS)));
}

/** A tolerance is needed because chances are rounded to four digits: 1/3 arrives as slightly less. */
const ROUNDED = 1e-4;

/**
 * @param {number} p
 * @returns {"low" | "medium" | "high"} The risk class: low below 1/5, high from 1/3.
 */
export function riskClass(p) {
  if (p >= 1 / 3 - ROUNDED) return "high";
  return p >= 1 / 5 - ROUNDED ? "medium" : "low";
}

/**
 * Return a cell's chance with three digits, and the number of arrangements.
 *
 * @param {Chances} chances
 * @param {number} index
 * @param {string} char The cell's content.
 * @param {(value: number, digits: number) => string} format Formats a number for the reader.
 * @returns {string}
 */
export function inFull(chances, index, char, format) {
  const { chance } = chanceOf(chances, index, char);
  if (chance === null) return "";
  if (chance === "unknown") return t("chance unknown");
  const p = chance === "safe" ? 0 : chance === "mine" ? 1 : chance;
  // If arrangements are weighted, their number does not give the chance.
  const { solutions, weighted } = chances;
  const count = solutions === null || weighted ? "" : ` · ${counts(p, solutions, format)}`;
  if (typeof chance === "string") return `${chance === "safe" ? t("proved safe") : t("proved mine")}${count}`;
  const share = t("{share} %", { share: threeDigits(100 * p, format) });
  return `${chances.exact ? t("{share} mine", { share }) : t("about {share} mine", { share })}${count}`;
}

/**
 * @param {number} value
 * @param {(value: number, digits: number) => string} format
 * @returns {string} Three significant digits or more.
 */
function threeDigits(value, format) {
  return format(value, value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/**
 * @param {number} p
 * @param {string} solutions In full, or like `1.23e45`, which may exceed the range of a number.
 * @param {(value: number, digits: number) => string} format
 * @returns {string}
 */
function counts(p, solutions, format) {
  const total = Number(solutions);
  if (total < 1e5) return t("{count} of {total} arrangements", { count: format(Math.round(p * total), 0), total: format(total, 0) });
  return t("of {total} arrangements", { total: countText(solutions, format) });
}

/**
 * @param {string} solutions In full, or like `1.23e45`.
 * @param {(value: number, digits: number) => string} format
 * @returns {string} The number of arrangements that fit.
 */
export function countText(solutions, format) {
  const total = Number(solutions);
  return total < 1e15 ? format(total, 0) : power(solutions);
}

/**
 * @param {number} p
 * @param {(value: number, digits: number) => string} format
 * @returns {string} A cell's risk in three digits.
 */
export function riskText(p, format) {
  return p === 0 ? t("safe") : t("{share} %", { share: threeDigits(100 * p, format) });
}

/**
 * @param {string} text Like `1.23e45`.
 * @returns {string} `1.23 × 10⁴⁵`
 */
function power(text) {
  const [lead, exponent] = text.split("e");
  const raised = [...String(Number(exponent))].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("");
  return `${lead} × 10${raised}`;
}
