/** Answers questions from Python tests: one line of JSON each, read from standard input. */

import { createInterface } from "node:readline";
import { GuessCount } from "../../src/sapper/web/static/js/thinking/guess-count.js";
import { overlayOf, withoutFlags } from "../../src/sapper/web/static/js/thinking/chances.js";
import { load } from "../../src/sapper/web/static/engine/index.js";

const engine = await load({ search: false });
/** @type {GuessCount} */
let count;
/** @type {any} */
let state;

const answers = {
  /** The overlay of a position, as in the server's message. */
  overlay({ position, topologies }) {
    Object.assign(globalThis, { sapperTopologies: topologies });
    const closed = withoutFlags(position);
    const found = engine.analyze(closed);
    return { ...overlayOf(closed, found, 0), safe: found.safe.length, mined: found.mined.length };
  },

  /** The beginning of a game whose guesses are counted. */
  begin({ game, menu }) {
    count = new GuessCount();
    state = { game, menu };
    count.begin(state);
    return null;
  },

  /** A move in this game, and the position before it; the answer is the count. */
  move({ position, message, game }) {
    count.know(`${state.game.key} ${state.game.turn}`, engine.analyze(withoutFlags(position)));
    state = { ...state, game: { ...state.game, ...game } };
    return count.take(message, state);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...given } = JSON.parse(line);
  console.log(JSON.stringify(answers[ask](given)));
}
