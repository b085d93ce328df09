/** A hint with its card, its rings on the board, and its stages. */

import { sideBySide } from "./board/miniature.js";
import { stagesOf } from "./hint-stages.js";
import { sentence } from "./sentence.js";
import { t } from "./translation.js";

/** @typedef {import("./hint-stages.js").Stage} Stage */

export class HintCard {
  /** @type {import("./protocol.js").HintMessage | null} */
  #hint = null;
  /** @type {Stage[]} */
  #stages = [];
  #at = 0;
  /** @type {Set<number>} Cells that the proof has settled so far. */
  #safe = new Set();
  /** @type {Set<number>} */
  #mined = new Set();

  /**
   * @param {import("./assist.js").App} app
   * @param {() => void} repaint Draws the overlay again.
   */
  constructor(app, repaint) {
    this.app = app;
    this.repaint = repaint;
  }

  /** @returns {boolean} Whether the board shows an arrangement, which has no overlay. */
  get imagining() {
    return Boolean(this.#stages[this.#at]?.board);
  }

  /**
   * Return the part of the proof about a cell that has been shown so far.
   *
   * @param {number} index
   * @returns {"" | "safe" | "danger"}
   */
  settled(index) {
    if (this.#mined.has(index)) return "danger";
    return this.#safe.has(index) ? "safe" : "";
  }

  /** @param {import("./protocol.js").HintMessage} message */
  show(message) {
    const { grid, format, say } = this.app;
    this.clear();
    this.#hint = message;
    this.#stages = stagesOf(message, format);
    const focus = grid.hasFocus || document.activeElement === document.body;
    this.#draw();
    // Draw after opening the card, which makes the board smaller on a phone.
    grid.moveTo(grid.indexAt(message.cell), { focus, scroll: true });
    const { title } = this.#stages[0];
    say(sentence(title));
  }

  /**
   * Show the next stage or, after the last one, the first.
   *
   * @returns {boolean} Whether the card has a hint with more stages.
   */
  next() {
    if (this.#stages.length < 2 || this.app.card.kind !== "hint") return false;
    const imagined = this.imagining;
    this.#at = (this.#at + 1) % this.#stages.length;
    if (imagined && !this.imagining) this.app.renderer.imagine(null);
    this.#draw();
    const { title, text } = this.#stages[this.#at];
    this.app.say(t("{what}: {text}", { what: title, text }));
    return true;
  }

  /** Draw the stage on the board and its card. */
  #draw() {
    const { grid, renderer, card } = this.app;
    const stage = this.#stages[this.#at];
    const indices = (/** @type {import("./protocol.js").Cell[]} */ cells) => cells.map((cell) => grid.indexAt(cell));
    this.#safe = new Set(indices(stage.safe));
    this.#mined = new Set(indices(stage.mined));
    // Drawing cells removes their rings and overlay.
    if (stage.board) renderer.imagine(stage.board);
    else this.repaint();
    const goal = this.#hint ? indices([this.#hint.cell]) : [];
    grid.mark("hinted", stage.board ? [] : goal);
    grid.mark("asked", stage.board ? goal : []);
    grid.mark("proving", indices(stage.numbers));
    grid.mark("rival", indices(stage.rivals));
    grid.mark("concluded", indices(stage.concluded));
    grid.mark("risky", this.#hint?.proved || stage.board ? [] : goal);
    const choices = stage.next ? [{ label: stage.next, wide: true, act: () => this.next() }] : [];
    card.show("hint", stage.title, stage.text, choices);
    if (stage.board) this.#compare();
    // Reveal the cell to open after all others, so that it stays visible if not all cells fit.
    for (const index of [...indices(stage.numbers), ...indices(stage.concluded), ...goal]) {
      if (this.#at) grid.reveal(index);
    }
  }

  /** Show the two arrangements side by side on the card. */
  #compare() {
    const { state, card } = this.app;
    const ways = this.#hint?.ways;
    if (!state.game || !this.#hint || !ways) return;
    const first = this.#stages.findIndex(({ board }) => board);
    const pair = sideBySide(state.game, this.#hint.cell, [ways.mined, ways.clear], this.#at - first, (which) => {
      this.#at = first + which;
      this.#draw();
      /** @type {HTMLElement | undefined} */ (card.element.querySelectorAll(".ways button")[which])?.focus();
    });
    card.element.querySelector(".choices")?.before(pair);
  }

  /** Discard the hint, and remove its marks from the board. */
  clear() {
    const { grid, renderer } = this.app;
    const painted = this.imagining || this.#safe.size + this.#mined.size > 0;
    if (this.imagining) renderer.imagine(null);
    [this.#hint, this.#stages, this.#at] = [null, [], 0];
    [this.#safe, this.#mined] = [new Set(), new Set()];
    for (const name of ["hinted", "risky", "proving", "rival", "concluded", "asked"]) grid.mark(name, []);
    if (painted) this.repaint();
  }
}
