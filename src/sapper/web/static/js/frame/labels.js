/** Labels of settings and bots, and checks of custom levels. Pure functions. */

import { listed } from "../sentence.js";
import { number, t, tn } from "../translation.js";

const CHOICES = /** @type {Record<string, Record<string, string>>} */ ({
  first_click: { any: t("May be a mine"), safe: t("Never a mine"), opening: t("An opening") },
  win: { open: t("Open all clear cells"), flags: t("Flag exactly the mines"), either: t("Either one") },
  chord: { exact: t("Exactly as many flags"), at_least: t("At least as many flags") },
});

/** Display names of bots and options; tooltips show the identifiers. */
const NAMES = /** @type {Record<string, string>} */ ({
  exact: t("Exact chances"),
  lookahead: t("Look-ahead"),
  optimal: t("Perfect end game"),
  champion: t("Champion"),
  groups: t("Group counting"),
  autosweeper: t("Autosweeper"),
  "fair-evaluate": t("Fair's solver"),
  "kaboom-sat": t("Kaboom's solver"),
  guess_anywhere: t("Guess anywhere"),
  judge: t("Safe cells that count"),
  local: t("Component"),
  global: t("Whole board"),
  remove_mines: t("Forced guesses are safe"),
  xp: "XP",
  swift: t("Swift"),
  grandmaster: t("Grandmaster"),
  add_mines: t("Add mines"),
  known_outside_is_safe: t("Known outside is safe"),
  logic: t("Logic"),
  method: t("Method"),
  single: t("Single"),
  pairs: t("Pairs"),
  total: t("Total"),
  uniform: t("Uniform"),
  fast: t("Fast"),
  beginner: t("Beginner"),
  "8x8:10": `${t("Beginner")} (8x8)`,
  intermediate: t("Intermediate"),
  expert: t("Expert"),
  custom: t("Custom"),
});

/**
 * @param {"first_click" | "win" | "chord"} kind
 * @param {string} name
 * @returns {string} The label of a choice.
 */
export function choiceLabel(kind, name) {
  return CHOICES[kind][name] ?? nameLabel(name);
}

/**
 * @param {string} name Of a bot, of an option of a rule set, or of one of its choices.
 * @returns {string} `guess_anywhere` as `Guess anywhere`
 */
export function nameLabel(name) {
  const words = name.replaceAll(/[_-]/g, " ");
  return NAMES[name] ?? words[0].toUpperCase() + words.slice(1);
}

/** @typedef {import("../protocol.js").Level} Level */

/**
 * The numbers of a level, from its name or its text form.
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

/** The number of cells that the first click keeps free of mines. */
const KEPT_CLEAR = /** @type {Record<string, number>} */ ({ any: 0, safe: 1, opening: 9 });

/**
 * Check the numbers of a custom board; the message uses the labels of the fields.
 *
 * @param {{width: number, height: number, mines: number}} numbers NaN for an empty field.
 * @param {number} maxCells
 * @param {string} [firstClick] The first click's promise.
 * @returns {{field: "width" | "height" | "mines", text: string} | null} The first problem.
 */
export function levelProblem({ width, height, mines }, maxCells, firstClick = "any") {
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
    const text = t("The board can have at most {most} cells; this is {cells}.", { most: number(maxCells), cells: number(cells) });
    return { field: "height", text };
  }
  const mostMines = cells - Math.min(KEPT_CLEAR[firstClick] ?? 0, cells);
  if (!Number.isInteger(mines) || mines < 0 || mines > mostMines) {
    const size = `${width}×${height}`;
    return { field: "mines", text: t("Mines must be a whole number from 0 to {most} on {size}.", { most: mostMines, size }) };
  }
  return null;
}

/** The names of pending settings. */
const SETTINGS = /** @type {Record<string, string>} */ ({
  level: t("level"),
  rules: t("rule set"),
  first_click: t("first click"),
  win: t("way to win"),
  chord: t("chord"),
  options: t("options"),
});

/**
 * @param {string[]} pending The names of settings.
 * @returns {string}
 */
export function pendingText(pending) {
  const names = pending.map((name) => SETTINGS[name] ?? name);
  const last = names.pop() ?? "";
  const settings = names.length ? t("{names} and {last}", { names: listed(names), last }) : last;
  return t("Changed for the next game: {settings}.", { settings });
}
