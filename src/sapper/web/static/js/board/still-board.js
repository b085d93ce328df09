/**
 * A board without a running game, for viewing, selecting cells and drawing.
 *
 * const board = new StillBoard($("stage"), { label: "Position", activate: (index) => … });
 * board.show(["..1", "112"]); board.cover((index, char) => coverOf(marks.at("chances", index,
 * char), char)); board.grid.mark("hinted", [4]);
 *
 * It creates its elements at the top of the stage, and sizes cells in whole pixels to fit the space
 * left by the other elements.
 */

import { make } from "../dom.js";
import { Hover } from "../input/hover.js";
import { keyMeaning } from "../input/keyboard.js";
import { pressedKey } from "../input/pressed-key.js";
import { listenToStrokes } from "../input/strokes.js";
import { Places } from "../places.js";
import { Grid } from "./grid.js";
import { showSeams } from "./seams.js";
import { bevel, fit } from "./size.js";
import { extentOf } from "./tiling.js";

const coarse = matchMedia("(pointer: coarse)");

/**
 * @typedef {object} Options All optional.
 * @property {string} [label] The board's accessible name (default: its size).
 * @property {(index: number) => void} [activate] Called on a click, a tap, Enter or Space. With `drag`, the press already calls it.
 * @property {(index: number) => void} [drag] Called for each further cell that a pressed pointer reaches.
 * @property {() => void} [released] Called after the last call of `activate` or `drag` in a press.
 * @property {(index: number) => void} [secondary] Called on a right click, a long press or F.
 * @property {(key: string, index: number) => boolean} [key] Called with any other key pressed on the cell under the cursor; returns whether it was used.
 * @property {boolean} [hover] Whether Enter, Space and F act on the cell under the mouse while it is in use, instead of the cursor's.
 * @property {(index: number | null) => void} [pointed] Called when the cell under the mouse has changed.
 * @property {HTMLElement[]} [texts] Text in which named cells are highlighted and labelled.
 * @property {number} [largest] The largest cell size, in pixels.
 * @property {boolean} [watched] Whether to fit the whole board, however small its cells.
 * @property {"both" | "width"} [room] Whether the stage limits the height too, or grows with it.
 */

export class StillBoard {
  /** @type {string[]} */
  #cells = [];
  #width = 0;
  #height = 0;
  #topology = "rectangle";
  /** The size of a cell, in pixels. */
  cell = 0;

