/** Editing on the board: tools and keys change the position, and every change can be undone. */

import { StillBoard } from "../board/still-board.js";
import { isUnopened, placeName } from "../board/cells.js";
import { $ } from "../dom.js";
import { History } from "./history.js";
import { Palette, TOOLS, toolOf } from "./palette.js";
import { fits, opened, painted } from "./edits.js";
import { rowsOf } from "./position.js";
import { t, tn } from "../translation.js";
import { MOVES } from "../input/hover.js";
import { pressedKey } from "../input/pressed-key.js";

/** @typedef {import("./position.js").Position} Position */

/**
 * @typedef {object} Hooks
 * @property {(kind: string) => void} changed Called with the kind of each move that changes the position.
 * @property {(index: number) => void} pick Called when a cell is selected for inspection.
 * @property {(index: number | null) => void} pointed Called when the cell under the mouse has changed.
 * @property {() => void} arranged Called when mines are shown or hidden.
 */

export class Editor {
  /** @type {Set<number>} The cells of the current stroke. */
  #stroke = new Set();
  /** Whether the cursor was last moved by a click rather than a key. */
  #clicked = false;
  /** @type {Set<number> | null} An arrangement that fits, shown on the unopened cells. */
  #mines = null;

  /**
   * @param {Position} position
   * @param {Hooks} hooks
   */
  constructor(position, hooks) {
    this.hooks = hooks;
    this.history = new History(position, t("Start"));
    this.palette = new Palette(() => undefined);
    this.board = new StillBoard($("stage"), {
      activate: (index) => {
        this.#stroke.clear();
        this.history.settle();
        this.#apply(this.palette.tool, index);
      },
      drag: (index) => {
        if (TOOLS[this.palette.tool].char !== null) this.#apply(this.palette.tool, index);
      },
      released: () => this.history.settle(),
      secondary: (index) => this.flag(index),
      pointed: hooks.pointed,
      key: (key, index) => this.#key(key, index),
      texts: [$("status"), $("card")],
    });
    const { element } = this.board.grid;
    element.addEventListener("pointerdown", () => (this.#clicked = true), true);
    document.addEventListener("keydown", (event) => (this.#clicked &&= !MOVES.test(pressedKey(event))), true);
    this.board.show(rowsOf(position), position.topology);
    this.palette.offer(position.topology);
  }

  /** @returns {Position} */
  get position() {
    return this.history.position;
  }

  /** @returns {Set<number> | null} The mines shown. */
  get mines() {
    return this.#mines;
  }

  /**
   * Show another position, as a new move.
   *
   * @param {Position} position
   * @param {string} name
   * @param {string} [kind] See `History.add`.
   */
  change(position, name, kind = "") {
    if (this.history.add(position, name, kind)) this.#show(kind);
  }

  /** @param {number} at The index of the move to show. */
  go(at) {
    if (this.history.go(at)) this.#show("");
  }

  /** @param {number} index */
  flag(index) {
    this.#stroke.clear();
    this.history.settle();
    const char = this.position.cells[index] === "F" ? "." : "F";
    this.#paint(char, index);
    this.history.settle();
  }

  /**
   * Show an arrangement, or none.
   *
   * @param {number[] | null} mines The indices of the mines.
   */
  arrange(mines) {
    const before = this.#mines;
    this.#mines = mines && new Set(mines);
    const { cells } = this.position;
    for (let index = 0; index < cells.length; index++) {
      if (!isUnopened(cells[index])) continue;
      if (this.#mines) this.board.grid.imagine(index, this.#mines.has(index));
      else if (before) this.board.grid.draw(index, cells[index]);
    }
    this.palette.allow("open", this.#mines !== null);
    this.hooks.arranged();
  }

  /** @param {string} kind */
  #show(kind) {
    const { position } = this;
    this.board.show(rowsOf(position), position.topology);
    this.palette.offer(position.topology);
    if (this.#mines) this.arrange(fits(position, this.#mines) ? [...this.#mines] : null);
    this.hooks.changed(kind);
  }

  /**
   * @param {string} tool
   * @param {number} index
   */
  #apply(tool, index) {
    const { char } = TOOLS[tool];
    if (char !== null) this.#paint(char, index);
    else if (tool === "open" && this.#mines && isUnopened(this.position.cells[index])) {
      const after = opened(this.position, this.#mines, index);
      this.change(after, t("Open {cell}", { cell: placeName(this.board.grid.place(index)) }));
    } else this.hooks.pick(index);
  }

  /**
   * @param {string} char
   * @param {number} index
   */
  #paint(char, index) {
    this.#stroke.add(index);
    const many = this.#stroke.size > 1;
    const where = many ? tn("{n} cell", "{n} cells", this.#stroke.size) : placeName(this.board.grid.place(index));
    const what = char === "." ? t("Unopened") : char === "F" ? t("Flag") : char;
    this.change(painted(this.position, [index], char), t("{what}: {text}", { what, text: where }), "stroke");
  }

  /**
   * @param {string} key
   * @param {number} index
   * @returns {boolean}
   */
  #key(key, index) {
    const tool = toolOf(key);
    if (!tool || (tool === "open" && !this.#mines)) return false;
    // After a click, a key selects the tool for the next cell.
    if (this.#clicked) {
      this.palette.tool = tool;
      return true;
    }
    if (tool === "flag") this.flag(index);
    else {
      this.#stroke.clear();
      this.history.settle();
      this.#apply(tool, index);
      this.history.settle();
    }
    return true;
  }
}
