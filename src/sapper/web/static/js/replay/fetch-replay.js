/** Fetches replays from the server. */

import { Refusal } from "../refusal.js";

/**
 * @param {string} address
 * @returns {Promise<Blob>} The replay; a refusal is thrown.
 */
export async function fetchReplay(address) {
  const answer = await fetch(address);
  if (answer.ok) return answer.blob();
  throw new Refusal((await answer.json()).error);
}
