/**
 * `SapperError`, with the codes and messages of the Python package.
 */

/** The only error that the engine throws on purpose. */
export class SapperError extends Error {
  /**
   * @param {string} code A stable identifier, as in Python: `bad_position`, `limit_reached`, ...
   * @param {string} message
   * @param {{cause?: unknown, why?: "number" | "component" | "total", cells?: Uint32Array}} [details]
   *   For an inconsistent position: the cause, and the indices of the numbers.
   */
  constructor(code, message, { cause, why, cells } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SapperError";
    this.code = code;
    this.why = why;
    this.cells = cells;
  }
}

/** Return the fields of an error, which another thread turns into an error with `asError`. */
export function asFields(/** @type {SapperError} */ error) {
  const { code, message, why, cells } = error;
  return { code, message, why, cells };
}

/** Return the error with these fields. */
export function asError(/** @type {ReturnType<typeof asFields>} */ { code, message, why, cells }) {
  return new SapperError(code, message, { why, cells });
}
