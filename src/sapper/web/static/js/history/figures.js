/** The summary of the selected games as names, values and details. */

import { make } from "../dom.js";
import { number, t, tn } from "../translation.js";

/** @typedef {import("./types.js").Statistics} Statistics */
/** @typedef {{name: string, value: string, detail?: string}} Figure */

const NOTHING = "–";

/**
 * @param {number | null} value
 * @param {number} [digits]
 */
const some = (value, digits = 0) => (value === null ? NOTHING : number(value, digits));

/** @param {number | null} value */
export const seconds = (value) => (value === null ? NOTHING : t("{time} s", { time: number(value, 2) }));

/**
 * @param {number} share
 * @param {number} [digits]
 */
export const percent = (share, digits = 1) => t("{share} %", { share: number(100 * share, digits) });

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * @param {Statistics} found
 * @returns {Figure[]}
 */
export function figures(found) {
  const { games, won, interval, recent_s: recent, streak } = found;
  const measured = games - found.unmeasured;
  const waiting = found.unmeasured && !measured ? t("being measured") : undefined;
  return [
    { name: t("Games"), value: number(games), detail: t("{won} won", { won: number(won) }) },
    {
      name: t("Win rate"),
      value: games ? percent(won / games) : NOTHING,
      detail: games ? t("95 %: {low} to {high}", { low: percent(interval[0]), high: percent(interval[1]) }) : undefined,
    },
    { name: t("Best time"), value: seconds(found.best_s) },
    { name: t("Median time"), value: seconds(found.median_s) },
    {
      name: t("Recent times"),
      value: seconds(recent.length ? median(recent) : null),
      detail: recent.length ? tn("the last win", "median of the last {n} wins", recent.length) : undefined,
    },
    { name: "3BV", value: some(found.bbbv), detail: found.bbbv === null ? undefined : t("median of won games") },
    {
      name: "3BV/s",
      value: some(found.bbbv_s, 2),
      detail: found.best_bbbv_s === null ? undefined : t("best {best}", { best: number(found.best_bbbv_s, 2) }),
    },
    {
      name: t("Efficiency"),
      value: found.efficiency === null ? NOTHING : percent(found.efficiency, 0),
      detail: waiting ?? t("3BV per click"),
    },
    {
      name: t("Forced guesses"),
      value: some(found.forced_guesses, 2),
      detail: waiting ?? t("per game: no cell was safe"),
    },
    {
      name: t("Needless guesses"),
      value: some(found.needless_guesses, 2),
      detail: waiting ?? t("per game: a cell was safe"),
    },
    {
      name: t("Luck"),
      value: measured ? tn("{n} loss", "{n} losses", found.losses) : NOTHING,
      detail: waiting ?? t("{risk} expected, given the risks taken", { risk: number(found.risk, 1) }),
    },
    {
      name: t("Streak"),
      value: streak < 0 ? tn("{n} lost", "{n} lost", -streak) : tn("{n} won", "{n} won", streak),
      detail: tn("longest: {n} win", "longest: {n} wins", found.longest_won),
    },
  ];
}

/**
 * @param {HTMLElement} list
 * @param {Statistics} found
 * @param {Statistics | null} before The statistics to compare with.
 */
export function showFigures(list, found, before) {
  const others = before && figures(before);
  list.replaceChildren(
    ...figures(found).map(({ name, value, detail }, at) => {
      const tile = make("div");
      const says = make("dd", value);
      tile.append(make("dt", name), says);
      if (others) {
        const other = make("dd", t("before: {value}", { value: others[at].value }));
        other.className = "before";
        tile.append(other);
      }
      if (detail) {
        const more = make("dd", detail);
        more.className = "detail";
        tile.append(more);
      }
      return tile;
    }),
  );
}
