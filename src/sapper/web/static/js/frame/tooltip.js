/** The tooltip with a cell's exact chance. */

export class Tooltip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {DOMRect | undefined} box The cell's position.
   * @param {string} text The text; an empty text hides the tooltip.
   * @param {DOMRect} [board] The board, if the tooltip must not cover it.
   */
  show(box, text, board) {
    this.element.hidden = !text || !box;
    if (!text || !box) return;
    this.element.textContent = text;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const size = { width, height };
    const [left, top] = (board && beside(box, size, board)) ?? near(box, size);
    this.element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

/** The minimum gap between the tooltip and the edge of the window, the cell or the board. */
const [EDGE, GAP] = [8, 6];

/** @typedef {{width: number, height: number}} Size */

/** @type {(value: number, length: number, room: number) => number} */
const inside = (value, length, room) => Math.max(EDGE, Math.min(value, room - length - EDGE));

/**
 * Place the tooltip above the cell or, in the first rows, below it.
 *
 * @param {DOMRect} box
 * @param {Size} size
 * @returns {[number, number]} Left and top.
 */
function near(box, { width, height }) {
  const above = box.top - height - GAP;
  return [inside(box.left + box.width / 2 - width / 2, width, innerWidth), above >= EDGE ? above : box.bottom + GAP];
}

/**
 * Place the tooltip at the nearest side of the board that has enough space.
 *
 * @param {DOMRect} box
 * @param {Size} size
 * @param {DOMRect} board
 * @returns {[number, number] | null} Left and top; null if no side has enough space.
 */
function beside(box, { width, height }, board) {
  const left = inside(box.left + box.width / 2 - width / 2, width, innerWidth);
  const top = inside(box.top + box.height / 2 - height / 2, height, innerHeight);
  /** @type {Array<{far: number, at: [number, number]}>} */
  const sides = [
    { far: box.top - board.top, at: [left, board.top - height - GAP] },
    { far: board.bottom - box.bottom, at: [left, board.bottom + GAP] },
    { far: box.left - board.left, at: [board.left - width - GAP, top] },
    { far: board.right - box.right, at: [board.right + GAP, top] },
  ];
  const fits = sides.filter(
    ({ at: [x, y] }) => x >= EDGE && y >= EDGE && x + width + EDGE <= innerWidth && y + height + EDGE <= innerHeight,
  );
  return fits.sort((a, b) => a.far - b.far)[0]?.at ?? null;
}
