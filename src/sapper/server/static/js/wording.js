/** What the status line says: plain, short, kind. */

import { placeName } from "./board/cells.js";

/** @typedef {(value: number, digits: number) => string} Format Writes a number for the reader. */

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const HELPED = /** @type {Record<string, string>} */ ({
  bot: "a bot played",
  hint: "a hint was used",
  overlay: "an overlay was on",
  undo: "a move was taken back",
  again: "the board was known",
  seed: "the seed was given",
  shared: "it began from a shared position",
});

/**
 * @param {number} count
 * @param {string} noun
 * @returns {string} `three cells`, `one cell`
 */
export function counted(count, noun) {
  return `${SMALL[count] ?? count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @param {string} text
 * @returns {string}
 */
export function sentence(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/**
 * What just happened, after a change of the board.
 *
 * @param {any} event
 * @param {string} status How the game stands now.
 * @param {number} opened How many cells came open.
 * @param {Format} format
 * @returns {string}
 */
export function happened(event, status, opened, format) {
  if (status === "won" && event.bbbv !== undefined) return won(event, format);
  if (status === "lost" && event.kind !== "nothing") {
    return "A mine. U takes the move back, N starts anew.";
  }
  const at = event.cell ? placeName(event.cell) : "";
  switch (event.kind) {
    case "open":
    case "chord":
      return sentence(`${counted(opened, "cell")} opened at ${at}.`);
    case "mark":
      if (event.shows === "F") return `Flag on ${at}.`;
      return event.shows === "?" ? `Question mark on ${at}.` : `Mark taken off ${at}.`;
    case "undo":
      return "Move taken back.";
    case "nothing":
      return inVain(event.tried, at);
    default:
      return "";
  }
}

/**
 * @param {string} tried
 * @param {string} at
 * @returns {string} Why nothing happened.
 */
function inVain(tried, at) {
  if (tried === "chord") return "To chord, put as many flags around a number as it says.";
  if (tried === "undo") return "There is nothing to take back.";
  if (tried === "open") return sentence(`${at} is open or flagged already.`);
  return sentence(`${at} is open, so it takes no flag.`);
}

/**
 * @param {any} event
 * @param {Format} format
 * @returns {string}
 */
function won({ seconds, bbbv, best, helped, bot }, format) {
  if (bot) return `${sentence(bot)} won with ${format(seconds, 3)} s of thinking: 3BV ${bbbv}.`;
  // A game over in no time at all has no meaningful speed.
  const speed = seconds >= 0.01 ? `, ${format(bbbv / seconds, 2)} 3BV/s` : "";
  const head = `Won in ${format(seconds, 2)} s: 3BV ${bbbv}${speed}.`;
  if (helped) return `${head} Not counted, as ${HELPED[helped] ?? "there was help"}.`;
  if (best === null) return `${head} Your first win here.`;
  if (seconds < best) return `${head} A new best, ${format(best - seconds, 2)} s faster!`;
  return `${head} Best so far ${format(best, 2)} s.`;
}

/**
 * Why a game was lost, in one sentence.
 *
 * @param {any} review
 * @returns {string}
 */
export function lost({ sentence: why, wrong_flags }) {
  if (!wrong_flags.length) return why;
  return `The chord relied on a wrong flag at ${wrong_flags.map(placeName).join(" and ")}.`;
}

/**
 * The guess account, in one line.
 *
 * @param {{made: number, forced: number, needless: number}} guesses
 * @returns {string}
 */
export function tally({ made, forced, needless }) {
  if (!made) return "No guess so far";
  const kinds = [forced && `${forced} forced`, needless && `${needless} needless`].filter(Boolean);
  return `${made} ${made === 1 ? "guess" : "guesses"}: ${kinds.join(", ")}`;
}

/**
 * What a hint says.
 *
 * @param {any} hint
 * @param {Format} format
 * @returns {{title: string, text: string}}
 */
export function hinted(hint, format) {
  const { cell, proved, p_mine, safe_count, first, exact, granted, advice } = hint;
  const at = sentence(placeName(cell));
  if (first) return { title: `${at} is a good start`, text: "The first click is safe anywhere." };
  if (proved) {
    const more = safe_count > 1 ? ` ${sentence(counted(safe_count, "cell"))} are proved safe.` : "";
    const text = `${hint.sentence}${more}`;
    return advised(advice, { title: `${at} is safe`, text });
  }
  const risk = `${exact ? "" : "about "}${format(100 * p_mine, 1)} %`;
  if (granted) {
    const title = `${at} is a guess that opens`;
    const text = `Nothing proves it safe (${risk} of the arrangements have a mine there), but these rules allow it.`;
    return advised(advice, { title, text });
  }
  return advised(advice, {
    title: `${at} is the best guess: ${risk}`,
    text: "No cell is proved safe. No other is less likely to hold a mine.",
  });
}

/**
 * A hint under rules that give a word of advice of their own: that comes first.
 *
 * @param {string | undefined} advice
 * @param {{title: string, text: string}} hint
 * @returns {{title: string, text: string}}
 */
function advised(advice, { title, text }) {
  return advice ? { title: advice, text: `${title}. ${text}` } : { title, text };
}
