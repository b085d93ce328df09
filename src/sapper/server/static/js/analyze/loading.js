/** Positions from outside: pasted or dropped texts, files and pictures, and shared links. */

import { readPosition } from "../address.js";
import { $, input } from "../dom.js";
import { ask } from "./questions.js";
import { fromJson, parse } from "./position.js";
import { t } from "../translation.js";

/** @typedef {import("./position.js").Position} Position */

const FORMS = /** @type {Record<string, string>} */ ({
  text: t("text"),
  json: "JSON",
  board: t("a .board file"),
  mbf: t("an .mbf file"),
  picture: t("a screenshot"),
});

/**
 * @typedef {object} Found
 * @property {Position} position
 * @property {string} from What it was read from, for people.
 * @property {number[] | null} board The mines by index, if they are known.
 * @property {string[]} notes What to look at.
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
  // Other programs' forms are known to the server only.
  if (/^\s*\d+x\d+x\d+\s*$/m.test(text.split("\n", 1)[0])) return readFile(new Blob([text]));
  return { position: parse(text), from: t("text"), board: null, notes: [] };
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

/**
 * Read what is pasted or dropped anywhere on the page, or chosen as a file.
 *
 * @param {(reading: Promise<Found>) => void} take
 */
export function listenToImports(take) {
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text") ?? "";
    // A text in a text field is typed there.
    const typing = document.activeElement?.matches("textarea, input");
    if (!file && (typing || !text.trim())) return;
    event.preventDefault();
    take(file ? readFile(file) : readText(text));
  });
  let inside = 0;
  const showDrop = (/** @type {number} */ change) => {
    inside = Math.max(0, inside + change);
    $("drop").hidden = inside === 0;
  };
  document.addEventListener("dragenter", () => showDrop(1));
  document.addEventListener("dragleave", () => showDrop(-1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    showDrop(-inside);
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text") ?? "";
    if (file) take(readFile(file));
    else if (text.trim()) take(readText(text));
  });
  $("choose").addEventListener("click", () => input("file").click());
  input("file").addEventListener("change", () => {
    const file = input("file").files?.[0];
    if (file) take(readFile(file));
    input("file").value = "";
  });
}
