/**
 * A board of up to a million cells on a canvas: draws the visible part, and exposes the cell under
 * the cursor to assistive technology.
 */

import { t } from "../../translation.js";
import { cellLook, cellName } from "../cells.js";
import { BARE } from "../cover.js";
import { bevel } from "../size.js";
import { listenToGestures } from "./gestures.js";
import { Minimap } from "./minimap.js";
import { Overview } from "./overview.js";
import { DETAILED, Painter } from "./painter.js";
import { SpokenCell } from "./spoken-cell.js";
import { Stamps } from "./stamps.js";
import { Tiles } from "./tiles.js";
import { View } from "./view.js";

/** The cell size of a new board, in pixels. */
const USUAL = { fine: 24, coarse: 32 };

/** The smallest window, in pixels. */
const LEAST = 160;

/**
 * @typedef {object} Source Extra content of the cells, requested when they are drawn.
 * @property {(index: number) => number | null} wanting The number of missing flags, for countdown numbers.
 * @property {(index: number, char: string) => import("../cover.js").Cover} cover The overlay.
 */

export class BigBoard {
  /** @type {string[]} Shared with the state of the game. */
  #cells = [];
  #view = new View(1, 1);
  #cursor = 0;
  /** @type {Map<string, Set<number>>} The cells that have each class set by `mark`. */
  #marked = new Map();
  #waiting = false;
  /** @type {Source} */
  source = { wanting: () => null, cover: () => BARE };
  /** Called after the board has been moved. */
  onMove = () => {};

  /**
   * @param {HTMLElement} element The element with `role="grid"`.
   * @param {HTMLElement} scroller Its scroll container.
   */
  constructor(element, scroller) {
    this.element = element;
    this.scroller = scroller;
    this.stamps = new Stamps(scroller, () => this.#recolour());
    this.tiles = new Tiles((index) => this.#stamp(index));
    this.overview = new Overview();
    this.painter = new Painter(element, {
      overview: this.overview,
      tiles: this.tiles,
      stamps: this.stamps,
      stamp: (index, marks) => this.#stamp(index, marks),
    });
    this.minimap = new Minimap({
      centre: (row, col) => this.#move(() => this.#view.centre(row, col)),
      zoom: (factor) => this.zoomBy(factor),
      cursor: () => this.showCursor(),
    });
    this.spoken = new SpokenCell(element);
    listenToGestures(element, {
      on: () => this.shown,
      press: () => {
        const before = this.#cursor;
        return () => this.moveTo(before, { scroll: false });
      },
      pan: (x, y) => this.#move(() => this.#view.pan(x, y)),
      zoom: (factor, x, y) => {
        const box = element.getBoundingClientRect();
        this.#move(() => this.#view.zoom(this.#view.cell * factor, x - box.left, y - box.top));
      },
      page: (right, down) => {
        const { width, height } = this.#view.room;
        this.#move(() => this.#view.pan((right * width) / 4, (down * height) / 4));
      },
    });
  }

  /** @returns {boolean} Whether this board is on the page. */
  get shown() {
    return this.painter.canvas.isConnected;
  }

  /** @returns {number} The size of a cell, in pixels. */
  get cell() {
    return this.#view.cell;
  }

  /** @returns {number} The index of the cell that the keyboard acts on. */
  get cursor() {
    return this.#cursor;
  }

  /** @returns {boolean} */
  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /**
   * Show a new board.
   *
   * @param {number} width
   * @param {number} height
   * @param {string[]} cells Kept by reference: `draw` reports changes.
   */
  build(width, height, cells) {
    const { element } = this;
    this.#cells = cells;
    this.#marked.clear();
    this.#view = new View(width, height);
    this.#view.cell = matchMedia("(pointer: coarse)").matches ? USUAL.coarse : USUAL.fine;
    this.#cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    element.replaceChildren(this.painter.canvas, this.spoken.row, this.stamps.host);
    this.scroller.append(this.minimap.element);
    // Remove the attributes of a smaller board.
    delete element.dataset.tiling;
    element.removeAttribute("data-plain");
    element.dataset.wraps = "";
    element.dataset.big = "";
    this.scroller.dataset.big = "";
    element.tabIndex = 0;
    element.setAttribute("aria-label", t("Board, rows: {height}, columns: {width}", { height, width }));
    element.setAttribute("aria-rowcount", String(height));
    element.setAttribute("aria-colcount", String(width));
    this.tiles.clear();
    this.overview.build(width, height);
    this.stamps.reset();
    this.#speak();
  }

  /** Remove this board from the page to make room for another. */
  leave() {
    delete this.element.dataset.big;
    delete this.scroller.dataset.big;
    this.minimap.element.remove();
    for (const name of ["tabindex", "aria-rowcount", "aria-colcount", "aria-activedescendant", "style"]) {
      this.element.removeAttribute(name);
    }
  }

  /**
   * Fit the window into the space on the page.
   *
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const view = this.#view;
    const fresh = !view.room.width;
    const along = (/** @type {number} */ free, /** @type {number} */ cells) =>
      Math.max(LEAST, Math.min(Math.floor(free), cells * USUAL.coarse));
    const room = { width: along(width, view.columns), height: along(height, view.rows) };
    this.element.style.width = `${room.width}px`;
    this.element.style.height = `${room.height}px`;
    view.ratio = devicePixelRatio || 1;
    this.#move(() => {
      view.resize(room.width, room.height);
      this.painter.resize(view);
      if (fresh) view.centre(...this.place(this.#cursor));
    });
  }

  /** @param {number} factor */
  zoomBy(factor) {
    const view = this.#view;
    const step = factor > 1 ? Math.max(1, view.cell * (factor - 1)) : Math.min(-1, view.cell * (factor - 1));
    this.#move(() => view.zoom(view.cell + step));
  }

