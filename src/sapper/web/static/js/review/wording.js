/** The text of the Review page. */

import { CLASSIC, tilingOf } from "../board/tiling.js";
import { placeName } from "../board/cells.js";
import { capitalized, sentences } from "../sentence.js";
import { rangeText } from "../share-range.js";
import { inWords } from "../wording.js";
import { number, t, tn } from "../translation.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {import("./types.js").Value} Value */

/** Smaller differences are shown as 0.0 points. */
const LEAST = 0.0005;

/** @type {Record<Kind, (count: number) => string>} */
const NAMES = {
  proved: () => t("proved"),
  forced_guess: (count) => tn("forced guess", "forced guesses", count),
  good_guess: (count) => tn("good guess", "good guesses", count),
  needless_guess: (count) => tn("needless guess", "needless guesses", count),
  blunder: (count) => tn("blunder", "blunders", count),
};

/** @type {Kind[]} In the order of the summary. */
export const KINDS = ["proved", "good_guess", "forced_guess", "needless_guess", "blunder"];

export const HELPED = /** @type {Record<string, string>} */ ({
  bot: t("a bot played"),
  hint: t("with a hint"),
  overlay: t("with an overlay"),
  undo: t("with undo"),
  again: t("a known board"),
  seed: t("a given seed"),
  shared: t("from a shared position"),
  practice: t("practice"),
  retry: t("retried from a review"),
  analysis: t("analysed during play"),
  review: t("reviewed during play"),
  replay: t("taken over from a replay"),
});

/**
 * @param {Kind} kind
 * @param {number} [count]
 * @returns {string}
 */
export function kindName(kind, count = 1) {
  return NAMES[kind](count);
}

/**
 * @param {number} share From 0 to 1.
 * @param {number} [digits]
 * @returns {string}
 */
export function percent(share, digits = 1) {
  return t("{share} %", { share: number(100 * share, share === 0 || share === 1 ? 0 : digits) });
}

/**
 * @param {number} share A share of all games.
 * @returns {string} The share in points; a point is 1 % of all games.
 */
export function points(share) {
  const text = number(100 * share, 1);
  return text === number(1, 1) ? t("{points} point", { points: text }) : t("{points} points", { points: text });
}

/** @param {number} value */
const tenths = (value) => number(value, 1);

/**
 * A win chance, and how it was computed.
 *
 * @param {Value | null} value
 * @returns {string}
 */
export function chance(value) {
  if (!value) return t("not known");
  const shown = percent(value.win_chance);
  if (value.kind === "exact") return t("{share} exact", { share: shown });
  if (value.kind === "sampled") {
    const error = value.error ?? 0;
    const range = rangeText(value.win_chance, error, tenths);
    if (range) return t("{share} sampled", { share: t("{share} %", { share: range }) });
    return t("{share} ± {error} sampled", { share: shown, error: tenths(100 * error) });
  }
  return t("about {share} estimated", { share: shown });
}

/**
 * @param {import("./types.js").GameLine} game
 * @returns {string} Its level, rules and help.
 */
export function setting({ level, width, height, mines, density, topology = CLASSIC, rules_label: rules, helped }) {
  const shape = topology === CLASSIC ? [] : [tilingOf(topology).label];
  const board = `${width} × ${height}`;
  const unknown = density === null ? t("{size}, mine total unknown: every arrangement counts equally", { size: board }) : level;
  const size = mines === null ? unknown : tn("{size}, {n} mine", "{size}, {n} mines", mines, { size: board });
  const help = helped ? [HELPED[helped] ?? t("with help")] : [];
  return [size, ...shape, rules, ...help].join(" · ");
}

/**
 * @param {import("./game.js").ReviewedGame} game
 * @returns {string}
 */
export function headline({ game, decisions, end, summary }) {
  if (game.status === "won") return tn("Won in {n} move", "Won in {n} moves", end, { n: inWords(end) });
  if (game.status !== "lost") return t("Still running");
  const fatal = decisions.findLast(({ exploded, undone }) => exploded && !undone);
  if (!fatal) return t("Lost");
  const move = fatal.index + 1;
  // The verdict on a guess may change until the win chances are known.
  if (!summary && fatal.kind !== "needless_guess") return t("Lost at move {move}", { move });
  return t("Lost at move {move}: {kind}", { move, kind: kindName(fatal.kind) });
}

/** The largest boards whose win chance is estimated by playing games: with a mine total, and without. */
const PLAYED_OUT = [3333, 833];

/**
 * The game's initial win chance, its losses, and the effect of luck.
 *
 * @param {import("./types.js").DoneLine} summary
 * @param {import("./types.js").GameLine} game
 * @returns {string}
 */
export function luckText({ luck, status }, { width, height, mines }) {
  if (!luck) {
    const most = PLAYED_OUT[mines === null ? 1 : 0];
    return width * height > most
      ? t("The win chance is unknown: the board has more than {n} cells.", { n: number(most) })
      : t("No win chance could be computed for this game.");
  }
  return sentences(startText(luck), lostText(luck), endText(luck, status));
}

