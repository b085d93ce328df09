/** Counts the guesses of a running game from the chances that this window has computed. */

import { isUnopened, MOST_ELEMENTS } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";

/** @typedef {import("../game-state.js").GameState} GameState */
/** @typedef {import("../protocol.js").GuessesMessage} GuessesMessage */

/** The reasons why a game may begin without the promise of a safe first click. */
const CONTINUED = new Set(["shared", "retry", "replay"]);

export class GuessCount {
  /** @type {{forced: number, needless: number} | null} Null if it is unknown. */
  #count = null;
  /** The turn up to which guesses are counted. */
  #at = "";
  /** Whether the server was asked for its count. */
  #asked = false;
  /** The cells that were proved safe in the last analysis, with its turn. */
  #proved = { at: "", safe: /** @type {Set<number>} */ (new Set()) };

  /** Stop counting. */
  forget() {
    this.#count = null;
  }

  /**
   * Begin to count, from zero if the game has not begun.
   *
   * @param {GameState} state
   */
  begin({ game }) {
    this.#count = game?.status === "ready" ? { forced: 0, needless: 0 } : null;
    this.#at = turnOf(game);
    this.#asked = false;
  }

  /**
   * @param {string} at A turn.
   * @param {import("./chances.js").Analysis} analysis The analysis of its position.
   */
  know(at, { safe }) {
    this.#proved = { at, safe: new Set(safe) };
  }

  /**
   * Take the server's count.
   *
   * @param {GuessesMessage} message
   * @param {string} at The turn of the game now.
   */
  set({ turn, forced, needless }, at) {
    this.#asked = false;
    if (!at.endsWith(` ${turn}`)) return;
    this.#count = { forced, needless };
    this.#at = at;
  }

  /**
   * Count the guesses in a change of the game.
   *
   * @param {import("../protocol.js").GoodMessage} message
   * @param {GameState} state After the change.
   * @returns {GuessesMessage | "unknown" | null} The count; `unknown` if only the server knows it.
   */
  take(message, state) {
    const { game } = state;
    if (!game) return null;
    if (message.type !== "delta") this.begin(state);
    else if (this.#count && !this.#follow(message, state)) this.#count = null;
    if (!this.#count) return this.#ask(game.status);
    const { forced, needless } = this.#count;
    return { type: "guesses", turn: game.turn, made: forced + needless, forced, needless };
  }

  /**
   * @param {string} status
   * @returns {"unknown" | null} Whether to ask the server, which takes one question at a time.
   */
  #ask(status) {
    if (this.#asked || status === "ready") return null;
    this.#asked = true;
    return "unknown";
  }

  /**
   * @param {import("../protocol.js").DeltaMessage} message
   * @param {GameState} state After the change.
   * @returns {boolean} Whether the guesses in it could be counted.
   */
  #follow(message, state) {
    const before = this.#at;
    this.#at = turnOf(state.game);
    const { kind } = message.event;
    return (kind !== "open" && kind !== "chord") || this.#judge(message, state, before);
  }

  /**
   * @param {import("../protocol.js").DeltaMessage} message A move that opened cells.
   * @param {GameState} state
   * @param {string} before The turn before the move.
   * @returns {boolean} Whether the guesses in it could be counted.
   */
  #judge({ event, cells }, state, before) {
    const { game } = state;
    if (!game || !event.cell || !this.#count) return false;
    const lost = game.status === "lost";
    const first = game.cells.filter((char) => !isUnopened(char)).length === cells.length;
    if (first && !lost && game.settings.first_click !== "any") return !CONTINUED.has(game.helped ?? "");
    if (this.#proved.at !== before) return false;
    const { safe } = this.#proved;
    const [row, col] = event.cell;
    const cell = row * game.width + col;
    if (event.kind === "chord") {
      // The cells of a chord are judged one by one; if all were proved, their order does not matter.
      const near = new Set(neighbours(game, cell));
      return !lost && cells.every(([index]) => !near.has(index) || safe.has(index));
    }
    if (safe.has(cell)) return true;
    // Some rules forbid certain guesses, which only the server can identify.
    if (lost && !safe.size && mayForbid(state)) return false;
    if (safe.size) this.#count.needless++;
    else this.#count.forced++;
    return true;
  }
}

/** @param {GameState["game"]} game */
function turnOf(game) {
  return `${game?.key} ${game?.turn}`;
}

/**
 * @param {GameState} state
 * @returns {boolean} Whether the rules may forbid guesses; such rules analyse the board, so they have a limit on its size.
 */
function mayForbid({ game, menu }) {
  const rules = menu?.rules.find(({ name }) => name === game?.settings.rules);
  return !rules || rules.max_cells <= MOST_ELEMENTS;
}
