/** Parts of a big board that are drawn once and then moved, so that panning draws few images per frame. */

import { make } from "../../dom.js";

/** The approximate side of a tile in pixels. */
const SIDE = 256;

/** The number of tiles to keep outside the view. */
const SPARE = 48;

/** @typedef {{canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D}} Tile */

export class Tiles {
  /** @type {Map<number, Tile>} The least recently used first. */
  #tiles = new Map();
  #columns = 0;
  #rows = 0;
  #size = 0;
  /** The number of cells along each side of a tile. */
  span = 1;

  /** @param {(index: number) => HTMLCanvasElement} stamp The image of a cell. */
  constructor(stamp) {
    this.stamp = stamp;
  }

  /**
   * @param {number} columns
   * @param {number} rows
   * @param {number} cell The size of a cell.
   * @param {number} size The same in screen pixels.
   */
  build(columns, rows, cell, size) {
    if (columns === this.#columns && rows === this.#rows && size === this.#size) return;
    this.#tiles.clear();
    [this.#columns, this.#rows, this.#size] = [columns, rows, size];
    this.span = Math.max(4, Math.round(SIDE / cell));
  }

  clear() {
    this.#tiles.clear();
  }

  /**
   * @param {number} row The tile's row.
   * @param {number} col
   * @returns {number}
   */
  #key(row, col) {
    return row * this.#columns + col;
  }

  /**
   * @param {number} row The tile's row.
   * @param {number} col
   * @returns {HTMLCanvasElement | null} The tile, if it is drawn.
   */
  get(row, col) {
    const key = this.#key(row, col);
    const tile = this.#tiles.get(key);
    if (!tile) return null;
    this.#tiles.delete(key);
    this.#tiles.set(key, tile);
    return tile.canvas;
  }

  /**
   * @param {number} row The tile's row.
   * @param {number} col
   * @returns {HTMLCanvasElement} The tile, drawn now.
   */
  draw(row, col) {
    const canvas = make("canvas");
    const { span } = this;
    const [firstRow, firstCol] = [row * span, col * span];
    const [rows, cols] = [Math.min(span, this.#rows - firstRow), Math.min(span, this.#columns - firstCol)];
    [canvas.width, canvas.height] = [cols * this.#size, rows * this.#size];
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        const index = (firstRow + r) * this.#columns + firstCol + c;
        pen.drawImage(this.stamp(index), c * this.#size, r * this.#size);
      }
    }
    this.#tiles.set(this.#key(row, col), { canvas, pen });
    return canvas;
  }

  /**
   * Redraw a cell if its tile has been drawn.
   *
   * @param {number} index
   */
  refresh(index) {
    const [row, col] = [Math.floor(index / this.#columns), index % this.#columns];
    const { span } = this;
    const [r, c] = [Math.floor(row / span), Math.floor(col / span)];
    const tile = this.#tiles.get(this.#key(r, c));
    tile?.pen.drawImage(this.stamp(index), (col - c * span) * this.#size, (row - r * span) * this.#size);
  }

  /** @param {number} seen The number of visible tiles. */
  trim(seen) {
    for (const key of this.#tiles.keys()) {
      if (this.#tiles.size <= seen + SPARE) return;
      this.#tiles.delete(key);
    }
  }
}
