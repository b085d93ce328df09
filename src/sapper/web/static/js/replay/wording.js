/** The text of the Replay page. */

import { placeName } from "../board/cells.js";
import { sentences } from "../sentence.js";
import { date, number, t, tn } from "../translation.js";

/** @typedef {import("./recorded-game.js").RecordedGame} RecordedGame */
/** @typedef {import("./types.js").ReplayLine} ReplayLine */

/** @type {Record<string, string>} */
const FORMATS = {
  avf: "Minesweeper Arbiter",
  rmv: "Viennasweeper",
  mvf: "Minesweeper Clone",
  evf: "Metasweeper",
  rawvf: "RawVF",
  json: "Sapper",
};

/**
 * @param {number} ms
 * @returns {string} The time in seconds, with milliseconds.
 */
export function seconds(ms) {
  return number(ms / 1000, 3);
}

/**
 * @param {ReplayLine} replay
 * @returns {string}
 */
export function headline({ metrics, contradictions }) {
  if (contradictions.some(({ what }) => what === "status")) return t("Result unclear");
  const time = number(metrics.time_s, 3);
  if (metrics.status === "won") return t("Won in {time} s", { time });
  if (metrics.status === "lost") return t("Lost after {time} s", { time });
  return t("Not finished");
}

/**
 * @param {ReplayLine} replay
 * @returns {string[]} The player, and the board played.
 */
export function about({ width, height, level_label: level, mined, format, info }) {
  const size = t("{width} × {height}, {mines} mines", { width, height, mines: mined.length });
  const program = info.program || FORMATS[format];
  const mode = info.mode === "standard" ? "" : info.mode;
  return [info.player, startedAt(info.started_at), level, size, mode, program].map(plain).filter(Boolean);
}

/**
 * @param {string} text ISO 8601, or a program's own form.
 * @returns {string} The time as shown to the reader; a time without a zone is in the player's time zone.
 */
function startedAt(text) {
  const moment = new Date(text);
  if (!text.endsWith("Z") || Number.isNaN(moment.getTime())) return text.replace("T", " ");
  return date(moment, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

/**
 * @param {ReplayLine} replay
 * @returns {string} The contradictions between clicks and file, if any.
 */
export function disagreement({ contradictions }) {
  return sentences(...contradictions.map(contradictionText));
}

/** @param {import("./types.js").Contradiction} contradiction */
function contradictionText({ what, file, clicks }) {
  if (what === "time_s") {
    return t("The file says {time} s, but its clicks take {other} s.", { time: number(file, 3), other: number(clicks, 3) });
  }
  if (what === "bbbv") {
    return t("The file gives a 3BV of {bbbv}, but its board has {other}.", { bbbv: number(file), other: number(clicks) });
  }
  if (what === "rules") {
    return t("The file was recorded with {settings}, which Sapper does not apply.", { settings: file });
  }
  if (clicks === "won") return t("The file says the game was not won, but its clicks open every safe cell.");
  if (clicks === "lost") return t("The file says the game was won, but its clicks open a mine.");
  return t("The file says the game was won, but its clicks leave safe cells unopened.");
}

/** @param {string} text From a file. */
function plain(text) {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, "").trim();
}

/**
 * @param {RecordedGame} game
 * @param {number} count The number of steps so far.
 * @returns {string}
 */
export function placeText({ replay }, count) {
  const total = replay.steps.length;
  return count === 0 ? tn("Start, {n} click", "Start, {n} clicks", total) : t("Click {count} of {total}", { count, total });
}

/**
 * @param {RecordedGame} game
 * @param {number} step The index of the step.
 * @returns {string} The effect of a click.
 */
export function stepText({ replay }, step) {
  const { action, cell, changed, flagged, opened, exploded } = replay.steps[step];
  const place = placeName([Math.floor(cell / replay.width), cell % replay.width]);
  if (exploded.length) return t("{place}: a mine", { place });
  if (!changed) return t("{place}: nothing changed", { place });
  if (action === "flag") return flagged ? t("{place}: flag set", { place }) : t("{place}: flag removed", { place });
  if (action === "question") return t("{place}: question mark", { place });
  if (action === "chord") {
    return tn("{place}: chord, {n} cell opened", "{place}: chord, {n} cells opened", opened.length, { place });
  }
  return tn("{place}: {n} cell opened", "{place}: {n} cells opened", opened.length, { place });
}
