/** The pointers of the other members on a shared board, and this window's own. */

import { make } from "../dom.js";
import { colourOf } from "./colours.js";

/** The unit of positions, as a fraction of a cell. */
const PARTS = 16;
/** The minimum time between two positions, in milliseconds. */
const PAUSE = 100;
/** The time after which a pointer that has not moved disappears, in milliseconds. */
const STILL_MS = 6000;

export class Pointers {
  /** @type {Map<number, {element: HTMLElement, timer: number}>} */
  #shown = new Map();
  #layer = make("div");

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.#layer.className = "pointers";
    this.#layer.setAttribute("aria-hidden", "true");
    board.scroller.append(this.#layer);
  }

  /**
   * Show a member's pointer.
   *
   * @param {{number: number, x: number, y: number}} at In 16ths of a cell.
   * @param {string} name
   * @param {number} colour
   */
  show({ number, x, y }, name, colour) {
    const { element } = this.board;
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = element;
    const cell = this.board.box(0)?.width ?? 1;
    const cells = (/** @type {number} */ px) => `calc(var(--cell) * ${px / cell})`;
    // The layer clips the pointers, so that they do not make the board scroll.
    Object.assign(this.#layer.style, { left: `${left}px`, top: `${top}px`, width: cells(width), height: cells(height) });
    let one = this.#shown.get(number);
    if (!one) {
      one = { element: make("div"), timer: 0 };
      one.element.append(make("span", name));
      one.element.style.setProperty("--owner", colourOf(colour));
      this.#layer.append(one.element);
      this.#shown.set(number, one);
    }
    const [right, down] = this.board.turned ? [y, x] : [x, y];
    one.element.style.translate = `calc(var(--cell) * ${right / PARTS}) calc(var(--cell) * ${down / PARTS})`;
    // Near the right or lower edge, the name is on the other side of the pointer.
    const label = /** @type {HTMLElement} */ (one.element.firstElementChild);
    one.element.classList.toggle("leftwards", (cell * right) / PARTS + label.offsetWidth + 10 > width);
    one.element.classList.toggle("upwards", (cell * down) / PARTS + 34 > height);
    clearTimeout(one.timer);
    one.timer = window.setTimeout(() => this.remove(number), STILL_MS);
  }

  /** @param {number} number */
  remove(number) {
    const one = this.#shown.get(number);
    if (!one) return;
    clearTimeout(one.timer);
    one.element.remove();
    this.#shown.delete(number);
  }

  clear() {
    for (const number of [...this.#shown.keys()]) this.remove(number);
  }
}

/** Limits positions to one every `PAUSE` milliseconds; the latest one is always sent. */
export class Throttle {
  #last = -Infinity;
  /** @type {[number, number] | null} */
  #waiting = null;

  /**
   * @param {(x: number, y: number) => void} send
   * @param {() => number} clock
   */
  constructor(send, clock = () => performance.now()) {
    this.send = send;
    this.clock = clock;
  }

  /** @param {number} x @param {number} y */
  put(x, y) {
    const wait = this.#last + PAUSE - this.clock();
    if (wait > 0) {
      if (!this.#waiting) setTimeout(() => this.flush(), wait);
      this.#waiting = [x, y];
      return;
    }
    this.#last = this.clock();
    this.send(x, y);
  }

  /** Send the latest position that had to wait. */
  flush() {
    const at = this.#waiting;
    this.#waiting = null;
    if (!at) return;
    this.#last = this.clock();
    this.send(...at);
  }
}

/**
 * Report the position of the pointer over the board.
 *
 * @param {import("../board/board.js").Board} board
 * @param {() => {width: number, height: number} | null} size The size of the board in cells; null if nothing is reported.
 * @param {(x: number, y: number) => void} moved In 16ths of a cell.
 */
export function trackPointer(board, size, moved) {
  const note = (/** @type {PointerEvent} */ event) => {
    const shape = size();
    const cell = shape && board.box(0);
    if (!shape || !cell) return;
    const [right, down] = [(event.clientX - cell.x) / cell.width, (event.clientY - cell.y) / cell.height];
    const [col, row] = board.turned ? [down, right] : [right, down];
    if (col >= 0 && row >= 0 && col < shape.width && row < shape.height) moved(Math.floor(PARTS * col), Math.floor(PARTS * row));
  };
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) board.element.addEventListener(kind, note, { passive: true });
}
