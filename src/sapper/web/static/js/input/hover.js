/** Tracks the cell under the mouse while the mouse, rather than the keyboard, is in use. */

import { pressedKey } from "./pressed-key.js";

/** Keys that move the cursor or the focus, which show that the keyboard is being used. */
export const MOVES = /^(Arrow.*|Home|End|PageUp|PageDown|Tab)$/;

export class Hover {
  /** @type {[number, number] | null} The pointer, in pixels of the window. */
  #at = null;

  /** @param {{element: HTMLElement, at: (x: number, y: number) => number | null}} grid */
  constructor(grid) {
    this.grid = grid;
    for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
      document.addEventListener(kind, (event) => this.#move(event), true);
    }
    document.documentElement.addEventListener("pointerleave", () => this.leave());
    document.addEventListener("keydown", (event) => MOVES.test(pressedKey(event)) && this.leave(), true);
  }

  /** @param {PointerEvent} event */
  #move({ type, pointerType, clientX, clientY, movementX, movementY }) {
    if (pointerType === "touch") return this.leave();
    // Scrolling under a mouse at rest does not count as using it.
    if (type === "pointermove" && !movementX && !movementY) return;
    this.#at = [clientX, clientY];
  }

  /** Called when the keyboard is used or the mouse leaves the page. */
  leave() {
    this.#at = null;
  }

  /** @returns {number | null} The index of the cell. */
  get cell() {
    if (!this.#at) return null;
    const [x, y] = this.#at;
    return this.grid.element.contains(document.elementFromPoint(x, y)) ? this.grid.at(x, y) : null;
  }
}
