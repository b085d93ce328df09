/** The status line of a game, which keeps the result after the end. */

/** The messages that act in a game, so that they have no effect after its end. */
const ACTIONS = new Set(["open", "chord", "mark", "flag", "bomb", "hint"]);

export class StatusLine {
  /** @type {Set<string>} The actions that have not been answered yet. */
  #actions = new Set();

  /**
   * @param {(text: string) => void} say Writes a text.
   * @param {() => boolean} over Whether the game is over, for the player of this window.
   */
  constructor(say, over) {
    this.say = say;
    this.over = over;
  }

  /**
   * @param {string | null} id The id of a message; null if it was not sent.
   * @param {string} type
   */
  sent(id, type) {
    if (id && ACTIONS.has(type)) this.#actions.add(id);
  }

  /** @param {string} id The id of a message that was answered, but not refused. */
  answered(id) {
    this.#actions.delete(id);
  }

  /** Forget all actions, because a lost connection brings no more answers. */
  forget() {
    this.#actions.clear();
  }

  /**
   * Say why a message was refused. After the end, the refusal of an action comes too late: it writes
   * nothing.
   *
   * @param {string} why
   * @param {string} [id] The id of the message; without it, the page itself refuses an action.
   */
  refuse(why, id) {
    const action = id === undefined || this.#actions.delete(id);
    if (!action || !this.over()) this.say(why);
  }
}
