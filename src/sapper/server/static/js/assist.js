/** Help on the board: the overlay, the hint, and what a loss has to teach. */

import { isUnopened, placeName } from "./board/cells.js";
import { inFull, markOn, overlayOn, readChances } from "./board/overlay.js";
import { Figures } from "./frame/figures.js";
import { Tip } from "./frame/tip.js";
import { hinted, lost, sentence, tally } from "./words.js";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const LEGENDS = {
  none: "",
  states:
    '<span class="key"><i class="glyph glyph-safe"></i>safe</span>' +
    '<span class="key"><i class="glyph glyph-danger"></i>mine</span>' +
    '<span class="key"><i class="glyph glyph-unknown"></i>unknown</span>',
  chances:
    '<span class="key"><i class="glyph glyph-safe"></i>safe</span>' +
    '<span class="key"><i class="glyph glyph-danger"></i>mine</span>' +
    '<span class="key scale"><b>0</b><i class="ramp"></i><b>100 %</b></span>',
  marks:
    '<span class="key"><i class="note safe">•</i>safe</span>' +
    '<span class="key"><i class="note danger">!</i>mine</span>' +
    '<span class="key"><i class="note unknown">?</i>unknown</span>' +
    '<span class="key"><i class="note"></i>outside</span>',
};

/**
 * @typedef {object} Desk
 * @property {import("./table.js").Table} table
 * @property {import("./board/grid.js").Grid} grid
 * @property {import("./board/scene.js").Scene} scene
 * @property {import("./frame/card.js").Card} card
 * @property {() => void} lower Puts the sheet away where it covers the board.
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 * @property {import("./words.js").Format} format
 */

