/** Assisted play with chances computed in this window, so that the server need not send them. */

import { ofGame, toJson } from "../analyze/position.js";
import { MOST_ELEMENTS } from "../board/cells.js";
import { quickly, slowly } from "./answers.js";
import { overlayOf, withoutFlags } from "./chances.js";
import { engineNow, loadEngine } from "./engine.js";
import { GuessCount } from "./guess-count.js";

/**
 * @typedef {object} App
 * @property {import("../game-state.js").GameState} state
 * @property {import("../types.js").Send} send
 * @property {(work: () => void) => void} later Runs work after the move has been drawn.
 * @property {(message: import("../protocol.js").GoodMessage) => void} show Handles a message as if the server had sent it.
 */

export class PlayChances {
  /** Whether the server knows that this window computes chances. */
  #told = false;
  /** The key of a game whose analyses take too long in this window. */
  #tooLong = "";
  /** The last position analysed. */
  #turn = "";
  #guesses = new GuessCount();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * Handle a message, after the board has been drawn.
   *
   * @param {import("../protocol.js").GoodMessage} message
   */
  take(message) {
    if (message.type === "welcome") this.#told = false;
    if (message.type === "guesses") this.#guesses.set(message, this.#key);
    if (message.type !== "delta" && !("game" in message)) return;
    this.#tell();
    this.#count(message);
    this.#refresh();
  }

  /** Begin with the position on the board. */
  begin() {
    this.#tell();
    this.#refresh();
  }

  /** @returns {string} The turn of a game. */
  get #key() {
    const { game } = this.app.state;
    return `${game?.key} ${game?.turn}`;
  }

  /** @returns {boolean} Whether the board shows an overlay that is drawn from chances. */
  get #wanted() {
    const { game, layer, menu } = this.app.state;
    const compact = menu?.overlays.some(({ name, compact: drawn }) => drawn && name === layer) ?? false;
    return compact && game !== null && game.cells.length <= MOST_ELEMENTS && game.key !== this.#tooLong;
  }

  /** Report to the server whether this window computes chances. */
  #tell() {
    if (this.#wanted && !engineNow()) void loadEngine().then((engine) => engine && this.begin());
    const here = this.#wanted && engineNow() !== null;
    if (here === this.#told || !this.app.send({ type: "thinking", here })) return;
    this.#told = here;
    if (here) this.#guesses.begin(this.app.state);
  }

  /** @param {import("../protocol.js").GoodMessage} message */
  #count(message) {
    const { state, send, show } = this.app;
    if (!this.#told || state.assist.mode !== "assisted") return this.#guesses.forget();
    const told = this.#guesses.take(message, state);
    if (told === "unknown") send({ type: "guesses" });
    else if (told) show(told);
  }

  /** Compute the overlay of the position on the board. */
  #refresh() {
    if (!this.#told || this.app.state.game?.status !== "playing" || this.#turn === this.#key) return;
    this.app.later(() => void this.#analyze());
  }

  async #analyze() {
    const { state, show } = this.app;
    const [{ game }, engine, key] = [state, engineNow(), this.#key];
    if (!game || !engine || game.status !== "playing" || this.#turn === key) return;
    this.#turn = key;
    const position = withoutFlags(toJson(ofGame(game)));
    try {
      const found = quickly(engine, position) ?? (await slowly(position));
      if (key !== this.#key) return;
      if (!found?.exact) return this.#leave(game.key);
      this.#guesses.know(key, found);
      show(overlayOf(position, found, game.turn));
    } catch {
      this.#leave(game.key);
    }
  }

  /** @param {string} key The key of a game whose chances the server should send. */
  #leave(key) {
    this.#tooLong = key;
    this.#tell();
  }
}
