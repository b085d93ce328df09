/** The neighbours of cells, for drawing a pressed chord. The server decides which cells a chord opens. */

import { tileAt, tilingOf } from "./tiling.js";

/** @typedef {import("./tiling.js").Shape} Shape */

/**
 * Return the indices of the cells around a cell, in row order.
 *
 * @param {Shape} shape
 * @param {number} index
 * @returns {number[]}
 */
export function neighbours({ width, height, topology }, index) {
  const tiling = tilingOf(topology);
  const [wrapsRows, wrapsCols] = tiling.wraps;
  const row = Math.floor(index / width);
  const col = index % width;
  const found = new Set();
  for (const [down, right] of tileAt(tiling, row, col).steps) {
    const r = wrapsRows ? modulo(row + down, height) : row + down;
    const c = wrapsCols ? modulo(col + right, width) : col + right;
    if (r >= 0 && r < height && c >= 0 && c < width) found.add(r * width + c);
  }
  found.delete(index);
  return [...found].sort((a, b) => a - b);
}

/**
 * Return the neighbours on the other side of joined edges of the board.
 *
 * @param {Shape} shape
 * @param {number} index
 * @returns {number[]}
 */
export function across(shape, index) {
  const { wraps } = tilingOf(shape.topology);
  if (!wraps[0] && !wraps[1]) return [];
  const near = neighbours(shape, index);
  const [row, col] = [Math.floor(index / shape.width), index % shape.width];
  return near.filter((other) => {
    const [r, c] = [Math.floor(other / shape.width), other % shape.width];
    return Math.abs(r - row) > 2 || Math.abs(c - col) > 2;
  });
}

/**
 * @param {number} value
 * @param {number} size
 * @returns {number} From 0 to `size` - 1.
 */
export function modulo(value, size) {
  return ((value % size) + size) % size;
}
