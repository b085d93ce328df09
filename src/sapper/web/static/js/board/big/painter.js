/** Draws the visible part of a big board: cells, marks and the cursor. */

import { make } from "../../dom.js";

/** Cells below this size, in pixels, are drawn as plain colours. */
export const DETAILED = 8;

/** How long a frame may draw new tiles before leaving the rest to later frames, in milliseconds. */
const FRAME = 6;

/** Marks that the map also shows, with the custom property for each colour. */
const BEACONS = /** @type {Record<string, string>} */ ({
  hinted: "--hint", lit: "--hint", proving: "--hint-2", named: "--accent", picked: "--hint", down: "--accent",
});

/**
 * @typedef {object} Sources The sources of images.
 * @property {import("./overview.js").Overview} overview
 * @property {import("./tiles.js").Tiles} tiles
 * @property {import("./stamps.js").Stamps} stamps
 * @property {(index: number, marks: string) => HTMLCanvasElement} stamp A cell with its marks.
 */

/**
 * @typedef {object} Scene The content to draw.
 * @property {import("./view.js").View} view
 * @property {Map<string, Set<number>>} marked The cells of each mark.
 * @property {number | null} cursor The cell with the cursor ring.
 */

export class Painter {
  /**
   * @param {HTMLElement} element Provides the colours as custom properties.
   * @param {Sources} sources
   */
  constructor(element, sources) {
    this.element = element;
    this.sources = sources;
    this.canvas = make("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
  }

  /** @param {import("./view.js").View} view Its window is the canvas's size. */
  resize({ room, ratio }) {
    this.canvas.width = Math.round(room.width * ratio);
    this.canvas.height = Math.round(room.height * ratio);
  }

  /**
   * @param {Scene} scene
   * @returns {boolean} Whether some tiles are still to be drawn.
   */
  paint({ view, marked, cursor }) {
    const { pen, canvas } = this;
    this.sources.overview.paint();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = this.#colour("--paper");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    let later = false;
    if (view.cell < DETAILED) {
      this.#plain(view);
      this.#beacons(view, marked);
    } else {
      later = this.#tiles(view);
      this.#marks(view, marked);
    }
    if (cursor !== null) this.#ring(view, cursor);
    return later;
  }

  /** @param {string} name A custom property. */
  #colour(name) {
    return getComputedStyle(this.element).getPropertyValue(name);
  }

  /**
   * Draw each cell as a plain colour.
   *
   * @param {import("./view.js").View} view
   */
  #plain({ left, top, cell, columns, rows, ratio }) {
    const { pen } = this;
    pen.imageSmoothingEnabled = cell < 1;
    pen.drawImage(
      this.sources.overview.canvas,
      -left * ratio, -top * ratio, columns * cell * ratio, rows * cell * ratio,
    );
  }

  /**
   * Draw the visible tiles, and plain colours for those that are not ready.
   *
   * @param {import("./view.js").View} view
   * @returns {boolean} Whether some tiles are still to be drawn.
   */
  #tiles(view) {
    const { pen } = this;
    const { tiles, overview, stamps } = this.sources;
    const { rows, cols } = view.seen;
    const until = performance.now() + FRAME;
    const [x, y] = this.#corner(view);
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

  /**
   * @param {import("./view.js").View} view
   * @returns {[number, number]} The window's corner on the board, in screen pixels.
   */
  #corner({ left, top, cell }) {
    const scale = this.sources.stamps.size / cell;
    return [Math.round(left * scale), Math.round(top * scale)];
  }

  /**
   * Draw the marked cells over the tiles.
   *
   * @param {import("./view.js").View} view
   * @param {Map<string, Set<number>>} marked
   */
  #marks(view, marked) {
    /** @type {Map<number, string>} */
    const classes = new Map();
    const { rows, cols } = view.seen;
    for (const [name, indices] of marked) {
      for (const index of indices) {
        const [row, col] = view.place(index);
        if (row < rows[0] || row >= rows[1] || col < cols[0] || col >= cols[1]) continue;
        classes.set(index, `${classes.get(index) ?? ""} ${name}`);
      }
    }
    const [x, y] = this.#corner(view);
    const { size } = this.sources.stamps;
    for (const [index, marks] of classes) {
      const [row, col] = view.place(index);
      this.pen.drawImage(this.sources.stamp(index, marks), col * size - x, row * size - y);
    }
  }

  /**
   * Show where the marked cells are when cells are small.
   *
   * @param {import("./view.js").View} view
   * @param {Map<string, Set<number>>} marked
   */
  #beacons(view, marked) {
    const { left, top, cell, ratio } = view;
    const { pen } = this;
    const size = Math.max(4, cell) * ratio;
    for (const [name, indices] of marked) {
      if (!BEACONS[name]) continue;
      pen.fillStyle = this.#colour(BEACONS[name]);
      for (const index of indices) {
        const [row, col] = view.place(index);
        pen.fillRect((col * cell - left) * ratio, (row * cell - top) * ratio, size, size);
      }
    }
  }

  /**
   * Draw the ring of the cursor.
   *
   * @param {import("./view.js").View} view
   * @param {number} cursor
   */
  #ring(view, cursor) {
    const { pen } = this;
    const { left, top, cell } = view;
    const [row, col] = view.place(cursor);
    pen.save();
    pen.scale(view.ratio, view.ratio);
    const side = Math.max(cell, 9);
    const [x, y] = [(col + 0.5) * cell - left - side / 2, (row + 0.5) * cell - top - side / 2];
    pen.lineWidth = 5;
    pen.strokeStyle = this.#colour("--cursor-edge");
    pen.strokeRect(x + 2.5, y + 2.5, side - 5, side - 5);
    pen.lineWidth = 3;
    pen.strokeStyle = this.#colour("--cursor");
    pen.strokeRect(x + 1.5, y + 1.5, side - 3, side - 3);
    pen.restore();
  }
}
