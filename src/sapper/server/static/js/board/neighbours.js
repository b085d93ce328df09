/** Neighbouring cells, for drawing a pressed chord. The server decides what a chord opens. */

/**
 * @typedef {object} Shape
 * @property {number} width
 * @property {number} height
 * @property {string} [topology]
 */

/**
 * The indices of the cells around a cell, in row order.
 *
 * @param {Shape} shape
 * @param {number} index
 * @returns {number[]}
 */
export function neighbours({ width, height, topology = "rectangle" }, index) {
  const row = Math.floor(index / width);
  const col = index % width;
  const found = new Set();
  for (let dr = -1; dr <= 1; dr++) {
    for (let dc = -1; dc <= 1; dc++) {
      let r = row + dr;
      let c = col + dc;
      if (topology === "torus") {
        r = (r + height) % height;
        c = (c + width) % width;
      } else if (r < 0 || r >= height || c < 0 || c >= width) continue;
      found.add(r * width + c);
    }
  }
  found.delete(index);
  return [...found].sort((a, b) => a - b);
}
