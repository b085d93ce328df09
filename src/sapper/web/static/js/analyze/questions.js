/** Queries to the server. */

import { Refusal } from "../refusal.js";
import { t } from "../translation.js";

/**
 * Send a request to the server.
 *
 * @param {string} path The path below `/api/analyze`.
 * @param {object | Blob} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 * @throws {Refusal} If the server refuses the request.
 * @throws {TypeError} If the server cannot be reached.
 */
export async function ask(path, body, signal) {
  const sent = body instanceof Blob ? body : JSON.stringify(body);
  const answer = await fetch(`/api/analyze${path}`, { method: "POST", body: sent, signal: signal ?? null });
  if (answer.ok) return answer;
  let refusal;
  try {
    refusal = await answer.json();
  } catch {
    refusal = null;
  }
  throw new Refusal(refusal?.error ?? { code: "http_error", message: t("the server reported an error") });
}
