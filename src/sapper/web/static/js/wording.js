/** The text of the status line, the hint card and the result. */

import { placeName } from "./board/cells.js";
import { nameLabel } from "./menu.js";
import { improved } from "./result-figures.js";
import { capitalized, listed, sentence, sentences } from "./sentence.js";
import { t, tn } from "./translation.js";

/** @typedef {import("./types.js").Format} Format */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */

const SMALL = [
  t("no"), t("one"), t("two"), t("three"), t("four"), t("five"), t("six"), t("seven"), t("eight"), t("nine"), t("ten"),
];

const HELPED = /** @type {Record<string, string>} */ ({
  bot: t("a bot played"),
  analysis: t("it was analysed during play"),
  hint: t("a hint was used"),
  overlay: t("an overlay was on"),
  undo: t("a move was undone"),
  again: t("the board was known"),
  seed: t("the seed was given"),
  shared: t("it started from a shared position"),
  practice: t("it was practice"),
  retry: t("it was retried from its review"),
  replay: t("it was taken over from a replay"),
  review: t("it was reviewed during play"),
});

/**
 * @param {number} count
 * @returns {string} A small number in words.
 */
export function inWords(count) {
  return SMALL[count] ?? String(count);
}

/**
 * Describe the effect of a move for the status line.
 *
 * @param {GameEvent} event
 * @param {string} status The current status of the game.
 * @param {number} opened The number of opened cells.
 * @param {Format} format
 * @returns {string}
 */
export function happened(event, status, opened, format) {
  if (status === "won" && event.bbbv !== undefined) return won(event, format);
  if (status === "lost" && event.kind !== "nothing") {
    return t("A mine. Undo to take the move back.");
  }
  switch (event.kind) {
    case "open":
    case "chord":
      return capitalized(tn("{n} cell opened.", "{n} cells opened.", opened, { n: inWords(opened) }));
    case "mark":
      if (event.shows === "F") return t("Flag set.");
      return event.shows === "?" ? t("Question mark set.") : t("Mark removed.");
    case "undo":
      return t("Move undone.");
    case "nothing":
      return noEffect(event);
    default:
      return "";
  }
}

/** Explain why a chord opened nothing. */
const NO_CHORD = {
  flags: t("To chord, first flag as many cells around the number as it shows."),
  finished: t("No unopened cells are left around this one."),
  unopened: t("Only an open number can be chorded."),
};

/**
 * @param {GameEvent} event
 * @returns {string} Why nothing happened.
 */
function noEffect({ tried, cell, why }) {
  if (tried === "chord") return NO_CHORD[why ?? "flags"];
  if (tried === "undo") return t("There is nothing to undo.");
  const at = cell ? placeName(cell) : t("the cell");
  if (tried === "open") return capitalized(t("{cell} is already open or flagged.", { cell: at }));
  return capitalized(t("{cell} is open and cannot be flagged.", { cell: at }));
}

/**
 * @param {GameEvent} event
 * @param {Format} format
 * @returns {string}
 */
function won(event, format) {
  const { seconds = 0, bbbv = 0, best, helped, bot, daily } = event;
  if (bot) {
    return t("{bot} won after thinking for {time} s: 3BV {bbbv}.", { bot: nameLabel(bot), time: format(seconds, 3), bbbv });
  }
  if (daily) {
    return daily.streak > 1
      ? tn("Daily board won: {n} day in a row.", "Daily board won: {n} days in a row.", daily.streak)
      : t("Daily board won.");
  }
  if (helped) return t("Won. Not counted: {reason}.", { reason: HELPED[helped] ?? t("help was used") });
  if (best === null || best === undefined) return t("Won: your first win here.");
  if (seconds < best) {
    // The difference between the times as shown, with enough digits that they differ.
    const shown = (/** @type {number} */ value, /** @type {number} */ unit) => Math.round(Math.round(1000 * value) / unit) * unit;
    const faster = shown(best, 10) - shown(seconds, 10);
    if (!faster) return t("Won: a new best, {time} s faster!", { time: format(best - seconds, 3) });
    return t("Won: a new best, {time} s faster!", { time: format(faster / 1000, 2) });
  }
  const names = improved(event);
  if (names.length > 1) return t("Won with your best 3BV/s and efficiency so far!");
  if (names[0] === "bbbv_s") return t("Won with your best 3BV/s so far!");
  if (names[0] === "efficiency") return t("Won with your best efficiency so far!");
  return t("Won. Your best time is {time} s.", { time: format(best, 2) });
}

