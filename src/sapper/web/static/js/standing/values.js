/** The values that leaderboards compare, as text. */

import { date, number, ungrouped, t } from "../translation.js";
import { levelLabel } from "../frame/level-numbers.js";
import { percent } from "../history/figures.js";

/** @typedef {"time" | "speed" | "efficiency"} Measure */

/** @type {Record<Measure, string>} */
export const MEASURES = { time: t("Time"), speed: "3BV/s", efficiency: t("Efficiency") };

/** @type {Record<string, string>} The kinds of room that have ratings. */
const KINDS = { race: t("Race"), flags: t("Flags"), shared: t("One board") };

/** @type {Record<string, string>} What distinguishes a rating list from the usual one of its level. */
const RULES = { classic: t("Classic"), out: t("a mine ends your race"), different: t("different boards") };

/**
 * @param {import("./types.js").RatingList} list
 * @returns {string}
 */
export function listName({ kind, level_label: level, rules }) {
  // A level without a name is given by its size, such as 16x16:51.
  const label = level.replace(/^\d\S*/, levelLabel);
  return [t("{kind}, {level}", { kind: KINDS[kind] ?? kind, level: label }), ...rules.map((rule) => RULES[rule] ?? rule)].join(", ");
}

/**
 * @param {import("./types.js").Interval} rated
 * @returns {string} The 95 % interval.
 */
export const intervalText = ({ rating, deviation }) => t("{low} to {high}", { low: ratingText(rating - 2 * deviation), high: ratingText(rating + 2 * deviation) });

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
