/** Requests refused by the server. */

import { sentence } from "./sentence.js";
import { t } from "./translation.js";

export class Refusal extends Error {
  /** @param {{code: string, message: string}} error Same as for every refusal; see docs/http.md. */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<any>} The JSON in an answer; a refusal is thrown.
 */
export async function jsonOf(answer) {
  const found = await answer.json();
  if (!answer.ok) throw new Refusal(found.error);
  return found;
}

/**
 * @param {unknown} problem The error that a request threw.
 * @returns {string} The message to show.
 */
export function complaint(problem) {
  if (problem instanceof Refusal) return sentence(problem.message);
  return t("The server is not responding. Try again once it is back.");
}

/** @returns {string} The message when a part of the page did not load, with or without a server. */
export function notLoaded() {
  return t("A part of this page could not be loaded. Check your connection and try again.");
}
