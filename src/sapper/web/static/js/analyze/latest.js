/** Queries where only the answer to the latest one is used. */

/**
 * Runs queries of one kind, and uses only the answer to the latest one.
 *
 * A new query waits for the running one for up to `patience`; then the running one is dropped.
 * Quick answers therefore appear during a stroke, and slow ones do not delay newer queries.
 */
export class Latest {
  /** @type {(() => void) | null} */
  #next = null;
  /** @type {AbortController | null} */
  #running = null;
  #timer = 0;

  /** @param {number} patience In milliseconds; 0 drops the running query immediately. */
  constructor(patience) {
    this.patience = patience;
  }

  /**
   * @template Answer
   * @param {(signal: AbortSignal) => Promise<Answer>} question
   * @param {(answer: Answer) => void} take Called unless there is a newer query.
   * @param {(problem: unknown) => void} fail Called with a problem, under the same condition.
   */
  ask(question, take, fail) {
    const begin = () => this.#begin(question, take, fail);
    if (!this.#running) {
      begin();
      return;
    }
    const dropped = this.#running;
    this.#next = begin;
    if (!this.patience) dropped.abort();
    else if (!this.#timer) this.#timer = Number(setTimeout(() => dropped.abort(), this.patience));
  }

  /** Drop the running query and the waiting one. */
  drop() {
    this.#next = null;
    this.#running?.abort();
  }

  /**
   * @template Answer
   * @param {(signal: AbortSignal) => Promise<Answer>} question
   * @param {(answer: Answer) => void} take
   * @param {(problem: unknown) => void} fail
   */
  async #begin(question, take, fail) {
    const own = new AbortController();
    this.#running = own;
    this.#next = null;
    /** @type {() => void} */
    let then = () => undefined;
    try {
      const answer = await question(own.signal);
      then = () => take(answer);
    } catch (problem) {
      then = () => fail(problem);
    }
    this.#running = null;
    clearTimeout(this.#timer);
    this.#timer = 0;
    const next = /** @type {(() => void) | null} */ (this.#next);
    if (next) next();
    else if (!own.signal.aborted) then();
  }
}
