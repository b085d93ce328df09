/** The tiny map of another player's progress, with one pixel per block of cells. */

/** @typedef {{closed: string, begun: string, done: string}} Inks */

/**
 * Return the colour of each block.
 *
 * @param {string[]} rows `.` nothing open, `o` some clear cells open, `O` all clear cells open.
 * @param {Inks} inks
 * @returns {string[][]}
 */
export function inksOf(rows, { closed, begun, done }) {
  return rows.map((row) => [...row].map((char) => (char === "O" ? done : char === "o" ? begun : closed)));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {string[]} rows
 */
export function drawMap(canvas, rows) {
  // Reading styles is slow, so first check whether anything has changed.
  const key = `${rows.join("/")} ${document.documentElement.dataset.dark}`;
  if (canvas.dataset.shown === key) return;
  canvas.dataset.shown = key;
  const style = getComputedStyle(canvas);
  const inks = {
    closed: style.getPropertyValue("--map-closed"),
    begun: style.getPropertyValue("--map-begun"),
    done: style.getPropertyValue("--owner"),
  };
  const width = rows[0]?.length ?? 1;
  if (canvas.width !== width || canvas.height !== rows.length) [canvas.width, canvas.height] = [width, rows.length];
  const pen = canvas.getContext("2d");
  if (!pen) return;
  for (const [y, line] of inksOf(rows, inks).entries()) {
    for (const [x, ink] of line.entries()) {
      pen.fillStyle = ink;
      pen.fillRect(x, y, 1, 1);
    }
  }
}
