/** Looking back: how many guesses there were, and what a loss has to teach. */

import { placeName } from "./board/cells.js";
import { lost, sentence, tally } from "./wording.js";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./board/grid.js").Grid} grid
 * @property {import("./board/renderer.js").Renderer} renderer
 * @property {import("./frame/card.js").Card} card
 * @property {() => void} lower Puts the sheet away where it covers the board.
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 */

export class PostMortem {
  /** @type {any} How many guesses there were. */
  #account = null;
  /** @type {any} Why the game was lost, if it was. */
  #review = null;
  /** Whether the player has put the card of this loss away. */
  #putAway = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * Take a message in, after the board was drawn.
   *
   * @param {any} message
   * @param {{fresh: boolean, changed: number[], another: boolean}} change
   */
  take(message, { fresh, changed, another }) {
    const { state, grid, card } = this.app;
    if (changed.length || fresh || another) grid.mark("lit", []);
    if (another) this.#account = null;
    if (another || !state.over) {
      this.#putAway = false;
      this.#review = null;
      card.hide("loss");
    }
    if (message.type === "guesses") this.#account = message;
    if (message.type === "review") {
      this.#review = message;
      this.#light();
      this.app.say(lost(message));
      // A card would push the panel about, game after game.
      if (!this.#putAway && !state.automatic.running) this.#show();
    }
    this.#tally();
  }

  /** Show the guess account, to those who want help and to all at the end. */
  #tally() {
    const { state } = this.app;
    const shown = state.over || state.assist.mode === "assisted";
    const text = this.#account && state.game?.status !== "ready" && shown ? tally(this.#account) : "";
    if ($("tally").textContent !== text) $("tally").textContent = text;
  }

  /** Light the cells that were safe. */
  #light() {
    this.app.grid.mark("lit", this.#review.safe.map((/** @type {any} */ cell) => this.#index(cell)));
  }

  /**
   * @param {[number, number]} cell
   * @returns {number}
   */
  #index([row, col]) {
    return row * (this.app.state.game?.width ?? 0) + col;
  }

  #show() {
    const { card, send } = this.app;
    const { cell, safe } = this.#review;
    const lit = safe.length ? " They are lit on the board." : "";
    card.show("loss", sentence(`lost at ${placeName(cell)}`), `${lost(this.#review)}${lit}`, [
      ...this.#boards(),
      { label: "Take back", act: () => send({ type: "undo" }) },
      { label: "Same game again", act: () => send({ type: "again" }) },
    ]);
  }

  /**
   * The boards that a guess without a safe cell left open, to be shown one at a time.
   *
   * @returns {import("./frame/card.js").Choice[]}
   */
  #boards() {
    const { cell, safe, mined, clear } = this.#review;
    if (safe.length || !clear) return [];
    const choice = (/** @type {string} */ label, /** @type {number[]} */ mines) => ({
      label,
      wide: true,
      toggle: (/** @type {boolean} */ on) => {
        this.app.lower();
        this.app.renderer.imagine(on ? mines : null);
        this.app.grid.mark("asked", on ? [this.#index(cell)] : []);
      },
    });
    return [
      choice("A board in which it was a mine", mined),
      choice("A board in which it was clear", clear),
    ];
  }

  /**
   * Bring the card of a loss into view.
   *
   * @returns {boolean} Whether there is one.
   */
  why() {
    if (!this.#review) return false;
    this.#putAway = false;
    this.#light();
    if (this.app.card.kind !== "loss") this.#show();
    this.app.card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Put away what a loss has shown. */
  leave() {
    this.#putAway ||= this.app.card.kind === "loss";
    this.app.renderer.imagine(null);
    this.app.grid.mark("lit", []);
    this.app.grid.mark("asked", []);
  }
}
