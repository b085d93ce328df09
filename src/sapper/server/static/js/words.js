/** What the status line says: plain, short, kind. */

import { placeName } from "./board/cells.js";

/** @typedef {(value: number, digits: number) => string} Format Writes a number for the reader. */

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const HELPED = /** @type {Record<string, string>} */ ({
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
function won({ seconds, bbbv, best, helped }, format) {
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
 * @param {Format} format
 * @returns {string}
 */
export function lost({ p, mined, safe, least, wrong_flags, first, exact }, format) {
  const risk = (/** @type {number} */ chance) => `${exact ? "" : "about "}${format(100 * chance, 0)} %`;
  const left = safe.length
    ? `${counted(safe.length, "safe cell")} ${safe.length === 1 ? "was" : "were"} left`
    : "";
  if (wrong_flags.length) {
    const places = wrong_flags.map(placeName).join(" and ");
    return `The chord relied on a wrong flag at ${places}.`;
  }
  if (first) return `The first click hit a mine: ${risk(p)}, plain bad luck.`;
  if (mined) return `That cell was a proved mine${left ? `; ${left}` : ""}.`;
  if (left) return `You guessed at ${risk(p)}; ${left}.`;
  if (p <= least + 1e-6) return `You had to guess at ${risk(p)}; nothing better was left.`;
  return `You guessed at ${risk(p)}; the best guess was ${risk(least)}.`;
}

/**
 * What a hint says.
 *
 * @param {any} hint
 * @param {Format} format
 * @returns {{title: string, text: string}}
 */
export function hinted({ cell, proved, p_mine, safe_count, first, exact }, format) {
  const at = sentence(placeName(cell));
  if (first) return { title: `${at} is a good start`, text: "The first click is safe anywhere." };
  if (proved) {
    const more = safe_count > 1 ? ` ${sentence(counted(safe_count, "cell"))} are proved safe.` : "";
    return { title: `${at} is safe`, text: `No arrangement that fits has a mine there.${more}` };
  }
  const risk = `${exact ? "" : "about "}${format(100 * p_mine, 1)} %`;
  return {
    title: `${at} is the best guess: ${risk}`,
    text: "No cell is proved safe. No other is less likely to hold a mine.",
  };
}
