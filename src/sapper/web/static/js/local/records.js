/** The wins and the game stored in this browser, on a page without a server. */

import { read, write } from "../storage.js";

/** @typedef {import("../protocol.js").Result} Result */
/** @typedef {[seconds: number, bbbv: number, clicks: number]} Win */

const WINS = "sapper.site.wins";
const GAME = "sapper.site.game";
/** The number of wins that are kept for each kind of game. */
const MOST = 200;

/** @typedef {{wins: Win[], streak: number, longest: number}} Standing */

/**
 * @param {string} key
 * @returns {any} A stored value; null if there is none, or it cannot be read.
 */
function stored(key) {
  try {
    return JSON.parse(read(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Record a finished game that counts, and compare it with earlier ones.
 *
 * @param {string} kind Games of the same kind are compared.
 * @param {import("./local-game.js").LocalGame["figures"]} figures
 * @param {boolean} won
 * @returns {Result}
 */
export function recorded(kind, figures, won) {
  const all = /** @type {Record<string, Standing>} */ (stored(WINS) ?? {});
  const { wins = [], streak = 0, longest = 0 } = all[kind] ?? {};
  const now = won ? streak + 1 : 0;
  const after = won ? [...wins, /** @type {Win} */ ([figures.seconds, figures.bbbv, figures.clicks])].slice(-MOST) : wins;
  all[kind] = { wins: after, streak: now, longest: Math.max(longest, now) };
  write(WINS, JSON.stringify(all));
  if (!won) return figures;
  const times = wins.map(([seconds]) => seconds);
  return {
    ...figures,
    rank: 1 + times.filter((time) => time < figures.seconds).length,
    wins: after.length,
    best: times.length ? Math.min(...times) : null,
    before: wins.length ? bestOf(wins) : null,
    streak: now,
    longest,
  };
}

/**
 * @param {Win[]} wins
 * @returns {import("../protocol.js").Before}
 */
function bestOf(wins) {
  return {
    seconds: Math.min(...wins.map(([seconds]) => seconds)),
    bbbv_s: Math.max(...wins.map(([seconds, bbbv]) => (seconds ? bbbv / seconds : 0))) || null,
    efficiency: Math.max(...wins.map(([, bbbv, clicks]) => (clicks ? bbbv / clicks : 0))) || null,
  };
}

/**
 * @param {object} state
 */
export function keep(state) {
  write(GAME, JSON.stringify(state));
}

/** @returns {any} The last stored state; null if there is none. */
export function kept() {
  return stored(GAME);
}
