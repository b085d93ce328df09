/** The bomb of Flags. */

/** The rows and columns on each side of the bomb's cell. */
const REACH = 2;

/**
 * @param {{width: number, height: number}} shape
 * @param {number} index
 * @returns {number[]} The cells that a bomb opens: 5x5, or fewer at the sides.
 */
export function bombCells({ width, height }, index) {
  const [row, col] = [Math.floor(index / width), index % width];
  const found = [];
  for (let r = Math.max(0, row - REACH); r <= Math.min(height - 1, row + REACH); r++) {
    for (let c = Math.max(0, col - REACH); c <= Math.min(width - 1, col + REACH); c++) found.push(r * width + c);
  }
  return found;
}
