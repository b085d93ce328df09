/**
 * A game, played by the rules of the compiled core.
 */

import { indexOf, written } from "./arguments.js";
import { SapperError } from "./errors.js";
import { positionJson } from "./grid.js";
import { currentGeneration, run } from "./instance.js";

/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./sapper_search.js").Round} Round */
/** @typedef {"open" | "flag" | "question" | "chord" | "undo"} Kind */

export class Game {
  #make;
  #grid;
  #settings;
  /** @type {Round | null} */
  #round = null;
  #generation = -1;
  /** The actions so far, to repeat them in a new instance. @type {[Kind, number][]} */
  #log = [];

  /**
   * @param {() => Round} make Creates the game from its start.
   * @param {Grid} grid The board's size, and what the player knows about the mines.
   * @param {import("./level.js").Settings} settings
   */
  constructor(make, grid, settings) {
    this.#make = make;
    this.#grid = grid;
    this.#settings = settings;
    this.#with(() => {});
  }

  get width() {
    return this.#grid.width;
  }

  get height() {
    return this.#grid.height;
  }

  get topology() {
    return this.#grid.topology;
  }

  get rules() {
    return this.#settings.rules;
  }

  get seed() {
    return this.#settings.seed;
  }

  get status() {
    return /** @type {"ready" | "playing" | "won" | "lost"} */ (this.#with((round) => round.status));
  }

  get over() {
    const status = this.status;
    return status === "won" || status === "lost";
  }

  /** One ASCII character for each cell: `.`, `F`, `*`, or 0 plus the number. */
  get cells() {
    return this.#with((round) => round.cells);
  }

  /** The player's view, in Python's JSON form. */
  get position() {
    const { win } = this.#settings;
    const running = this.#grid.mines !== undefined || (win !== "flags" && !this.over);
    return positionJson({ ...this.#grid, cells: this.cells, running });
  }

  /** Cells with a question mark; in the position they are unopened. */
  get questions() {
    return this.#with((round) => round.questions);
  }

  /** Mine total minus flags, so it can be negative; null if the total is unknown. */
  get minesLeft() {
    const { mines } = this.#grid;
    return mines === undefined ? null : mines - this.#with((round) => round.flags);
  }

  get canUndo() {
    return this.#with((round) => round.canUndo);
  }

  /** The cells that the last action changed, in row order. */
  get changed() {
    return this.#with((round) => round.changed);
  }

  /** Click counts, including undone clicks. */
  get counts() {
    return this.#with((round) => {
      const found = round.counts;
      const { left, right, chords, leftEffective, rightEffective, chordsEffective, undos } = found;
      found.free();
      return { left, right, chords, leftEffective, rightEffective, chordsEffective, undos };
    });
  }

  /** The 3BV of the board; 0 before the mines are placed. */
  get bbbv() {
    return this.#progress().bbbv;
  }

  /** The part of the 3BV that is open. */
  get solved() {
    return this.#progress().solved;
  }

  /** The positions of the mines. */
  get board() {
    const mined = this.#with((round) => round.mined);
    if (!mined) {
      throw new SapperError(
        "illegal_action",
        `the board is hidden while the game is ${this.status}`,
      );
    }
    const { topology, width, height } = this.#grid;
    return { topology, width, height, mines: mined.reduce((sum, mine) => sum + mine, 0), mined };
  }

  /** Open an unopened, unflagged cell; return whether anything was opened, even a mine. */
  open(/** @type {unknown} */ cell) {
    return this.#act("open", cell);
  }

  /** Flag an unopened cell, or remove the flag; return whether the cell is unopened. */
  flag(/** @type {unknown} */ cell) {
    return this.#act("flag", cell);
  }

  /** Put a question mark on an unopened cell, or remove it. */
  question(/** @type {unknown} */ cell) {
    return this.#act("question", cell);
  }

  /** Open the other neighbours of a number whose flags match it. */
  chord(/** @type {unknown} */ cell) {
    return this.#act("chord", cell);
  }

  /** Undo the last action that had an effect; return whether there was one. */
  undo() {
    if (!this.#settings.undo) {
      throw new SapperError("illegal_action", "undo is off in this game");
    }
    const undone = this.#with((round) => round.undo());
    this.#log.push(["undo", 0]);
    return undone;
  }

  /**
   * @param {Exclude<Kind, "undo">} kind
   * @param {unknown} cell
   */
  #act(kind, cell) {
    const index = indexOf(cell, this.#grid);
    if (this.over) {
      const at = written(index, this.width);
      throw new SapperError("illegal_action", `cannot ${kind} ${at}: the game is ${this.status}`);
    }
    const hasEffect = this.#with((round) => round[kind](index));
    this.#log.push([kind, index]);
    return hasEffect;
  }

  #progress() {
    return this.#with((round) => {
      const found = round.bbbv();
      if (!found) return { bbbv: 0, solved: 0 };
      const { bbbv, solved } = found;
      found.free();
      return { bbbv, solved };
    });
  }

  /**
   * Call a function with the current instance's game.
   *
   * @template Result
   * @param {(round: Round) => Result} work
   */
  #with(work) {
    return run(() => {
      if (this.#generation !== currentGeneration() || !this.#round) {
        this.#round = this.#make();
        for (const [kind, cell] of this.#log) this.#round[kind](cell);
        this.#generation = currentGeneration();
      }
      return work(this.#round);
    }, this.width);
  }
}
