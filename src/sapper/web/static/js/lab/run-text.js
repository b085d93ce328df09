/** The figures of a run as text. Pure functions. */

import { listed } from "../sentence.js";
import { t, tn } from "../translation.js";

/** @typedef {import("./types.js").Run} Run */

/** The language of the page, used for numbers. */
const LANGUAGE = typeof document === "undefined" ? "en" : document.documentElement.lang || "en";

/**
 * @param {number | null | undefined} share From 0 to 1.
 * @param {number} [digits]
 * @param {string} [language]
 * @returns {string} A percentage.
 */
export function percent(share, digits = 1, language = LANGUAGE) {
  if (share === null || share === undefined || Number.isNaN(share)) return "-";
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return t("{share} %", { share: (100 * share).toLocaleString(language, format) });
}

/**
 * @param {number} count
 * @param {string} [language]
 * @returns {string}
 */
export function whole(count, language = LANGUAGE) {
  return Math.round(count).toLocaleString(language);
}

/**
 * @param {[number, number] | null | undefined} ends
 * @param {string} [language]
 * @returns {string} A 95 % interval.
 */
export function interval(ends, language = LANGUAGE) {
  if (!ends) return "";
  return t("95 %: {low} to {high}", { low: percent(ends[0], 1, language), high: percent(ends[1], 1, language) });
}

/**
 * @param {number} seconds
 * @returns {string} A duration in a suitable unit.
 */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 60) return t("{time} s", { time: Math.max(1, Math.round(seconds)) });
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** After this many seconds without an update, a run's process is considered dead. */
const SILENT_S = 60;

/**
 * @param {Partial<Run>} run
 * @param {number} now Seconds since 1970.
 * @returns {string} The state of the run in one word.
 */
export function state(run, now) {
  if (run.state === "running" && now - (run.updated ?? 0) > SILENT_S) return "silent";
  return run.state ?? "stopped";
}

/**
 * @param {Partial<Run>} run
 * @param {number} now Seconds since 1970.
 * @returns {string} Its progress and speed.
 */
export function pace(run, now) {
  const wanted = run.games_wanted ?? run.games ?? 0;
  const done = tn("{done} of {wanted} game", "{done} of {wanted} games", wanted, { done: whole(run.games ?? 0), wanted: whole(wanted) });
  const standing = state(run, now);
  const rate = run.games_per_second;
  const parts = rate ? [done, t("{n} per second", { n: whole(rate) })] : [done];
  if (standing === "running" && rate) {
    const left = ((run.games_wanted ?? 0) - (run.games ?? 0)) / rate;
    return listed([...parts, t("{time} left", { time: duration(left) })]);
  }
  const words = /** @type {Record<string, string>} */ ({
    done: "",
    silent: t("no recent updates"),
    interrupted: t("interrupted; resume with {option}", { option: "--resume" }),
  });
  return [listed(parts), words[standing] ?? standing].filter(Boolean).join("; ");
}

/**
 * @param {Partial<Run>} run
 * @returns {string} The bots, level and rules in one line.
 */
export function setting(run) {
  const start = run.start
    ? t("start at row {row}, column {col}", { row: run.start[0] + 1, col: run.start[1] + 1 })
    : t("the bot chooses the start");
  const options = Object.entries(run.options ?? {}).map(([name, value]) => `${name} ${value}`);
  const first = t("first click {promise}", { promise: run.first_click ?? "" });
  return [run.level, run.rules, first, start, t("seed {seed}", { seed: run.seed ?? "" }), ...options].join(" · ");
}
