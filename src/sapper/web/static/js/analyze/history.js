/** The positions drawn on the Analyze page, for undo, redo and the list of moves. */

/** @typedef {import("./position.js").Position} Position */

/** Older moves are dropped. */
const MOST = 500;

/**
 * @typedef {object} Move
 * @property {string} name A description for display.
 * @property {Position} position The position after it.
 * @property {string} kind Consecutive moves of the same kind may be merged.
 */

export class History {
  /** @type {Move[]} */
  #moves;
  #at = 0;

  /**
   * @param {Position} position
   * @param {string} name
   */
  constructor(position, name) {
    this.#moves = [{ name, position, kind: "" }];
  }

  /** @returns {Position} */
  get position() {
    return this.#moves[this.#at].position;
  }

  /** @returns {readonly Move[]} All moves, undone ones included. */
  get moves() {
    return this.#moves;
  }

  /** @returns {number} The index in `moves` of the one shown. */
  get at() {
    return this.#at;
  }

  /**
   * Add a move, and drop the undone ones.
   *
   * @param {Position} position
   * @param {string} name
   * @param {string} [kind] If the last move was of the same kind, it is replaced.
   * @returns {boolean} Whether anything has changed.
   */
  add(position, name, kind = "") {
    if (same(position, this.position)) return false;
    const replaces = kind !== "" && this.#at > 0 && this.#moves[this.#at].kind === kind;
    this.#moves.splice(this.#at + (replaces ? 0 : 1), Infinity, { name, position, kind });
    if (this.#moves.length > MOST) this.#moves.shift();
    this.#at = this.#moves.length - 1;
    return true;
  }

  /** Do not merge the next move with the last, whatever its kind. */
  settle() {
    this.#moves[this.#at].kind = "";
  }

  /**
   * @param {number} at The index of the move to show.
   * @returns {boolean} Whether such a move exists and is not already shown.
   */
  go(at) {
    if (at === this.#at || !this.#moves[at]) return false;
    this.#at = at;
    this.settle();
    return true;
  }
}

/**
 * @param {Position} a
 * @param {Position} b
 * @returns {boolean}
 */
export function same(a, b) {
  return a.cells === b.cells && a.width === b.width && a.mines === b.mines && a.density === b.density && a.running === b.running && a.topology === b.topology;
}