export class Assist {
  /** @type {import("./board/overlay.js").Chances | null} */
  #chances = null;
  /** Kaboom's marks, one character a cell. */
  #marks = "";
  #figures = new Figures();
  /** @type {any} How many guesses there were. */
  #account = null;
  /** @type {any} Why the game was lost, if it was. */
  #lost = null;
  /** Whether the player has put the card of this loss away. */
  #putAway = false;
  #tip = new Tip($("tip"));

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    const { element } = desk.grid;
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#point(/** @type {Element} */ (event.target));
    });
    element.addEventListener("pointerleave", () => this.#tip.hide());
    element.addEventListener("focusin", ({ target }) => {
      const cell = /** @type {Element} */ (target);
      if (cell.matches(":focus-visible")) this.#point(cell);
    });
    element.addEventListener("focusout", () => this.#tip.hide());
    $("well").addEventListener("scroll", () => this.#tip.hide(), { passive: true });
  }

  /**
   * Take a message in, after the board was drawn.
   *
   * @param {any} message
   * @param {{fresh: boolean, changed: number[], another: boolean}} change
   */
  take(message, { fresh, changed, another }) {
    const { table, grid } = this.desk;
    const shown = table.game?.status === "playing" || (!table.over && this.#kind === "marks");
    if (fresh || another || (!shown && (this.#chances || this.#marks))) this.#forget();
    if (another) this.#account = null;
    if (changed.length || fresh || another) {
      this.#tip.hide();
      grid.mark("hinted", []);
      grid.mark("lit", []);
      this.desk.card.hide("hint");
      if (another || !table.over) this.desk.card.hide("loss");
    }
    if (message.type === "overlay") {
      const { game } = table;
      if (!game || message.turn !== game.turn) return;
      this.#chances = readChances(message, game.cells);
      this.#paint(this.#chances.p.keys());
    } else if (message.type === "marks") {
      if (message.turn !== table.game?.turn) return;
      this.#marks = message.marks;
      this.#figures.show(message, this.desk.format);
      this.#paint(table.game.cells.keys());
    } else if (message.event?.kind === "assist" || message.game) {
      this.#forget(this.#kind);
      this.#legend();
    } else this.#paint(changed);
    if (message.type === "hint") this.#hint(message);
    if (message.type === "review") this.#review((this.#lost = message));
    if (message.type === "guesses") this.#account = message;
    if (another || !table.over) {
      this.#putAway = false;
      this.#lost = null;
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

  /** @returns {"none" | "states" | "chances" | "marks"} What is to be seen now. */
  get #kind() {
    return this.desk.table.layer;
  }

  #legend() {
    const text = LEGENDS[this.#kind];
    if ($("legend").dataset.kind !== this.#kind) $("legend").innerHTML = text;
    $("legend").dataset.kind = this.#kind;
    $("legend").hidden = !text;
    this.#figures.visible = this.#kind === "marks";
  }

  /** Lay the overlay on the board again, after all cells were drawn anew. */
  repaint() {
    this.#paint(this.desk.table.game?.cells.keys() ?? []);
  }

  /**
   * Take the overlay off the board, all but what the given kind goes on showing.
   *
   * @param {string} [kind]
   */
  #forget(kind = "none") {
    if (kind === "none" || kind === "marks") this.#chances = null;
    if (kind !== "marks") this.#marks = "";
    this.repaint();
  }

  /** @param {Iterable<number>} indices */
  #paint(indices) {
    const { table, grid } = this.desk;
    const cells = table.game?.cells ?? [];
    for (const index of indices) {
      if (index >= cells.length) continue;
      const { look, text } = this.#covering(index, cells[index]);
      grid.cover(index, look, text);
    }
  }

  /**
   * @param {number} index
   * @param {string} char What the cell shows.
   * @returns {{look: string, text: string}} What lies over it.
   */
  #covering(index, char) {
    const kind = this.#kind;
    if (kind === "marks") return markOn(this.#marks, index, char);
    if (!this.#chances) return { look: "", text: "" };
    return overlayOn(kind, this.#chances, index, char);
  }

  /** @param {Element} target The cell that is pointed at. */
  #point(target) {
    const { grid, format } = this.desk;
    const index = grid.indexOf(target);
    if (index === null || !this.#chances || this.#kind === "none") return this.#tip.hide();
    const shown = this.desk.table.game?.cells[index] ?? "";
    this.#tip.show(grid.cell(index), isUnopened(shown) ? inFull(this.#chances, index, format) : "");
  }

  /** Ask for a hint. */
  hint() {
    this.desk.send({ type: "hint" });
  }

  /**
   * Bring the card of a loss into view.
   *
   * @returns {boolean} Whether there is one.
   */
  why() {
    if (!this.#lost) return false;
    this.#putAway = false;
    if (this.desk.card.kind !== "loss") this.#review(this.#lost);
    this.desk.card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Put help away. */
  leave() {
    this.#putAway ||= this.desk.card.kind === "loss";
    this.desk.scene.imagine(null);
    this.desk.grid.mark("hinted", []);
    this.desk.grid.mark("lit", []);
    this.desk.card.hide();
    this.#tip.hide();
  }

  /** @param {any} message */
  #hint(message) {
    const { grid, card, say, format, table } = this.desk;
    if (message.turn !== table.game?.turn) return;
    const { title, text } = hinted(message, format);
    const [row, col] = message.cell;
    const index = row * (table.game?.width ?? 0) + col;
    grid.mark("hinted", [index]);
    grid.cell(index).classList.toggle("risky", !message.proved);
    const focus = grid.hasFocus || document.activeElement === document.body;
    grid.moveTo(index, { focus, scroll: true });
    card.show("hint", title, text);
    say(title.endsWith(".") ? title : `${title}.`);
  }

  /** @param {any} message */
  #review(message) {
    const { grid, card, say, table, send } = this.desk;
    const width = table.game?.width ?? 0;
    const text = lost(message);
    grid.mark("lit", message.safe.map((/** @type {[number, number]} */ [r, c]) => r * width + c));
    say(text);
    if (this.#putAway) return;
    const lit = message.safe.length ? " They are lit on the board." : "";
    const again = { label: "Take back", act: () => send({ type: "undo" }) };
    const same = { label: "Same game again", act: () => send({ type: "again" }) };
    card.show("loss", sentence(`lost at ${placeName(message.cell)}`), `${text}${lit}`, [
      ...this.#boards(message),
      again,
      same,
    ]);
  }

  /**
   * The boards that a guess without a safe cell left open, to be shown one at a time.
   *
   * @param {any} message
   * @returns {import("./frame/card.js").Choice[]}
   */
  #boards({ cell, safe, mined, clear }) {
    const choice = (/** @type {string} */ label, /** @type {number[]} */ mines) => ({
      label,
      wide: true,
      toggle: (/** @type {boolean} */ on) => {
        this.desk.lower();
        this.desk.scene.imagine(on ? mines : null);
        this.desk.grid.mark("asked", on ? [cell[0] * width + cell[1]] : []);
      },
    });
    const width = this.desk.table.game?.width ?? 0;
    if (safe.length || !clear) return [];
    return [
      choice("A board in which it was a mine", mined),
      choice("A board in which it was clear", clear),
    ];
  }
}
