/** The state of a room in this window, without any drawing. */

import { atEnd, isNumber } from "../board/cells.js";
import { named } from "./nicknames.js";

/** @typedef {import("./types.js").RoomEvent} RoomEvent */
/** @typedef {import("./types.js").Member} Member */
/** @typedef {import("./types.js").Progress} Progress */
/** @typedef {import("./types.js").View} View */

/**
 * @typedef {object} RoomChange
 * @property {boolean} fresh Whether there is another board.
 * @property {number[]} changed The indices of the cells that changed.
 */

/** @returns {RoomChange} */
const nothing = () => ({ fresh: false, changed: [] });

/** The phases in which a game is being played. */
const RUNNING = new Set(["racing", "playing"]);
/** The phases that follow a game or a round. */
const ENDED = new Set(["break", "over", "won", "lost"]);

export class RoomState {
  /** @type {(import("../board/countdown.js").Board & {topology: string}) | null} The board of this window's player, or the shared one. */
  game = null;
  /** @type {View | null} The latest view, kept up to date by the other messages. */
  view = null;
  /** @type {Map<number, Progress>} By member. */
  progress = new Map();
  /** @type {Map<number, string>} The names of all members so far, even after they have left. */
  names = new Map();
  /** @type {Map<number, number>} The colours of all members so far. */
  colours = new Map();
  /** @type {Map<number, number>} The member or, in Flags, the side that changed each cell. */
  owners = new Map();
  /** @type {import("./types.js").RacerStatus | null} */
  status = null;
  frozenUntil = 0;
  /** Whether the countdown has stopped because the others have left. */
  alone = false;
  /** @type {{side: number, cell: import("../protocol.js").Cell, bomb: boolean, found: number} | null} The last move in Flags. */
  lastMove = null;
  /** The room's time minus the page's. */
  #ahead = 0;
  /** @type {Map<number, string>} Flags drawn before the server has answered, with the previous
  content of their cells. */
  #early = new Map();

