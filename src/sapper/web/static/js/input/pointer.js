/**
 * Mouse, pen and touch input on the board.
 *
 * As in Windows Minesweeper, a press is drawn immediately, follows the pointer, and takes effect on
 * release. A release outside the board does nothing.
 */

import { meaning } from "../board/press.js";
import { BOTH, clicked, pressed } from "./chording.js";

/** How far a finger may move during a long press, in pixels. */
const STRAY = 12;

/** The maximum time between the clicks of a double click, in milliseconds. */
const DOUBLE = 450;

/**
 * @typedef {object} Actions
 * @property {(index: number) => string} shows A cell's content.
 * @property {() => boolean} flagMode Whether a tap marks.
 * @property {() => boolean} double Whether only a double click opens.
 * @property {() => {swap: boolean, chording: import("./chording.js").Chording, longPress: number}} choices
 * @property {(kind: "open" | "chord" | "mark", index: number) => void} act
 * @property {(index: number) => void} once Called on the first click of a double click.
 * @property {(kind: "open" | "chord" | null, index: number | null) => void} press The cell to draw pressed.
 */

/**
 * @typedef {object} Press
 * @property {"open" | "chord" | "mark" | "none"} kind `mark`: the flagging button is down and has acted.
 * @property {boolean} touch
 * @property {boolean} opens Whether releasing opens the cell; false for the first of two clicks.
 * @property {number} x
 * @property {number} y
 * @property {number} timer
 */

/**
 * @param {import("../board/board.js").Board} grid
 * @param {Actions} actions
 */
export function listenToPointer(grid, actions) {
  /** @type {Press | null} */
  let press = null;
  let first = { index: -1, at: -Infinity };

  // Use the timestamps of the events, because a busy page may receive them late and all at once.
  const again = (/** @type {number} */ index, /** @type {number} */ at) =>
    first.index === index && at - first.at < DOUBLE;

  const under = (/** @type {PointerEvent} */ event) =>
    grid.at(event.clientX, event.clientY);

  const clickOn = (/** @type {number} */ index, /** @type {boolean} */ touch, /** @type {number} */ at) =>
    clicked(actions.shows(index), { chording: actions.choices().chording, touch, again: again(index, at) });

  const end = () => {
    if (press) clearTimeout(press.timer);
    press = null;
    actions.press(null, null);
  };

  const show = (/** @type {number | null} */ index, /** @type {number} */ at) => {
    if (!press || press.kind === "mark") return;
    // Moving between a number and an unopened cell changes a press from chording to opening and
    // back.
    const means = index === null || press.kind !== "open" ? press.kind : clickOn(index, press.touch, at);
    if (means === "chord" || (means === "open" && press.opens)) actions.press(means, index);
    else actions.press(null, null);
  };

  grid.element.addEventListener("pointerdown", (event) => {
    const index = under(event);
    if (index === null) return;
    const touch = event.pointerType === "touch";
    // Stops the browser from moving the focus and from starting a middle-click scroll.
    if (!touch) event.preventDefault();
    // Scrolling now would move another cell under the pointer.
    grid.moveTo(index, { scroll: false });
    if (touch && !event.isPrimary) return end();
    start(event, index, touch);
  });

  /**
   * @param {PointerEvent} event
   * @param {number} index
   * @param {boolean} touch
   */
  function start(event, index, touch) {
    end();
    const kind = pressed(event, actions.choices());
    const opens = !actions.double() || again(index, event.timeStamp);
    press = { kind, touch, opens, x: event.clientX, y: event.clientY, timer: 0 };
    if (touch) press.timer = window.setTimeout(() => longPress(index), actions.choices().longPress);
    if (kind === "mark") actions.act("mark", index);
    else show(index, event.timeStamp);
  }

  /** @param {number} index */
  function longPress(index) {
    end();
    if (meaning(actions.shows(index)) === "chord") return;
    navigator.vibrate?.(15);
    actions.act(actions.flagMode() ? "open" : "mark", index);
  }

  // Pressing or releasing a second button while one is held arrives as a pointer move.
  document.addEventListener("pointermove", (event) => {
    if (!press) return;
    if (press.touch) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STRAY) end();
      return;
    }
    const both = (event.buttons & BOTH) === BOTH;
    if (both && press.kind !== "chord") press.kind = pressed(event, actions.choices());
    // When two buttons are held, the first release acts and the second does nothing.
    else if (press.kind === "chord" && !both && event.button >= 0 && event.buttons & BOTH) {
      return letGo(event);
    }
    show(under(event), event.timeStamp);
  });

  document.addEventListener("pointerup", (event) => {
    if (press) letGo(event);
  });

  /** @param {PointerEvent} event */
  function letGo(event) {
    if (!press) return;
    const { kind, touch, opens } = press;
    const index = under(event);
    end();
    if (index === null || kind === "mark" || kind === "none") return;
    grid.moveTo(index, { scroll: false });
    const means = kind === "chord" ? "chord" : clickOn(index, touch, event.timeStamp);
    if (means === "open" && touch && actions.flagMode()) actions.act("mark", index);
    else if (means === "none") {
      if (actions.choices().chording === "double") first = { index, at: event.timeStamp };
    } else if (means === "open" && !opens) {
      first = { index, at: event.timeStamp };
      actions.once(index);
    } else {
      first = { index: -1, at: -Infinity };
      actions.act(means, index);
    }
  }

  document.addEventListener("pointercancel", end);
  addEventListener("blur", end);
  // Show no menu for a right button released outside the board.
  let slid = false;
  document.addEventListener("pointerdown", ({ target }) => {
    slid = grid.element.contains(/** @type {Node} */ (target));
  });
  document.addEventListener("contextmenu", (event) => {
    if (slid || grid.element.contains(/** @type {Node} */ (event.target))) event.preventDefault();
  });
  // A middle click would paste or scroll.
  grid.element.addEventListener("auxclick", (event) => event.preventDefault());
  grid.element.addEventListener("mousedown", (event) => event.preventDefault());
}
