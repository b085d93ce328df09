/**
 * A board of up to a million cells on a canvas: draws what is in the window, and tells assistive
 * technology the cell under the cursor.
 */

import { make } from "../../dom.js";
import { t } from "../../translation.js";
import { cellLook, cellName } from "../cells.js";
import { bevel } from "../size.js";
import { listenToGestures } from "./gestures.js";
import { Minimap } from "./minimap.js";
import { Overview } from "./overview.js";
import { Stamps } from "./stamps.js";
import { Tiles } from "./tiles.js";
import { View } from "./view.js";

/** Cells below this size, in pixels, are drawn as plain colours. */
const DETAILED = 8;

/** The cell size of a new board, in pixels. */
const USUAL = { fine: 24, coarse: 32 };

/** The smallest window, in pixels. */
const LEAST = 160;

/** How long a frame may draw new tiles, in milliseconds; the others follow in the next frames. */
const FRAME = 6;

/** Marks that the map's colours show too, with the custom property of each. */
const BEACONS = /** @type {Record<string, string>} */ ({
  hinted: "--hint", lit: "--hint", proving: "--hint-2", named: "--accent", picked: "--hint", down: "--accent",
});

/**
 * @typedef {object} Source What the cells show besides their characters; asked when they are drawn.
 * @property {(index: number) => number | null} wanting How many flags are missing, for countdown numbers.
 * @property {(index: number, char: string) => {look: string, text: string}} cover The overlay.
 */

export class BigBoard {
  /** @type {string[]} Shared with the state of the game. */
  #cells = [];
  #view = new View(1, 1);
  #cursor = 0;
  /** @type {Map<string, Set<number>>} The cells that have each class set by `mark`. */
  #marked = new Map();
  #waiting = false;
  #ratio = 1;
  /** @type {Source} */
  source = { wanting: () => null, cover: () => ({ look: "", text: "" }) };
  /** Called after the board was moved. */
  onMove = () => {};

