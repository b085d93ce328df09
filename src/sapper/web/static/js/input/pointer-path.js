/** The pointer's path over the board, which is sent with the next move. */

/** The unit of positions, as a fraction of a cell. */
const PARTS = 16;

/** The minimum time between two points, in milliseconds. */
const PAUSE = 40;

/** The maximum number of points per move; a longer path drops every second point. */
const MOST = 1000;

/**
 * A point: its time in milliseconds, and its position in fractions of a cell.
 *
 * @typedef {[number, number, number]} Point
 */

export class PointerPath {
  /** @type {Point[]} */
  #points = [];
  #pause = PAUSE;

  /**
   * @param {number} ms
   * @returns {boolean} Whether to record a point at this time.
   */
  due(ms) {
    const last = this.#points.at(-1);
    return !last || ms - last[0] >= this.#pause;
  }

  /**
   * @param {number} ms
   * @param {number} col The position in cells, such as 2.5 for the centre of the third one.
   * @param {number} row
   */
  add(ms, col, row) {
    const [x, y] = [Math.floor(PARTS * col), Math.floor(PARTS * row)];
    const last = this.#points.at(-1);
    if (last && last[1] === x && last[2] === y) return;
    this.#points.push([Math.round(ms), x, y]);
    if (this.#points.length <= MOST) return;
    // Counting from the end keeps the last point.
    this.#points = this.#points.filter((_, index) => (this.#points.length - 1 - index) % 2 === 0);
    this.#pause *= 2;
  }

  /**
   * Clear the path, and return it in the form of docs/http.md.
   *
   * @param {number} ms The time of the move.
   * @returns {number[]}
   */
  take(ms) {
    const points = this.#points;
    this.clear();
    return points.flatMap(([at, x, y], index) => {
      if (!index) return [Math.max(0, Math.round(ms) - at), x, y];
      const [before, left, top] = points[index - 1];
      return [at - before, x - left, y - top];
    });
  }

  clear() {
    this.#points = [];
    this.#pause = PAUSE;
  }
}

/**
 * @typedef {object} Watching
 * @property {() => boolean} wanted Whether the path is recorded.
 * @property {() => boolean} running Whether the game runs; before that, only clicks are recorded.
 * @property {() => {width: number, height: number}} size Of the board, in cells.
 */

/**
 * Record the position of a mouse or pen over a rectangular board.
 *
 * @param {import("../board/board.js").Board} board
 * @param {PointerPath} path
 * @param {Watching} watching
 */
export function recordPointer(board, path, { wanted, running, size }) {
  const note = (/** @type {PointerEvent} */ event) => {
    const cell = event.pointerType === "touch" || !wanted() ? null : board.box(0);
    if (!cell) return;
    const [right, down] = [(event.clientX - cell.x) / cell.width, (event.clientY - cell.y) / cell.height];
    const [col, row] = board.turned ? [down, right] : [right, down];
    const { width, height } = size();
    if (col >= 0 && row >= 0 && col < width && row < height) path.add(event.timeStamp, col, row);
  };
  board.element.addEventListener(
    "pointermove",
    (event) => {
      if (path.due(event.timeStamp) && running()) note(event);
    },
    { passive: true },
  );
  // Record the position before the click acts, so that the path ends there.
  for (const name of /** @type {const} */ (["pointerdown", "pointerup"])) {
    document.addEventListener(name, note, { capture: true, passive: true });
  }
}
