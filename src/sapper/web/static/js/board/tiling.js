/**
 * Board shapes: neighbours and drawing positions.
 *
 * The server puts the description of every shape before a page's scripts; no module depends on the
 * name of a shape. Lengths are in cells; 1 is the side of a square.
 */

/** @typedef {[number, number]} Point To the right and down. */

/**
 * @typedef {object} Tile A kind of cell.
 * @property {Array<[number, number]>} steps Rows and columns to each neighbour.
 * @property {Point[]} outline Its corners, relative to the cell's position.
 * @property {Point} middle The position of its number: the centre of the largest circle inside.
 * @property {number} radius The radius of that circle.
 */

/**
 * @typedef {object} Tiling A shape: tiles that repeat over the board.
 * @property {string} name
 * @property {string} label The name for players.
 * @property {string} summary
 * @property {boolean} checkered Whether neighbours have alternating tints.
 * @property {[boolean, boolean]} wraps Whether the first row touches the last, and the first column the last.
 * @property {Point} pitch From a cell's position to that of the next column, and row.
 * @property {Tile[][]} tiles Of the first rows and columns.
 */

/**
 * @typedef {object} Shape The shape and size of a board.
 * @property {number} width
 * @property {number} height
 * @property {string} [topology] The name of its tiling; a rectangle without one.
 */

/** The name of the default shape. */
export const CLASSIC = "rectangle";

/** @type {Point[]} */
const SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]];

/** @type {Tiling} The only shape on pages without the server's descriptions, such as tests. */
const RECTANGLE = {
  name: CLASSIC,
  label: "Rectangle",
  summary: "",
  checkered: true,
  wraps: [false, false],
  pitch: [1, 1],
  tiles: [[{
    steps: [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]],
    outline: SQUARE,
    middle: [0.5, 0.5],
    radius: 0.5,
  }]],
};

/** @returns {Tiling[]} Every shape, the classic board first. */
export function tilings() {
  return /** @type {any} */ (globalThis).sapperTopologies ?? [RECTANGLE];
}

/**
 * @param {string} [name]
 * @returns {Tiling} A rectangle if the name is unknown.
 */
export function tilingOf(name) {
  return tilings().find((tiling) => tiling.name === name) ?? RECTANGLE;
}

/**
 * @param {Tiling} tiling
 * @param {number} row
 * @param {number} col
 * @returns {Tile}
 */
export function tileAt({ tiles }, row, col) {
  const line = tiles[row % tiles.length];
  return line[col % line.length];
}

/**
 * @param {Tiling} tiling
 * @param {number} row
 * @param {number} col
 * @returns {Point} The origin of a cell's outline.
 */
export function placeAt({ pitch }, row, col) {
  return [col * pitch[0], row * pitch[1]];
}

/**
 * @param {Tiling} tiling
 * @returns {boolean} Whether its cells are squares side by side.
 */
export function isSquare({ tiles }) {
  return tiles.length === 1 && JSON.stringify(tiles[0].map(({ outline }) => outline)) === JSON.stringify([SQUARE]);
}

/**
 * @param {Tiling} tiling
 * @returns {number} The largest number that a cell can show.
 */
export function mostNeighbours({ tiles }) {
  return Math.max(...tiles.flat().map(({ steps }) => steps.length));
}

/**
 * @param {Tile} tile
 * @returns {{left: number, top: number, width: number, height: number}} The box around its outline.
 */
export function boxOf({ outline }) {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/**
 * @param {Shape} shape
 * @returns {{width: number, height: number}} The size of its drawing, in cells.
 */
export function extentOf({ width, height, topology }) {
  const tiling = tilingOf(topology);
  if (isSquare(tiling)) return { width, height };
  let [right, bottom] = [0, 0];
  // The outermost corner is a corner of one of the last cells of each kind.
  for (let row = Math.max(0, height - tiling.tiles.length); row < height; row++) {
    for (let col = Math.max(0, width - tiling.tiles[0].length); col < width; col++) {
      const box = boxOf(tileAt(tiling, row, col));
      const [x, y] = placeAt(tiling, row, col);
      right = Math.max(right, x + box.left + box.width);
      bottom = Math.max(bottom, y + box.top + box.height);
    }
  }
  return { width: right, height: bottom };
}
