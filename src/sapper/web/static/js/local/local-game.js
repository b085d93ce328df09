/** A game that is played by the engine in this window, in the form of the server's messages. */

import { atEnd } from "../board/cells.js";
import { gameOptions } from "./settings.js";

/** @typedef {import("../../engine/index.js").Engine} Engine */
/** @typedef {import("../../engine/index.js").Game} EngineGame */
/** @typedef {import("../protocol.js").Settings} Settings */
/** @typedef {import("../thinking/chances.js").PositionJson} PositionJson */
/** @typedef {"open" | "chord" | "flag" | "question" | "undo"} Kind */

/**
 * The origin of a game, which can be replayed from it with the actions.
 *
 * @typedef {object} Origin
 * @property {Settings} settings
 * @property {number} seed
 * @property {PositionJson | null} position The position it continues from, if any.
 * @property {number[] | null} mines The indices of the mines, if they were not dealt by the game itself.
 */

/** Clears the sign bit and keeps the seed exact as a number. */
const SEEDS = 2 ** 48;

/** The number of games in this window. */
let games = 0;

/** @returns {number} */
export function randomSeed() {
  return Math.floor(Math.random() * SEEDS);
}

export class LocalGame {
  /** @type {[Kind, number][]} Every action that had an effect. */
  actions = [];
  /** The reason why the game does not count. @type {string | null} */
  helped = null;
  /** Seconds of play before the clock was last started. */
  #seconds = 0;
  #since = NaN;
  /** @type {EngineGame} */
  #game;

  /**
   * @param {Engine} engine
   * @param {Origin} origin
   */
  constructor(engine, origin) {
    this.origin = origin;
    this.key = `${origin.seed} ${games++}`;
    const { settings, seed, position, mines } = origin;
    const { firstClick, ...options } = /** @type {any} */ (gameOptions(settings, seed));
    if (position) this.#game = engine.gameFromPosition(/** @type {any} */ (position), options);
    else this.#game = engine.game(settings.level, { ...options, firstClick });
    if (!mines) return;
    const { width, height, topology } = this.#game;
    const mined = new Uint8Array(width * height);
    for (const index of mines) mined[index] = 1;
    this.#game = engine.gameFromBoard({ width, height, topology, mined }, options);
  }

  get status() {
    return this.#game.status;
  }

  get over() {
    return this.#game.over;
  }

  get board() {
    return this.#game.board;
  }

  /** @returns {boolean} Whether a board must be dealt before the first cell can be opened. */
  get undealt() {
    return this.origin.settings.rules === "no-guess" && !this.origin.mines;
  }

  /** @returns {number} */
  get seconds() {
    return this.#seconds + (Number.isNaN(this.#since) ? 0 : (performance.now() - this.#since) / 1000);
  }

  set seconds(value) {
    this.#seconds = value;
  }

  /** @returns {PositionJson} The player's view. */
  get position() {
    const { density = null, topology = "rectangle", ...seen } = this.#game.position;
    return { ...seen, density, topology };
  }

  /** @returns {string[]} One character per cell, as the server sends them. */
  get view() {
    const shown = this.#game.position.rows.flatMap((row) => [...row]);
    for (const index of this.#game.questions) shown[index] = "?";
    if (this.status !== "lost") return shown;
    const { mined } = this.#game.board;
    // In a position, the only mine is the one that was opened.
    return shown.map((char, index) => (char === "*" ? "X" : atEnd(char, mined[index] === 1)));
  }

  /**
   * Perform an action.
   *
   * @param {Kind} kind
   * @param {number} index
   * @returns {boolean} Whether it had an effect.
   */
  act(kind, index) {
    const done = kind === "undo" ? this.#game.undo() : this.#game[kind](index);
    if (done) this.actions.push([kind, index]);
    this.#keepTime();
    return done;
  }

  /** Start or stop the clock. */
  #keepTime() {
    const runs = this.status === "playing";
    if (runs === !Number.isNaN(this.#since)) return;
    this.#seconds = this.seconds;
    this.#since = runs ? performance.now() : NaN;
  }

  /** @returns {Omit<import("../protocol.js").Standing, "turn">} */
  get standing() {
    return {
      status: this.status,
      mines_left: this.#game.minesLeft,
      clock: { seconds: this.seconds, running: !Number.isNaN(this.#since) },
      can_undo: this.#game.canUndo,
      actions: this.actions.length,
      helped: this.helped,
      seed: this.over ? this.origin.seed : null,
    };
  }

  /** @returns {{seconds: number, bbbv: number, solved: number, clicks: number, helped: string | null}} The figures of a finished game. */
  get figures() {
    const { bbbv, solved } = this.#game;
    return { seconds: Math.round(1000 * this.seconds) / 1000, bbbv, solved, clicks: this.actions.length, helped: this.helped };
  }
}
