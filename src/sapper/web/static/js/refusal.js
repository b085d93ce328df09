/** Requests refused by the server. */

export class Refusal extends Error {
  /** @param {{code: string, message: string}} error As in every refusal: see docs/http.md. */
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
