/** Plays in this window instead of on a server, with the same messages. */

import { neighbours } from "../board/neighbours.js";
import { isUnopened } from "../board/cells.js";
import { MOST_CELLS } from "../analyze/position.js";
import { loadEngine, workerEngine } from "../thinking/engine.js";
import { number, t } from "../translation.js";
import { hintFor, minesOf, reviewOf } from "./hints.js";
import { LocalGame, randomSeed } from "./local-game.js";
import { keep, kept, recorded } from "./records.js";
import { changedSettings, usualSettings } from "./settings.js";

/** @typedef {import("../../engine/index.js").Engine} Engine */
/** @typedef {import("../protocol.js").SentMessage} SentMessage */
/** @typedef {import("../protocol.js").Settings} Settings */
/** @typedef {import("../protocol.js").GameEvent} GameEvent */
/** @typedef {import("./local-game.js").Origin} Origin */
/** @typedef {import("../connection.js").Handlers<import("../protocol.js").Message>} Handlers */

/** The actions that this connection does not have. @type {ReadonlySet<import("../input/key-map.js").KeyAction>} */
export const MISSING = new Set(/** @type {const} */ (["daily", "review", "play", "step"]));

const NO_BOT = { bot: "", delay_ms: 0, loop: false, running: false, thinking: false, problem: null, choice: null, log: [], games: 0, wins: 0 };
const NO_DAYS = { today: "", yesterday: "", streak: 0, results: {}, calendar: {} };

export class Connection {
  #sent = 0;
  #turn = 0;
  /** The work of earlier messages. */
  #before = Promise.resolve();
  /** Ends the search for a board when another game is requested. */
  #dealing = new AbortController();
  /** @type {Engine | null} */
  #engine = null;
  /** @type {LocalGame | null} */
  #game = null;
  /** @type {Map<string, Settings>} */
  #remembered = new Map();
  #questions = false;
  /** @type {import("../protocol.js").AssistSettings} */
  #assist = { mode: "solo", overlay: "none", show_states: false, debug: false };
  /** @type {import("../protocol.js").Result | null} */
  #result = null;
  /** @type {import("../protocol.js").Menu} */
  #menu = /** @type {any} */ (globalThis).sapperMenu;
  /** @type {Settings} */
  #settings = usualSettings(this.#menu, "classic");

  /**
   * @param {string} _url
   * @param {Handlers} handlers
   */
  constructor(_url, handlers) {
    this.handlers = handlers;
    this.#before = this.#begin();
    // A game in this window pauses while the page is hidden; its last moves are already stored.
    addEventListener("pagehide", () => this.#keep());
  }

  /** @returns {boolean} Whether messages can be sent now. */
  get open() {
    return this.#engine !== null;
  }

  /**
   * @param {SentMessage} message
   * @returns {string | null} The id of its answer; null if it was not sent.
   */
  send(message) {
    if (!this.open) return null;
    const id = String(++this.#sent);
    if (message.type === "new" || message.type === "position") this.#dealing.abort();
    this.#before = this.#before.then(() => this.#receive(message, id));
    return id;
  }

  async #begin() {
    this.#engine = await loadEngine();
    if (!this.#engine) {
      const text = t("This page needs WebAssembly, which this browser does not have or does not allow.");
      this.#tell({ error: { code: "unsupported", message: text } });
      return;
    }
    try {
      this.#restore();
    } catch {
      // A game from another version, or a damaged one, cannot be continued.
      this.#game = null;
    }
    if (!this.#game) this.#start(this.#settings, {});
    this.handlers.onOpen();
    this.#tell({ ...this.#state(), type: "welcome", menu: this.#menu });
  }

  /** @param {import("../protocol.js").Message} message */
  #tell(message) {
    this.handlers.onMessage(message);
  }

  /**
   * @param {SentMessage} message
   * @param {string} re
   */
  async #receive(message, re) {
    try {
      await this.#answer(message, re);
      this.#keep();
    } catch (problem) {
      const { code = "error", message: text } = /** @type {{code?: string, message: string}} */ (problem);
      if (code !== "cancelled") this.#tell({ re, error: { code, message: text } });
    }
  }

  /**
   * @param {SentMessage} message
   * @param {string} re
   */
  async #answer(message, re) {
    switch (message.type) {
      case "open":
      case "chord":
      case "mark":
        return this.#move(message.type, message.cell, re);
      case "undo":
        return this.#undo(re);
      case "new":
        return this.#new(message, re);
      case "again":
        return this.#again(re);
      case "position":
        return this.#continue(message, re);
      case "settings":
        return this.#set(message, re);
      case "assist":
        return this.#help(message, re);
      case "analyze":
        if (this.#playing) this.#now.helped ??= "analysis";
        return this.#assisted(re);
      case "hint":
        return this.#hint(re);
      case "sync":
        return this.#tell({ ...this.#state(), re });
      default:
    }
  }

  /** @returns {LocalGame} */
  get #now() {
    return /** @type {LocalGame} */ (this.#game);
  }

