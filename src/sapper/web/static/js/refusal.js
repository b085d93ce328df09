/** A refusal by the server. */

export class Refusal extends Error {
  /** @param {{code: string, message: string}} error As in every refusal: see docs/http.md. */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}
