/** Helps with boards larger than their window: faded sides, a small map, and a way to turn the board. */

import { isUnopened } from "../board/cells.js";
import { $, button } from "../dom.js";
import { read, write } from "../storage.js";
import { scrollSides } from "./scroll-sides.js";

/** Whether the next visit reserves space for the map; see `early-room.js`. */
const LINE = "sapper.map";

/** The height of the map in pixels, and its maximum width. */
const [HIGH, WIDE] = [36, 140];

/**
 * @typedef {object} App
 * @property {import("../board/renderer.js").BoardState} state
 * @property {import("../board/board.js").Board} grid
 * @property {import("./zoom.js").Zoom} zoom
 * @property {() => void} toggleTurn
 * @property {boolean} [reserves] Whether the next visit reserves the map's space (default: yes).
 */

export class BoardMap {
  #well = $("well");
  #canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("board-map"));
  #asked = false;
  /** Map pixels per cell. */
  #scale = 1;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.#well.addEventListener("scroll", () => this.refresh(), { passive: true });
    new ResizeObserver(() => this.refresh()).observe(this.#well);
    button("turn-board").addEventListener("click", () => app.toggleTurn());
    for (const kind of ["pointerdown", "pointermove"]) {
      this.#canvas.addEventListener(kind, (event) => this.#point(/** @type {PointerEvent} */ (event)));
    }
  }

  /** Draw the map in the next frame. */
  refresh() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.draw();
    });
  }

  /** Draw the map immediately, so that the board's first frame is in the right place. */
  draw() {
    const { grid, state, zoom } = this.app;
    const well = this.#well;
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = well;
    well.dataset.more = grid.big ? "" : scrollSides(well);
    const larger = !grid.big && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
    const turnable = zoom.turnable && (larger || grid.turned);
    const shown = larger || turnable;
    $("map-line").hidden = !shown;
    if ((this.app.reserves ?? true) && read(LINE) !== String(shown)) write(LINE, String(shown));
    button("turn-board").hidden = !turnable;
    button("turn-board").setAttribute("aria-pressed", String(grid.turned));
    this.#canvas.hidden = !larger;
    if (!larger || !state.game) return;
    const { width, height, cells } = state.game;
    const [columns, rows] = grid.turned ? [height, width] : [width, height];
    this.#scale = Math.min(HIGH / rows, WIDE / columns);
    const ratio = devicePixelRatio;
    const size = [columns, rows].map((cellCount) => Math.round(cellCount * this.#scale));
    [this.#canvas.width, this.#canvas.height] = size.map((px) => Math.round(px * ratio));
    this.#canvas.style.width = `${size[0]}px`;
    this.#canvas.style.height = `${size[1]}px`;
    const pen = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
    const style = getComputedStyle(this.#canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    const looks = { closed: colour("--soft"), open: colour("--surface"), flag: colour("--danger") };
    pen.scale(ratio * this.#scale, ratio * this.#scale);
    pen.fillStyle = looks.open;
    pen.fillRect(0, 0, columns, rows);
    cells.forEach((char, index) => {
      if (!isUnopened(char)) return;
      const [row, col] = [Math.floor(index / width), index % width];
      pen.fillStyle = char === "F" ? looks.flag : looks.closed;
      pen.fillRect(grid.turned ? row : col, grid.turned ? col : row, 1, 1);
    });
    const cell = zoom.cell;
    pen.strokeStyle = colour("--accent");
    pen.lineWidth = 2 / this.#scale;
    const seen = [scrollLeft, scrollTop, Math.min(clientWidth, scrollWidth), Math.min(clientHeight, scrollHeight)].map((px) => px / cell);
    pen.strokeRect(seen[0], seen[1], Math.min(seen[2], columns), Math.min(seen[3], rows));
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (!(event.buttons & 1)) return;
    event.preventDefault();
    const box = this.#canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / this.#scale, (event.clientY - box.top) / this.#scale];
    const { cell } = this.app.zoom;
    this.#well.scrollTo({ left: x * cell - this.#well.clientWidth / 2, top: y * cell - this.#well.clientHeight / 2 });
  }
}
