/** A room's board: the Play page's board, with its mouse, touch and keyboard input. */

import { Board } from "../board/board.js";
import { isUnopened } from "../board/cells.js";
import { BARE } from "../board/cover.js";
import { NextFrame } from "../board/next-frame.js";
import { meaning, sunken } from "../board/press.js";
import { Renderer } from "../board/renderer.js";
import { showSeams } from "../board/seams.js";
import { CLASSIC, extentOf } from "../board/tiling.js";
import { $ } from "../dom.js";
import { BoardMap } from "../frame/board-map.js";
import { storedKeys } from "../frame/key-list.js";
import { StoredPreferences, storePreference } from "../frame/preferences.js";
import { Zoom } from "../frame/zoom.js";
import { Hover } from "../input/hover.js";
import { listenToKeys } from "../input/keyboard.js";
import { listenToPinch } from "../input/pinch.js";
import { listenToPointer } from "../input/pointer.js";
import { t } from "../translation.js";
import { bombCells } from "./bomb.js";
import { colourClass } from "./colours.js";

/**
 * @typedef {object} Calls
 * @property {(kind: "open" | "chord" | "mark", index: number) => void} act
 * @property {(text: string) => void} say
 * @property {(pressing: boolean) => void} press Called when a press on a cell begins or ends.
 */

export class GameBoard {
  preferences = new StoredPreferences();
  board = new Board($("grid"), $("well"));
  flagMode = false;
  /** Whether the next click drops the bomb. */
  armed = false;
  /** @type {Map<string, number[]>} Cells drawn pressed until the server answers. */
  #waiting = new Map();
  /** @type {number[]} */
  #pressed = [];
  #nextFrame = new NextFrame();
  #keys = storedKeys();
  #turned = this.preferences.turn;
  /** Whether the last press was by touch. */
  #touch = false;
  /** @type {number | null} The cell whose surroundings the armed bomb shows. */
  #previewed = null;

  /**
   * @param {import("./room-state.js").RoomState} state
   * @param {Calls} calls
   */
  constructor(state, calls) {
    this.state = state;
    this.calls = calls;
    const turn = () => this.#turned;
    this.zoom = new Zoom(this.board, turn, { reserves: false });
    this.map = new BoardMap({ state, grid: this.board, zoom: this.zoom, toggleTurn: () => this.#turn(), reserves: false });
    this.renderer = new Renderer(state, this.board, this.preferences, this.#nextFrame);
    showSeams(this.board.small, () => state.game);
    this.#listen();
  }

  /** @returns {string[]} */
  get #cells() {
    return this.state.game?.cells ?? [];
  }

  #turn() {
    this.#turned = !this.#turned;
    storePreference("turn", this.#turned);
    this.zoom.refresh(true);
    this.map.refresh();
  }

  #listen() {
    const { board, state, calls } = this;
    listenToPointer(board, {
      shows: (index) => this.#cells[index] ?? ".",
      flagMode: () => this.flagMode,
      double: () => this.preferences.double && !state.over,
      choices: () => this.preferences,
      act: (kind, index) => this.#act(kind, index),
      once: () => calls.say(t("Double-click to open.")),
      press: (kind, index) => this.#press(kind, index),
    });
    const hover = new Hover(board);
    listenToKeys(board.element, {
      step: (rows, cols) => {
        hover.leave();
        if (board.hasFocus) board.step(rows, cols);
        else board.moveTo(board.cursor);
        this.preview(board.cursor);
      },
      jump: (where) => {
        hover.leave();
        const { width, height } = state.game ?? { width: 1, height: 1 };
        const start = board.cursor - (board.cursor % width);
        const to = { "row-start": start, "row-end": start + width - 1, first: 0, last: width * height - 1 };
        board.moveTo(to[where]);
      },
      act: (kind) => this.#key(kind, hover),
      hovering: () => hover.cell !== null,
      command: (name) => this.#command(name),
    }, () => this.#keys);
    listenToPinch($("well"), () => this.zoom.cell, (px) => this.zoom.choose(px));
    board.element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.preview(board.at(event.clientX, event.clientY));
    });
    board.element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.preview(null));
    board.element.addEventListener("pointerdown", (event) => (this.#touch = event.pointerType === "touch"), true);
    board.element.addEventListener("keydown", () => (this.#touch = false), true);
    $("thumb-larger").addEventListener("click", () => this.zoom.change(4));
    $("thumb-smaller").addEventListener("click", () => this.zoom.change(-4));
  }

  /**
   * @param {import("../input/keyboard.js").Act} kind
   * @param {Hover} hover
   */
  #key(kind, hover) {
    const hovered = hover.cell;
    const index = hovered ?? this.board.cursor;
    if (hovered !== null) this.board.moveTo(hovered, { scroll: false });
    const shown = this.#cells[index] ?? ".";
    const means = kind === "mark" || (kind === "smart" && isUnopened(shown)) ? "mark" : meaning(shown);
    if (means !== "chord" || this.preferences.chording !== "off") this.#act(means, index);
  }

  /** Close an open box, or disarm the bomb. */
  #leave() {
    const box = /** @type {HTMLElement | null} */ (document.querySelector(":popover-open"));
    if (box) box.hidePopover();
    else this.arm(false);
  }

  /** @param {import("../input/keyboard.js").Command} name */
  #command(name) {
    if (name === "larger") this.zoom.change(2);
    else if (name === "smaller") this.zoom.change(-2);
    else if (name === "fit") this.zoom.choose(0);
    else if (name === "cursor") this.board.reveal(this.board.cursor);
    else if (name === "leave") this.#leave();
  }

