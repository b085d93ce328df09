/**
 * The address bar: shareable settings and the position of a running game.
 *
 * `#level=expert&rules=kaboom&first_click=opening&win=open&chord=exact&judge=local&position=...`
 * Positions are in row order. A lower-case letter is a run of unopened cells (`a` is 1, `z` is 26);
 * `A` to `C` are the numbers 10 to 12. The size includes the total, as in `30x16:99`, or the density, as
 * in `20x15@0.12`. Positions on the Analyze page may have neither, and may contain opened mines: `*`.
 */

import { isNumber, MOST_ELEMENTS } from "./board/cells.js";

const LONGEST_RUN = 26;
const NAMES = /** @type {const} */ (["level", "rules", "first_click", "win", "chord"]);
/** The other known fields; any remaining fields are options of the rule set. */
const OTHERS = ["size", "position", "seed", "topology"];
const SWITCH = /** @type {Record<string, boolean>} */ ({ on: true, off: false });

/**
 * @param {string[]} cells
 * @returns {string}
 */
export function packCells(cells) {
  let text = "";
  let run = 0;
  const flush = () => {
    if (run) text += String.fromCharCode(96 + run);
    run = 0;
  };
  for (const char of cells) {
    if (isNumber(char) || char === "F" || char === "*") {
      flush();
      text += char.toUpperCase();
    } else if (++run === LONGEST_RUN) flush();
  }
  flush();
  return text;
}

/**
 * @param {string} text
 * @returns {string} One character per cell.
 */
export function unpackCells(text) {
  const runs = text.replace(/[a-z]/g, (letter) => ".".repeat(letter.charCodeAt(0) - 96));
  return runs.replace(/[A-C]/g, (number) => number.toLowerCase());
}

/**
 * Return the URL fragment for a game.
 *
 * @param {import("./game-state.js").Game} game
 * @returns {string} Without the `#`.
 */
export function writeAddress(game) {
  const fields = new URLSearchParams();
  for (const name of NAMES) fields.set(name, game.settings[name]);
  for (const [name, value] of Object.entries(game.settings.options ?? {})) {
    fields.set(name, value === true ? "on" : value === false ? "off" : String(value));
  }
  // A position without a mine total or density cannot be continued. A big board does not fit in an
  // address.
  const known = game.mines !== null || game.density !== null;
  if (game.status === "playing" && known && game.cells.length <= MOST_ELEMENTS) {
    fields.set("size", sizeText(game));
    fields.set("position", packCells(game.cells));
  }
  // The seed is public once the game is over.
  if (game.seed !== null && game.helped !== "shared") fields.set("seed", String(game.seed));
  return fields.toString().replaceAll("%3A", ":").replaceAll("%40", "@").replaceAll("%2F", "/");
}

/** @typedef {import("./protocol.js").Settings} Settings */
/** @typedef {{width: number, height: number, mines: number | null, density: number | null, topology: string, rows: string[]}} Position */

/**
 * @typedef {object} Address
 * @property {Partial<Settings>} settings
 * @property {number | null} seed
 * @property {Position | null} position
 */

/**
 * Parse a fragment.
 *
 * @param {string} fragment With or without the `#`.
 * @returns {Address | null} The address; null if it is empty or unreadable.
 */
export function readAddress(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  /** @type {Partial<Settings>} */
  const settings = {};
  /** @type {Record<string, boolean | string>} */
  const options = {};
  for (const [name, value] of fields) {
    const setting = NAMES.find((each) => each === name);
    if (setting && value) settings[setting] = value;
    else if (settings.rules && !OTHERS.includes(name)) options[name] = SWITCH[value] ?? value;
  }
  if (Object.keys(options).length) settings.options = options;
  const seed = fields.get("seed");
  const position = playable(fragment);
  if (!Object.keys(settings).length && !position) return null;
  return { settings, seed: seed && /^\d{1,16}$/.test(seed) ? Number(seed) : null, position };
}

/**
 * @param {{width: number, height: number, mines: number | null, density: number | null}} position
 * @returns {string} Such as `30x16:99`, `20x15@0.12`, or `9x9` if neither is known.
 */
export function sizeText({ width, height, mines, density }) {
  const size = `${width}x${height}`;
  if (mines !== null) return `${size}:${mines}`;
  return density === null ? size : `${size}@${density}`;
}

/**
 * Return the URL fragment that opens a position on the Analyze page.
 *
 * @param {{width: number, height: number, mines: number | null, density: number | null, running?: boolean, topology: string, cells: Iterable<string>}} position
 * @returns {string} Without the `#`.
 */
export function writePosition({ width, height, mines, density, running, topology, cells }) {
  const size = sizeText({ width, height, mines, density });
  const shape = topology === "rectangle" ? "" : `&topology=${topology}`;
  const over = running === false ? "&running=no" : "";
  return `size=${size}${shape}${over}&position=${packCells([...cells])}`;
}

/**
 * Read the position in a fragment, with a total, a density or neither.
 *
 * @param {string} fragment With or without the `#`.
 * @returns {{width: number, height: number, mines: number | null, density: number | null, running?: boolean, topology: string, rows: string[]} | null}
 */
export function readPosition(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const level = fields.get("level") ?? "";
  const found = unpacked(
    fields.get("size"),
    fields.get("position"),
    fields.get("topology") ?? level.split("/")[1] ?? "rectangle",
  );
  return found && fields.get("running") === "no" ? { ...found, running: false } : found;
}

/**
 * @param {string | null} size
 * @param {string | null} packed
 * @param {string} topology
 * @returns {{width: number, height: number, mines: number | null, density: number | null, topology: string, rows: string[]} | null}
 */
function unpacked(size, packed, topology) {
  const match = /^(\d{1,4})x(\d{1,4})(?::(\d{1,7})|@(\d?\.?\d{1,20}(?:e-\d{1,3})?))?$/.exec(size ?? "");
  if (!match || packed === null || !/^[0-9A-CFa-z*]{1,10000}$/.test(packed)) return null;
  const [width, height] = [Number(match[1]), Number(match[2])];
  const cells = unpackCells(packed);
  if (cells.length !== width * height) return null;
  const rows = Array.from({ length: height }, (_, r) => cells.slice(r * width, (r + 1) * width));
  const [mines, density] = [match[3], match[4]].map((text) => (text === undefined ? null : Number(text)));
  if (density !== null && density > 1) return null;
  return { width, height, mines, density, topology, rows };
}

/**
 * Return the position from which a game can be continued.
 *
 * @param {string} fragment
 * @returns {Position | null} The position; null if there is none, or if it has neither a total nor a density.
 */
function playable(fragment) {
  const found = readPosition(fragment);
  if (!found || found.rows.some((row) => row.includes("*"))) return null;
  return found.mines === null && found.density === null ? null : found;
}
