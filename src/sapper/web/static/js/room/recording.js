/** The recording of a finished game: every board at any moment, without any drawing. */

import { charOf, isNumber, numberOf } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";
import { bombCells } from "./bomb.js";

/** @typedef {import("./types.js").Recording} Recording */

/** @typedef {{ms: number, number: number, kind: "open" | "flag" | "chord" | "bomb", index: number}} Entry An action: its time since the start, and the member or, in Flags, the side. */

/**
 * @typedef {object} Dealt
 * @property {number} width
 * @property {number} height
 * @property {string} topology
 * @property {number} start The index of the cell that was opened first.
 * @property {string[]} cells The whole board: `*` for a mine, or the number.
 */

/**
 * @param {string} id As written by Sapper, such as `3x2:1,2,sgA`.
 * @returns {Dealt}
 */
export function parseBoard(id) {
  const match = /^(\d+)x(\d+)(?:\/([\w-]+))?:(\d+),(\d+),s([\w-]+)$/.exec(id);
  if (!match) throw new Error(`not a board: ${id}`);
  const [width, height, row, col] = [match[1], match[2], match[4], match[5]].map(Number);
  const topology = match[3] ?? "rectangle";
  const bytes = atob(match[6].replaceAll("-", "+").replaceAll("_", "/"));
  const mined = Array.from({ length: width * height }, (_, i) => ((bytes.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1) === 1);
  const shape = { width, height, topology };
  const cells = mined.map((isMine, index) => (isMine ? "*" : charOf(neighbours(shape, index).filter((near) => mined[near]).length)));
  return { ...shape, start: row * width + col, cells };
}

/**
 * @param {Recording} recording
 * @param {number} width The number of columns.
 * @returns {Map<number, Entry[]>} The actions on each board: of each player in a race, otherwise one board with the key -1.
 */
export function entriesOf(recording, width) {
  if (recording.kind === "race") {
    return new Map(
      Object.entries(recording.logs ?? {}).map(([key, log]) => [
        Number(key),
        log.map(([ms, kind, row, col]) => ({ ms, number: Number(key), kind, index: row * width + col })),
      ]),
    );
  }
  if (recording.kind === "shared") {
    return new Map([[-1, (recording.log ?? []).map(([ms, key, kind, row, col]) => ({ ms, number: key, kind, index: row * width + col }))]]);
  }
  const moves = (recording.moves ?? []).map(([side, row, col, bomb, , ms]) => ({
    ms, number: side, kind: /** @type {"open" | "bomb"} */ (bomb ? "bomb" : "open"), index: row * width + col,
  }));
  return new Map([[-1, moves]]);
}

export class PlayedBoard {
  /** @type {string[]} */
  #cells = [];
  /** @type {Map<number, number>} */
  #owners = new Map();
  #done = 0;

  /**
   * @param {Dealt} dealt
   * @param {Entry[]} entries In order.
   * @param {boolean} opensStart Whether the start is open from the beginning.
   */
  constructor(dealt, entries, opensStart) {
    this.dealt = dealt;
    this.entries = entries;
    this.opensStart = opensStart;
    this.#reset();
  }

  #reset() {
    this.#cells = this.dealt.cells.map(() => ".");
    this.#owners = new Map();
    this.#done = 0;
    if (this.opensStart) this.#open([this.dealt.start]);
  }

  /** @returns {number} The time of the last action. */
  get endMs() {
    return this.entries.at(-1)?.ms ?? 0;
  }

  /** @returns {number} The number of actions played. */
  get done() {
    return this.#done;
  }

  /**
   * Play all actions up to a moment.
   *
   * @param {number} ms
   * @returns {string[]} The content of each cell: `X` for a mine that was opened.
   */
  at(ms) {
    if (this.#done && this.entries[this.#done - 1].ms > ms) this.#reset();
    while (this.#done < this.entries.length && this.entries[this.#done].ms <= ms) this.#play(this.entries[this.#done++]);
    return this.#cells;
  }

  /** @returns {ReadonlyMap<number, number>} The member or side that last changed each cell. */
  get owners() {
    return this.#owners;
  }

  /** @returns {number} The share of clear cells that are open, from 0 to 1. */
  get share() {
    const clear = this.dealt.cells.filter((char) => char !== "*").length;
    return clear ? this.#cells.filter(isNumber).length / clear : 1;
  }

  /** @param {Entry} entry */
  #play({ kind, index, number }) {
    const before = [...this.#cells];
    if (kind === "flag") {
      const char = this.#cells[index];
      if (char === "." || char === "F") this.#cells[index] = char === "F" ? "." : "F";
    } else if (kind === "bomb") for (const each of bombCells(this.dealt, index)) this.#open([each]);
    else if (kind === "chord") this.#chord(index);
    else this.#open([index]);
    this.#cells.forEach((char, at) => {
      if (char === before[at]) return;
      if (char === ".") this.#owners.delete(at);
      else this.#owners.set(at, number);
    });
  }

  /** @param {number} index */
  #chord(index) {
    const char = this.#cells[index];
    const around = neighbours(this.dealt, index);
    const marked = around.filter((near) => this.#cells[near] === "F" || this.#cells[near] === "X").length;
    if (isNumber(char) && numberOf(char) === marked) this.#open(around);
  }

  /**
   * Open cells in order, up to the first mine.
   *
   * @param {number[]} indices
   */
  #open(indices) {
    const { dealt } = this;
    const cells = this.#cells;
    for (const index of indices) {
      if (cells[index] !== ".") continue;
      cells[index] = dealt.cells[index] === "*" ? "X" : dealt.cells[index];
      if (cells[index] === "X") return;
      const zeros = cells[index] === "0" ? [index] : [];
      for (let zero = zeros.pop(); zero !== undefined; zero = zeros.pop()) {
        for (const near of neighbours(dealt, zero)) {
          if (cells[near] !== ".") continue;
          cells[near] = dealt.cells[near];
          if (cells[near] === "0") zeros.push(near);
        }
      }
    }
  }
}
