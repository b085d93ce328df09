/** The cell size, which is fitted to the window or chosen by the player. */

import { bevel, clamp, fit, fitAcross, whole } from "../board/size.js";
import { $ } from "../dom.js";
import { read, write } from "../storage.js";

const coarse = matchMedia("(pointer: coarse)");
const upright = matchMedia("(max-width: 759px) and (orientation: portrait)");
const KEY = "sapper.cell";

/** The space to reserve on the next visit; see `early-room.js`. */
const ROOM = "sapper.room";

/** The cell size, in pixels, on which the frame of a big board is based. */
const FRAME_CELL = 24;

export class Zoom {
  /** @type {{width: number, height: number} | null} */
  #shape = null;
  /** Whether the board has straight rows and no touching edges. */
  #plain = false;
  #chosen = Number(read(KEY)) || 0;
  /** The size of a cell, in pixels. */
  cell = 0;

  /**
   * @param {import("../board/board.js").Board} board
   * @param {() => boolean} turns Whether to turn a wide board on a phone held upright.
   * @param {{reserves?: boolean}} [options] Whether the next visit reserves the board's space.
   */
  constructor(board, turns, { reserves = true } = {}) {
    this.board = board;
    this.turns = turns;
    this.reserves = reserves;
    upright.addEventListener("change", () => this.refresh());
    new ResizeObserver(() => this.refresh()).observe($("stage"));
    coarse.addEventListener("change", () => this.refresh());
    $("smaller").addEventListener("click", () => this.change(-2));
    $("larger").addEventListener("click", () => this.change(2));
    $("fit").addEventListener("click", () => this.choose(0));
  }

  /**
   * @param {{width: number, height: number}} shape The extent of the board, in cells.
   * @param {boolean} plain Whether it is a rectangle.
   */
  take(shape, plain) {
    [this.#shape, this.#plain] = [shape, plain];
    this.refresh();
  }

  /** @returns {boolean} Whether turning the board would show more of it. */
  get turnable() {
    const shape = this.#shape;
    return upright.matches && this.#plain && !this.board.big && shape !== null && shape.width > shape.height;
  }

  /** @param {number} by The change in cell size, in pixels. */
  change(by) {
    if (this.board.big) {
      this.board.big.zoomBy(by > 0 ? 1.25 : 0.8);
      return this.tell();
    }
    this.choose(clamp(this.cell + by));
  }

  /** @param {number} px The chosen size; 0 fits the window. */
  choose(px) {
    if (!this.#shape) return;
    if (this.board.big) {
      this.board.big.zoomTo(px);
      return this.tell();
    }
    this.#chosen = px ? clamp(px, coarse.matches ? whole(this.#shape, this.#room()) : undefined) : 0;
    write(KEY, String(this.#chosen));
    this.refresh();
  }

  /** @param {boolean} [asked] Whether the player requested it and expects the board to move. */
  refresh(asked = false) {
    // While a card is open on a phone, the board scrolls, because resizing it would make it jump.
    if (!this.#shape || (this.cell && !asked && document.body.classList.contains("reason-open"))) return;
    if (this.board.big) return this.#window(this.board.big);
    const turned = this.turnable && this.turns();
    this.board.turned = turned;
    const shape = turned ? { width: this.#shape.height, height: this.#shape.width } : this.#shape;
    // The frame's size depends slightly on the cell size, so measure twice. Two sizes may alternate
    // because the larger one has a wider frame, in which it does not fit.
    let before = -1;
    for (let round = 0; round < 3 && this.cell !== before; round++) {
      const room = this.#room();
      before = this.cell;
      const fitting = this.#chosen || (turned ? fitAcross(shape, room) : fit(shape, room, coarse.matches));
      this.#show(round < 2 ? fitting : Math.min(before, fitting));
    }
    const { width, height } = shape;
    this.#keep([this.cell, bevel(this.cell), width, height]);
  }

  /**
   * Store the size of the board for the next visit.
   *
   * @param {number[]} size Cell and bevel in pixels, columns and rows; nothing for a big board.
   */
  #keep(size) {
    if (!this.reserves) return;
    const room = JSON.stringify(size.length ? [innerWidth, innerHeight, ...size] : null);
    if (read(ROOM) !== room) write(ROOM, room);
  }

  /** @returns {{width: number, height: number}} Pixels available for the cells. */
  #room() {
    const [stage, well, frame, below] = [$("stage"), $("well"), $("console"), $("below")];
    const style = getComputedStyle(stage);
    const pads = (/** @type {string} */ a, /** @type {string} */ b) =>
      parseFloat(style.getPropertyValue(`padding-${a}`)) + parseFloat(style.getPropertyValue(`padding-${b}`));
    // On a phone in landscape, the status is next to the board.
    const beside = getComputedStyle($("column")).flexDirection === "row";
    const width = stage.clientWidth - pads("left", "right") - (frame.offsetWidth - well.clientWidth);
    const height = stage.clientHeight - pads("top", "bottom") - (frame.offsetHeight - well.clientHeight);
    return {
      width: width - (beside ? below.offsetWidth : 0),
      height: height - (beside ? 0 : below.offsetHeight),
    };
  }

  /**
   * Give a big board all the space, because its cell size is independent of it.
   *
   * @param {import("../board/big/big-board.js").BigBoard} big
   */
  #window(big) {
    this.#show(FRAME_CELL);
    const { width, height } = this.#room();
    big.resize(width, height);
    this.#keep([]);
    this.tell();
  }

  /** Show the cell size of a big board. */
  tell() {
    const { big } = this.board;
    if (big) $("size").textContent = `${Math.round(10 * big.cell) / 10} px`;
  }

  /** @param {number} cell */
  #show(cell) {
    this.cell = cell;
    const root = document.documentElement.style;
    root.setProperty("--cell", `${cell}px`);
    root.setProperty("--bevel", `${bevel(cell)}px`);
    $("size").textContent = `${cell} px`;
  }
}
