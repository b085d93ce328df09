/** How large a cell is: whole pixels, one size for the whole board. */

export const SMALLEST = 16;
export const LARGEST = 48;

/** Below this a fingertip covers its neighbours, so a touch board pans instead. */
const TOUCHABLE = 28;

/** A board that pans anyway is no larger than this, to show as much of it as one can use. */
const PANNED = 36;

/**
 * The largest cell with which a board fits a room, in pixels.
 *
 * @param {{width: number, height: number}} shape Columns and rows.
 * @param {{width: number, height: number}} room Pixels for the cells alone.
 * @param {boolean} [coarse] Whether fingers point rather than a mouse.
 * @returns {number}
 */
export function fit(shape, room, coarse = false) {
  const across = Math.floor(room.width / shape.width);
  const down = Math.floor(room.height / shape.height);
  const fitting = Math.min(across, down);
  if (!coarse || fitting >= TOUCHABLE) return clamp(fitting);
  return Math.min(PANNED, Math.max(TOUCHABLE, down));
}

/**
 * @param {number} px
 * @returns {number} The nearest size allowed.
 */
export function clamp(px) {
  return Math.min(LARGEST, Math.max(SMALLEST, Math.round(px)));
}

/**
 * The bevel of a cell: two pixels at the sizes of old, and in proportion beyond.
 *
 * @param {number} cell
 * @returns {number}
 */
export function bevel(cell) {
  return cell < 30 ? 2 : cell < 42 ? 3 : 4;
}
