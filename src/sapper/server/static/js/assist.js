/** Help on the board: the overlay, the hint, and what a loss has to teach. */

import { isUnopened, placeName } from "./board/cells.js";
import { inFull, overlayOn, readChances } from "./board/overlay.js";
import { Tip } from "./frame/tip.js";
import { hinted, lost, sentence } from "./words.js";

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
};

/**
 * @typedef {object} Desk
 * @property {import("./table.js").Table} table
 * @property {import("./board/grid.js").Grid} grid
 * @property {import("./frame/card.js").Card} card
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 * @property {import("./words.js").Format} format
 */

export class Assist {
  /** @type {import("./board/overlay.js").Chances | null} */
  #chances = null;
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
    if (fresh || another || table.over || table.game?.status === "ready") this.#forget();
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
    } else if (message.event?.kind === "assist" || message.game) {
      if (this.#kind === "none") this.#forget();
      this.#legend();
      this.#paint(this.#chances?.p.keys() ?? []);
    } else this.#paint(changed);
    if (message.type === "hint") this.#hint(message);
    if (message.type === "review") this.#review(message);
  }

  /** @returns {"none" | "states" | "chances"} What is to be seen now. */
  get #kind() {
    const { mode, overlay } = this.desk.table.assist;
    return mode === "assisted" ? /** @type {any} */ (overlay) : "none";
  }

  #legend() {
    const text = LEGENDS[this.#kind];
    if ($("legend").dataset.kind !== this.#kind) $("legend").innerHTML = text;
    $("legend").dataset.kind = this.#kind;
    $("legend").hidden = !text;
  }

  /** Take the overlay off the board. */
  #forget() {
    const old = this.#chances?.p.keys() ?? [];
    this.#chances = null;
    this.#paint(old);
  }

  /** @param {Iterable<number>} indices */
  #paint(indices) {
    const { table, grid } = this.desk;
    const cells = table.game?.cells ?? [];
    for (const index of indices) {
      if (index >= cells.length) continue;
      const { look, text } = this.#chances
        ? overlayOn(this.#kind, this.#chances, index, cells[index])
        : { look: "", text: "" };
      grid.cover(index, look, text);
    }
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

  /** Put help away. */
  leave() {
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
    say(`${title}.`);
  }

  /** @param {any} message */
  #review(message) {
    const { grid, card, say, format, table, send } = this.desk;
    const width = table.game?.width ?? 0;
    const text = lost(message, format);
    grid.mark("lit", message.safe.map((/** @type {[number, number]} */ [r, c]) => r * width + c));
    say(text);
    const lit = message.safe.length ? " The safe cells are lit." : "";
    card.show("loss", sentence(`lost at ${placeName(message.cell)}`), `${text}${lit}`, [
      { label: "Take back", act: () => send({ type: "undo" }) },
      { label: "Same board again", act: () => send({ type: "again" }) },
    ]);
  }
}
