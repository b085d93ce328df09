/** Files and text dropped on a page; a replay opens on the Replay page, wherever it is dropped. */

import { MISSING } from "../connection.js";
import { make } from "../dom.js";
import { notLoaded } from "../refusal.js";
import { t } from "../translation.js";

/** How long a rejection is shown, in milliseconds. */
const SHOWN_MS = 4000;

/** @typedef {(given: File | string) => void} Take */

/**
 * The page's own handling.
 *
 * @type {{take: Take | null, many: ((data: DataTransfer) => void) | null, texts: boolean, replays: boolean}}
 */
const own = { take: null, many: null, texts: false, replays: false };
/** The number of elements that the pointer has entered, but not left, while dragging. */
let inside = 0;

/**
 * Let a page accept more than replays.
 *
 * @param {Take} take
 * @param {{texts?: boolean, replays?: boolean}} [more] Whether to accept text, and replays
 * itself.
 */
export function takeDrops(take, { texts = false, replays = false } = {}) {
  Object.assign(own, { take, texts, replays });
}

/**
 * Let a page accept any number of files and folders in one drop.
 *
 * @param {(data: DataTransfer) => void} many Called with the data of each drop, readable only during the call.
 */
export function takeManyDrops(many) {
  own.many = many;
}

/**
 * Open a replay on the Replay page; pass everything else to the page.
 *
 * @param {File | string} given
 * @param {Take} [take]
 */
export async function sortOut(given, take) {
  if (typeof given !== "string" && !own.replays && !MISSING.has("review")) {
    let loaded = null;
    try {
      loaded = await import("./dropped-replay.js");
    } catch {
      // Pages with their own handling can still try that.
      if (!take) return refuse(notLoaded());
    }
    if (await loaded?.openReplay(given, refuse)) return;
  }
  if (take) take(given);
  else if (typeof given !== "string") refuse(t("{name} is not a replay.", { name: given.name }));
}

/** Listen for drops on this page. */
export function listenToDrops() {
  document.addEventListener("dragenter", (event) => showDrop(takes(event) ? 1 : 0));
  document.addEventListener("dragleave", (event) => showDrop(takes(event) ? -1 : 0));
  document.addEventListener("dragover", (event) => {
    if (takes(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!takes(event)) return;
    event.preventDefault();
    showDrop(-inside);
    if (own.many && event.dataTransfer) return own.many(event.dataTransfer);
    const given = givenBy(event.dataTransfer);
    if (given) void sortOut(given, own.take ?? undefined);
  });
}

/**
 * @param {DataTransfer | null} data
 * @returns {File | string | null} The first file, or else the text.
 */
export function givenBy(data) {
  const text = data?.getData("text") ?? "";
  return data?.files[0] ?? (text.trim() ? text : null);
}

/** @param {DragEvent} event */
function takes({ dataTransfer }) {
  if (own.texts) return true;
  // Without a Replay page, only some pages take files.
  return (own.take !== null || !MISSING.has("review")) && (dataTransfer?.types.includes("Files") ?? false);
}

/** @param {number} change */
function showDrop(change) {
  inside = Math.max(0, inside + change);
  if (inside || change) notice().hidden = inside === 0;
}

/** @param {string} text */
function refuse(text) {
  const shown = make("div");
  shown.className = "drop";
  shown.setAttribute("role", "alert");
  shown.append(make("p", text));
  document.body.append(shown);
  setTimeout(() => shown.remove(), SHOWN_MS);
}

/** @returns {HTMLElement} The overlay shown while dragging. */
function notice() {
  const there = document.getElementById("drop");
  if (there) return there;
  const made = make("div");
  made.className = "drop";
  made.id = "drop";
  made.hidden = true;
  made.append(make("p", own.many ? t("Drop games or replays") : t("Drop a replay")));
  document.body.append(made);
  return made;
}