  /** @param {() => number} clock The page's time in milliseconds. */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
  }

  /** @returns {number} The room's time in milliseconds. */
  get now() {
    return this.clock() + this.#ahead;
  }

  /** @param {number} ms The room's time in a message that has just arrived. */
  setTime(ms) {
    this.#ahead = ms - this.clock();
  }

  /** @returns {Member[]} */
  get players() {
    return (this.view?.members ?? []).filter((member) => member.plays);
  }

  /** @returns {Member | undefined} The member of this window. */
  get you() {
    return this.view?.members.find(({ number }) => number === this.view?.you);
  }

  /** @returns {boolean} */
  get isHost() {
    return this.view?.you !== null && this.view?.you === this.view?.host;
  }

  /** @returns {boolean} Whether players can be removed now: not during a rated game. */
  get canRemove() {
    return !this.view?.settings.rated || !(this.running || this.view.phase === "countdown");
  }

  /** @returns {boolean} Whether a game is being played. */
  get running() {
    return RUNNING.has(this.view?.phase ?? "");
  }

  /** @returns {boolean} Whether a game or a round has ended, and the next one has not begun. */
  get ended() {
    return ENDED.has(this.view?.phase ?? "");
  }

  /** @returns {boolean} Whether the game or round has ended for this window's player. */
  get done() {
    return this.ended || this.status === "finished" || this.status === "out";
  }

  /** @returns {boolean} Whether the board no longer accepts actions. */
  get over() {
    return !this.running || (this.view?.kind === "race" && this.status !== "racing");
  }

  /** @returns {boolean} Whether this player is frozen now. */
  get frozen() {
    return this.running && this.frozenUntil > this.now;
  }

  /** @returns {number | null} The side of this window's player in Flags. */
  get side() {
    const at = this.view?.sides?.indexOf(this.view.you ?? -1) ?? -1;
    return at < 0 ? null : at;
  }

  /** @returns {boolean} Whether this window's player can act on the board now. */
  get canAct() {
    if (!this.you?.plays || this.over || this.frozen) return false;
    return this.view?.kind !== "flags" || this.view.turn === this.side;
  }

  /** @returns {boolean} Whether the bomb can be used now. */
  get canBomb() {
    const { view, side } = this;
    if (!view?.scores || !view.bombs || side === null || !this.canAct) return false;
    return view.bombs[side] && view.scores[side] < view.scores[1 - side];
  }

  /**
   * Apply a message.
   *
   * @param {RoomEvent} event
   * @returns {RoomChange}
   */
  apply(event) {
    if (event.type === "view") return this.#whole(event.view);
    if (event.type === "members") event.members = named(event.members);
    if (event.type === "round_over" && event.results) event.results = named(event.results);
    const { view } = this;
    if (!view) return nothing();
    switch (event.type) {
      case "members":
        Object.assign(view, { members: event.members, host: event.host, locked: event.locked });
        if (this.players.length > 1) this.alone = false;
        this.#learnMembers();
        return nothing();
      case "countdown":
        return this.#countdown(event);
      case "stopped":
        Object.assign(view, { phase: "waiting", round: 0, wins: [], phase_ends_ms: undefined });
        this.alone = true;
        return this.#blank();
      case "board":
        Object.assign(view, { phase: "racing", start_ms: event.start_ms });
        return this.#own(event.board);
      case "cells":
        if (event.lives !== undefined) view.lives = event.lives;
        if (event.number !== undefined) this.#credit(event.number, event.cells);
        return this.#cells(event.cells, event.number);
      case "mine":
        [this.status, this.frozenUntil] = [event.status, event.frozen_until_ms];
        return nothing();
      case "finished":
        this.#finished(event.number, event.time_ms);
        return nothing();
      case "progress":
        if (view.phase === "countdown") view.phase = "racing";
        for (const racer of event.racers) this.progress.set(racer.number, racer);
        return nothing();
      case "round_over":
        Object.assign(view, event, {
          phase: event.over ? "over" : "break",
          phase_ends_ms: this.now + (view.settings?.break_ms ?? 0),
        });
        return this.#reveal(view.mines ?? []);
      case "game":
        Object.assign(view, event, { phase: "playing", mines: undefined, winner: undefined });
        return this.#shared(view);
      case "move":
        return this.#move(event);
      case "turn":
        Object.assign(view, event);
        return nothing();
      case "game_over":
        Object.assign(view, event, {
          phase: view.kind === "flags" ? "over" : event.won ? "won" : "lost",
        });
        return this.#reveal(event.mines);
      default:
        return nothing();
    }
  }

  /**
   * Draw a flag immediately, before the server has answered.
   *
   * @param {number} index
   * @returns {boolean} Whether the cell has changed.
   */
  flagEarly(index) {
    const { game } = this;
    const char = game?.cells[index];
    if (!game || (char !== "." && char !== "F")) return false;
    // Quick presses are answered in order; if one is refused, the first content is restored.
    if (!this.#early.has(index)) this.#early.set(index, char);
    game.cells[index] = char === "F" ? "." : "F";
    return true;
  }

  /**
   * Undo a flag that was drawn immediately but had no effect.
   *
   * @param {number} index
   * @returns {boolean} Whether the cell has changed.
   */
  unflag(index) {
    const before = this.#early.get(index);
    this.#early.delete(index);
    if (before === undefined || !this.game || this.game.cells[index] === before) return false;
    this.game.cells[index] = before;
    return true;
  }

  /** @returns {boolean} Whether this window's player has won or finished. */
  get won() {
    const { view, side } = this;
    if (view?.kind === "flags") return this.ended && side !== null && view.winner === side;
    return view?.phase === "won" || this.status === "finished";
  }

  /** @returns {boolean} Whether this window's player has lost or is out. */
  get lost() {
    const { view, side } = this;
    if (view?.kind === "flags") return this.ended && side !== null && view.winner !== side;
    return view?.phase === "lost" || this.status === "out";
  }

  /** @returns {number} The whole seconds to display: of the game or, in Flags, left for the turn. */
  get seconds() {
    const { view, now } = this;
    if (!view) return 0;
    if (view.kind === "flags") return this.running ? Math.max(0, Math.ceil(((view.turn_ends_ms ?? now) - now) / 1000)) : 0;
    const finished = this.progress.get(view.you ?? -1)?.time_ms;
    if (finished) return Math.floor(finished / 1000);
    if (view.kind === "shared" && this.ended) return Math.floor((view.time_ms ?? 0) / 1000);
    if (!this.running) return 0;
    return Math.max(0, Math.floor((now - (view.start_ms ?? now)) / 1000));
  }

  /** @returns {number | null} The mine total minus the flags and the mines hit or found; null if it is not known. */
  get minesLeft() {
    const total = this.view?.board_shape.mines ?? null;
    if (total === null || !this.game) return total;
    return total - this.game.cells.filter((char) => char === "F" || char === "X").length;
  }

  #learnMembers() {
    for (const { number, name, colour } of this.view?.members ?? []) {
      this.names.set(number, name);
      this.colours.set(number, colour);
    }
  }

  /**
   * @param {View} view
   * @returns {RoomChange}
   */
  #whole(view) {
    view.members = named(view.members);
    if (view.results) view.results = named(view.results);
    this.view = view;
    this.alone = false;
    this.#learnMembers();
    this.progress = new Map((view.progress ?? []).map((racer) => [racer.number, racer]));
    for (const { number, name } of view.results ?? []) this.names.set(number, name);
    [this.status, this.frozenUntil, this.lastMove] = [null, 0, null];
    if (view.board) {
      const change = this.#own(view.board);
      if (this.ended) this.#reveal(view.mines ?? []);
      return change;
    }
    if (view.rows) {
      const change = this.#shared(view);
      if (this.ended) this.#reveal(view.mines ?? []);
      return change;
    }
    return this.#blank();
  }

  /**
   * @param {{round: number, starts_ms: number}} event
   * @returns {RoomChange}
   */
  #countdown({ round, starts_ms: starts }) {
    Object.assign(this.view ?? {}, {
      phase: "countdown", round, phase_ends_ms: starts, start_ms: starts, results: undefined, mines: undefined,
    });
    if (round === 1 && this.view) this.view.wins = [];
    this.progress.clear();
    [this.status, this.frozenUntil] = [null, 0];
    return this.#blank();
  }

  /**
   * Show a board with all cells unopened.
   *
   * @returns {RoomChange}
   */
  #blank() {
    const { width = 0, height = 0 } = this.view?.board_shape ?? {};
    return this.#show(Array.from({ length: height }, () => ".".repeat(width)));
  }

  /**
   * @param {import("./types.js").OwnBoard} board
   * @returns {RoomChange}
   */
  #own(board) {
    [this.status, this.frozenUntil] = [board.status, board.frozen_until_ms];
    return this.#show(board.rows);
  }

  /**
   * @param {View} view
   * @returns {RoomChange}
   */
  #shared(view) {
    this.lastMove = null;
    this.owners = new Map(view.owners ?? []);
    return this.#show(view.rows ?? []);
  }

  /**
   * @param {string[]} rows
   * @returns {RoomChange}
   */
  #show(rows) {
    const { width = 0, height = 0, topology = "rectangle" } = this.view?.board_shape ?? {};
    this.#early.clear();
    if (this.view?.kind === "race") this.owners.clear();
    const cells = [...rows.join("")].map((char) => this.#char(char));
    const before = this.game;
    const same = before && before.width === width && before.height === height && before.topology === topology;
    if (!same) {
      this.game = { width, height, topology, cells };
      return { fresh: true, changed: [] };
    }
    const changed = [...cells.keys()].filter((index) => before.cells[index] !== cells[index]);
    for (const index of changed) before.cells[index] = cells[index];
    return { fresh: false, changed };
  }

  /**
   * @param {string} char As the server sends it.
   * @returns {string} A mine that was hit is shown as such; one that was found in Flags, as a flag.
   */
  #char(char) {
    if (char !== "*") return char;
    return this.view?.kind === "flags" ? "F" : "X";
  }

  /**
   * @param {import("./types.js").Changed[]} cells
   * @param {number} [owner]
   * @returns {RoomChange}
   */
  #cells(cells, owner) {
    const { game } = this;
    if (!game) return nothing();
    const changed = cells.map(([row, col, char]) => {
      const index = row * game.width + col;
      game.cells[index] = this.#char(char);
      this.#early.delete(index);
      if (owner !== undefined) this.owners.set(index, owner);
      if (char === ".") this.owners.delete(index);
      return index;
    });
    return { fresh: false, changed };
  }

  /**
   * Count a player's actions on a shared board.
   *
   * @param {number} number
   * @param {import("./types.js").Changed[]} cells
   */
  #credit(number, cells) {
    const shares = ((this.view ?? /** @type {any} */ ({})).shares ??= []);
    let share = shares.find((/** @type {import("./types.js").Share} */ one) => one.number === number);
    if (!share) shares.push((share = { number, opened: 0, flags: 0, hits: 0 }));
    for (const [, , char] of cells) {
      if (char === "*") share.hits += 1;
      else if (isNumber(char)) share.opened += 1;
      else share.flags += 1;
    }
  }

  /** @param {number} number @param {number} time */
  #finished(number, time) {
    const racer = this.progress.get(number);
    if (racer) Object.assign(racer, { status: "finished", time_ms: time, opened: 1 });
    if (number === this.view?.you) this.status = "finished";
  }

  /**
   * @param {Extract<RoomEvent, {type: "move"}>} event
   * @returns {RoomChange}
   */
  #move(event) {
    const { side, cell, bomb, found, cells, turn, turn_ends_ms, scores, bombs } = event;
    Object.assign(this.view ?? {}, { turn, turn_ends_ms, scores, bombs });
    this.lastMove = { side, cell, bomb, found };
    return this.#cells(cells, side);
  }

  /**
   * Show the mines after the end.
   *
   * @param {string[]} rows The whole board.
   * @returns {RoomChange}
   */
  #reveal(rows) {
    const { game } = this;
    if (!game || !rows.length) return nothing();
    this.#early.clear();
    const changed = [];
    for (const [index, char] of [...rows.join("")].entries()) {
      const shown = game.cells[index];
      const after = atEnd(shown, char === "*");
      if (after === shown) continue;
      game.cells[index] = after;
      changed.push(index);
    }
    return { fresh: false, changed };
  }
}
