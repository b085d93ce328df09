/** Help on the board: overlays, Kaboom's marks and hints. */

import { isUnopened } from "./board/cells.js";
import { coverOf, takeMarks } from "./board/cover.js";
import { inFull, markOn, noChances, overlayOn, takeChances } from "./board/overlay.js";
import { LARGE } from "./board/grid.js";
import { $, make } from "./dom.js";
import { DebugFigures } from "./frame/debug-figures.js";
import { Tooltip } from "./frame/tooltip.js";
import { HintCard } from "./hint-card.js";
import { t } from "./translation.js";

const LEGENDS = /** @type {Record<string, string>} */ ({
  none: "",
  states:
    `<span class="key"><i class="glyph glyph-safe"></i>${t("safe")}</span>` +
    `<span class="key"><i class="glyph glyph-danger"></i>${t("mine")}</span>` +
    `<span class="key"><i class="glyph glyph-unknown"></i>${t("unknown")}</span>`,
  chances:
    `<span class="key"><i class="glyph glyph-safe"></i>${t("safe")}</span>` +
    `<span class="key"><i class="glyph glyph-danger"></i>${t("mine")}</span>` +
    `<span class="key scale"><b>0</b><i class="ramp"></i><b>${t("50 % or more")}</b></span>` +
    `<span class="key"><i class="glyph ringed"></i>${t("lowest risk")}</span>`,
  risks:
    `<span class="key"><i class="glyph glyph-safe"></i>${t("safe")}</span>` +
    `<span class="key"><i class="glyph glyph-danger"></i>${t("mine")}</span>` +
    `<span class="key"><i class="glyph glyph-low class low"></i>${t("low &lt; 1/5")}</span>` +
    `<span class="key"><i class="glyph glyph-medium class medium"></i>${t("medium &lt; 1/3")}</span>` +
    `<span class="key"><i class="glyph glyph-high class high"></i>${t("high ≥ 1/3")}</span>` +
    `<span class="key"><i class="glyph ringed"></i>${t("lowest risk")}</span>`,
  marks:
    `<span class="key"><i class="note safe">•</i>${t("safe")}</span>` +
    `<span class="key"><i class="note danger">!</i>${t("mine")}</span>` +
    `<span class="key"><i class="note unknown">?</i>${t("unknown")}</span>` +
    `<span class="key"><i class="note"></i>${t("outside")}</span>`,
});

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./board/board.js").Board} grid
 * @property {import("./board/renderer.js").Renderer} renderer
 * @property {import("./post-mortem.js").PostMortem} postMortem
 * @property {import("./frame/card.js").Card} card
 * @property {(text: string) => void} say
 * @property {import("./types.js").Send} send
 * @property {import("./types.js").Format} format
 */

