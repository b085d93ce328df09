/** The tiny map of another player's progress, with one pixel per block of cells. */

/** @typedef {{closed: string, open: string}} Inks */

/**
 * Return the colour of each block.
 *
 * @param {string[]} rows `.` for less than half of the cells open, `o` for at least half.
 * @param {Inks} inks
 * @returns {string[][]}
 */
export function inksOf(rows, { closed, open }) {
  return rows.map((row) => [...row].map((char) => (char === "o" ? open : closed)));
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
    open: style.getPropertyValue("--owner"),
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