  /**
   * @param {HTMLElement} element The one with `role="grid"`.
   * @param {HTMLElement} scroller Contains it.
   */
  constructor(element, scroller) {
    this.element = element;
    this.scroller = scroller;
    this.canvas = make("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
    this.stamps = new Stamps(scroller, () => this.#recolour());
    this.tiles = new Tiles((index) => this.#stamp(index));
    this.overview = new Overview();
    this.minimap = new Minimap({
      centre: (row, col) => this.#move(() => this.#view.centre(row, col)),
      zoom: (factor) => this.zoomBy(factor),
      cursor: () => this.showCursor(),
    });
    this.row = make("div");
    this.row.setAttribute("role", "row");
    // Two, because a screen reader says the active cell when it becomes another one.
    this.spoken = ["a", "b"].map((name) => {
      const cell = make("div");
      cell.id = `spoken-${name}`;
      cell.setAttribute("role", "gridcell");
      return cell;
    });
    this.row.className = "spoken";
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
    return this.canvas.isConnected;
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
   * @param {string[]} cells Kept: `draw` says which of them have changed.
   */
  build(width, height, cells) {
    const { element } = this;
    this.#cells = cells;
    this.#marked.clear();
    this.#view = new View(width, height);
    this.#view.cell = matchMedia("(pointer: coarse)").matches ? USUAL.coarse : USUAL.fine;
    this.#cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    element.replaceChildren(this.canvas, this.row, this.stamps.host);
    this.scroller.append(this.minimap.element);
    // What a smaller board before it has left.
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

  /** Leave the page to another board. */
  leave() {
    delete this.element.dataset.big;
    delete this.scroller.dataset.big;
    this.minimap.element.remove();
    for (const name of ["tabindex", "aria-rowcount", "aria-colcount", "aria-activedescendant", "style"]) {
      this.element.removeAttribute(name);
    }
  }

  /**
   * Fit the window to the room on the page.
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
    this.#ratio = view.ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(room.width * this.#ratio);
    this.canvas.height = Math.round(room.height * this.#ratio);
    this.#move(() => {
      view.resize(room.width, room.height);
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

  /** Bring the cursor into the middle of the window. */
  showCursor() {
    this.#move(() => {
      if (this.#view.cell < DETAILED) this.#view.zoom(USUAL.fine);
      this.#view.centre(...this.place(this.#cursor));
    });
  }

  /**
   * Say that a cell has changed.
   *
   * @param {number} index
   * @param {string} char What it shows now.
   */
  draw(index, char) {
    for (const marked of this.#marked.values()) marked.delete(index);
    this.overview.set(index, char);
    this.tiles.refresh(index);
    if (index === this.#cursor) this.#speak();
    this.#schedule();
  }

  /**
   * Draw cells again whose overlay or countdown may have changed.
   *
   * @param {Iterable<number> | null} [indices] None draws all.
   */
  refresh(indices = null) {
    if (indices) for (const index of indices) this.tiles.refresh(index);
    else this.tiles.clear();
    this.#speak();
    this.#schedule();
  }

  /** Take over every character again. */
  refill() {
    this.overview.fill(this.#cells);
    this.refresh();
  }

  /**
   * @param {number} x A point of the page.
   * @param {number} y
   * @returns {number | null} The index of the cell there.
   */
  at(x, y) {
    const box = this.canvas.getBoundingClientRect();
    return this.#view.at(x - box.left, y - box.top);
  }

  /**
   * @param {number} index
   * @returns {DOMRect} Where the cell is on the page.
   */
  box(index) {
    const [row, col] = this.place(index);
    const { left, top, cell } = this.#view;
    const box = this.canvas.getBoundingClientRect();
    return new DOMRect(box.left + col * cell - left, box.top + row * cell - top, cell, cell);
  }

  /** @param {number} index Bring this cell into the window. */
  reveal(index) {
    this.#move(() => this.#view.reveal(...this.place(index)));
  }

  /**
   * @param {number} index
   * @returns {[number, number]} Row and column.
   */
  place(index) {
    return [Math.floor(index / this.#view.columns), index % this.#view.columns];
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
   * Move the cursor by rows and columns; it stops at the edges.
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
   * Set a class on these cells and remove it from all others.
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

  /** Name the cell under the cursor. */
  #speak() {
    const [row, col] = this.place(this.#cursor);
    const char = this.#cells[this.#cursor] ?? ".";
    const { look, text } = this.source.cover(this.#cursor, char);
    const name = cellName(row, col, char, this.source.wanting(this.#cursor));
    const [cell, other] = this.spoken;
    if (cell.getAttribute("aria-label") === name && cell.dataset.cover === `${look}|${text}` && cell.isConnected) return;
    this.spoken.reverse();
    other.setAttribute("aria-label", name);
    other.dataset.cover = `${look}|${text}`;
    [other.dataset.row, other.dataset.col] = [String(row), String(col)];
    other.setAttribute("aria-colindex", String(col + 1));
    this.row.setAttribute("aria-rowindex", String(row + 1));
    if (text) other.setAttribute("aria-description", t("{percent} per cent mine", { percent: text }));
    else other.removeAttribute("aria-description");
    this.row.replaceChildren(other);
    this.element.setAttribute("aria-activedescendant", other.id);
  }

  /**
   * @param {number} index
   * @returns {HTMLCanvasElement} The picture of a cell, without marks.
   */
  #stamp(index, marks = "") {
    const char = this.#cells[index];
    const { look, text } = this.source.cover(index, char);
    const classes = `${cellLook(char, this.source.wanting(index))} ${look}${marks}`;
    const [row, col] = this.place(index);
    return this.stamps.of(classes, text, (row % 2) * 2 + (col % 2));
  }

  /** Take the colours of the page again. */
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
      this.stamps.resize(view.cell, bevel(view.cell), this.#ratio);
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
    const { pen, canvas } = this;
    const view = this.#view;
    this.overview.paint();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = getComputedStyle(this.element).getPropertyValue("--paper");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const later = view.cell < DETAILED ? this.#small() : this.#detailed();
    if (view.cell < DETAILED) this.#beacons();
    else this.#marks();
    this.#ring();
    this.minimap.element.toggleAttribute("data-whole", view.whole);
    this.minimap.draw(view, this.overview, this.place(this.#cursor), this.#ratio);
    const box = this.minimap.element;
    view.slack = view.whole ? { x: 0, y: 0 } : { x: box.offsetWidth + 16, y: box.offsetHeight + 16 };
    if (later) this.#schedule();
  }

  /** @returns {boolean} */
  #small() {
    const { pen, overview } = this;
    const { left, top, cell, columns, rows } = this.#view;
    pen.imageSmoothingEnabled = cell < 1;
    pen.drawImage(
      overview.canvas,
      -left * this.#ratio, -top * this.#ratio, columns * cell * this.#ratio, rows * cell * this.#ratio,
    );
    return false;
  }

  /** @returns {boolean} Whether some tiles are still to be drawn. */
  #detailed() {
    const { pen, tiles, overview, stamps } = this;
    const view = this.#view;
    const { rows, cols } = view.seen;
    const until = performance.now() + FRAME;
    const [x, y] = this.#corner();
    let [later, seen] = [false, 0];
    pen.imageSmoothingEnabled = false;
    for (let r = Math.floor(rows[0] / tiles.span); r * tiles.span < rows[1]; r++) {
      for (let c = Math.floor(cols[0] / tiles.span); c * tiles.span < cols[1]; c++) {
        seen++;
        const at = [c * tiles.span * stamps.size - x, r * tiles.span * stamps.size - y];
        const tile = tiles.get(r, c) ?? (performance.now() < until ? tiles.draw(r, c) : null);
        if (tile) {
          pen.drawImage(tile, at[0], at[1]);
          continue;
        }
        later = true;
        const size = tiles.span / overview.step;
        const side = tiles.span * stamps.size;
        pen.drawImage(overview.canvas, c * size, r * size, size, size, at[0], at[1], side, side);
      }
    }
    tiles.trim(seen);
    return later;
  }

  /** @returns {[number, number]} The window's corner on the board, in pixels of the screen. */
  #corner() {
    const { left, top, cell } = this.#view;
    const scale = this.stamps.size / cell;
    return [Math.round(left * scale), Math.round(top * scale)];
  }

  /** Draw the marked cells over the tiles. */
  #marks() {
    /** @type {Map<number, string>} */
    const classes = new Map();
    const { rows, cols } = this.#view.seen;
    for (const [name, marked] of this.#marked) {
      for (const index of marked) {
        const [row, col] = this.place(index);
        if (row < rows[0] || row >= rows[1] || col < cols[0] || col >= cols[1]) continue;
        classes.set(index, `${classes.get(index) ?? ""} ${name}`);
      }
    }
    const [x, y] = this.#corner();
    const { size } = this.stamps;
    for (const [index, marks] of classes) {
      const [row, col] = this.place(index);
      this.pen.drawImage(this.#stamp(index, marks), col * size - x, row * size - y);
    }
  }

  /** Show where the marked cells are, while cells are small. */
  #beacons() {
    const style = getComputedStyle(this.element);
    const { left, top, cell } = this.#view;
    const size = Math.max(4, cell) * this.#ratio;
    for (const [name, marked] of this.#marked) {
      if (!BEACONS[name]) continue;
      this.pen.fillStyle = style.getPropertyValue(BEACONS[name]);
      for (const index of marked) {
        const [row, col] = this.place(index);
        this.pen.fillRect((col * cell - left) * this.#ratio, (row * cell - top) * this.#ratio, size, size);
      }
    }
  }

  /** Draw the ring of the cursor, which the mouse hides. */
  #ring() {
    if (this.element.dataset.cursor !== "keys" || !this.hasFocus) return;
    const [row, col] = this.place(this.#cursor);
    const { left, top, cell } = this.#view;
    const style = getComputedStyle(this.element);
    const { pen } = this;
    pen.save();
    pen.scale(this.#ratio, this.#ratio);
    const side = Math.max(cell, 9);
    const [x, y] = [(col + 0.5) * cell - left - side / 2, (row + 0.5) * cell - top - side / 2];
    pen.lineWidth = 5;
    pen.strokeStyle = style.getPropertyValue("--cursor-edge");
    pen.strokeRect(x + 2.5, y + 2.5, side - 5, side - 5);
    pen.lineWidth = 3;
    pen.strokeStyle = style.getPropertyValue("--cursor");
    pen.strokeRect(x + 1.5, y + 1.5, side - 3, side - 3);
    pen.restore();
  }
}
