/**
 * The game's board: made of elements or, if it is big, drawn on a canvas. Both kinds have the same
 * methods.
 */

import { MOST_ELEMENTS } from "./cells.js";
import { Grid } from "./grid.js";
import { clearLayout } from "./tiles.js";

/** @typedef {import("./big/big-board.js").BigBoard} BigBoard */

/** @type {typeof import("./big/big-board.js") | null} The big-board module, loaded on demand. */
let bigBoards = null;

/**
 * Load what `Board.build` needs for a board.
 *
 * @param {{width: number, height: number}} size
 * @returns {Promise<void> | null} Null if there is nothing to load.
 */
export function loadBoard({ width, height }) {
  if (bigBoards || width * height <= MOST_ELEMENTS) return null;
  return import("./big/big-board.js").then((loaded) => void (bigBoards = loaded));
}

export class Board {
  /** @type {BigBoard | null} The board, if it is a big one. */
  big = null;
  /** @type {BigBoard | null} */
  #made = null;

  /**
   * @param {HTMLElement} element The element with `role="grid"`.
   * @param {HTMLElement} scroller Its scroll container.
   */
  constructor(element, scroller) {
    this.element = element;
    this.scroller = scroller;
    this.small = new Grid(element, scroller);
  }

  /** @returns {BigBoard | Grid} */
  get #shown() {
    return this.big ?? this.small;
  }

  /** @returns {boolean} Whether columns are drawn as rows. */
  get turned() {
    return !this.big && this.small.turned;
  }

  set turned(turned) {
    this.small.turned = turned;
  }

  /** @returns {boolean} Whether the keyboard was used last. */
  get byKeys() {
    return this.small.byKeys;
  }

  /** @returns {number} The index of the cell that the keyboard acts on. */
  get cursor() {
    return this.#shown.cursor;
  }

  /** @returns {boolean} */
  get hasFocus() {
    return this.#shown.hasFocus;
  }

  /**
   * Show a new board; for a big one, `loadBoard` must have finished.
   *
   * @param {number} width
   * @param {number} height
   * @param {string[]} cells The content; a big board keeps this array.
   * @param {string} [topology] Big boards are rectangles.
   */
  build(width, height, cells, topology) {
    if (width * height <= MOST_ELEMENTS) {
      this.big?.leave();
      this.big = null;
    } else {
      if (!bigBoards) throw new Error("big boards have not been loaded");
      this.#made ??= new bigBoards.BigBoard(this.element, this.scroller);
      this.big = this.#made;
      clearLayout(this.element);
    }
    if (this.big) this.big.build(width, height, cells);
    else this.small.build(width, height, cells, topology);
  }

  /**
   * @param {number} index
   * @param {string} char The cell's new content.
   * @param {number | null} [wanting] The number of flags missing around the cell's number.
   */
  draw(index, char, wanting) {
    this.#shown.draw(index, char, wanting);
  }

  /**
   * Show a cell in another arrangement, except on big boards.
   *
   * @param {number} index
   * @param {boolean} mined
   */
  imagine(index, mined) {
    this.small.imagine(index, mined);
  }

  /**
   * Delay drawing opened cells, except on big boards.
   *
   * @param {Map<number, number>} waits Milliseconds, by cell.
   */
  roll(waits) {
    this.small.roll(waits);
  }

  /**
   * @param {number} index
   * @param {import("./cover.js").Cover} cover
   */
  cover(index, cover) {
    this.small.cover(index, cover);
  }

  /**
   * @param {number} index
   * @returns {[number, number]} Row and column.
   */
  place(index) {
    return this.#shown.place(index);
  }

  /**
   * @param {[number, number]} cell Row and column.
   * @returns {number}
   */
  indexAt(cell) {
    return this.#shown.indexAt(cell);
  }

  /**
   * @param {number} x A point on the page.
   * @param {number} y
   * @returns {number | null} The index of the cell there.
   */
  at(x, y) {
    return this.#shown.at(x, y);
  }

  /**
   * @param {number} index
   * @returns {DOMRect | undefined} The position of the cell on the page.
   */
  box(index) {
    return this.#shown.box(index);
  }

  /** @returns {(index: number) => boolean} Whether a cell is in view now; not on big boards. */
  view() {
    return this.small.view();
  }

  /**
   * @param {number} index
   * @param {{inline?: ScrollLogicalPosition}} [options]
   */
  reveal(index, options) {
    this.#shown.reveal(index, options);
  }

  /**
   * @param {number} index
   * @param {{focus?: boolean, scroll?: boolean}} [options]
   */
  moveTo(index, options) {
    this.#shown.moveTo(index, options);
  }

  /**
   * @param {number} rows
   * @param {number} cols
   */
  step(rows, cols) {
    this.#shown.step(rows, cols);
  }

  /**
   * @param {string} name
   * @param {Iterable<number>} indices
   */
  mark(name, indices) {
    this.#shown.mark(name, indices);
  }
}
