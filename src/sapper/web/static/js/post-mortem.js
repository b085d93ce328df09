/**
 * After the game: the number of guesses and the reason for a loss. The review page has the rest.
 */

import { placeName } from "./board/cells.js";
import { $ } from "./dom.js";
import { phone } from "./frame/phone.js";
import { lost, tally } from "./wording.js";
import { sentences } from "./sentence.js";
import { t, tn } from "./translation.js";

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./board/board.js").Board} grid
 * @property {import("./board/renderer.js").Renderer} renderer
 * @property {import("./frame/card.js").Card} card
 * @property {(text: string) => void} say
 * @property {import("./types.js").Send} send
 * @property {(() => void) | null} review Opens the review, if there is one.
 * @property {(pattern: string) => void} learn Opens the page of a pattern.
 */

export class PostMortem {
  /** @type {import("./protocol.js").GuessesMessage | null} The number of guesses. */
  #account = null;
  /** @type {import("./protocol.js").ReviewMessage | null} Why the game was lost. */
  #review = null;
  /** Whether the player closed the card of this loss. */
  #putAway = false;
  /** Whether the player asked for the reason before it arrived. */
  #wanted = false;
  /** Whether the game was over at the last message. */
  #over = false;
  /**
   * @type {string | null} The card that was open at the end, or when the player asked for the
   * reason.
   */
  #cardThen = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    phone.addEventListener("change", () => {
      if (app.card.kind === "loss") this.#show();
    });
  }

  /**
   * Handle a message, after the board has been drawn.
   *
   * @param {import("./protocol.js").GoodMessage} message
   * @param {import("./types.js").Change} change
   */
  take(message, { fresh, changed, another }) {
    const { state, grid, card } = this.app;
    if (changed.length || fresh || another) grid.mark("lit", []);
    if (another) this.#account = null;
    if (another || !state.over) {
      this.#putAway = false;
      this.#wanted = false;
      this.#review = null;
      card.hide("loss");
    }
    if (state.over !== this.#over || another) {
      this.#over = state.over;
      this.#cardThen = card.kind;
    }
    if (message.type === "guesses") this.#account = message;
    if (message.type === "review") {
      this.#review = message;
      this.#light();
      this.app.say(lost(message));
      // While a bot plays one game after another, a card would make the panel jump. On a phone, the
      // Why button opens the card. A card that the player opened after the loss or after asking for
      // the reason stays open.
      const unasked = !this.#putAway && !state.automatic.running && !phone.matches;
      const other = card.kind !== null && card.kind !== "loss" && card.kind !== this.#cardThen;
      if ((this.#wanted || unasked) && !other) this.#show();
      this.#wanted = false;
    }
    this.#tally();
  }

  /** Show the number of guesses in assisted mode and, after the game, to everyone. */
  #tally() {
    const { state } = this.app;
    const shown = state.over || state.assist.mode === "assisted";
    const text = this.#account && state.game?.status !== "ready" && shown ? tally(this.#account, state.over) : "";
    if ($("tally").textContent !== text) $("tally").textContent = text;
  }

  /** Highlight the cells that were safe. */
  #light() {
    const { grid } = this.app;
    grid.mark("lit", (this.#review?.safe ?? []).map((cell) => grid.indexAt(cell)));
  }

  #show() {
    const { card, send } = this.app;
    if (!this.#review) return;
    const { cell, safe, pattern } = this.#review;
    const boards = this.#boards();
    const seen = safe.length
      ? tn("The safe cell is highlighted on the board.", "The safe cells are highlighted on the board.", safe.length)
      : boards.length ? t("Both of these boards fit everything you could see.") : "";
    // The status line below the board shows the reason, but on a phone the card covers it.
    const missed = pattern ? t("You missed a pattern: {pattern}.", { pattern: pattern.title }) : "";
    const text = sentences(phone.matches ? lost(this.#review) : "", seen, missed);
    card.show("loss", t("Lost at {cell}", { cell: placeName(cell) }), text, [
      ...boards,
      ...(pattern ? [{ label: t("Learn this pattern"), wide: true, act: () => this.app.learn(pattern.id) }] : []),
      // On a phone, there is already an Undo button under the thumb.
      ...(phone.matches ? [] : [{ label: t("Take back"), act: () => send({ type: "undo" }) }]),
      ...(this.app.review ? [{ label: t("Review"), act: this.app.review }] : []),
      { label: t("Same board again"), wide: !phone.matches, act: () => send({ type: "again" }) },
    ]);
    // Draw after opening the card, which makes the board smaller on a phone.
    if (phone.matches) for (const shown of [...safe.slice(0, 1), cell]) this.#scrollTo(shown);
  }

  /** @param {import("./protocol.js").Cell} cell */
  #scrollTo(cell) {
    const { grid } = this.app;
    grid.reveal(grid.indexAt(cell));
  }

  /**
   * Buttons that show the two arrangements of a forced guess.
   *
   * @returns {import("./frame/card.js").Choice[]}
   */
  #boards() {
    if (!this.#review) return [];
    const { cell, safe, mined, clear } = this.#review;
    if (safe.length || !clear) return [];
    const choice = (/** @type {string} */ label, /** @type {number[]} */ mines) => ({
      label,
      wide: true,
      toggle: (/** @type {boolean} */ on) => {
        this.app.renderer.imagine(on ? mines : null);
        this.app.grid.mark("asked", on ? [this.app.grid.indexAt(cell)] : []);
      },
    });
    return [
      choice(t("A board where it was a mine"), mined),
      choice(t("A board where it was clear"), clear),
    ];
  }

  /**
   * Show the loss card now, or as soon as the server has sent the reason.
   *
   * @returns {boolean} Whether there is a loss to explain.
   */
  why() {
    if (!this.#review) return this.#wait();
    this.#putAway = false;
    this.app.say(lost(this.#review));
    this.#light();
    if (this.app.card.kind !== "loss") this.#show();
    this.app.card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  /**
   * Wait for a loss to be explained. The explanation may never arrive, so a second request does not
   * wait.
   *
   * @returns {boolean} Whether there is a loss and this is the first request.
   */
  #wait() {
    const { state, card, say } = this.app;
    if (this.#wanted || state.game?.status !== "lost") return false;
    this.#wanted = true;
    this.#cardThen = card.kind;
    say(t("Thinking…"));
    return true;
  }

  /** Hide the explanation of a loss. */
  leave() {
    this.#wanted = false;
    this.#putAway ||= this.app.card.kind === "loss";
    this.app.renderer.imagine(null);
    this.app.grid.mark("lit", []);
    this.app.grid.mark("asked", []);
  }
}
