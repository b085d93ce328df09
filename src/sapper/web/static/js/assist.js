/** Help on the board: overlays, Kaboom's marks and hints. */

import { isUnopened } from "./board/cells.js";
import { coverOf } from "./board/cover.js";
import { LARGE } from "./board/grid.js";
import { marksFor, TINTED } from "./board/overlays.js";
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
  /** The marks of the overlay. */
  #marks = marksFor("none", []);
  #debugFigures = new DebugFigures();
  /** The overlay to restore when overlays are switched on again. */
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
        // On a canvas, the cell under the pointer changes only when the pointer moves.
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
   * Handle a message, after the board has been drawn.
   *
   * @param {import("./protocol.js").GoodMessage} message
   * @param {import("./types.js").Change} change
   */
  take(message, { fresh, changed, another }) {
    const { state, card } = this.app;
    const shown = state.game?.status === "playing" || (!state.over && this.#kind === "marks");
    if (fresh || another || (!shown && this.#marks.known)) this.#forget();
    if (changed.length || fresh || another) {
      this.#tooltip.hide();
      this.#hint.clear();
      card.hide("hint");
    }
    if (message.type === "overlay" || message.type === "cover" || message.type === "marks") this.#update(message);
    else if (message.type === "hint" && message.turn === state.game?.turn) this.#hint.show(message);
    else if (message.type === "delta" && message.event.kind !== "assist") this.#paint(changed);
    else if (message.type === "delta" || message.type === "welcome" || message.type === "state") {
      if (!this.#marks.serves(this.#kind)) this.#forget();
      else this.repaint();
      this.#legend();
    }
  }

  /** @param {import("./protocol.js").OverlayMessage | import("./protocol.js").CoverMessage | import("./protocol.js").MarksMessage} message */
  #update(message) {
    const { game } = this.app.state;
    if (!game || message.turn !== game.turn || message.type !== this.#marks.type) return;
    const changed = this.#marks.take(message, game.cells);
    if (message.type === "marks") this.#debugFigures.show(message, this.app.format);
    if (changed) this.#paint(changed);
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

  /** Draw the overlay again after all cells have been redrawn. */
  repaint() {
    this.#paint(this.app.state.game?.cells.keys() ?? []);
  }

  /** Remove the marks, and prepare for those of the current overlay. */
  #forget() {
    this.#marks = marksFor(this.#kind, this.app.state.menu?.overlays ?? []);
    this.repaint();
  }

  /** @param {Iterable<number>} indices */
  #paint(indices) {
    const { state, grid } = this.app;
    if (this.#hint.imagining) return;
    if (grid.big) {
      // The canvas requests the overlay of the cells it draws; if all have changed, refreshing
      // everything is faster.
      const some = indices instanceof Set || Array.isArray(indices);
      grid.big.refresh(some ? indices : null);
      return;
    }
    const cells = state.game?.cells ?? [];
    for (const index of indices) {
      if (index >= cells.length) continue;
      grid.cover(index, this.covering(index, cells[index]));
    }
  }

  /**
   * @param {number} index
   * @param {string} char The cell's content.
   * @returns {import("./board/cover.js").Cover} Its overlay.
   */
  covering(index, char) {
    const settled = this.#hint.settled(index);
    const mark = settled ? TINTED[settled] : this.#marks.at(this.#kind, index, char);
    const cover = coverOf(mark, char);
    // Drawing thousands of equal numbers would take most of the time.
    const crowded = !this.app.grid.big && (this.app.state.game?.cells.length ?? 0) > LARGE && mark?.far;
    return crowded ? { ...cover, text: "" } : cover;
  }

  /** @param {number | null} index The cell under the pointer. */
  #point(index) {
    const { grid, format, state } = this.app;
    if (index === null || !this.#marks.known || this.#kind === "none") return this.#tooltip.hide();
    const shown = state.game?.cells[index] ?? "";
    this.#tooltip.show(grid.box(index), isUnopened(shown) ? this.#marks.words(index, shown, format) : "");
  }

  /** Request a hint or, if one is shown, continue with its next step. */
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

  /** Hide all help on the board. */
  leave() {
    this.app.postMortem.leave();
    this.#hint.clear();
    this.app.card.hide();
    this.#tooltip.hide();
  }
}
