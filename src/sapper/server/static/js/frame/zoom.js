/** The size of the cells: fitted to the window, or as the player wants it. */

import { bevel, clamp, fit } from "../board/size.js";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const coarse = matchMedia("(pointer: coarse)");
const KEY = "sapper.cell";

export class Zoom {
  /** @type {{width: number, height: number} | null} */
  #shape = null;
  #chosen = Number(localStorage.getItem(KEY)) || 0;
  /** The size of a cell, in pixels. */
  cell = 0;

  constructor() {
    new ResizeObserver(() => this.refresh()).observe($("stage"));
    coarse.addEventListener("change", () => this.refresh());
    $("smaller").addEventListener("click", () => this.change(-2));
    $("larger").addEventListener("click", () => this.change(2));
    $("fit").addEventListener("click", () => this.choose(0));
  }

  /** @param {{width: number, height: number}} shape Columns and rows of the board. */
  set shape(shape) {
    this.#shape = shape;
    this.refresh();
  }

  /** @param {number} by Pixels. */
  change(by) {
    this.choose(clamp(this.cell + by));
  }

  /** @param {number} px The wanted size; 0 fits the window. */
  choose(px) {
    this.#chosen = px ? clamp(px) : 0;
    localStorage.setItem(KEY, String(this.#chosen));
    this.refresh();
  }

  refresh() {
    if (!this.#shape) return;
    const stage = $("stage");
    const style = getComputedStyle(stage);
    const pads = (/** @type {string} */ a, /** @type {string} */ b) =>
      parseFloat(style.getPropertyValue(`padding-${a}`)) + parseFloat(style.getPropertyValue(`padding-${b}`));
    // What frames the cells depends on their size a little, so it is measured at each.
    for (let round = 0; round < 2; round++) {
      const well = $("well");
      const room = {
        width: stage.clientWidth - pads("left", "right") - ($("console").offsetWidth - well.clientWidth),
        height: stage.clientHeight - pads("top", "bottom") - ($("console").offsetHeight - well.clientHeight),
      };
      this.#show(this.#chosen || fit(this.#shape, room, coarse.matches));
    }
  }

  /** @param {number} cell */
  #show(cell) {
    this.cell = cell;
    const root = document.documentElement.style;
    root.setProperty("--cell", `${cell}px`);
    root.setProperty("--bevel", `${bevel(cell)}px`);
    $("size").textContent = `${cell} px`;
  }
}
