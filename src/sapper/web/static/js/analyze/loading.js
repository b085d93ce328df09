/** Reads positions from text, files, pictures and shared links. */

import { readPosition } from "../address.js";
import { ask } from "./questions.js";
import { fromJson } from "./position.js";
import { isGameId, parse } from "./position-text.js";
import { t } from "../translation.js";

/** @typedef {import("./position.js").Position} Position */

const FORMS = /** @type {Record<string, string>} */ ({
  text: t("text"),
  json: "JSON",
  board: t("a .board file"),
  mbf: t("an .mbf file"),
  id: t("a game id"),
  picture: t("a screenshot"),
});

/**
 * @typedef {object} Found
 * @property {Position} position
 * @property {string} from The source, for display.
 * @property {number[] | null} board The mines by index, if they are known.
 * @property {string[]} notes Notes about the import.
 */

/**
 * Read a pasted text: a position, or a link to one.
 *
 * @param {string} text
 * @returns {Promise<Found>}
 */
export async function readText(text) {
  const shared = text.includes("position=") ? readPosition(text.slice(text.indexOf("#") + 1)) : null;
  if (shared) return { position: fromJson(shared), from: t("a link"), board: null, notes: [] };
  // Only the server can read other programs' formats.
  if (isForeign(text)) return readFile(new Blob([text]));
  return { position: parse(text), from: t("text"), board: null, notes: [] };
}

/**
 * @param {string} text
 * @returns {boolean} Whether it is a game id or begins like a .board file.
 */
export function isForeign(text) {
  return isGameId(text) || /^\s*\d+x\d+x\d+\s*$/m.test(text.split("\n", 1)[0]);
}

/**
 * Have the server read a file or a picture.
 *
 * @param {Blob} file
 * @returns {Promise<Found>}
 */
export async function readFile(file) {
  const answer = await ask("/load", file);
  const found = /** @type {import("./types.js").LoadAnswer} */ (await answer.json());
  return { position: fromJson(found.position), from: FORMS[found.form], board: found.board, notes: found.notes };
}