  /**
   * @param {HTMLElement} stage The container of the board.
   * @param {Options} [options]
   */
  constructor(stage, options = {}) {
    this.stage = stage;
    this.options = options;
    this.frame = make("div");
    this.frame.className = "console still";
    const [well, grid, labels] = [make("div"), make("div"), make("div")];
    well.className = "well";
    grid.className = "grid";
    grid.setAttribute("role", "grid");
    labels.className = "edge-labels";
    labels.setAttribute("aria-hidden", "true");
    well.append(grid);
    this.frame.append(well, labels);
    stage.prepend(this.frame);
    this.grid = new Grid(grid, well);
    this.hover = options.hover ? new Hover(this.grid) : null;
    if (options.texts) new Places(this.grid, labels, options.texts);
    listenToStrokes(this.grid, options);
    showSeams(this.grid, () => this.shape);
    grid.addEventListener("keydown", (event) => this.#press(event));
    new ResizeObserver(() => this.fit()).observe(stage);
    coarse.addEventListener("change", () => this.fit());
  }

  /** @returns {readonly string[]} The content of each cell, in row order. */
  get cells() {
    return this.#cells;
  }

  /** @returns {import("./tiling.js").Shape} */
  get shape() {
    return { width: this.#width, height: this.#height, topology: this.#topology };
  }

  /** @returns {string[]} */
  get rows() {
    return Array.from({ length: this.#height }, (_, row) =>
      this.#cells.slice(row * this.#width, (row + 1) * this.#width).join(""),
    );
  }

  /**
   * Show a position. Unchanged cells are not redrawn and keep their overlay.
   *
   * @param {string[]} rows One character per cell, see `cells.js`; all of the same length.
   * @param {string} [topology] The name of the board's shape.
   */
  show(rows, topology = "rectangle") {
    const width = rows[0]?.length ?? 0;
    if (!width || rows.some((row) => row.length !== width)) throw new Error("rows must have the same length");
    const cells = [...rows.join("")];
    if (width === this.#width && rows.length === this.#height && topology === this.#topology) {
      for (const index of changedCells(this.#cells, cells)) this.grid.draw(index, cells[index]);
      this.#cells = cells;
      return;
    }
    [this.#cells, this.#width, this.#height, this.#topology] = [cells, width, rows.length, topology];
    this.grid.build(width, rows.length, cells, topology);
    if (this.options.label) this.grid.element.setAttribute("aria-label", this.options.label);
    this.fit();
    // The page stays hidden until its board has loaded.
    document.body.dataset.shown = "";
  }

  /**
   * Cover every cell, for example with its chance.
   *
   * @param {(index: number, char: string) => import("./cover.js").Cover} coverOn
   */
  cover(coverOn) {
    this.#cells.forEach((char, index) => this.grid.cover(index, coverOn(index, char)));
  }

  /** Fit the cells to the stage. */
  fit() {
    const shape = this.shape;
    if (!shape.width || !this.stage.clientWidth) return;
    // While a card is open on a phone, the board scrolls, because resizing it would make it jump.
    if (this.cell && document.body.classList.contains("reason-open")) return;
    const { largest = Infinity, room = "both", watched = false } = this.options;
    // The frame's size depends slightly on the cell size, so measure twice.
    for (let round = 0; round < 2; round++) {
      const free = this.#room();
      if (room === "width") free.height = Infinity;
      this.cell = Math.min(largest, fit(extentOf(shape), free, coarse.matches, watched));
      this.frame.style.setProperty("--cell", `${this.cell}px`);
      this.frame.style.setProperty("--bevel", `${bevel(this.cell)}px`);
    }
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = this.grid.scroller;
    // A finger can draw only if the board does not scroll.
    this.frame.toggleAttribute("data-whole", scrollWidth <= clientWidth && scrollHeight <= clientHeight);
  }

  /** @returns {{width: number, height: number}} Pixels available for the cells. */
  #room() {
    const { stage, frame, grid } = this;
    const style = getComputedStyle(stage);
    const others = [...stage.children].reduce(
      (height, child) => height + (child === frame ? 0 : /** @type {HTMLElement} */ (child).offsetHeight),
      0,
    );
    const pads = (/** @type {string} */ a, /** @type {string} */ b) =>
      parseFloat(style.getPropertyValue(`padding-${a}`)) + parseFloat(style.getPropertyValue(`padding-${b}`));
    return {
      width: stage.clientWidth - pads("left", "right") - (frame.offsetWidth - grid.scroller.clientWidth),
      height: stage.clientHeight - others - pads("top", "bottom") - (frame.offsetHeight - grid.scroller.clientHeight),
    };
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { grid, options } = this;
    const { width, height } = this.shape;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && options.key?.(pressedKey(event), grid.cursor)) {
      event.preventDefault();
      return;
    }
    const meant = keyMeaning(event, "board");
    if (meant?.step) grid.step(...meant.step);
    else if (meant?.jump) {
      const start = grid.cursor - (grid.cursor % width);
      const to = { "row-start": start, "row-end": start + width - 1, first: 0, last: width * height - 1 };
      grid.moveTo(to[meant.jump]);
    } else if (meant?.act && !event.repeat) {
      const hovered = this.hover?.cell ?? null;
      // Move the cursor as well, as a click does.
      if (hovered !== null) grid.moveTo(hovered, { scroll: false });
      if (meant.act === "mark") options.secondary?.(grid.cursor);
      else {
        options.activate?.(grid.cursor);
        options.released?.();
      }
    } else return;
    event.preventDefault();
  }
}

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {number[]} The cells that differ.
 */
export function changedCells(before, after) {
  return [...after.keys()].filter((index) => before[index] !== after[index]);
}