/**
 * Explain in one sentence why a game was lost.
 *
 * @param {Pick<import("./protocol.js").ReviewMessage, "sentence" | "wrong_flags">} review
 * @returns {string}
 */
export function lost({ sentence: why, wrong_flags }) {
  if (!wrong_flags.length) return why;
  const cells = wrong_flags.map(placeName).join("; ");
  return tn("The chord relied on a wrong flag at {cells}.", "The chord relied on wrong flags at {cells}.", wrong_flags.length, { cells });
}

/**
 * Return the number of guesses, in one line.
 *
 * @param {{made: number, forced: number, needless: number}} guesses
 * @param {boolean} [over] Whether the game is over.
 * @returns {string}
 */
export function tally({ made, forced, needless }, over = false) {
  if (!made) return over ? t("No guesses") : t("No guess so far");
  const kinds = [
    forced && tn("{n} forced", "{n} forced", forced),
    needless && tn("{n} needless", "{n} needless", needless),
  ].filter(Boolean);
  return tn("{n} guess: {kinds}", "{n} guesses: {kinds}", made, { kinds: listed(kinds) });
}

/**
 * Return the title and text of a hint.
 *
 * @param {import("./protocol.js").HintMessage} hint
 * @param {Format} format
 * @returns {{title: string, text: string}}
 */
export function hinted(hint, format) {
  const { cell, proved, p_mine, safe_count, first, exact, granted, advice } = hint;
  const at = placeName(cell);
  if (first) {
    return { title: capitalized(t("{cell} is a good start", { cell: at })), text: t("The first click is safe anywhere.") };
  }
  if (proved) {
    const more = safe_count > 1
      ? ` ${capitalized(tn("{n} cell is proved safe.", "{n} cells are proved safe.", safe_count, { n: inWords(safe_count) }))}`
      : "";
    return advised(advice, { title: capitalized(t("{cell} is safe", { cell: at })), text: `${patternOf(hint)}${hint.sentence}${more}` });
  }
  const share = t("{share} %", { share: format(100 * p_mine, 1) });
  const risk = exact ? share : t("about {share}", { share });
  if (granted) {
    const title = capitalized(t("{cell} is safe to guess", { cell: at }));
    const text = t("It is not proved safe (mine chance {risk}), but these rules make this guess safe.", { risk });
    return advised(advice, { title, text });
  }
  return advised(advice, {
    title: capitalized(t("{cell} is the best guess: {risk}", { cell: at, risk })),
    text: hint.least_risky ? beside(hint, hint.least_risky, format) : hint.sentence,
  });
}

/**
 * @param {import("./protocol.js").HintMessage} hint
 * @returns {string} The name of the pattern that proves the cell, before another sentence.
 */
const patternOf = ({ pattern }) => (pattern ? `${sentence(pattern.title)} ` : "");

/**
 * @param {import("./protocol.js").HintMessage} hint
 * @param {NonNullable<import("./protocol.js").HintMessage["least_risky"]>} least
 * @param {Format} format
 * @returns {string} The reason why the cell is better than the least risky one.
 */
function beside(hint, least, format) {
  const percent = (/** @type {number} */ chance) => t("{share} %", { share: format(100 * chance, 1) });
  const about = (/** @type {number} */ chance) =>
    hint.kind === "exact" ? percent(chance) : t("about {share}", { share: percent(chance) });
  const wins = t("No cell is safe. This one wins most often: {chance}.", { chance: about(hint.win_chance ?? 0) });
  const words = { cell: placeName(least.cell), risk: percent(least.p_mine), chance: about(least.win_chance) };
  const other =
    words.risk === percent(hint.p_mine)
      ? t("{cell} is equally risky but wins only {chance}.", words)
      : t("{cell} is less risky ({risk}) but wins only {chance}.", words);
  return sentences(wins, capitalized(other));
}

/**
 * Put the advice of the rule set, if any, before the hint.
 *
 * @param {string | null | undefined} advice
 * @param {{title: string, text: string}} hint
 * @returns {{title: string, text: string}}
 */
function advised(advice, { title, text }) {
  return advice ? { title: advice, text: sentences(sentence(title), text) } : { title, text };
}
