/**
 * The cell under the cursor of a big board, for assistive technology, which cannot read a canvas.
 */

import { make } from "../../dom.js";

export class SpokenCell {
  /** @param {HTMLElement} grid The element with `role="grid"`. */
  constructor(grid) {
    this.grid = grid;
    this.row = make("div");
    this.row.setAttribute("role", "row");
    this.row.className = "spoken";
    // Two elements, because screen readers announce the active cell only when it changes.
    this.cells = ["a", "b"].map((name) => {
      const cell = make("div");
      cell.id = `spoken-${name}`;
      cell.setAttribute("role", "gridcell");
      return cell;
    });
  }

  /**
   * Announce a cell, unless it was the last one announced and has not changed.
   *
   * @param {[number, number]} place Row and column.
   * @param {string} name Its accessible name.
   * @param {import("../cover.js").Cover} cover The overlay on it.
   */
  say([row, col], name, { look, text, spoken }) {
    const [cell, other] = this.cells;
    const cover = `${look}|${text}|${spoken}`;
    if (cell.getAttribute("aria-label") === name && cell.dataset.cover === cover && cell.isConnected) return;
    this.cells.reverse();
    other.setAttribute("aria-label", name);
    other.dataset.cover = cover;
    [other.dataset.row, other.dataset.col] = [String(row), String(col)];
    other.setAttribute("aria-colindex", String(col + 1));
    this.row.setAttribute("aria-rowindex", String(row + 1));
    if (spoken) other.setAttribute("aria-description", spoken);
    else other.removeAttribute("aria-description");
    this.row.replaceChildren(other);
    this.grid.setAttribute("aria-activedescendant", other.id);
  }
}
