/** The sizes and mines of levels, and the validation of custom levels. Pure functions. */

import { neighbours } from "../board/neighbours.js";
import { nameLabel } from "../menu.js";
import { number, t, tn } from "../translation.js";

/** @typedef {import("../protocol.js").Level} Level */

/**
 * Return the numbers of a level, given its name or its text form.
 *
 * @param {string} text
 * @param {Level[]} levels
 * @returns {{width: number, height: number, mines: number | null, density: number | null}}
 */
export function levelNumbers(text, levels) {
  const preset = levels.find(({ name }) => name === text);
  if (preset) return { ...preset, density: null };
  const [, width, height, kind, amount] = /^(\d+)x(\d+)([:@])([\d.e-]+)/.exec(text) ?? ["", 9, 9, ":", 10];
  return {
    width: Number(width),
    height: Number(height),
    mines: kind === ":" ? Number(amount) : null,
    density: kind === "@" ? Number(amount) : null,
  };
}

/**
 * @param {string} size A level without a shape.
 * @returns {string} Its name, or its size and mines.
 */
export function levelLabel(size) {
  const numbers = levelNumbers(size, []);
  if (!/^\d/.test(size)) return nameLabel(size);
  const board = `${numbers.width}×${numbers.height}`;
  if (numbers.mines !== null) return tn("{size}, {n} mine", "{size}, {n} mines", numbers.mines, { size: board });
  return t("{size} at {density} %", { size: board, density: number(100 * (numbers.density ?? 0), 1) });
}

/** @typedef {"nothing" | "cell" | "neighbours"} KeptClear */

/** The rows and columns of a part of a board that has every kind of neighbourhood. */
const PART = 60;

/**
 * @param {import("../board/tiling.js").Shape} shape
 * @param {KeptClear} kept
 * @returns {number} The maximum number of cells that a first click keeps free of mines.
 */
function mostKept({ width, height, topology }, kept) {
  if (kept !== "neighbours") return kept === "cell" ? 1 : 0;
  const part = { width: Math.min(width, PART), height: Math.min(height, PART), topology };
  let most = 0;
  for (let index = 0; index < part.width * part.height; index += 1) most = Math.max(most, neighbours(part, index).length);
  return 1 + most;
}

/**
 * Check the numbers of a custom board; the message uses the field labels.
 *
 * @param {{width: number, height: number, mines: number}} numbers NaN for an empty field.
 * @param {number} maxCells
 * @param {string} topology The shape.
 * @param {KeptClear} kept The cells that the first click keeps free of mines.
 * @returns {{field: "width" | "height" | "mines", text: string} | null} The first problem.
 */
export function levelProblem({ width, height, mines }, maxCells, topology, kept) {
  const whole = (/** @type {number} */ n, /** @type {number} */ most) => Number.isInteger(n) && n >= 1 && n <= most;
  const most = Math.max(200, Math.round(Math.sqrt(maxCells)));
  if (!whole(width, most)) {
    return { field: "width", text: t("Columns must be a whole number from 1 to {most}.", { most: number(most) }) };
  }
  if (!whole(height, most)) {
    return { field: "height", text: t("Rows must be a whole number from 1 to {most}.", { most: number(most) }) };
  }
  const cells = width * height;
  if (cells > maxCells) {
    const text = t("The board can have at most {most} cells; this one has {cells}.", { most: number(maxCells), cells: number(cells) });
    return { field: "height", text };
  }
  const free = mostKept({ width, height, topology }, kept);
  const mostMines = cells - free;
  if (!Number.isInteger(mines) || mines < 0 || mines > mostMines) {
    const size = `${width}×${height}`;
    const values = { most: mostMines, size, free };
    const text = t("Mines must be a whole number from 0 to {most} on {size}.", values);
    if (free < 2) return { field: "mines", text };
    const why = t("Mines must be a whole number from 0 to {most} on {size}: the first click needs {free} cells without mines.", values);
    return { field: "mines", text: why };
  }
  return null;
}
