/** What this window knows of the game; nothing here draws. */

/**
 * @typedef {object} Game
 * @property {string} key Changes with every new game.
 * @property {number} width
 * @property {number} height
 * @property {number | null} mines
 * @property {string} topology
 * @property {Record<string, any>} settings What the game was made by.
 * @property {string[]} cells One character a cell, in row order.
 * @property {number} turn
 * @property {"ready" | "playing" | "won" | "lost"} status
 * @property {number | null} mines_left
 * @property {{seconds: number, running: boolean}} clock
 * @property {boolean} can_undo
 * @property {string | null} helped
 * @property {number | null} seed
 */

/**
 * @typedef {object} Change
 * @property {boolean} fresh Whether the board is another one.
 * @property {number[]} changed The indices of the cells that changed.
 * @property {boolean} lost Whether messages went missing, so that all has to be asked for.
 */

const STANDING = ["turn", "status", "mines_left", "clock", "can_undo", "helped", "seed"];

/** @returns {Change} */
const nothing = () => ({ fresh: false, changed: [], lost: false });

export class GameState {
  /** @type {Game | null} */
  game = null;
  /** @type {Record<string, any>} The next game's settings. */
  settings = {};
  questions = false;
  assist = { mode: "solo", overlay: "none", show_states: false, debug: false };
  /** @type {any} Which bot plays, how, and what it has chosen. */
  automatic = { running: false, choice: null, log: [] };
  /** @type {any} What there is to choose from. */
  menu = null;

  /**
   * Take a message of the server in.
   *
   * @param {any} message
   * @returns {Change} What it changed on the board.
   */
  apply(message) {
    if (message.type === "welcome" || message.type === "state") return this.#whole(message);
    if (message.type === "delta") return this.#delta(message);
    if (message.type === "automatic") {
      this.automatic = message.automatic;
      if (this.game) this.game.clock = message.clock;
    }
    return nothing();
  }

  /** @returns {boolean} */
  get over() {
    return this.game?.status === "won" || this.game?.status === "lost";
  }

  /** @returns {"none" | "states" | "chances" | "risks" | "marks"} What lies over the board. */
  get layer() {
    const { mode, overlay, show_states, debug } = this.assist;
    const rules = this.game?.settings.rules;
    if (rules === "kaboom" && debug) return "marks";
    if (rules === "fair" && show_states) return "states";
    return mode === "solo" ? "none" : /** @type {any} */ (overlay);
  }

  /** @returns {string[]} The names of settings in which the next game differs from this one. */
  get pending() {
    const playing = this.game?.settings ?? {};
    return Object.keys(this.settings).filter(
      (name) => JSON.stringify(this.settings[name]) !== JSON.stringify(playing[name]),
    );
  }

  /**
   * @param {any} message
   * @returns {Change}
   */
  #whole(message) {
    const { rows, ...rest } = message.game;
    const cells = [...rows.join("")];
    const before = this.game;
    const fresh = !before || before.width !== rest.width || before.height !== rest.height;
    const changed = fresh ? [] : cells.flatMap((c, i) => (c === before.cells[i] ? [] : [i]));
    this.game = { ...rest, cells };
    this.settings = message.settings;
    this.questions = message.questions;
    this.assist = message.assist;
    this.automatic = message.automatic;
    if (message.menu) this.menu = message.menu;
    return { fresh, changed, lost: false };
  }

  /**
   * @param {any} message
   * @returns {Change}
   */
  #delta(message) {
    const game = this.game;
    if (!game || message.turn !== game.turn + 1) return { ...nothing(), lost: true };
    const changed = [];
    for (const [index, char] of message.cells) {
      game.cells[index] = char;
      changed.push(index);
    }
    for (const name of STANDING) /** @type {any} */ (game)[name] = message[name];
    if (message.event.kind === "assist") this.assist = message.event.assist;
    return { fresh: false, changed, lost: false };
  }
}
