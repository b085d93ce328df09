/** Requests about leaderboards, profiles and tournaments. */

import { jsonOf } from "../refusal.js";

/**
 * @param {string} path
 * @param {object} [body] The fields to send; without them, the request only reads.
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const how = body && { method: "POST", body: JSON.stringify(body) };
  return jsonOf(await fetch(`/api/${path}`, how));
}