  /**
   * @param {"open" | "chord" | "mark"} kind
   * @param {number} index
   */
  #act(kind, index) {
    // Fingers cannot hover, so the first tap shows the cells that the bomb would open.
    if (this.armed && this.#touch && this.#previewed !== index) {
      this.preview(index);
      return this.calls.say(t("Tap again to drop the bomb here."));
    }
    this.calls.act(kind, index);
    this.sink();
  }

  /**
   * @param {"open" | "chord" | null} kind
   * @param {number | null} index
   */
  #press(kind, index) {
    const { game } = this.state;
    const cells = kind && index !== null && game && this.state.canAct && !this.armed ? sunken(game, index, kind) : [];
    this.#pressed = cells;
    this.sink();
    this.calls.press(cells.length > 0);
  }

  /** Draw cells pressed: those under the pointer, and those waiting for the server. */
  sink() {
    this.board.mark("down", [...this.#pressed, ...[...this.#waiting.values()].flat()]);
  }

  /**
   * Keep cells pressed until a message is answered.
   *
   * @param {string} id
   * @param {"open" | "chord"} kind
   * @param {number} index
   */
  wait(id, kind, index) {
    if (this.state.game) this.#waiting.set(id, sunken(this.state.game, index, kind));
  }

  /** @param {string} id The message that was answered. */
  answered(id) {
    if (this.#waiting.delete(id)) this.sink();
  }

  /** Release everything, because a lost connection brings no more answers. */
  forget() {
    this.#waiting.clear();
    this.sink();
  }

  /**
   * Draw a change.
   *
   * @param {import("./room-state.js").RoomChange} change
   * @param {import("../protocol.js").Cell} [from] The cell it spreads from.
   */
  draw(change, from) {
    const { game } = this.state;
    if (!game) return;
    this.renderer.show(change, from);
    if (change.fresh) {
      this.zoom.take(extentOf(game), game.topology === CLASSIC);
      this.map.draw();
    } else this.map.refresh();
    this.#own(change.fresh ? [...game.cells.keys()] : change.changed);
    this.sink();
    if (change.changed.length) this.#nextFrame.drawn();
  }

  /**
   * Show the members who opened, flagged or found cells.
   *
   * @param {number[]} indices
   */
  #own(indices) {
    const { state } = this;
    if (state.view?.kind === "race") return;
    for (const index of indices) {
      const owner = state.owners.get(index);
      const shown = owner === undefined ? null : this.#ownerOf(index, owner);
      this.board.cover(index, shown ?? BARE);
    }
  }

  /**
   * @param {number} index
   * @param {number} owner
   * @returns {import("../board/cover.js").Cover | null}
   */
  #ownerOf(index, owner) {
    const { view, names, colours } = this.state;
    const char = this.#cells[index];
    if (view?.kind === "flags" && char !== "F") return null;
    const member = view?.kind === "flags" ? (view.sides?.[owner] ?? -1) : owner;
    const name = names.get(member);
    if (name === undefined) return null;
    return { look: `owned ${colourClass(colours.get(member) ?? 0)}`, text: "", spoken: t("by {name}", { name }) };
  }

  /** @param {boolean} on Whether the next click drops the bomb. */
  arm(on) {
    this.armed = on && this.state.canBomb;
    for (const id of ["bomb", "thumb-bomb"]) $(id).setAttribute("aria-pressed", String(this.armed));
    this.preview(this.armed && this.board.hasFocus ? this.board.cursor : null);
  }

  /** @param {number | null} index The cell where the armed bomb would drop. */
  preview(index) {
    const { game } = this.state;
    this.#previewed = this.armed ? index : null;
    this.board.mark("bombed", this.armed && game && index !== null ? bombCells(game, index) : []);
  }

  /** @param {Iterable<number>} indices The cells of the last move. */
  markLast(indices) {
    this.board.mark("named", indices);
  }
}