/**
 * @param {import("./types.js").Luck} luck
 * @returns {string}
 */
function startText({ start, index, promised, kind, error }) {
  const share = tenths(100 * start);
  const best =
    kind === "sampled"
      ? rangeText(start, error ?? 0, tenths) ?? t("{share} ± {error}", { share, error: tenths(100 * (error ?? 0)) })
      : kind === "estimated"
        ? t("about {share}", { share })
        : share;
  if (promised) return t("After the first click, best play wins {best} of 100 such games.", { best });
  if (!index) return t("From the start, best play wins {best} of 100 such games.", { best });
  return t("From move {move}, best play wins {best} of 100 such games.", { move: index + 1, best });
}

/**
 * @param {import("./types.js").Luck} luck
 * @returns {string}
 */
function lostText({ lost, expected }) {
  if (lost < LEAST) return t("The decisions cost nothing.");
  const words = { points: points(lost), rest: number(100 * expected, 1) };
  // Together, the losses of several guesses may exceed the initial chance.
  return expected < 0
    ? t("The decisions cost {points}.", words)
    : t("The decisions cost {points}, leaving {rest}.", words);
}

/**
 * @param {import("./types.js").Luck} luck
 * @param {string} status
 * @returns {string}
 */
function endText({ result, luck }, status) {
  const words = { points: points(Math.abs(luck)), chance: number(100 * result, 1) };
  const how = luck <= -LEAST ? 0 : luck < LEAST ? 1 : 2;
  if (status === "won") {
    return [
      t("This game was won despite bad luck, which cost {points}.", words),
      t("This game was won without luck."),
      t("This game was won: good luck added {points}.", words),
    ][how];
  }
  if (status === "lost") {
    return [
      t("This game was lost: bad luck cost {points}.", words),
      t("This game was lost without bad luck."),
      t("This game was lost despite good luck, which added {points}.", words),
    ][how];
  }
  return [
    t("This game stands at {chance}: bad luck cost {points}.", words),
    t("This game stands at {chance}, with neither good nor bad luck.", words),
    t("This game stands at {chance}: good luck added {points}.", words),
  ][how];
}

/**
 * Describe a decision in one or two sentences.
 *
 * @param {Decision} decision
 * @param {boolean} settled Whether its win chances have been calculated.
 * @returns {string}
 */
export function verdict(decision, settled) {
  const { kind, exploded, undone, chord, promised } = decision;
  const end = exploded && t("It was a mine.");
  const how = chord && t("Opened by a chord on {cell}.", { cell: placeName(chord) });
  const back = undone && t("This move was undone.");
  if (kind === "proved") {
    const why = promised ? t("The first click was guaranteed safe.") : t("The numbers prove this cell safe.");
    return sentences(why, how, back);
  }
  return sentences(judged(decision, settled), how, end, back);
}

/**
 * @param {Decision} decision
 * @param {boolean} settled
 * @returns {string}
 */
function judged({ kind, p_mine, least, safe, loss, granted, forbidden, cell, best, before, chosen }, settled) {
  const risk = percent(p_mine);
  if (kind === "needless_guess") {
    return capitalized(
      safe.length === 1
        ? t("{cell} was proved safe and this cell was not: a needless risk of {risk}.", { cell: placeName(safe[0]), risk })
        : tn(
            "{n} cell was proved safe and this one was not: a needless risk of {risk}.",
            "{n} cells were proved safe and this one was not: a needless risk of {risk}.",
            safe.length,
            { n: inWords(safe.length), risk },
          ),
    );
  }
  if (kind === "blunder" && p_mine >= 1) {
    const others = tn("{n} cell was proved safe.", "{n} cells were proved safe.", safe.length, { n: inWords(safe.length) });
    return sentences(t("The numbers prove that this cell is a mine."), safe.length && capitalized(others));
  }
  if (forbidden) return t("No cell was proved safe, and the rules forbade this guess.");
  if (granted) return t("No cell was proved safe, but these rules make this guess safe.");
  if (!settled) {
    const words = { risk, least: percent(least) };
    return t("No cell was proved safe. The risk taken was {risk}; the lowest was {least}.", words);
  }
  const better = best && (best[0] !== cell[0] || best[1] !== cell[1]) ? placeName(best) : "";
  if (kind === "good_guess") {
    return better && (loss ?? 0) > LEAST
      ? t("No cell was proved safe, and this was as good as the best guess.")
      : t("No cell was proved safe, and this was the best guess.");
  }
  const words = { cell: better, least: percent(least), points: points(loss ?? 0) };
  if (kind === "blunder" && better) {
    return before && chosen
      ? t("No cell was proved safe; {cell} was the better guess by {points}.", words)
      : t("No cell was proved safe; {cell} had the lowest risk, {least}.", words);
  }
  if (!loss || loss < LEAST) return t("No cell was proved safe, and no choice was better: luck decided.");
  return better
    ? t("No cell was proved safe; {cell} was better by {points}.", words)
    : t("No cell was proved safe; another cell was better by {points}.", { points: words.points });
}
