/**
 * A small picture of a big board with a pixel per cell, for the map and for cells too small for
 * glyphs.
 */

import { make } from "../../dom.js";
import { cellLook } from "../cells.js";

/** The maximum side, in pixels; a longer board has several cells per pixel. */
const LONGEST = 4096;

export class Overview {
  #step = 1;
  #columns = 0;
  #rows = 0;
  /** @type {Uint32Array} The colour of each pixel. */
  #pixels = new Uint32Array(0);
  /** @type {ImageData | null} */
  #image = null;
  /** The range of rows to paint; the end is excluded. */
  #dirty = [Infinity, 0];
  /** @type {Record<string, number>} */
  #colours = {};

  constructor() {
    this.canvas = make("canvas");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
  }

  /** @returns {number} The number of cells per pixel along a row. */
  get step() {
    return this.#step;
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  build(columns, rows) {
    this.#step = Math.ceil(Math.max(columns, rows) / LONGEST);
    [this.#columns, this.#rows] = [columns, rows];
    this.canvas.width = Math.ceil(columns / this.#step);
    this.canvas.height = Math.ceil(rows / this.#step);
    this.#image = new ImageData(this.canvas.width, this.canvas.height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  /**
   * Read the colours of the page.
   *
   * @param {(look: string) => {background: string, ink: string}} colours
   */
  recolour(colours) {
    const swatch = make("canvas");
    [swatch.width, swatch.height] = [1, 1];
    const pen = /** @type {CanvasRenderingContext2D} */ (swatch.getContext("2d", { willReadFrequently: true }));
    // Classic boards use the same grey for open and closed cells.
    const alike = colours(cellLook(".")).background === colours(cellLook("0")).background;
    for (const char of ".F?012345678*Xx") {
      const { background, ink } = colours(cellLook(char));
      pen.globalAlpha = 1;
      pen.fillStyle = background;
      pen.fillRect(0, 0, 1, 1);
      pen.globalAlpha = char === "F" || char === "*" ? 0.85 : char === "." && !alike ? 0 : 0.4;
      if (ink) pen.fillStyle = ink;
      if (ink) pen.fillRect(0, 0, 1, 1);
      this.#colours[char] = new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0];
    }
  }

  /** @param {string[]} cells */
  fill(cells) {
    const [step, across] = [this.#step, this.canvas.width];
    for (let row = 0, y = 0; row < this.#rows; row += step, y++) {
      for (let col = 0, x = 0; col < this.#columns; col += step, x++) {
        this.#pixels[y * across + x] = this.#colours[cells[row * this.#columns + col]];
      }
    }
    this.#dirty = [0, this.canvas.height];
  }

  /**
   * @param {number} index
   * @param {string} char The cell's new content.
   */
  set(index, char) {
    const [row, col] = [Math.floor(index / this.#columns), index % this.#columns];
    if (row % this.#step || col % this.#step) return;
    const y = row / this.#step;
    this.#pixels[y * this.canvas.width + col / this.#step] = this.#colours[char];
    this.#dirty = [Math.min(this.#dirty[0], y), Math.max(this.#dirty[1], y + 1)];
  }

  /** @returns {boolean} Whether anything has changed since the last call. */
  paint() {
    const [from, to] = this.#dirty;
    if (from >= to || !this.#image) return false;
    this.pen.putImageData(this.#image, 0, 0, 0, from, this.canvas.width, to - from);
    this.#dirty = [Infinity, 0];
    return true;
  }
}
