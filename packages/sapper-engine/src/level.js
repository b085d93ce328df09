/**
 * Levels and the settings of games, with the messages of the Python package.
 */

import { checkKeys, oneOf, seedOf, switchOf } from "./arguments.js";
import { SapperError } from "./errors.js";
import { checkKnown, checkShape } from "./grid.js";
import { shown } from "./shown.js";

/**
 * @typedef {object} Level
 * @property {import("./grid.js").TopologyName} topology
 * @property {number} width
 * @property {number} height
 * @property {number | undefined} mines
 * @property {number | undefined} density
 */

/** Width, height and mines. @type {Readonly<Record<string, readonly number[]>>} */
const LEVELS = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [30, 16, 99] };
const OTHER_NAMES = { "beginner (8x8)": "8x8:10" };
const FORM =
  /^([0-9]{1,9})x([0-9]{1,9})(?::([0-9]{1,9}|\?)|@([0-9]*\.?[0-9]+(?:e-[0-9]{1,3})?))$/;

export const LOGICS = /** @type {const} */ (["single", "pairs", "local", "total"]);
/** The first one is the default. */
const LOGIC_NAMES = /** @type {const} */ (["total", "single", "pairs", "local"]);
const METHODS = /** @type {const} */ (["uniform", "fast"]);
/** @type {Readonly<Record<string, readonly string[]>>} */
const FIRST_CLICKS = {
  classic: ["safe", "any", "opening"],
  "no-guess": ["opening", "safe"],
};

/** Read a level. @returns {Level} */
export function readLevel(/** @type {unknown} */ input) {
  if (typeof input === "object" && input !== null) return levelOf(input, "");
  if (typeof input !== "string") {
    throw bad(`a level is text such as expert or 9x9:10, got ${shown(input)}`);
  }
  const text = Reflect.get(OTHER_NAMES, input) ?? input;
  const slash = text.indexOf("/");
  const body = slash < 0 ? text : text.slice(0, slash);
  const topology = slash < 0 ? "rectangle" : text.slice(slash + 1);
  if (!topology) throw bad(`level ${shown(text)} needs a topology after the slash`);
  if (Object.hasOwn(LEVELS, body)) {
    const [width, height, mines] = LEVELS[body];
    return levelOf({ width, height, mines, topology }, "");
  }
  const match = FORM.exec(body);
  if (!match) {
    throw bad(
      `invalid level ${shown(text)}; use ${Object.keys(LEVELS).join(", ")}, ` +
        "WIDTHxHEIGHT:MINES such as 30x16:99 or WIDTHxHEIGHT@DENSITY such as 20x20@0.15",
    );
  }
  const [, width, height, mines, density] = match;
  return levelOf(
    {
      width: Number(width),
      height: Number(height),
      mines: mines === undefined || mines === "?" ? undefined : Number(mines),
      density: density === undefined ? undefined : Number(density),
      topology,
    },
    `level ${shown(text)}: `,
  );
}

function levelOf(/** @type {object} */ input, /** @type {string} */ where) {
  checkKeys(input, ["width", "height", "mines", "density", "topology"], "key", "bad_level");
  const { width, height, mines, density, topology = "rectangle" } =
    /** @type {Record<string, unknown>} */ (input);
  try {
    const shape = checkShape(topology, width, height, "bad_level");
    const size = shape.width * shape.height;
    const on = () => `${shape.width}x${shape.height}`;
    return { ...shape, ...checkKnown(mines, density, size, on, "bad_level", "level") };
  } catch (problem) {
    if (where && problem instanceof SapperError) throw bad(where + problem.message);
    throw problem;
  }
}

/** Return the shortest text of a level. */
export function levelText(/** @type {Level} */ { width, height, mines, density, topology }) {
  const named = Object.keys(LEVELS).find((name) => String(LEVELS[name]) === `${[width, height, mines]}`);
  const tail = density === undefined ? `:${mines ?? "?"}` : `@${density}`;
  const body = named ?? `${width}x${height}${tail}`;
  return topology === "rectangle" ? body : `${body}/${topology}`;
}

/**
 * @typedef {object} Settings
 * @property {string} rules
 * @property {string} firstClick
 * @property {string} win
 * @property {string} chord
 * @property {boolean} undo
 * @property {bigint} seed
 * @property {number | undefined} logic The index of the hardest logic; undefined for `classic`.
 * @property {boolean} fast
 */

/**
 * Return the settings of a game.
 *
 * @param {Level} level
 * @param {Record<string, unknown>} options
 * @param {{begun: boolean, mostNeighbours: () => number}} board Whether the first click has been
 *   made, so that its promise needs no room; and the most neighbours of a cell.
 * @returns {Settings}
 */
export function gameSettings(level, options, { begun, mostNeighbours }) {
  const rules = oneOfRules(options.rules);
  const noGuess = rules === "no-guess";
  const because = noGuess ? " (a first click on a mine would be a guess)" : "";
  const allowed = FIRST_CLICKS[rules];
  const relaxed = begun && options.firstClick === undefined && allowed.includes("any");
  const settings = {
    rules,
    firstClick: relaxed
      ? "any"
      : oneOf(options.firstClick, allowed, "first_click", `for rules ${rules}${because}`),
    win: oneOf(options.win, ["open", "flags", "either"], "win", `for rules ${rules}`),
    chord: oneOf(options.chord, ["exact", "at_least"], "chord"),
    undo: switchOf(options.undo, "undo", true),
    seed: seedOf(options.seed),
    logic: noGuess ? logicIndex(options.logic, "logic") : undefined,
    fast: noGuess && oneOf(options.method, METHODS, "method") === "fast",
  };
  if (level.mines === undefined && level.density === undefined) {
    const text = levelText(level);
    throw bad(`${text} says nothing about its mines: give a total or a density`, "bad_setting");
  }
  if (noGuess && level.mines === undefined) {
    throw bad(`rules no-guess need a mine total, got level ${levelText(level)}`, "bad_setting");
  }
  checkPromise(level, settings.firstClick, mostNeighbours);
  return settings;
}

/** Return the index of a logic, the easiest first. */
export function logicIndex(/** @type {unknown} */ value, /** @type {string} */ name) {
  return LOGICS.indexOf(oneOf(value, LOGIC_NAMES, name));
}

function oneOfRules(/** @type {unknown} */ value) {
  const rules = value ?? "classic";
  if (typeof rules === "string" && Object.hasOwn(FIRST_CLICKS, rules)) return rules;
  const names = Object.keys(FIRST_CLICKS).join(", ");
  throw bad(`unknown rules ${shown(value)}; choose from: ${names}`, "bad_setting");
}

/**
 * Reject too many mines for a first-click promise, wherever the first click is.
 *
 * @param {Level} level
 * @param {string} firstClick
 * @param {() => number} mostNeighbours
 */
function checkPromise(level, firstClick, mostNeighbours) {
  const { width, height, mines } = level;
  if (mines === undefined || firstClick === "any") return;
  const kept = firstClick === "safe" ? 1 : mostNeighbours() + 1;
  if (mines > width * height - kept) {
    throw bad(
      `first click ${firstClick} keeps up to ${kept} cells of ${levelText(level)} clear: ` +
        `mines must be at most ${width * height - kept}, got ${mines}`,
      "bad_setting",
    );
  }
}

function bad(/** @type {string} */ message, code = "bad_level") {
  return new SapperError(code, message);
}
