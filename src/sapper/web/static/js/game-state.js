/** The state of the game in this window, without any drawing. */

import { learnLabels } from "./menu.js";
import { applyPatch, unpack } from "./packed.js";

/** @typedef {import("./types.js").Change} Change */

/**
 * @typedef {Omit<import("./protocol.js").GameMessage, "rows" | "packed"> & {cells: string[]}} Game One
 *   character per cell, in row order.
 */

const STANDING = /** @type {const} */ ([
  "turn", "status", "mines_left", "clock", "can_undo", "actions", "helped", "seed",
]);

/** Why a game that began with open cells does not count. */
const TAKEN_OVER = new Set(["shared", "retry", "replay"]);

/** @returns {Change} */
const nothing = () => ({ fresh: false, changed: [], lost: false, another: false });

export class GameState {
  /** @type {Game | null} */
  game = null;
  /** @type {Partial<import("./protocol.js").Settings>} The next game's settings. */
  settings = {};
  /**
   * @type {Partial<import("./protocol.js").Settings> | null} The player's choices when a game with other settings began.
   */
  #before = null;
  questions = false;
  /** @type {import("./protocol.js").AssistSettings} */
  assist = { mode: "solo", overlay: "none", show_states: false, debug: false };
  /** @type {import("./protocol.js").AutomaticState} The bot, its settings and its choices. */
  automatic = {
    bot: "", delay_ms: 0, loop: false, running: false, thinking: false,
    problem: null, choice: null, log: [], games: 0, wins: 0,
  };
  /** @type {import("./protocol.js").Daily | null} Results of daily boards. */
  daily = null;
  /** @type {import("./protocol.js").Menu | null} The available levels, rule sets and bots. */
  menu = null;

  /**
   * Apply a message from the server.
   *
   * @param {import("./protocol.js").GoodMessage} message
   * @returns {Change} The change on the board.
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

  /** @returns {boolean} Whether another game may start without a question. */
  get nothingLost() {
    const { game } = this;
    if (!game || this.over) return true;
    // In an attempt at a daily board or a continued game, even the first move counts.
    const first = game.attempt || TAKEN_OVER.has(game.helped ?? "") ? 0 : 1;
    return game.status === "ready" || game.actions <= first;
  }

  /** @returns {string} The overlay on the board. */
  get layer() {
    const { mode, overlay, show_states, debug } = this.assist;
    const rules = this.game?.settings.rules;
    const aid = this.menu?.rules.find((each) => each.name === rules)?.aid;
    if (aid === "marks" && debug) return "marks";
    if (aid === "states" && show_states) return "states";
    return mode === "solo" ? "none" : overlay;
  }

  /**
   * @returns {string[]} The settings in which the next game differs from this one or, if the player
   * did not choose this one's settings, from those chosen when it began.
   */
  get pending() {
    const playing = /** @type {Record<string, unknown>} */ ({ ...(this.#before ?? this.game?.settings) });
    return Object.entries(this.settings)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(playing[name]))
      .map(([name]) => name);
  }

  /**
   * @param {import("./protocol.js").StateMessage} message
   * @returns {Change}
   */
  #whole(message) {
    const { rows = [], packed, ...rest } = message.game;
    let cells = packed === undefined ? [...rows.join("")] : unpack(packed);
    const before = this.game;
    const fresh = !before || before.width !== rest.width || before.height !== rest.height || before.topology !== rest.topology;
    /** @type {number[]} */
    const changed = [];
    if (!fresh) {
      // Keep the array itself, because a big board is drawn from it.
      cells.forEach((char, index) => {
        if (char === before.cells[index]) return;
        before.cells[index] = char;
        changed.push(index);
      });
      cells = before.cells;
    }
    const another = before?.key !== rest.key;
    if (another) this.#before = rest.day || TAKEN_OVER.has(rest.helped ?? "") ? message.settings : null;
    this.game = { ...rest, cells };
    this.settings = message.settings;
    this.questions = message.questions;
    this.assist = message.assist;
    this.automatic = message.automatic;
    this.daily = message.daily;
    if (message.menu) {
      this.menu = message.menu;
      learnLabels(message.menu);
    }
    return { fresh, changed, lost: false, another };
  }

  /**
   * @param {import("./protocol.js").DeltaMessage} message
   * @returns {Change}
   */
  #delta(message) {
    const game = this.game;
    if (!game || message.turn !== game.turn + 1) return { ...nothing(), lost: true };
    const changed = message.patch === undefined ? [] : applyPatch(game.cells, message.patch);
    for (const [index, char] of message.cells) {
      game.cells[index] = char;
      changed.push(index);
    }
    for (const name of STANDING) /** @type {Record<string, unknown>} */ (game)[name] = message[name];
    if (message.event.daily) {
      this.daily = message.event.daily;
      game.attempt = false;
    }
    if (message.event.assist) this.assist = message.event.assist;
    return { ...nothing(), changed };
  }
}