  get #playing() {
    return !this.#now.over && this.#now.actions.length > 0;
  }

  // Moves.

  /**
   * @param {"open" | "chord" | "mark"} tried
   * @param {import("../protocol.js").Cell} cell
   * @param {string} re
   */
  async #move(tried, cell, re) {
    const index = cell[0] * this.#now.position.width + cell[1];
    if (tried === "open" && this.#now.undealt && this.#now.view[index] === ".") await this.#deal(index);
    const [before, position] = [this.#now.view, this.#now.position];
    const kind = tried === "mark" ? this.#markOf(before[index]) : tried;
    const done = this.#now.act(kind, index);
    /** @type {GameEvent} */
    const event = { kind: done ? tried : "nothing", tried, cell };
    const after = this.#now.view;
    if (tried === "chord" && !done) event.why = this.#noChord(index, before);
    if (tried === "mark" && done) event.shows = after[index];
    if (this.#now.over) Object.assign(event, this.#finish());
    this.#change(event, before, re);
    if (this.#now.status === "lost") void this.#explain(position, tried === "chord" ? index : null, after);
  }

  /** @param {string} char */
  #markOf(char) {
    return char === "?" || (char === "F" && this.#questions) ? "question" : "flag";
  }

  /**
   * @param {number} index
   * @param {string[]} cells
   * @returns {"flags" | "finished" | "unopened"}
   */
  #noChord(index, cells) {
    if (isUnopened(cells[index])) return "unopened";
    const unmarked = neighbours(this.#now.position, index).some((near) => cells[near] === "." || cells[near] === "?");
    return unmarked ? "flags" : "finished";
  }

  /**
   * Find a board that needs no guess after a first click, and keep the flags.
   *
   * @param {number} start
   */
  async #deal(start) {
    this.#dealing = new AbortController();
    const { signal } = this.#dealing;
    const { origin, actions, helped } = this.#now;
    const worker = await workerEngine();
    const { settings, seed } = origin;
    const options = /** @type {any} */ ({ ...settings.options, start, seed, firstClick: settings.first_click, signal });
    const board = await worker?.dealNoGuess(settings.level, options);
    if (!board) throw new Error(t("This page needs WebAssembly, which this browser does not have or does not allow."));
    this.#game = this.#made({ ...origin, mines: minesOf(board) }, actions);
    this.#now.helped = helped;
  }

  /**
   * @param {Origin} origin
   * @param {import("./local-game.js").LocalGame["actions"]} [actions] To play again.
   * @returns {LocalGame}
   */
  #made(origin, actions = []) {
    const game = new LocalGame(/** @type {Engine} */ (this.#engine), origin);
    for (const [kind, index] of actions) game.act(kind, index);
    return game;
  }

  /** @returns {import("../protocol.js").Result & {game: string}} */
  #finish() {
    const { figures, helped, status, origin } = this.#now;
    const { level, rules, win, chord, options } = origin.settings;
    const kind = JSON.stringify([level, rules, win, chord, options]);
    this.#result = helped ? { ...figures, rank: null, wins: null, best: null } : recorded(kind, figures, status === "won");
    return { ...this.#result, game: this.#now.key };
  }

  /**
   * @param {import("../thinking/chances.js").PositionJson} position Before the move that lost.
   * @param {number | null} chorded The number that was chorded.
   * @param {string[]} after
   */
  async #explain(position, chorded, after) {
    const turn = this.#turn;
    const cell = after.indexOf("X");
    const wrong = chorded === null ? [] : neighbours(position, chorded).filter((index) => after[index] === "x");
    const review = await reviewOf(position, { cell, turn, mined: minesOf(this.#now.board), wrong });
    if (review && turn === this.#turn) this.#tell(review);
  }

  /** @param {string} re */
  #undo(re) {
    const before = this.#now.view;
    const done = this.#now.act("undo", 0);
    if (done) this.#now.helped ??= "undo";
    this.#result = null;
    this.#change({ kind: done ? "undo" : "nothing", tried: "undo" }, before, re);
  }

  /**
   * @param {GameEvent} event
   * @param {string[]} before
   * @param {string} re
   */
  #change(event, before, re) {
    const cells = /** @type {[number, string][]} */ ([...this.#now.view.entries()].filter(([index, char]) => before[index] !== char));
    this.#turn++;
    this.#tell({ type: "delta", re, cells, event, turn: this.#turn, ...this.#now.standing });
  }

  // Games and settings.

  /**
   * @param {Settings} settings
   * @param {{seed?: number, helped?: string, position?: Origin["position"]}} how
   */
  #start(settings, { seed, helped, position = null }) {
    this.#game = this.#made({ settings, seed: seed ?? randomSeed(), position, mines: null });
    this.#now.helped = helped ?? (seed === undefined ? null : "seed");
    this.#result = null;
    this.#noteHelp();
  }

  /**
   * @param {Partial<Settings>} changes
   * @returns {Settings}
   */
  #changed(changes) {
    const settings = changedSettings(this.#menu, this.#settings, changes, this.#remembered);
    // The engine checks the level.
    const { width, height } = this.#made({ settings, seed: 0, position: null, mines: null }).position;
    if (width * height > MOST_CELLS) throw new Error(t("A board here can have at most {most} cells.", { most: number(MOST_CELLS) }));
    return settings;
  }

  /**
   * @param {Extract<SentMessage, {type: "new"}>} message
   * @param {string} re
   */
  #new({ settings = {}, seed }, re) {
    const changed = this.#changed(settings);
    this.#choose(changed);
    this.#start(changed, seed === undefined ? {} : { seed });
    this.#next(re);
  }

  /** @param {string} re */
  async #again(re) {
    if (!this.#now.over) throw new Error(t("you can play this board again once the game is over"));
    const { origin, board } = this.#now;
    this.#game = this.#made(origin.position ? origin : { ...origin, mines: minesOf(board) });
    this.#now.helped = "again";
    this.#result = null;
    this.#next(re);
  }

  /**
   * @param {Extract<SentMessage, {type: "position"}>} message
   * @param {string} re
   */
  #continue({ position, rules = "classic" }, re) {
    const given = /** @type {Origin["position"]} */ (position);
    if (!given || (given.mines === null && given.density === null)) {
      throw new Error(t("to play this position, enter its mine total or density"));
    }
    const { width, height, mines, density, topology } = given;
    const size = `${width}x${height}${mines === null ? `@${density}` : `:${mines}`}`;
    const level = topology === "rectangle" ? size : `${size}/${topology}`;
    if (rules !== "classic") throw new Error(t("only Classic can continue from a position here"));
    this.#start({ ...usualSettings(this.#menu, "classic"), level }, { helped: "shared", position: given });
    this.#next(re);
  }

  /**
   * @param {Extract<SentMessage, {type: "settings"}>} message
   * @param {string} re
   */
  #set({ settings = {}, questions }, re) {
    const changed = this.#changed(settings);
    this.#choose(changed);
    if (questions !== undefined) this.#questions = questions;
    const { status, actions, origin } = this.#now;
    if (status === "ready" && !actions.length && JSON.stringify(changed) !== JSON.stringify(origin.settings)) this.#start(changed, {});
    this.#next(re);
  }

  /** @param {Settings} settings */
  #choose(settings) {
    this.#remembered.set(settings.rules, settings);
    this.#settings = settings;
  }

  /**
   * @param {Extract<SentMessage, {type: "assist"}>} message
   * @param {string} re
   */
  #help({ type: _, ...changes }, re) {
    this.#assist = { ...this.#assist, ...changes };
    this.#noteHelp();
    this.#assisted(re);
  }

  #noteHelp() {
    if (this.#assist.mode !== "solo" && this.#assist.overlay !== "none" && !this.#now.over) this.#now.helped ??= "overlay";
  }

  /** @param {string} re */
  #assisted(re) {
    this.#change({ kind: "assist", assist: this.#assist }, this.#now.view, re);
  }

  /** @param {string} re */
  async #hint(re) {
    const { status, over, position, origin } = this.#now;
    const turn = this.#turn;
    if (over) throw new Error(t("The game is over."));
    if (status === "ready" && origin.settings.first_click !== "any") {
      const cell = /** @type {[number, number]} */ ([Math.floor(position.height / 2), Math.floor(position.width / 2)]);
      const sentence = t("The first click is safe anywhere.");
      const safe_count = position.width * position.height;
      this.#tell({ type: "hint", re, turn, cell, action: "open", p_mine: 0, proved: true, sentence, because: [], safe_count, first: true, exact: true });
      return;
    }
    const hint = await hintFor(position, turn);
    this.#now.helped ??= "hint";
    this.#tell({ ...hint, re });
  }

  // The state.

  /** @param {string} re */
  #next(re) {
    this.#turn++;
    this.#tell({ ...this.#state(), re });
  }

  /** @returns {import("../protocol.js").StateMessage} */
  #state() {
    const game = this.#now;
    const { width, height, mines, density, topology } = game.position;
    const view = game.view.join("");
    return {
      type: "state",
      game: {
        key: game.key,
        width,
        height,
        mines,
        density,
        topology,
        settings: game.origin.settings,
        day: null,
        attempt: false,
        result: game.over ? this.#result : null,
        rows: Array.from({ length: height }, (__, row) => view.slice(row * width, (row + 1) * width)),
        turn: this.#turn,
        ...game.standing,
      },
      settings: this.#settings,
      questions: this.#questions,
      assist: this.#assist,
      automatic: NO_BOT,
      daily: NO_DAYS,
    };
  }

  /** Store the game, so that it continues after a reload. */
  #keep() {
    if (!this.#game) return;
    const { origin, actions, seconds, helped, over } = this.#game;
    keep({
      settings: this.#settings,
      questions: this.#questions,
      assist: this.#assist,
      result: over ? this.#result : null,
      game: { origin, actions, seconds, helped },
    });
  }

  /** Continue the game that was stored. */
  #restore() {
    const state = kept();
    if (!state) return;
    const { settings, questions, assist, result, game } = state;
    this.#choose(settings);
    this.#questions = questions;
    this.#assist = assist;
    this.#game = this.#made(game.origin, game.actions);
    this.#now.helped = game.helped;
    this.#now.seconds = game.seconds;
    this.#result = result;
  }
}
