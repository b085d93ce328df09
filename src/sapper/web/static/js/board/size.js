/** The cell size, in whole pixels, which is the same on the whole board. */

export const SMALLEST = 16;
export const LARGEST = 48;

/** Below this size, a fingertip covers several cells, so a board for touch scrolls instead. */
const TOUCHABLE = 24;

/** The minimum cell size of a turned board, which fits the width at the player's request. */
const LEAST_TURNED = 20;

/** The range of cell sizes on a touch board that scrolls. */
const PANNED = { least: 28, most: 36 };

/**
 * Return the largest cell size at which a board fits, in pixels.
 *
 * @param {{width: number, height: number}} shape The extent of the board, in cells.
 * @param {{width: number, height: number}} room Pixels available for the cells.
 * @param {boolean} [coarse] Whether the pointer is a finger.
 * @param {boolean} [watched] Whether the board is only viewed: it always fits whole.
 * @returns {number}
 */
export function fit(shape, room, coarse = false, watched = false) {
  const down = Math.floor(room.height / shape.height);
  const fitting = whole(shape, room);
  if (watched) return clamp(fitting, fitting);
  if (!coarse || fitting >= TOUCHABLE) return clamp(fitting);
  return Math.min(PANNED.most, Math.max(PANNED.least, down));
}

/**
 * @param {{width: number, height: number}} shape The visible extent of a turned board, in cells.
 * @param {{width: number, height: number}} room Pixels available for the cells.
 * @returns {number} A cell size at which it fits in width, if large enough for a fingertip.
 */
export function fitAcross(shape, room) {
  return Math.min(PANNED.most, Math.max(LEAST_TURNED, Math.floor(room.width / shape.width)));
}

/**
 * @param {{width: number, height: number}} shape The extent of the board, in cells.
 * @param {{width: number, height: number}} room Pixels available for the cells.
 * @returns {number} The largest cell size that shows the whole board, with no lower limit for touch.
 */
export function whole(shape, room) {
  return Math.max(4, Math.floor(Math.min(room.width / shape.width, room.height / shape.height)));
}

/**
 * @param {number} px
 * @param {number} [least] A smaller minimum, so that pinching can show the whole board.
 * @returns {number} The nearest allowed size.
 */
export function clamp(px, least = SMALLEST) {
  return Math.min(LARGEST, Math.max(Math.min(SMALLEST, least), Math.round(px)));
}

/**
 * Return the bevel of a cell: two pixels at the classic sizes, more for larger cells.
 *
 * @param {number} cell
 * @returns {number}
 */
export function bevel(cell) {
  if (cell < 16) return 1;
  return cell < 30 ? 2 : cell < 42 ? 3 : 4;
}
