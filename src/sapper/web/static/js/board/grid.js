/** The board as a grid of elements: draws cells and tracks the keyboard cursor. */

import { cellLook, cellName, placeName } from "./cells.js";
import { modulo } from "./neighbours.js";
import { layOut } from "./tiles.js";
import { tilingOf } from "./tiling.js";
import { t } from "../translation.js";

/** Boards with more cells than this are drawn with less detail, to keep clicks fast. */
export const LARGE = 2500;

export class Grid {
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {string[]} The overlay of each cell: classes and text. */
  #covers = [];
  #width = 0;
  #height = 0;
  #cursor = 0;
  /** @type {[boolean, boolean]} */
  #wraps = [false, false];
  /** @type {Map<string, Set<number>>} The cells that have each class set by `mark`. */
  #marked = new Map();

  /**
   * @param {HTMLElement} element The element with `role="grid"`.
   * @param {HTMLElement} scroller Its scroll container.
   */
  constructor(element, scroller) {
    this.element = element;
    this.scroller = scroller;
    // Only keyboard users see the cursor ring.
    document.addEventListener("keydown", () => (element.dataset.cursor = "keys"), true);
    document.addEventListener("pointerdown", () => (element.dataset.cursor = ""), true);
  }

  /**
   * @returns {boolean} Whether columns are drawn as rows, so that a wide board fits a tall window.
   */
  get turned() {
    return this.element.hasAttribute("data-turned");
  }

  set turned(turned) {
    this.element.toggleAttribute("data-turned", turned);
  }

  /** @returns {boolean} Whether the keyboard was used last. */
  get byKeys() {
    return this.element.dataset.cursor === "keys";
  }

  /** @returns {number} The index of the cell that the keyboard acts on. */
  get cursor() {
    return this.#cursor;
  }

