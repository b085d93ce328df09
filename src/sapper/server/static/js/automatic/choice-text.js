/** Texts for a bot's choices and results. Pure functions. */

import { placeName } from "../board/cells.js";
import { counted, sentence } from "../wording.js";

/** @typedef {import("../protocol.js").LogEntry} Entry */

/**
 * @param {Entry} entry
 * @param {import("../protocol.js").Format} format
 * @returns {string} `no risk`, `guess 23 %`
 */
export function riskText({ risk, guess }, format) {
  const percent = 100 * (risk ?? 0);
  if (risk === null) return guess ? "blind guess" : "no estimate";
  if (risk === 0 && !guess) return "no risk";
  return `${guess ? "guess" : "risk"} ${format(percent, percent < 9.95 ? 1 : 0)} %`;
}

/**
 * @param {Entry} entry
 * @returns {string} The action: `opens 3`, `opens 1, flags 2`
 */
export function doesText({ opens, marks, first }) {
  if (opens + marks === 1 && first.length) {
    const [row, col] = first[0];
    return `${opens ? "opens" : "flags"} r${row + 1} c${col + 1}`;
  }
  const parts = [opens && `opens ${opens}`, marks && `flags ${marks}`].filter(Boolean);
  return parts.join(", ") || "nothing";
}

/**
 * @param {string} bot
 * @param {Entry} entry
 * @param {import("../protocol.js").Format} format
 * @returns {string} The choice in one sentence, for the status line.
 */
export function choiceSentence(bot, entry, format) {
  const { by, opens, marks, first } = entry;
  const at = first.length && opens + marks === 1 ? ` at ${placeName(first[0])}` : "";
  const cells = [marks && `${counted(marks, "cell")} to flag`, opens && `${counted(opens, "cell")} to open`];
  const what = cells.filter(Boolean).join(", ") || "nothing to do";
  return sentence(`${by || bot}: ${what}${at}, ${riskText(entry, format)}.`);
}

/**
 * @param {{games: number, wins: number}} tally
 * @param {number} seconds The bot's thinking time in this game.
 * @param {import("../protocol.js").Format} format
 * @returns {string} Its wins, games and thinking time.
 */
export function gamesText({ games, wins }, seconds, format) {
  const won = games ? `${wins} of ${games} won · ` : "";
  return `${won}thought ${format(seconds, 3)} s`;
}
