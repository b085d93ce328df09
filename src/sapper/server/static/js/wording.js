/** The texts of the status line, the hint card and the result. */

import { placeName } from "./board/cells.js";
import { nameLabel } from "./frame/labels.js";

/** @typedef {import("./protocol.js").Format} Format */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const HELPED = /** @type {Record<string, string>} */ ({
  bot: "a bot played",
  analysis: "it was analysed while it ran",
  hint: "a hint was used",
  overlay: "an overlay was on",
  undo: "a move was undone",
  again: "the board was known",
  seed: "the seed was given",
  shared: "it began from a shared position",
  practice: "it was for practice",
  retry: "it was retried from its review",
  review: "it was reviewed while it ran",
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
 * What a move did, for the status line.
 *
 * @param {GameEvent} event
 * @param {string} status The status of the game now.
 * @param {number} opened How many cells were opened.
 * @param {Format} format
 * @returns {string}
 */
export function happened(event, status, opened, format) {
  if (status === "won" && event.bbbv !== undefined) return won(event, format);
  if (status === "lost" && event.kind !== "nothing") {
    return "A mine. Undo takes the move back.";
  }
  switch (event.kind) {
    case "open":
    case "chord":
      return sentence(`${counted(opened, "cell")} opened.`);
    case "mark":
      if (event.shows === "F") return "Flag set.";
      return event.shows === "?" ? "Question mark set." : "Mark removed.";
    case "undo":
      return "Move undone.";
    case "nothing":
      return noEffect(event);
    default:
      return "";
  }
}

/**
 * @param {GameEvent} event
 * @returns {string} Why nothing happened.
 */
function noEffect({ tried, cell }) {
  if (tried === "chord") return "To chord, first place as many flags around the number as it shows.";
  if (tried === "undo") return "There is nothing to undo.";
  const at = cell ? placeName(cell) : "the cell";
  if (tried === "open") return sentence(`${at} is already open or flagged.`);
  return sentence(`${at} is open and cannot be flagged.`);
}

/**
 * @param {GameEvent} event
 * @param {Format} format
 * @returns {string}
 */
function won({ seconds = 0, bbbv = 0, best, helped, bot, daily }, format) {
  if (bot) return `${nameLabel(bot)} won with ${format(seconds, 3)} s of thinking: 3BV ${bbbv}.`;
  if (daily) return daily.streak > 1 ? `The daily board is won: ${daily.streak} days in a row.` : "The daily board is won.";
  if (helped) return `Won. Not counted, as ${HELPED[helped] ?? "there was help"}.`;
  if (best === null || best === undefined) return "Won: your first win here.";
  if (seconds < best) return `Won: a new best, ${format(best - seconds, 2)} s faster!`;
  return `Won. Best so far ${format(best, 2)} s.`;
}

/**
 * The figures of a win, as names and values.
 *
 * @param {GameEvent} event
 * @param {Format} format
 * @returns {Array<[string, string]>}
 */
export function winFigures({ seconds = 0, bbbv = 0, clicks, rank, wins }, format) {
  /** @type {Array<[string, string]>} */
  const figures = [["Time", `${format(seconds, 2)} s`]];
  // A game won in one click has no meaningful speed.
  if (seconds >= 0.01) figures.push(["3BV/s", format(bbbv / seconds, 2)]);
  if (clicks) figures.push(["Efficiency", `${format((100 * bbbv) / clicks, 0)} %`]);
  if (rank && wins) figures.push(["Rank", `${rank} of ${wins}`]);
  return figures;
}

/**
 * Why a game was lost, in one sentence.
 *
 * @param {Pick<import("./protocol.js").ReviewMessage, "sentence" | "wrong_flags">} review
 * @returns {string}
 */
export function lost({ sentence: why, wrong_flags }) {
  if (!wrong_flags.length) return why;
  return `The chord relied on a wrong flag at ${wrong_flags.map(placeName).join(" and ")}.`;
}

/**
 * The number of guesses, in one line.
 *
 * @param {{made: number, forced: number, needless: number}} guesses
 * @param {boolean} [over] Whether the game is over.
 * @returns {string}
 */
export function tally({ made, forced, needless }, over = false) {
  if (!made) return over ? "No guesses" : "No guess so far";
  const kinds = [forced && `${forced} forced`, needless && `${needless} needless`].filter(Boolean);
  return `${made} ${made === 1 ? "guess" : "guesses"}: ${kinds.join(", ")}`;
}

/**
 * The title and text of a hint.
 *
 * @param {import("./protocol.js").HintMessage} hint
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
    text: hint.least_risky ? beside(hint, hint.least_risky, format) : hint.sentence,
  });
}

/**
 * @param {import("./protocol.js").HintMessage} hint
 * @param {NonNullable<import("./protocol.js").HintMessage["least_risky"]>} least
 * @param {Format} format
 * @returns {string} Why the cell is better than the least risky one.
 */
function beside(hint, least, format) {
  const about = hint.kind === "exact" ? "" : "about ";
  const percent = (/** @type {number} */ chance) => `${format(100 * chance, 1)} %`;
  const wins = `No cell is safe. This one wins most often: ${about}${percent(hint.win_chance ?? 0)}.`;
  const name = sentence(placeName(least.cell));
  const own = percent(least.p_mine);
  const risk = own === percent(hint.p_mine) ? "has the same risk" : `has less risk, ${own}`;
  return `${wins} ${name} ${risk}, but wins only ${about}${percent(least.win_chance)}.`;
}

/**
 * Put the advice of the rule set, if any, before the hint.
 *
 * @param {string | null | undefined} advice
 * @param {{title: string, text: string}} hint
 * @returns {{title: string, text: string}}
 */
function advised(advice, { title, text }) {
  return advice ? { title: advice, text: `${title}. ${text}` } : { title, text };
}
