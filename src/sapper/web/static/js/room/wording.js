/** The text shown in a room. */

import { levelLabel } from "../frame/level-numbers.js";
import { partsOf } from "../frame/shapes.js";
import { tilings } from "../board/tiling.js";
import { listed } from "../sentence.js";
import { number, t, tn } from "../translation.js";

/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").Progress} Progress */

export const KINDS = /** @type {Record<Kind, string>} */ ({
  race: t("Race"),
  shared: t("One board"),
  flags: t("Flags"),
});

export const KIND_NOTES = /** @type {Record<Kind, string>} */ ({
  race: t("Everyone gets the same board. The first to open it wins."),
  shared: t("Everyone plays on the same board, together."),
  flags: t("Two players take turns to find mines. Whoever finds one goes again."),
});

/**
 * @param {Kind} kind
 * @param {Settings} settings
 * @returns {string} What the players do.
 */
export function kindNote(kind, { boards }) {
  return boards === "different" ? t("Everyone gets another board that is equally hard. The first to open it wins.") : KIND_NOTES[kind];
}

/**
 * @param {string} level
 * @returns {string} The level's name or size, and its shape.
 */
export function boardName(level) {
  const { size, topology } = partsOf(level);
  const shape = tilings().find(({ name }) => name === topology);
  return topology === "rectangle" || !shape ? levelLabel(size) : `${levelLabel(size)} · ${shape.label}`;
}

/**
 * @param {Kind} kind
 * @param {Settings} settings
 * @param {(rules: string) => string} rulesLabel
 * @returns {string[]} The important settings, in words.
 */
export function about(kind, settings, rulesLabel) {
  const { rules, best_of: rounds = 1, mine, boards, rated, lives, freeze_ms: freeze = 0, turn_ms: turn = 0 } = settings;
  const parts = [];
  if (rules) parts.push(rulesLabel(rules));
  if (kind === "race") {
    if (boards === "different") parts.push(t("different boards"));
    if (rounds > 1) parts.push(t("best of {rounds}", { rounds }));
    parts.push(
      mine === "out" ? t("a mine ends your race") : tn("a mine freezes you for {n} second", "a mine freezes you for {n} seconds", Math.round(freeze / 1000)),
    );
  }
  if (kind === "shared" && lives) parts.push(tn("{n} life", "{n} lives", lives));
  if (kind === "flags") parts.push(tn("{n} second per turn", "{n} seconds per turn", Math.round(turn / 1000)));
  if (rated) parts.push(t("rated"));
  return parts;
}

/**
 * @param {import("./types.js").View} view
 * @returns {string} The fixed rules of a rated game, for people who think about joining.
 */
export function ratedRules({ kind, settings }) {
  const { silence_ms: silence = 0, limit_ms: limit = 0, turn_ms: turn = 0, missed = 0 } = settings;
  const rules = kind === "flags"
    ? t("A turn has {seconds} seconds, and {missed} missed turns lose.", { seconds: turn / 1000, missed })
    : t("A round waits {seconds} seconds for a player who does nothing, and lasts up to {minutes} minutes.", { seconds: silence / 1000, minutes: limit / 60_000 });
  return `${t("Rated: only players with a name can join.")} ${rules}`;
}

/**
 * @param {number} ms
 * @param {number} [digits] After the decimal separator.
 * @returns {string} A time such as 1:03.2.
 */
export function duration(ms, digits = 1) {
  const seconds = ms / 1000;
  if (seconds < 60) return t("{time} s", { time: number(seconds, digits) });
  // Truncate instead of rounding, so that 59.96 s is not shown as 60.
  const tenths = Math.floor(seconds * 10 ** digits) / 10 ** digits;
  const rest = number(tenths % 60, digits).padStart(digits ? digits + 3 : 2, "0");
  return `${Math.floor(tenths / 60)}:${rest}`;
}

/**
 * @param {number} share From 0 to 1.
 * @returns {string} Never 100 % for a board that is not finished.
 */
export function percent(share) {
  return t("{share} %", { share: number(share >= 1 ? 100 : Math.min(99, Math.round(100 * share))) });
}

/**
 * @param {Progress} racer
 * @param {number} now The room's time.
 * @param {boolean} connected
 * @returns {string} A note about a racer for the others; empty while the racer plays.
 */
export function racerNote({ status, frozen_until_ms: frozen, silent, time_ms: time }, now, connected) {
  if (status === "finished") return time === null ? t("Has finished") : duration(time);
  if (status === "out") return t("Out");
  if (status === "left") return t("Has left");
  if (!connected) return t("Disconnected");
  if (silent) return t("Away");
  if (frozen > now) return t("Frozen");
  return "";
}

/**
 * @param {number} place
 * @returns {string} A place in a result, such as “2.”.
 */
export function placeText(place) {
  return t("{place}.", { place });
}

/**
 * @param {string[]} names
 * @returns {string}
 */
export function winners(names) {
  if (!names.length) return t("Nobody finished.");
  return names.length === 1 ? t("{name} won.", { name: names[0] }) : t("{names} share first place.", { names: listed(names) });
}
