/** Looking back: how many guesses there were, and what a loss has to teach. */

import { placeName } from "./board/cells.js";
import { lost, sentence, tally } from "./words.js";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @typedef {object} Ruins
 * @property {import("./table.js").Table} table
 * @property {import("./board/grid.js").Grid} grid
 * @property {import("./board/scene.js").Scene} scene
 * @property {import("./frame/card.js").Card} card
 * @property {() => void} lower Puts the sheet away where it covers the board.
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 */

export class Aftermath {
  /** @type {any} How many guesses there were. */
  #account = null;
  /** @type {any} Why the game was lost, if it was. */
  #review = null;
  /** Whether the player has put the card of this loss away. */
  #putAway = false;

  /** @param {Ruins} desk */
  constructor(desk) {
    this.desk = desk;
  }

  /**
   * Take a message in, after the board was drawn.
   *
   * @param {any} message
   * @param {{fresh: boolean, changed: number[], another: boolean}} change
   */
  take(message, { fresh, changed, another }) {
    const { table, grid, card } = this.desk;
    if (changed.length || fresh || another) grid.mark("lit", []);
    if (another) this.#account = null;
    if (another || !table.over) {
      this.#putAway = false;
      this.#review = null;
      card.hide("loss");
    }
    if (message.type === "guesses") this.#account = message;
    if (message.type === "review") {
      this.#review = message;
      this.#light();
      this.desk.say(lost(message));
      // A card would push the panel about, game after game.
      if (!this.#putAway && !table.automatic.running) this.#show();
    }
    this.#tally();
  }

  /** Show the guess account, to those who want help and to all at the end. */
  #tally() {
    const { table } = this.desk;
    const shown = table.over || table.assist.mode === "assisted";
    const text = this.#account && table.game?.status !== "ready" && shown ? tally(this.#account) : "";
    if ($("tally").textContent !== text) $("tally").textContent = text;
  }

  /** Light the cells that were safe. */
  #light() {
    this.desk.grid.mark("lit", this.#review.safe.map((/** @type {any} */ cell) => this.#index(cell)));
  }

  /**
   * @param {[number, number]} cell
   * @returns {number}
   */
  #index([row, col]) {
    return row * (this.desk.table.game?.width ?? 0) + col;
  }

  #show() {
    const { card, send } = this.desk;
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
        this.desk.lower();
        this.desk.scene.imagine(on ? mines : null);
        this.desk.grid.mark("asked", on ? [this.#index(cell)] : []);
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
    if (this.desk.card.kind !== "loss") this.#show();
    this.desk.card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Put away what a loss has shown. */
  leave() {
    this.#putAway ||= this.desk.card.kind === "loss";
    this.desk.scene.imagine(null);
    this.desk.grid.mark("lit", []);
    this.desk.grid.mark("asked", []);
  }
}
