/** How large a cell is: whole pixels, one size for the whole board. */

export const SMALLEST = 16;
export const LARGEST = 48;

/** Below this a fingertip covers its neighbours, so a touch board pans instead. */
const TOUCHABLE = 24;

/** A board that pans anyway has cells of these sizes, to show as much of it as one can use. */
const PANNED = { least: 28, most: 36 };

/**
 * The largest cell with which a board fits a room, in pixels.
 *
 * @param {{width: number, height: number}} shape Columns and rows.
 * @param {{width: number, height: number}} room Pixels for the cells alone.
 * @param {boolean} [coarse] Whether fingers point rather than a mouse.
 * @returns {number}
 */
export function fit(shape, room, coarse = false) {
  const down = Math.floor(room.height / shape.height);
  const fitting = whole(shape, room);
  if (!coarse || fitting >= TOUCHABLE) return clamp(fitting);
  return Math.min(PANNED.most, Math.max(PANNED.least, down));
}

/**
 * @param {{width: number, height: number}} shape Columns and rows.
 * @param {{width: number, height: number}} room Pixels for the cells alone.
 * @returns {number} The largest cell with which all of the board is seen, however small.
 */
export function whole(shape, room) {
  return Math.max(4, Math.floor(Math.min(room.width / shape.width, room.height / shape.height)));
}

/**
 * @param {number} px
 * @param {number} [least] Pinching out may go below the smallest size, to see the whole board.
 * @returns {number} The nearest size allowed.
 */
export function clamp(px, least = SMALLEST) {
  return Math.min(LARGEST, Math.max(Math.min(SMALLEST, least), Math.round(px)));
}

/**
 * The bevel of a cell: two pixels at the sizes of old, and in proportion beyond.
 *
 * @param {number} cell
 * @returns {number}
 */
export function bevel(cell) {
  if (cell < 16) return 1;
  return cell < 30 ? 2 : cell < 42 ? 3 : 4;
}
