/** Lays out the cells of a board according to its tiling, unless they are plain squares. */

import { boxOf, extentOf, isSquare, placeAt, tileAt, tilingOf } from "./tiling.js";

/** @type {Map<string, CSSStyleSheet>} The style sheet of each tiling on this page. */
const sheets = new Map();

/**
 * Give a board the shape of its topology. Squares keep the rows set in the style sheet.
 *
 * @param {HTMLElement} element The element with `role="grid"`.
 * @param {import("./tiling.js").Shape} shape
 * @param {HTMLElement[]} cells In row order.
 */
export function layOut(element, shape, cells) {
  const tiling = tilingOf(shape.topology);
  const square = isSquare(tiling);
  const { width, height } = extentOf(shape);
  element.style.setProperty("--columns", String(width));
  element.style.setProperty("--rows", String(height));
  if (square) delete element.dataset.tiling;
  else element.dataset.tiling = tiling.name;
  element.toggleAttribute("data-plain", !tiling.checkered);
  element.dataset.wraps = ["rows", "columns"].filter((_, i) => tiling.wraps[i]).join(" ");
  if (square) return;
  if (!sheets.has(tiling.name)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules(tiling));
    document.adoptedStyleSheets.push(sheet);
    sheets.set(tiling.name, sheet);
  }
  cells.forEach((cell, index) => {
    const [row, col] = [Math.floor(index / shape.width), index % shape.width];
    const box = boxOf(tileAt(tiling, row, col));
    const [x, y] = placeAt(tiling, row, col);
    cell.dataset.tile = kind(row % tiling.tiles.length, col % tiling.tiles[0].length);
    cell.style.left = `calc(var(--cell) * ${x + box.left})`;
    cell.style.top = `calc(var(--cell) * ${y + box.top})`;
  });
}

/**
 * Remove everything that belongs to a shape, for boards that draw their own cells.
 *
 * @param {HTMLElement} element The element with `role="grid"`.
 */
export function clearLayout(element) {
  delete element.dataset.tiling;
  delete element.dataset.wraps;
  element.removeAttribute("data-plain");
}

/**
 * @param {number} row
 * @param {number} col
 * @returns {string} The name of a tile of the pattern.
 */
function kind(row, col) {
  return `${row}-${col}`;
}

/**
 * Return the style of each tile: its size, its outline, a ring along it, and the ring's shading.
 *
 * @param {import("./tiling.js").Tiling} tiling
 * @returns {string}
 */
export function rules(tiling) {
  return tiling.tiles
    .flatMap((line, row) =>
      line.map((tile, col) => {
        const box = boxOf(tile);
        const [x, y] = [tile.middle[0] - box.left, tile.middle[1] - box.top];
        const cell = `[data-tiling="${tiling.name}"] [data-tile="${kind(row, col)}"]`;
        const outer = corners(tile, "var(--gap)");
        const inner = corners(tile, "(var(--gap) + var(--rim))");
        return (
          `${cell}{--wide:${box.width};--high:${box.height};--glyph:calc(var(--cell) * ${2 * tile.radius});` +
          `--glyph-x:calc(var(--cell) * ${x - tile.radius});--glyph-y:calc(var(--cell) * ${y - tile.radius});` +
          `--sides:${sides(tile, `${percent(x / box.width)} ${percent(y / box.height)}`)};` +
          `clip-path:polygon(${outer.join()})}` +
          `${cell}::before{clip-path:polygon(evenodd,${[...outer, outer[0], ...inner, inner[0]].join()})}`
        );
      }),
    )
    .join("");
}

/**
 * @param {number} share
 * @returns {string}
 */
function percent(share) {
  return `${Math.round(10000 * share) / 100}%`;
}

/**
 * Return the sides of a tile, each with its brightness, as sectors around the centre.
 *
 * @param {import("./tiling.js").Tile} tile
 * @param {string} middle In CSS, from the corner of the box around the tile.
 * @returns {string} An image in CSS.
 */
function sides({ outline, middle: [x, y] }, middle) {
  const points = outline.map(([right, down]) => [right - x, down - y]);
  // Sectors are in clockwise order, but the corners of a tile may be in either order.
  if (points[0][0] * points[1][1] < points[0][1] * points[1][0]) points.reverse();
  const from = angle(points[0]);
  let start = 0;
  const stops = points.map((point, i) => {
    const next = points[(i + 1) % points.length];
    const end = i + 1 < points.length ? (angle(next) - from + 360) % 360 : 360;
    const stop = `color-mix(in srgb,var(--light) ${percent(lightOn(point, next))},var(--shade)) ${start.toFixed(2)}deg ${end.toFixed(2)}deg`;
    start = end;
    return stop;
  });
  return `conic-gradient(from ${from.toFixed(2)}deg at ${middle},${stops.join()})`;
}

/**
 * @param {number[]} point
 * @returns {number} Degrees from straight up, clockwise, as in CSS.
 */
function angle([x, y]) {
  return (Math.atan2(x, -y) * 180) / Math.PI;
}

/**
 * The light comes from the top left. A side that faces up or left is fully lit, as on a square; a
 * side that faces down or right is not lit.
 *
 * @param {number[]} from The first corner of a side, clockwise.
 * @param {number[]} to
 * @returns {number} From 0 to 1.
 */
function lightOn(from, to) {
  const [x, y] = [to[1] - from[1], from[0] - to[0]];
  const facing = -(x + y) / Math.hypot(x, y);
  // Even sides that the light only grazes must differ from the tile's face.
  return 0.5 + 0.5 * Math.sign(facing) * Math.sqrt(Math.min(1, Math.abs(facing)));
}

/**
 * Return the corners of a tile after moving each side towards the centre.
 *
 * @param {import("./tiling.js").Tile} tile
 * @param {string} inset The distance, a CSS length.
 * @returns {string[]}
 */
function corners(tile, inset) {
  const box = boxOf(tile);
  return tile.outline.map(([x, y]) => {
    const across = `${(100 * (x - box.left)) / box.width}% + ${inset} * ${(tile.middle[0] - x) / tile.radius}`;
    const down = `${(100 * (y - box.top)) / box.height}% + ${inset} * ${(tile.middle[1] - y) / tile.radius}`;
    return `calc(${across}) calc(${down})`;
  });
}
