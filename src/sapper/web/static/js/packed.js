/** Big boards as the server sends them: a single text with runs such as `.{500}`. */

/**
 * Read a packed text, one run at a time.
 *
 * @param {string} text
 * @param {(char: string, count: number) => void} take Called with each character and its count.
 */
function each(text, take) {
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    let count = 1;
    if (text[at + 1] === "{") {
      const end = text.indexOf("}", at);
      count = Number(text.slice(at + 2, end));
      at = end;
    }
    take(char, count);
  }
}

/**
 * @param {string} text
 * @returns {string[]} One character per cell.
 */
export function unpack(text) {
  /** @type {string[]} */
  const cells = [];
  each(text, (char, count) => {
    for (let i = 0; i < count; i++) cells.push(char);
  });
  return cells;
}

/**
 * @param {string[]} cells Changed in place.
 * @param {string} patch With `=` for each unchanged cell.
 * @returns {number[]} The cells that have changed.
 */
export function applyPatch(cells, patch) {
  /** @type {number[]} */
  const changed = [];
  let at = 0;
  each(patch, (char, count) => {
    for (let i = 0; char !== "=" && i < count; i++) {
      cells[at + i] = char;
      changed.push(at + i);
    }
    at += count;
  });
  return changed;
}