  /** @param {number} px The cell size; 0 shows the whole board. */
  zoomTo(px) {
    this.#move(() => this.#view.zoom(px));
  }

  /** Scroll the cursor to the centre of the window. */
  showCursor() {
    this.#move(() => {
      if (this.#view.cell < DETAILED) this.#view.zoom(USUAL.fine);
      this.#view.centre(...this.place(this.#cursor));
    });
  }

  /**
   * Redraw a cell whose content has changed.
   *
   * @param {number} index
   * @param {string} char Its new content.
   */
  draw(index, char) {
    for (const marked of this.#marked.values()) marked.delete(index);
    this.overview.set(index, char);
    this.tiles.refresh(index);
    if (index === this.#cursor) this.#speak();
    this.#schedule();
  }

  /**
   * Redraw the cells whose overlay or countdown may have changed.
   *
   * @param {Iterable<number> | null} [indices] The cells to redraw (default: all).
   */
  refresh(indices = null) {
    if (indices) for (const index of indices) this.tiles.refresh(index);
    else this.tiles.clear();
    this.#speak();
    this.#schedule();
  }

  /** Read the content of every cell again. */
  refill() {
    this.overview.fill(this.#cells);
    this.refresh();
  }

  /**
   * @param {number} x A point on the page.
   * @param {number} y
   * @returns {number | null} The index of the cell there.
   */
  at(x, y) {
    const box = this.painter.canvas.getBoundingClientRect();
    return this.#view.at(x - box.left, y - box.top);
  }

  /**
   * @param {number} index
   * @returns {DOMRect} The position of the cell on the page.
   */
  box(index) {
    const [row, col] = this.place(index);
    const { left, top, cell } = this.#view;
    const box = this.painter.canvas.getBoundingClientRect();
    return new DOMRect(box.left + col * cell - left, box.top + row * cell - top, cell, cell);
  }

  /** @param {number} index The cell to scroll into the window. */
  reveal(index) {
    this.#move(() => this.#view.reveal(...this.place(index)));
  }

  /**
   * @param {number} index
   * @returns {[number, number]} Row and column.
   */
  place(index) {
    return this.#view.place(index);
  }

  /**
   * @param {[number, number]} cell Row and column.
   * @returns {number}
   */
  indexAt([row, col]) {
    return row * this.#view.columns + col;
  }

  /**
   * Put the cursor on a cell.
   *
   * @param {number} index
   * @param {{focus?: boolean, scroll?: boolean}} [options]
   */
  moveTo(index, { focus = true, scroll = focus } = {}) {
    this.#cursor = Math.max(0, Math.min(index, this.#cells.length - 1));
    if (focus) this.element.focus({ preventScroll: true });
    this.#speak();
    if (scroll) this.reveal(this.#cursor);
    this.#schedule();
  }

  /**
   * Move the cursor by rows and columns, stopping at the edges.
   *
   * @param {number} rows
   * @param {number} cols
   */
  step(rows, cols) {
    const [row, col] = this.place(this.#cursor);
    const r = Math.max(0, Math.min(row + rows, this.#view.rows - 1));
    const c = Math.max(0, Math.min(col + cols, this.#view.columns - 1));
    this.moveTo(r * this.#view.columns + c);
  }

  /**
   * Set a class on these cells, and remove it from all others.
   *
   * @param {string} name
   * @param {Iterable<number>} indices
   */
  mark(name, indices) {
    const after = new Set(indices);
    if (!after.size && !this.#marked.get(name)?.size) return;
    this.#marked.set(name, after);
    this.#schedule();
  }

  /** Give assistive technology the name of the cell under the cursor. */
  #speak() {
    const place = this.place(this.#cursor);
    const char = this.#cells[this.#cursor] ?? ".";
    const name = cellName(...place, char, this.source.wanting(this.#cursor));
    this.spoken.say(place, name, this.source.cover(this.#cursor, char));
  }

  /**
   * @param {number} index
   * @returns {HTMLCanvasElement} The image of a cell, without marks.
   */
  #stamp(index, marks = "") {
    const char = this.#cells[index];
    const { look, text } = this.source.cover(index, char);
    const classes = `${cellLook(char, this.source.wanting(index))} ${look}${marks}`;
    const [row, col] = this.place(index);
    return this.stamps.of(classes, text, (row % 2) * 2 + (col % 2));
  }

  /** Read the page's colours again. */
  #recolour() {
    if (!this.shown) return;
    this.overview.recolour((look) => this.stamps.colours(look));
    this.refill();
  }

  /** @param {() => void} change Moves the view. */
  #move(change) {
    const view = this.#view;
    change();
    if (view.cell >= DETAILED && view.room.width) {
      this.stamps.resize(view.cell, bevel(view.cell), view.ratio);
      this.tiles.build(view.columns, view.rows, view.cell, this.stamps.size);
    }
    this.#schedule();
    this.onMove();
  }

  /** Draw in the next frame. */
  #schedule() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      if (this.shown) this.#paint();
    });
  }

  #paint() {
    const view = this.#view;
    const keys = this.element.dataset.cursor === "keys" && this.hasFocus;
    // The mouse hides the cursor ring.
    const later = this.painter.paint({ view, marked: this.#marked, cursor: keys ? this.#cursor : null });
    const box = this.minimap.element;
    box.toggleAttribute("data-whole", view.whole);
    this.minimap.draw(view, this.overview, this.place(this.#cursor), view.ratio);
    view.slack = view.whole ? { x: 0, y: 0 } : { x: box.offsetWidth + 16, y: box.offsetHeight + 16 };
    if (later) this.#schedule();
  }
}
