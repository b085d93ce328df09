/** Shows which edges of a board are joined, by highlighting a cell's neighbours across them. */

import { across } from "./neighbours.js";

/**
 * @param {import("./grid.js").Grid} grid
 * @param {() => import("./tiling.js").Shape | null} shape
 */
export function showSeams(grid, shape) {
  const { element } = grid;
  const light = (/** @type {EventTarget | null} */ target) => {
    const found = shape();
    const index = found && target instanceof Element ? grid.indexOf(target) : null;
    grid.mark("across", found && index !== null ? across(found, index) : []);
  };
  element.addEventListener("pointerover", (event) => {
    if (element.dataset.wraps && event.pointerType !== "touch") light(event.target);
  });
  element.addEventListener("focusin", (event) => {
    if (element.dataset.wraps && grid.byKeys) light(event.target);
  });
  element.addEventListener("pointerleave", () => {
    if (element.dataset.wraps) light(null);
  });
}
