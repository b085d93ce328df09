/** The map of a big board, on which the visible part is marked, with buttons to move that part. */

import { make } from "../../dom.js";
import { t } from "../../translation.js";

/** The maximum length of the map's longer side, as a share of the window and in pixels. */
const SHARE = 0.24;
const LONGEST = 168;

/**
 * @typedef {object} Moves
 * @property {(row: number, col: number) => void} centre Show this position, in cells.
 * @property {(factor: number) => void} zoom
 * @property {() => void} cursor Show the cursor.
 */

export class Minimap {
  #scale = 1;

  /** @param {Moves} moves */
  constructor(moves) {
    this.moves = moves;
    this.element = make("div");
    this.element.className = "minimap";
    this.canvas = make("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const buttons = make("div");
    const zooms = make("span");
    zooms.className = "zooms";
    zooms.append(
      press("−", t("Smaller cells"), () => moves.zoom(0.8)),
      press("+", t("Larger cells"), () => moves.zoom(1.25)),
    );
    buttons.append(zooms, press("◎", t("Show the cursor"), moves.cursor));
    this.element.append(this.canvas, buttons);
    for (const kind of ["pointerdown", "pointermove"]) {
      this.canvas.addEventListener(kind, (event) => this.#point(/** @type {PointerEvent} */ (event)));
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (!(event.buttons & 1)) return;
    event.preventDefault();
    if (event.type === "pointerdown") this.canvas.setPointerCapture?.(event.pointerId);
    const box = this.canvas.getBoundingClientRect();
    this.moves.centre((event.clientY - box.top) / this.#scale, (event.clientX - box.left) / this.#scale);
  }

  /**
   * @param {import("./view.js").View} view
   * @param {import("./overview.js").Overview} overview
   * @param {[number, number]} cursor Row and column.
   * @param {number} ratio Screen pixels per pixel.
   */
  draw(view, overview, [row, col], ratio) {
    const most = Math.min(LONGEST, SHARE * Math.min(view.room.width, view.room.height) + 24);
    this.#scale = most / Math.max(view.columns, view.rows);
    const [width, height] = [view.columns * this.#scale, view.rows * this.#scale].map((side) => Math.max(8, Math.round(side)));
    const { canvas, pen } = this;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.drawImage(overview.canvas, 0, 0, width, height);
    const style = getComputedStyle(this.element);
    const rect = [view.left, view.top, view.room.width, view.room.height].map((px) => (px / view.cell) * this.#scale);
    pen.lineWidth = 3;
    pen.strokeStyle = style.getPropertyValue("--cursor-edge");
    pen.strokeRect(rect[0], rect[1], Math.max(rect[2], 3), Math.max(rect[3], 3));
    pen.lineWidth = 1.5;
    pen.strokeStyle = style.getPropertyValue("--cursor");
    pen.strokeRect(rect[0], rect[1], Math.max(rect[2], 3), Math.max(rect[3], 3));
    pen.fillStyle = style.getPropertyValue("--danger");
    pen.fillRect((col + 0.5) * this.#scale - 1.5, (row + 0.5) * this.#scale - 1.5, 3, 3);
  }
}

/**
 * @param {string} text
 * @param {string} name
 * @param {() => void} act
 * @returns {HTMLButtonElement}
 */
function press(text, name, act) {
  const made = make("button", text);
  made.type = "button";
  made.title = name;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}
