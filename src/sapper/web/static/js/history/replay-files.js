/** Splits many replay files into parts that the server accepts. */

import { isReplay } from "../replay/is-replay.js";

/** The server accepts 32 MiB per request, and the form also contains the names. */
const PART_BYTES = 24 * 2 ** 20;
const PART_FILES = 2000;

/**
 * @param {File[]} files
 * @returns {Promise<boolean>} Whether to send them together as replays.
 */
export async function areReplays(files) {
  return files.length > 1 || (files.length === 1 && (await isReplay(files[0])));
}

/**
 * @param {File[]} files
 * @returns {File[][]} The files in order, in parts small enough to send.
 */
export function parts(files) {
  /** @type {File[][]} */
  const found = [];
  let size = Infinity;
  for (const file of files) {
    if (size + file.size > PART_BYTES || found[found.length - 1].length >= PART_FILES) {
      found.push([]);
      size = 0;
    }
    found[found.length - 1].push(file);
    size += file.size;
  }
  return found;
}

/**
 * @param {File[]} files
 * @returns {FormData} The files with their names, and their folders if known.
 */
export function form(files) {
  const made = new FormData();
  for (const file of files) made.append("replay", file, file.webkitRelativePath || file.name);
  return made;
}
