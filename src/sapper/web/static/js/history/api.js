/** Requests the history from the server. */

import { Refusal, jsonOf } from "../refusal.js";
import { readLines } from "../review/stream.js";

/** @typedef {Record<string, string>} Selection */

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
async function ask(path, how) {
  return jsonOf(await fetch(`/api/history/${path}`, how));
}

/** @param {Selection} fields */
const query = (fields) => String(new URLSearchParams(fields));

/**
 * @param {Selection} selection
 * @returns {Promise<import("./types.js").Found>}
 */
export function statistics(selection) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  return ask(`statistics?${query({ ...selection, zone })}`);
}

/**
 * @param {Selection} selection
 * @param {number} offset
 * @param {number} limit
 * @param {import("./types.js").Sorting} sorting
 * @returns {Promise<import("./types.js").Page>}
 */
export const games = (selection, offset, limit, { by, descending }) =>
  ask(
    `games?${query({ ...selection, offset: String(offset), limit: String(limit), sort: by, order: descending ? "desc" : "asc" })}`,
  );

/**
 * @param {Blob | FormData} file An export or an archive; or a form with replays.
 * @param {(progress: {games: number, share: number}) => void} tell Called with the progress.
 * @param {AbortSignal} signal Cancels it.
 * @returns {Promise<import("./types.js").Imported>}
 */
export async function add(file, tell, signal) {
  /** @type {any} */
  let result = null;
  /** @type {(line: any) => void} */
  const take = (line) => {
    if (line.error) throw new Refusal(line.error);
    if (line.progress) tell(line.progress);
    else result = line;
  };
  await readLines("/api/history/import", "POST", take, {
    body: file,
    headers: { accept: "application/x-ndjson" },
    signal,
  });
  if (!result) throw new TypeError("the answer ended early");
  return result;
}

/**
 * @param {Selection} selection
 * @param {number} count The number of games shown to the reader.
 * @returns {Promise<{erased: number}>}
 */
export const erase = (selection, count) =>
  ask("erase", { method: "POST", body: JSON.stringify({ selection, games: count }) });

/**
 * @param {Selection} selection
 * @param {"jsonl" | "parquet"} format
 * @returns {string} The URL of a file with the games.
 */
export const exportAddress = (selection, format) => `/api/history/export?${query({ ...selection, format })}`;

/** @returns {Promise<{total: number}>} The number of mistakes kept in Learn. */
export async function mistakes() {
  return jsonOf(await fetch("/api/learn/mistakes"));
}
