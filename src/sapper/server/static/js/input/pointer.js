/**
 * Mouse, pen and finger on the board.
 *
 * A press sinks cells at once and follows the pointer, as it did in Windows; it acts on the cell
 * where it is let go, and off the board it does nothing.
 */

import { meaning } from "../board/press.js";

/** How long a finger rests on a cell to mark it, in milliseconds. */
const LONG_PRESS = 350;

/** How far a finger may stray from where it came down, in pixels. */
const STRAY = 12;

/** Two clicks on a cell within this are a double click, in milliseconds. */
const DOUBLE = 450;

/**
 * @typedef {object} Actions
 * @property {(index: number) => string} shows What a cell shows.
 * @property {() => boolean} flagMode Whether a tap marks.
 * @property {() => boolean} double Whether only a double click opens.
 * @property {(kind: "open" | "chord" | "mark", index: number) => void} act
 * @property {(index: number) => void} once A first click, where only a second one opens.
 * @property {(kind: "open" | "chord" | null, index: number | null) => void} press What to sink.
 */

/**
 * @typedef {object} Press
 * @property {"open" | "chord"} kind
 * @property {boolean} touch
 * @property {boolean} opens Whether letting go opens: not the first click of two.
 * @property {number} x
 * @property {number} y
 * @property {number} timer
 */

/**
 * @param {import("../board/grid.js").Grid} grid
 * @param {Actions} actions
 */
export function listenToPointer(grid, actions) {
  /** @type {Press | null} */
  let press = null;
  let first = { index: -1, at: -Infinity };

  const again = (/** @type {number} */ index) =>
    first.index === index && performance.now() - first.at < DOUBLE;

  const under = (/** @type {PointerEvent} */ event) =>
    grid.indexOf(document.elementFromPoint(event.clientX, event.clientY));

  const end = () => {
    if (press) clearTimeout(press.timer);
    press = null;
    actions.press(null, null);
  };

  const show = (/** @type {number | null} */ index) => {
    if (!press) return;
    // A press that moves from a number to an unopened cell opens, and the other way round.
    const means = index === null || press.kind === "chord" ? press.kind : meaning(actions.shows(index));
    if (means === "open" && !press.opens) actions.press(null, null);
    else actions.press(means, index);
  };

  grid.element.addEventListener("pointerdown", (event) => {
    const index = under(event);
    if (index === null) return;
    const touch = event.pointerType === "touch";
    // The browser would put the focus where it likes, and start its own middle-click scroll.
    if (!touch) event.preventDefault();
    // Scrolling now would put another cell under the pointer.
    grid.moveTo(index, { scroll: false });
    if (touch && !event.isPrimary) return end();
    if (event.button === 2 && !(event.buttons & 1)) {
      actions.act("mark", index);
      return;
    }
    start(event, index, touch);
  });

  /**
   * @param {PointerEvent} event
   * @param {number} index
   * @param {boolean} touch
   */
  function start(event, index, touch) {
    end();
    const both = (event.buttons & 3) === 3;
    const kind = event.button === 1 || both ? "chord" : "open";
    const opens = !actions.double() || again(index);
    press = { kind, touch, opens, x: event.clientX, y: event.clientY, timer: 0 };
    if (touch) press.timer = setTimeout(() => longPress(index), LONG_PRESS);
    show(index);
  }

  /** @param {number} index */
  function longPress(index) {
    end();
    if (meaning(actions.shows(index)) === "chord") return;
    navigator.vibrate?.(15);
    actions.act(actions.flagMode() ? "open" : "mark", index);
  }

  document.addEventListener("pointermove", (event) => {
    if (!press) return;
    // A second button that comes down makes a chord; there is no pointerdown for it.
    if (!press.touch && (event.buttons & 3) === 3) press.kind = "chord";
    if (press.touch) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STRAY) end();
    } else show(under(event));
  });

  document.addEventListener("pointerup", (event) => {
    if (!press) return;
    const { kind, touch, opens } = press;
    const index = under(event);
    end();
    if (index === null) return;
    grid.moveTo(index, { scroll: false });
    const means = kind === "chord" ? "chord" : meaning(actions.shows(index));
    if (means === "open" && touch && actions.flagMode()) actions.act("mark", index);
    else if (means === "open" && !opens) {
      first = { index, at: performance.now() };
      actions.once(index);
    } else {
      first = { index: -1, at: -Infinity };
      actions.act(means, index);
    }
  });

  document.addEventListener("pointercancel", end);
  addEventListener("blur", end);
  grid.element.addEventListener("contextmenu", (event) => event.preventDefault());
  // Middle click would paste, or scroll.
  grid.element.addEventListener("auxclick", (event) => event.preventDefault());
  grid.element.addEventListener("mousedown", (event) => event.preventDefault());
}
