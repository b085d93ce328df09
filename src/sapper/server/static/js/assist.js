/** Help on the board: the overlay, the marks and the hint. */

import { isUnopened } from "./board/cells.js";
import { inFull, markOn, overlayOn, readChances } from "./board/overlay.js";
import { DebugFigures } from "./frame/debug-figures.js";
import { Tooltip } from "./frame/tooltip.js";
import { hinted } from "./wording.js";

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
  risks:
    '<span class="key"><i class="glyph glyph-safe"></i>safe</span>' +
    '<span class="key"><i class="glyph glyph-danger"></i>mine</span>' +
    '<span class="key"><i class="glyph glyph-low class low"></i>low &lt; 1/5</span>' +
    '<span class="key"><i class="glyph glyph-medium class medium"></i>medium &lt; 1/3</span>' +
    '<span class="key"><i class="glyph glyph-high class high"></i>high ≥ 1/3</span>',
  marks:
    '<span class="key"><i class="note safe">•</i>safe</span>' +
    '<span class="key"><i class="note danger">!</i>mine</span>' +
    '<span class="key"><i class="note unknown">?</i>unknown</span>' +
    '<span class="key"><i class="note"></i>outside</span>',
};

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./board/grid.js").Grid} grid
 * @property {import("./post-mortem.js").PostMortem} postMortem
 * @property {import("./frame/card.js").Card} card
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 * @property {import("./wording.js").Format} format
 */

export class Assist {
  /** @type {import("./board/overlay.js").Chances | null} */
  #chances = null;
  /** Kaboom's marks, one character a cell. */
  #marks = "";
  #debugFigures = new DebugFigures();
  /** The overlay to go back to when the classes of risk are put away. */
  #other = "none";
  #tooltip = new Tooltip($("tip"));

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { element } = app.grid;
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#point(/** @type {Element} */ (event.target));
    });
    element.addEventListener("pointerleave", () => this.#tooltip.hide());
    element.addEventListener("focusin", ({ target }) => {
      const cell = /** @type {Element} */ (target);
      if (cell.matches(":focus-visible")) this.#point(cell);
    });
    element.addEventListener("focusout", () => this.#tooltip.hide());
    $("well").addEventListener("scroll", () => this.#tooltip.hide(), { passive: true });
  }

  /**
   * Take a message in, after the board was drawn.
   *
   * @param {any} message
   * @param {{fresh: boolean, changed: number[], another: boolean}} change
   */
  take(message, { fresh, changed, another }) {
    const { state, grid } = this.app;
    const shown = state.game?.status === "playing" || (!state.over && this.#kind === "marks");
    if (fresh || another || (!shown && (this.#chances || this.#marks))) this.#forget();
    if (changed.length || fresh || another) {
      this.#tooltip.hide();
      this.#unring();
      this.app.card.hide("hint");
    }
    if (message.type === "overlay") {
      const { game } = state;
      if (!game || message.turn !== game.turn) return;
      this.#chances = readChances(message, game.cells);
      this.#paint(this.#chances.p.keys());
    } else if (message.type === "marks") {
      if (message.turn !== state.game?.turn) return;
      this.#marks = message.marks;
      this.#debugFigures.show(message, this.app.format);
      this.#paint(state.game.cells.keys());
    } else if (message.event?.kind === "assist" || message.game) {
      this.#forget(this.#kind);
      this.#legend();
    } else this.#paint(changed);
    if (message.type === "hint") this.#hint(message);
  }

  /** @returns {"none" | "states" | "chances" | "risks" | "marks"} What is to be seen now. */
  get #kind() {
    return this.app.state.layer;
  }

  #legend() {
    const text = LEGENDS[this.#kind];
    if ($("legend").dataset.kind !== this.#kind) $("legend").innerHTML = text;
    $("legend").dataset.kind = this.#kind;
    $("legend").hidden = !text;
    const { mode, overlay } = this.app.state.assist;
    if (overlay !== "risks") this.#other = overlay;
    $("analyze").hidden = mode === "solo";
    $("analyze").setAttribute("aria-pressed", String(mode !== "solo" && overlay === "risks"));
    this.#debugFigures.visible = this.#kind === "marks";
  }

  /** Lay the overlay on the board again, after all cells were drawn anew. */
  repaint() {
    this.#paint(this.app.state.game?.cells.keys() ?? []);
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
    const { state, grid } = this.app;
    const cells = state.game?.cells ?? [];
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
    const { grid, format } = this.app;
    const index = grid.indexOf(target);
    if (index === null || !this.#chances || this.#kind === "none") return this.#tooltip.hide();
    const shown = this.app.state.game?.cells[index] ?? "";
    this.#tooltip.show(grid.cell(index), isUnopened(shown) ? inFull(this.#chances, index, format) : "");
  }

  /** Ask for a hint. */
  hint() {
    this.app.send({ type: "hint" });
  }

  /** Show the classes of risk, or what was shown before. */
  analyze() {
    const { state, say, send } = this.app;
    const { mode, overlay } = state.assist;
    if (mode === "solo") say("Analyze is for the mode Assisted: choose it first.");
    else send({ type: "assist", overlay: overlay === "risks" ? this.#other : "risks" });
  }

  /** Put help away. */
  leave() {
    this.app.postMortem.leave();
    this.#unring();
    this.app.card.hide();
    this.#tooltip.hide();
  }

  /** Take the rings of a hint off the board. */
  #unring() {
    this.app.grid.mark("hinted", []);
    this.app.grid.mark("proving", []);
  }

  /** @param {any} message */
  #hint(message) {
    const { grid, card, say, format, state } = this.app;
    if (message.turn !== state.game?.turn) return;
    const { title, text } = hinted(message, format);
    const { width } = state.game;
    const at = (/** @type {[number, number]} */ [row, col]) => row * width + col;
    const index = at(message.cell);
    grid.mark("hinted", [index]);
    grid.mark("proving", message.because.map(at));
    grid.cell(index).classList.toggle("risky", !message.proved);
    const focus = grid.hasFocus || document.activeElement === document.body;
    grid.moveTo(index, { focus, scroll: true });
    card.show("hint", title, text);
    say(title.endsWith(".") ? title : `${title}.`);
  }
}
