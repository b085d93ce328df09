/** Messages about a bot's choices and results. Pure functions. */

import { placeName } from "../board/cells.js";
import { capitalized, listed } from "../sentence.js";
import { inWords } from "../wording.js";
import { t, tn } from "../translation.js";

/** @typedef {import("../protocol.js").LogEntry} Entry */

/**
 * @param {Entry} entry
 * @param {import("../types.js").Format} format
 * @returns {string} `no risk`, `guess 23 %`
 */
export function riskText({ risk, guess }, format) {
  const percent = 100 * (risk ?? 0);
  if (risk === null) return guess ? t("blind guess") : t("no estimate");
  if (risk === 0 && !guess) return t("no risk");
  const share = t("{share} %", { share: format(percent, percent < 9.95 ? 1 : 0) });
  return guess ? t("guess {share}", { share }) : t("risk {share}", { share });
}

/**
 * @param {Entry} entry
 * @returns {string} The action: `opens 3`, `opens 1, flags 2`
 */
export function doesText({ opens, marks, first }) {
  if (opens + marks === 1 && first.length) {
    const at = { row: first[0][0] + 1, column: first[0][1] + 1 };
    return opens ? t("opens r{row} c{column}", at) : t("flags r{row} c{column}", at);
  }
  const parts = [opens && tn("opens {n}", "opens {n}", opens), marks && tn("flags {n}", "flags {n}", marks)];
  return listed(parts.filter(Boolean)) || t("nothing");
}

/**
 * @param {string} bot
 * @param {Entry} entry
 * @param {import("../types.js").Format} format
 * @returns {string} The choice in one sentence, for the status line.
 */
export function choiceSentence(bot, entry, format) {
  const { by, opens, marks, first } = entry;
  const cells = [
    marks && tn("{n} cell to flag", "{n} cells to flag", marks, { n: inWords(marks) }),
    opens && tn("{n} cell to open", "{n} cells to open", opens, { n: inWords(opens) }),
  ];
  const words = {
    by: by || bot,
    what: listed(cells.filter(Boolean)) || t("nothing to do"),
    risk: riskText(entry, format),
  };
  const single = first.length > 0 && opens + marks === 1;
  return capitalized(
    single ? t("{by}: {what} at {cell}, {risk}.", { ...words, cell: placeName(first[0]) }) : t("{by}: {what}, {risk}.", words),
  );
}

/**
 * @param {{games: number, wins: number}} tally
 * @param {number} seconds The bot's thinking time in this game.
 * @param {import("../types.js").Format} format
 * @returns {string} Its wins, games and thinking time.
 */
export function gamesText({ games, wins }, seconds, format) {
  const thought = t("thought for {time} s", { time: format(seconds, 3) });
  return games ? `${t("{wins} of {games} won", { wins, games })} · ${thought}` : thought;
}
