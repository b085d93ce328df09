/** The cell under the mouse, while the mouse is in use rather than the keyboard. */

/** Keys that move the cursor or the focus: pressing one means that the keyboard is in use. */
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
    document.addEventListener("keydown", ({ key }) => MOVES.test(key) && this.leave(), true);
  }

  /** @param {PointerEvent} event */
  #move({ type, pointerType, clientX, clientY, movementX, movementY }) {
    if (pointerType === "touch") return this.leave();
    // Scrolling under a resting mouse does not count as using the mouse.
    if (type === "pointermove" && !movementX && !movementY) return;
    this.#at = [clientX, clientY];
  }

  /** The keyboard is in use, or the mouse has left the page. */
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
