/** The values that leaderboards compare, as text. */

import { date, number, ungrouped, t } from "../translation.js";
import { percent } from "../history/figures.js";

/** @typedef {"time" | "speed" | "efficiency"} Measure */

/** @type {Record<Measure, string>} */
export const MEASURES = { time: t("Time"), speed: "3BV/s", efficiency: t("Efficiency") };

/**
 * @param {number} ms
 * @returns {string}
 */
export const seconds = (ms) => t("{time} s", { time: number(ms / 1000, 3) });

/**
 * @param {Measure} measure
 * @param {number} value In seconds for the time.
 * @returns {string}
 */
export function valueText(measure, value) {
  if (measure === "time") return seconds(1000 * value);
  return measure === "speed" ? number(value, 3) : percent(value, 1);
}

/**
 * @param {number} ms
 * @returns {string}
 */
export const day = (ms) => date(new Date(ms), { year: "numeric", month: "short", day: "numeric" });

/**
 * @param {number} rating
 * @returns {string} In whole points, without a thousands separator.
 */
export const ratingText = (rating) => ungrouped(Math.round(rating));