  /**
   * Create the cells of a new board.
   *
   * @param {number} width
   * @param {number} height
   * @param {string[]} chars
   * @param {string} [topology] The name of the board's shape.
   */
  build(width, height, chars, topology = "rectangle") {
    const focused = this.hasFocus;
    const row = Math.min(Math.floor(this.#cursor / (this.#width || 1)), height - 1);
    const col = Math.min(this.#cursor % (this.#width || 1), width - 1);
    [this.#width, this.#height, this.#cells, this.#covers] = [width, height, [], []];
    this.#marked.clear();
    const all = document.createDocumentFragment();
    for (let r = 0; r < height; r++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let c = 0; c < width; c++) line.append(this.#make(r, c));
      all.append(line);
    }
    this.element.toggleAttribute("data-large", width * height > LARGE);
    this.element.replaceChildren(all);
    layOut(this.element, { width, height, topology }, this.#cells);
    this.#wraps = tilingOf(topology).wraps;
    this.element.setAttribute("aria-label", t("Board, rows: {height}, columns: {width}", { height, width }));
    chars.forEach((char, index) => this.draw(index, char));
    this.moveTo(row * width + col, { focus: focused });
  }

  /**
   * @param {number} row
   * @param {number} col
   * @returns {HTMLElement}
   */
  #make(row, col) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.dataset.row = String(row);
    cell.dataset.col = String(col);
    cell.tabIndex = -1;
    this.#cells.push(cell);
    return cell;
  }

  /**
   * @param {number} index
   * @param {string} char The cell's new content.
   * @param {number | null} [wanting] The number of flags missing around the cell's number, for countdown
   * numbers.
   */
  draw(index, char, wanting = null) {
    this.#show(index, cellLook(char, wanting), cellName(...this.place(index), char, wanting));
  }

  /**
   * Show a cell in another arrangement, after the game.
   *
   * @param {number} index
   * @param {boolean} mined
   */
  imagine(index, mined) {
    const [row, col] = this.place(index);
    this.#show(
      index,
      mined ? "cell closed mine ghost" : "cell closed",
      mined
        ? t("{cell}, mine in this arrangement", { cell: placeName([row, col]) })
        : t("{cell}, clear in this arrangement", { cell: placeName([row, col]) }),
    );
  }

  /**
   * @param {number} index
   * @param {string} look
   * @param {string} name
   */
  #show(index, look, name) {
    const cell = this.#cells[index];
    cell.className = look;
    for (const marked of this.#marked.values()) marked.delete(index);
    if (this.#covers[index]) {
      this.#covers[index] = "";
      delete cell.dataset.text;
      cell.removeAttribute("aria-description");
    }
    cell.setAttribute("aria-label", name);
  }

  /**
   * Delay drawing opened cells. Removing a class when a ring is due is much cheaper than animating
   * each cell.
   *
   * @param {Map<number, number>} waits Milliseconds from the next frame, by cell.
   */
  roll(waits) {
    // A hidden page has no frames.
    if (document.hidden) return;
    const rolling = new Map([...waits].map(([index, ms]) => [this.#cells[index], ms]));
    for (const cell of rolling.keys()) cell.classList.add("wave");
    let begun = 0;
    const show = (/** @type {number} */ now) => {
      begun ||= now;
      for (const [cell, ms] of rolling) {
        if (ms > now - begun) continue;
        cell.classList.remove("wave");
        rolling.delete(cell);
      }
      if (rolling.size) requestAnimationFrame(show);
    };
    requestAnimationFrame(show);
  }

  /**
   * Replace the overlay of a cell.
   *
   * @param {number} index
   * @param {import("./cover.js").Cover} cover
   */
  cover(index, { look, text, spoken }) {
    const before = this.#covers[index] ?? "";
    const after = look || spoken ? `${look}|${text}|${spoken}` : "";
    // Most of a large overlay does not change from move to move.
    if (before === after) return;
    this.#covers[index] = after;
    const cell = this.#cells[index];
    cell.classList.remove(...classesOf(before.split("|")[0]));
    cell.classList.add(...classesOf(look));
    // The style sheet shows the text, so that it does not become part of the cell's accessible
    // name.
    if (text) cell.dataset.text = text;
    else delete cell.dataset.text;
    if (spoken) cell.setAttribute("aria-description", spoken);
    else cell.removeAttribute("aria-description");
  }

  /**
   * @param {number} index
   * @returns {HTMLElement}
   */
  cell(index) {
    return this.#cells[index];
  }

  /**
   * @param {Element | null} element
   * @returns {number | null} The index of the cell that is or contains an element.
   */
  indexOf(element) {
    const cell = /** @type {HTMLElement | null} */ (element?.closest?.('[role="gridcell"]') ?? null);
    if (!cell || !this.element.contains(cell)) return null;
    return Number(cell.dataset.row) * this.#width + Number(cell.dataset.col);
  }

  /**
   * @param {number} x A point on the page.
   * @param {number} y
   * @returns {number | null} The index of the cell there.
   */
  at(x, y) {
    return this.indexOf(document.elementFromPoint(x, y));
  }

  /**
   * @param {number} index
   * @returns {DOMRect | undefined} The position of the cell on the page.
   */
  box(index) {
    return this.#cells[index]?.getBoundingClientRect();
  }

  /** @returns {(index: number) => boolean} Whether a cell is in view now; true if unknown. */
  view() {
    if (this.element.dataset.tiling) return () => true;
    const [well, board] = [this.scroller.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const size = board.width / this.#width;
    const [top, left] = [Math.max(well.top, 0) - board.top, Math.max(well.left, 0) - board.left];
    const [bottom, right] = [Math.min(well.bottom, innerHeight) - board.top, Math.min(well.right, innerWidth) - board.left];
    return (index) => {
      const [row, col] = this.place(index);
      return (row + 1) * size > top && row * size < bottom && (col + 1) * size > left && col * size < right;
    };
  }

  /**
   * Scroll a cell into view.
   *
   * @param {number} index
   * @param {{inline?: ScrollLogicalPosition}} [options]
   */
  reveal(index, { inline = "nearest" } = {}) {
    this.#cells[index]?.scrollIntoView({ block: "nearest", inline });
  }

  /**
   * @param {number} index
   * @returns {[number, number]} Row and column.
   */
  place(index) {
    return [Math.floor(index / this.#width), index % this.#width];
  }

  /**
   * @param {[number, number]} cell Row and column.
   * @returns {number}
   */
  indexAt([row, col]) {
    return row * this.#width + col;
  }

  /** @returns {boolean} */
  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /**
   * Put the cursor on a cell.
   *
   * @param {number} index
   * @param {{focus?: boolean, scroll?: boolean}} [options] Whether to focus the cell and
   *   to scroll it into view.
   */
  moveTo(index, { focus = true, scroll = focus } = {}) {
    const left = this.#cells[this.#cursor];
    if (left) {
      left.tabIndex = -1;
      delete left.dataset.cursor;
    }
    this.#cursor = Math.max(0, Math.min(index, this.#cells.length - 1));
    const cell = this.#cells[this.#cursor];
    cell.tabIndex = 0;
    // The ring's CSS rule uses this attribute instead of a class of all cells, so that switching
    // between mouse and keyboard restyles only this cell, not the whole board.
    cell.dataset.cursor = "";
    if (focus) cell.focus({ preventScroll: true });
    if (scroll) cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * Move the cursor down and to the right, stopping at edges unless they wrap.
   *
   * @param {number} down
   * @param {number} right
   */
  step(down, right) {
    const [rows, cols] = this.turned ? [right, down] : [down, right];
    const [row, col] = this.place(this.#cursor);
    const moved = (/** @type {number} */ to, /** @type {number} */ size, /** @type {boolean} */ wraps) =>
      wraps ? modulo(to, size) : Math.max(0, Math.min(to, size - 1));
    const r = moved(row + rows, this.#height, this.#wraps[0]);
    const c = moved(col + cols, this.#width, this.#wraps[1]);
    this.moveTo(r * this.#width + c);
  }

  /**
   * Set a class on these cells, and remove it from all others.
   *
   * @param {string} name
   * @param {Iterable<number>} indices
   */
  mark(name, indices) {
    const before = this.#marked.get(name) ?? new Set();
    const after = new Set(indices);
    for (const index of before) if (!after.has(index)) this.#cells[index].classList.remove(name);
    for (const index of after) if (!before.has(index)) this.#cells[index]?.classList.add(name);
    this.#marked.set(name, after);
  }
}

/**
 * @param {string} look
 * @returns {string[]}
 */
function classesOf(look) {
  return look ? look.split(" ") : [];
}
