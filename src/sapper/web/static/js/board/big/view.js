/** The visible part of a big board, and the size of its cells. Draws nothing. */

/** The largest cell, in pixels. */
const LARGEST = 48;

/** The margin, in cells, around a revealed cell. */
const AROUND = 2;

export class View {
  /** How many pixels of the board are to the left of the window, and above it. */
  left = 0;
  top = 0;
  /** The size of a cell, in pixels; below 1 if needed to show the whole board. */
  cell = 24;
  /** The window, in pixels. */
  room = { width: 0, height: 0 };
  /** How many pixels panning may go beyond the right and bottom edges, because something covers the board there. */
  slack = { x: 0, y: 0 };
  /** Screen pixels per CSS pixel; cells and edges are aligned to screen pixels. */
  ratio = 1;

  /**
   * @param {number} columns
   * @param {number} rows
   */
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /** @returns {number} The cell size that shows the whole board. */
  get fitting() {
    return Math.min(LARGEST, this.room.width / this.columns, this.room.height / this.rows);
  }

  /** @returns {boolean} Whether the whole board is in the window. */
  get whole() {
    return fits(this.columns * this.cell, this.room.width) && fits(this.rows * this.cell, this.room.height);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    // The centre stays in place.
    this.left += (this.room.width - width) / 2;
    this.top += (this.room.height - height) / 2;
    this.room = { width, height };
    this.zoom(this.cell);
  }

  /**
   * Change the cell size, keeping one point of the window in place.
   *
   * @param {number} cell
   * @param {number} [x] The point (default: the centre).
   * @param {number} [y]
   */
  zoom(cell, x = this.room.width / 2, y = this.room.height / 2) {
    const least = Math.min(this.fitting, LARGEST);
    // Cells have whole-pixel sizes, which look sharp, except when the whole board is shown.
    const whole = Math.max(1, Math.round(cell * this.ratio)) / this.ratio;
    const after = cell <= least || whole <= least ? least : Math.min(LARGEST, whole);
    const [col, row] = [(x + this.left) / this.cell, (y + this.top) / this.cell];
    this.cell = after;
    this.left = col * after - x;
    this.top = row * after - y;
    this.#clamp();
  }

  /**
   * @param {number} x Pixels to the right.
   * @param {number} y Pixels down.
   */
  pan(x, y) {
    this.left += x;
    this.top += y;
    this.#clamp();
  }

  /**
   * Scroll a cell to the centre of the window.
   *
   * @param {number} row
   * @param {number} col
   */
  centre(row, col) {
    this.left = (col + 0.5) * this.cell - this.room.width / 2;
    this.top = (row + 0.5) * this.cell - this.room.height / 2;
    this.#clamp();
  }

  /**
   * Scroll a cell and some cells around it into the window.
   *
   * @param {number} row
   * @param {number} col
   */
  reveal(row, col) {
    const near = AROUND * this.cell;
    const { width, height } = this.room;
    const [x, y] = [col * this.cell - this.left, row * this.cell - this.top];
    const right = width - this.cell - near - this.slack.x / 2;
    const lower = height - this.cell - near - this.slack.y / 2;
    if (x < near) this.left += x - near;
    else if (x > right) this.left += x - right;
    if (y < near) this.top += y - near;
    else if (y > lower) this.top += y - lower;
    this.#clamp();
  }

  /**
   * @param {number} x A point in the window.
   * @param {number} y
   * @returns {number | null} The index of the cell there.
   */
  at(x, y) {
    if (x < 0 || y < 0 || x >= this.room.width || y >= this.room.height) return null;
    const [row, col] = [Math.floor((y + this.top) / this.cell), Math.floor((x + this.left) / this.cell)];
    if (row < 0 || col < 0 || row >= this.rows || col >= this.columns) return null;
    return row * this.columns + col;
  }

  /**
   * @param {number} index
   * @returns {[number, number]} Row and column.
   */
  place(index) {
    return [Math.floor(index / this.columns), index % this.columns];
  }

  /**
   * @returns {{rows: [number, number], cols: [number, number]}} The visible cells, ends excluded.
   */
  get seen() {
    const part = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ most) =>
      /** @type {[number, number]} */ ([
        Math.max(0, Math.floor(from / this.cell)),
        Math.min(most, Math.ceil((from + size) / this.cell)),
      ]);
    return {
      rows: part(this.top, this.room.height, this.rows),
      cols: part(this.left, this.room.width, this.columns),
    };
  }

  /** Keep the board within the window, centred if it is smaller. */
  #clamp() {
    const along = (/** @type {number} */ from, /** @type {number} */ board, /** @type {number} */ room, /** @type {number} */ slack) =>
      fits(board, room) ? (board - room) / 2 : Math.max(0, Math.min(from, board + slack - room));
    const sharp = (/** @type {number} */ px) => Math.round(px * this.ratio) / this.ratio;
    this.left = sharp(along(this.left, this.columns * this.cell, this.room.width, this.slack.x));
    this.top = sharp(along(this.top, this.rows * this.cell, this.room.height, this.slack.y));
  }
}

/**
 * @param {number} board
 * @param {number} room
 * @returns {boolean} Whether a side of the board fits, within rounding error.
 */
function fits(board, room) {
  return board < room + 1e-6;
}
