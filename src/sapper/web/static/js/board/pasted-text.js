/**
 * Reads rows of cells as people paste them: separated, in full-width characters or as emoji.
 *
 * Only what cannot mean anything else is read. The same rules in Python are in `pasted_text.py`;
 * `tests/data/pasted_positions.json` has examples for both.
 */

/** Matches a game id, which is a board and not a position. */
export const GAME_ID = /^\d+x\d+(?:\/[a-z]+)?:\d+,\d+,[smu][\w-]*$/;

const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** Parts of emoji, and characters without width. */
const UNSEEN = /[\ufe0e\ufe0f\u20e3\u200b-\u200d\ufeff]/g;
const FLAG = /[\u2691\u2690\u{1f6a9}]/gu;
const MINE = /[\u{1f4a3}\u{1f4a5}]/gu;
const QUESTION = /[\u2753\u2754]/g;
const SIGNS = /** @type {Record<string, string>} */ ({ "?": ".", "#": ".", f: "F", A: "a", B: "b", C: "c" });
const CELLS = /^[0-9a-c.F*]+$/;
const SPACE = String.raw`[^\S\t]`;
const APART = new RegExp(`${SPACE}*[\t,;|]${SPACE}*|${SPACE}+`);

/**
 * @param {string} line
 * @returns {string} The line in ASCII as far as its characters have only one meaning.
 */
export function folded(line) {
  return line
    .replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(UNSEEN, "")
    .replace(FLAG, "F")
    .replace(MINE, "*")
    .replace(QUESTION, "?");
}

/**
 * @param {string} line
 * @returns {boolean} Whether it has no row: it is empty, a comment or the edge of a code block.
 */
export function isSkipped(line) {
  return !line || line.startsWith("//") || line.startsWith("\x60".repeat(3));
}

/**
 * Return a row of a pasted position in the text form, without checking its cells.
 *
 * @param {string} line The folded line.
 * @returns {{row: string, problem: "" | "empty" | "joined"}} `empty` if a cell is missing, `joined` if only some cells
 *   are separated.
 */
export function pastedRow(line) {
  const row = line.trim();
  if (CELLS.test(row)) return { row, problem: "" };
  if (!APART.test(row)) return { row: plain(row), problem: "" };
  // Tabs and commas at the ends belong to empty cells, except around a row between bars.
  const within = line.length > 1 && line.startsWith("|") && line.endsWith("|") ? line.slice(1, -1).trim() : line.replace(/^ +| +$/g, "");
  const cells = within.split(APART);
  if (!cells.every(Boolean)) return { row, problem: "empty" };
  if (cells.some((cell) => [...cell].length > 1)) return { row, problem: "joined" };
  return { row: plain(cells.join("")), problem: "" };
}

/** @param {string} row */
function plain(row) {
  return row.replace(/[?#fABC]/g, (sign) => SIGNS[sign]);
}
