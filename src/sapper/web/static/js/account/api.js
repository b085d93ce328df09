/** Requests about the account. */

import { Refusal } from "../refusal.js";

/**
 * @param {string} path
 * @param {object} [body] What to send; without it, the request only reads.
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const how = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`/api/account${path}`, how);
  const found = await answer.json();
  if (!answer.ok) throw new Refusal(found.error);
  return found;
}
