/** Passes on messages in order, and holds them while the page loads what one of them needs. */

/** How long to wait before another attempt to load, in milliseconds. */
const PAUSE = 2000;

/**
 * @template Message
 * @typedef {object} Handlers
 * @property {(message: Message) => Promise<unknown> | null} load Loads what a message needs; null if there is nothing to load.
 * @property {(message: Message) => void} take
 * @property {(failed: boolean) => void} onLoad Called when loading fails and when a retry succeeds.
 */

/** @template Message */
export class Inbox {
  /** @type {Message[]} */
  #held = [];
  /** Whether messages are held. */
  waiting = false;

  /** @param {Handlers<Message>} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /** @param {Message} message */
  receive(message) {
    this.#held.push(message);
    if (!this.waiting) this.#pass();
  }

  /** Pass on messages up to the first one that needs something loaded. */
  #pass() {
    for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
      const loading = this.handlers.load(next);
      if (loading) {
        void this.#wait(loading, next);
        return;
      }
      this.#held.shift();
      this.handlers.take(next);
    }
  }

  /**
   * Hold all messages until loading has succeeded.
   *
   * @param {Promise<unknown>} loading
   * @param {Message} message The message that needs it.
   */
  async #wait(loading, message) {
    this.waiting = true;
    let failed = false;
    for (let trying = /** @type {Promise<unknown> | null} */ (loading); trying; trying = this.handlers.load(message)) {
      try {
        await trying;
      } catch {
        failed = true;
        this.handlers.onLoad(true);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
    if (failed) this.handlers.onLoad(false);
    this.waiting = false;
    this.#pass();
  }
}
