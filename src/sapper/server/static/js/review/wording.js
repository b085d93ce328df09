/** The texts of the review page. */

import { placeName } from "../board/cells.js";
import { nameLabel } from "../frame/labels.js";
import { counted, sentence } from "../wording.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {import("./types.js").Value} Value */

/** @type {Record<Kind, [string, string]>} Singular and plural. */
const NAMES = {
  proved: ["proved", "proved"],
  forced_guess: ["forced guess", "forced guesses"],
  good_guess: ["good guess", "good guesses"],
  needless_guess: ["needless guess", "needless guesses"],
  blunder: ["blunder", "blunders"],
};

/** @type {Kind[]} In the order of the summary. */
export const KINDS = ["proved", "good_guess", "forced_guess", "needless_guess", "blunder"];

const HELPED = /** @type {Record<string, string>} */ ({
  bot: "a bot played",
  hint: "with a hint",
  overlay: "with an overlay",
  undo: "with undo",
  again: "a known board",
  seed: "a given seed",
  shared: "from a shared position",
  practice: "practice",
  retry: "retried from a review",
  review: "reviewed while it ran",
});

/**
 * @param {Kind} kind
 * @param {number} [count]
 * @returns {string}
 */
export function kindName(kind, count = 1) {
  return NAMES[kind][count === 1 ? 0 : 1];
}

/**
 * @param {number} share From 0 to 1.
 * @param {number} [digits]
 * @returns {string}
 */
export function percent(share, digits = 1) {
  return `${number(100 * share, share === 0 || share === 1 ? 0 : digits)} %`;
}

/**
 * @param {number} value
 * @param {number} digits
 * @returns {string}
 */
function number(value, digits) {
  return value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * @param {number} share Of all games.
 * @returns {string} In points: 1 % of all games.
 */
export function points(share) {
  const text = number(100 * share, 1);
  return `${text} ${text === number(1, 1) ? "point" : "points"}`;
}

/**
 * A chance to win, with how it is known.
 *
 * @param {Value | null} value
 * @returns {string}
 */
export function chance(value) {
  if (!value) return "not known";
  const shown = percent(value.win_chance);
  if (value.kind === "exact") return `${shown} exact`;
  if (value.kind === "sampled") return `${shown} ± ${number(100 * (value.error ?? 0), 1)} sampled`;
  return `about ${shown} estimated`;
}

/**
 * @param {import("./types.js").GameLine} game
 * @returns {string} Its level, rules and help.
 */
export function setting({ level, width, height, mines, rules, helped }) {
  const size = mines === null ? level : `${width} × ${height}, ${mines} mines`;
  const help = helped ? [HELPED[helped] ?? "with help"] : [];
  return [size, nameLabel(rules), ...help].join(" · ");
}

/**
 * @param {import("./game.js").ReviewedGame} game
 * @returns {string}
 */
export function headline({ game, decisions, end, summary }) {
  if (game.status === "won") return `Won in ${counted(end, "move")}`;
  if (game.status !== "lost") return "Still running";
  const fatal = decisions.findLast(({ exploded, undone }) => exploded && !undone);
  if (!fatal) return "Lost";
  // Until the chances to win are known, the verdict on a guess may still change.
  if (!summary && fatal.kind !== "needless_guess") return `Lost at move ${fatal.index + 1}`;
  const kind = kindName(fatal.kind);
  return `Lost at move ${fatal.index + 1}: ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}

/**
 * Luck and skill apart, in one sentence.
 *
 * @param {import("./types.js").DoneLine} summary
 * @returns {string}
 */
export function luckText({ luck, status }) {
  if (!luck) return "No chance to win could be found for this game.";
  const { start, lost, expected, result, luck: brought } = luck;
  const best = `best play wins ${number(100 * start, 1)}`;
  const end = { won: "this one was won", lost: "this one was lost" }[/** @type {"won" | "lost"} */ (status)];
  const now = end ?? `this one stands at ${number(100 * result, 1)}`;
  const came = brought < 0 ? `bad luck took ${points(-brought)}` : `luck added ${points(brought)}`;
  if (expected < 0) {
    return sentence(`${best} of 100 such games. Your decisions gave away ${points(lost)}, and ${came}; ${now}.`);
  }
  return `Decisions like yours win ${number(100 * expected, 1)} of 100 such games (${best}); ${now}, so ${came}.`;
}

/**
 * What a decision was, in a sentence or two.
 *
 * @param {Decision} decision
 * @param {boolean} settled Whether its chances to win have been looked for.
 * @returns {string}
 */
export function verdict(decision, settled) {
  const { kind, exploded, undone, chord, promised } = decision;
  const end = exploded ? " It was a mine." : "";
  const how = chord ? ` Opened by a chord on ${placeName(chord)}.` : "";
  const back = undone ? " You undid this move." : "";
  if (kind === "proved") {
    const why = promised ? "The first click was promised to be safe." : "The numbers prove this cell safe.";
    return `${why}${how}${back}`;
  }
  return `${judged(decision, settled)}${how}${end}${back}`;
}

/**
 * @param {Decision} decision
 * @param {boolean} settled
 * @returns {string}
 */
function judged({ kind, p_mine, least, safe, loss, granted, forbidden, cell, best, before, chosen }, settled) {
  const risk = percent(p_mine);
  if (kind === "needless_guess") {
    const count = safe.length === 1 ? `${sentence(placeName(safe[0]))} was` : `${sentence(counted(safe.length, "cell"))} were`;
    return `${count} proved safe, and this cell was not: a risk of ${risk} for nothing.`;
  }
  if (kind === "blunder" && p_mine >= 1) {
    const others = safe.length ? ` ${sentence(counted(safe.length, "cell"))} ${safe.length === 1 ? "was" : "were"} proved safe.` : "";
    return `The numbers prove that this cell is a mine.${others}`;
  }
  const none = "No cell was proved safe";
  if (forbidden) return `${none}, and the rules forbade this guess.`;
  if (granted) return `${none}, but these rules open such a guess.`;
  if (!settled) return `${none}. You took a risk of ${risk}; the least was ${percent(least)}.`;
  const better = best && (best[0] !== cell[0] || best[1] !== cell[1]) ? best : null;
  if (kind === "good_guess") return `${none}, and this was ${better && (loss ?? 0) > 0.0005 ? "as good as" : ""} the best guess.`.replace("  ", " ");
  if (kind === "blunder" && better) {
    if (!before || !chosen) return `${none}; ${placeName(better)} had the least risk, ${percent(least)}.`;
    return `${none}; ${placeName(better)} was the better guess by ${points(loss ?? 0)}.`;
  }
  if (!loss || loss < 0.0005) return `${none}, and no choice was better: luck decided.`;
  return `${none}; ${better ? `${placeName(better)} was better` : "another cell was better"}, by ${points(loss)}.`;
}