export class Assist {
  #chances = noChances();
  /** The turn of the chances; negative if there are none. */
  #known = -1;
  /** Kaboom's marks, one character per cell. */
  #marks = "";
  /** The marks of a registered overlay. @type {Map<number, import("./protocol.js").Mark>} */
  #cover = new Map();
  /** The registered overlay of these marks; empty if there are none. */
  #covered = "";
  #debugFigures = new DebugFigures();
  /** The overlay to restore when switched on again. */
  /** @type {import("./protocol.js").OverlayKind} */
  #last = "chances";
  #tooltip = new Tooltip($("tip"));
  /** @type {HintCard} */
  #hint;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.#hint = new HintCard(app, () => this.repaint());
    app.card.onReplace = (kind) => {
      if (kind === "hint") this.#hint.clear();
    };
    const { element } = app.grid;
    for (const kind of ["pointerover", "pointermove"]) {
      element.addEventListener(kind, (event) => {
        const { pointerType, clientX, clientY } = /** @type {PointerEvent} */ (event);
        // On a canvas, only a move shows another cell.
        if (pointerType !== "touch" && (app.grid.big || kind === "pointerover")) {
          this.#point(app.grid.at(clientX, clientY));
        }
      });
    }
    element.addEventListener("pointerleave", () => this.#tooltip.hide());
    element.addEventListener("focusin", () => {
      if (app.grid.byKeys) this.#point(app.grid.cursor);
    });
    element.addEventListener("focusout", () => this.#tooltip.hide());
    $("well").addEventListener("scroll", () => this.#tooltip.hide(), { passive: true });
  }

  /**
   * Handle a message, after the board was drawn.
   *
   * @param {import("./protocol.js").GoodMessage} message
   * @param {import("./types.js").Change} change
   */
  take(message, { fresh, changed, another }) {
    const { state, card } = this.app;
    const shown = state.game?.status === "playing" || (!state.over && this.#kind === "marks");
    if (fresh || another || (!shown && (this.#known >= 0 || this.#marks || this.#covered))) this.#forget();
    if (changed.length || fresh || another) {
      this.#tooltip.hide();
      this.#hint.clear();
      card.hide("hint");
    }
    if (message.type === "overlay") this.#overlay(message);
    else if (message.type === "cover") this.#takeCover(message);
    else if (message.type === "marks") this.#mark(message);
    else if (message.type === "hint" && message.turn === state.game?.turn) this.#hint.show(message);
    else if (message.type === "delta" && message.event.kind !== "assist") this.#paint(changed);
    else if (message.type === "delta" || message.type === "welcome" || message.type === "state") {
      this.#forget(this.#kind);
      this.#legend();
    }
  }

  /** @param {import("./protocol.js").OverlayMessage} message */
  #overlay(message) {
    const { game } = this.app.state;
    // A difference is useless without the overlay before it.
    if (!game || message.turn !== game.turn || !(message.whole || this.#known >= 0)) return;
    if (message.whole) this.#chances = noChances();
    this.#known = message.turn;
    this.#paint(takeChances(this.#chances, message, game.cells));
  }

  /** @param {import("./protocol.js").CoverMessage} message */
  #takeCover(message) {
    const { game } = this.app.state;
    if (!game || message.turn !== game.turn || message.overlay !== this.#kind) return;
    if (!message.whole && this.#covered !== message.overlay) return;
    this.#covered = message.overlay;
    this.#paint(takeMarks(this.#cover, message, game.cells.length));
  }

  /** @param {import("./protocol.js").MarksMessage} message */
  #mark(message) {
    const { game } = this.app.state;
    if (!game || message.turn !== game.turn) return;
    this.#marks = message.marks;
    this.#debugFigures.show(message, this.app.format);
    this.#paint(game.cells.keys());
  }

  /** @returns {string} The current overlay. */
  get #kind() {
    return this.app.state.layer;
  }

  /** @returns {import("./protocol.js").OverlayChoice | undefined} The current overlay, if the server sends its marks. */
  get #registered() {
    return this.app.state.menu?.overlays.find(({ name, compact }) => name === this.#kind && !compact);
  }

  #legend() {
    const registered = this.#registered;
    const text = registered ? registered.summary || registered.label : LEGENDS[this.#kind];
    if ($("legend").dataset.kind !== this.#kind) {
      if (registered) $("legend").replaceChildren(make("span", text));
      else $("legend").innerHTML = text;
    }
    $("legend").dataset.kind = this.#kind;
    $("legend").hidden = !text;
    const { overlay } = this.app.state.assist;
    if (overlay !== "none") this.#last = overlay;
    this.#debugFigures.visible = this.#kind === "marks";
  }

  /** Draw the overlay again after all cells were redrawn. */
  repaint() {
    this.#paint(this.app.state.game?.cells.keys() ?? []);
  }

  /**
   * Remove the overlay, except for data that the given kind still shows.
   *
   * @param {string} [kind]
   */
  #forget(kind = "none") {
    if (kind === "none" || kind === "marks" || this.#registered) {
      this.#chances = noChances();
      this.#known = -1;
    }
    if (kind !== "marks") this.#marks = "";
    if (kind !== this.#covered) {
      this.#cover.clear();
      this.#covered = "";
    }
    this.repaint();
  }

  /** @param {Iterable<number>} indices */
  #paint(indices) {
    const { state, grid } = this.app;
    if (this.#hint.imagining) return;
    if (grid.big) {
      // It requests the overlay of visible cells; for all cells that is faster than one by one.
      const some = indices instanceof Set || Array.isArray(indices);
      grid.big.refresh(some ? indices : null);
      return;
    }
    const cells = state.game?.cells ?? [];
    for (const index of indices) {
      if (index >= cells.length) continue;
      const { look, text, spoken } = this.covering(index, cells[index]);
      grid.cover(index, look, text, spoken);
    }
  }

  /**
   * @param {number} index
   * @param {string} char The cell's content.
   * @returns {import("./board/cover.js").Cover} Its overlay.
   */
  covering(index, char) {
    const settled = isUnopened(char) ? this.#hint.settled(index) : "";
    if (settled) return { look: `state ${settled}${char === "." ? "" : " marked"}`, text: "" };
    const kind = this.#kind;
    if (kind === "marks") return markOn(this.#marks, index, char);
    if (this.#registered) return coverOf(this.#cover.get(index), char);
    if (this.#known < 0) return { look: "", text: "" };
    const { look, text } = overlayOn(kind, this.#chances, index, char);
    // Thousands of equal numbers would dominate the drawing time.
    const crowded = !this.app.grid.big && (this.app.state.game?.cells.length ?? 0) > LARGE && look.includes("far");
    return { look, text: crowded ? "" : text };
  }

  /** @param {number | null} index The cell under the pointer. */
  #point(index) {
    const { grid, format, state } = this.app;
    if (index === null || (this.#known < 0 && !this.#covered) || this.#kind === "none") return this.#tooltip.hide();
    const shown = state.game?.cells[index] ?? "";
    const words = this.#covered ? (this.#cover.get(index)?.spoken ?? "") : inFull(this.#chances, index, shown, format);
    this.#tooltip.show(grid.box(index), isUnopened(shown) ? words : "");
  }

  /** Request a hint; if one is shown, continue to its next step. */
  hint() {
    if (!this.#hint.next()) this.app.send({ type: "hint" });
  }

  /** Switch the overlay off or on. */
  toggle() {
    const { state, say, send } = this.app;
    const { mode, overlay } = state.assist;
    if (mode === "solo") say(t("Overlays are available in Assisted mode."));
    else send({ type: "assist", overlay: overlay === "none" ? this.#last : "none" });
  }

  hideTip() {
    this.#tooltip.hide();
  }

  /** Hide all help. */
  leave() {
    this.app.postMortem.leave();
    this.#hint.clear();
    this.app.card.hide();
    this.#tooltip.hide();
  }
}
