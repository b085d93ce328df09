/** Recognises replays among files dropped on a page. */

const ENDINGS = /\.(avf|rmv|mvf|evf|rawvf)$/i;
/** The server refuses files larger than this. */
const MOST_BYTES = 8_000_000;

/**
 * @param {Blob & {name?: string}} file
 * @returns {Promise<boolean>} Whether it has a replay's extension or first bytes.
 */
export async function isReplay(file) {
  if (ENDINGS.test(file.name ?? "")) return true;
  if (file.size > MOST_BYTES) return false;
  const text = await file.text();
  return /^(\*rmv|rawvf_version\s*:)/i.test(text) || (/^\s*\{/.test(text) && /"sapper-replay\/\d/.test(text));
}
