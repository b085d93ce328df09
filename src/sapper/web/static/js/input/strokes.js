/** Clicks, taps, long presses and strokes on a board without a running game. */

import { storedLongPress } from "../frame/preferences.js";

/** How far a finger may move during a tap or a long press, in pixels. */
const STRAY = 12;

/**
 * @typedef {object} Strokes
 * @property {(index: number) => void} [activate]
 * @property {(index: number) => void} [drag]
 * @property {() => void} [released]
 * @property {(index: number) => void} [secondary]
 * @property {(index: number | null) => void} [pointed]
 */

/**
 * A held press.
 *
 * @typedef {object} Press
 * @property {number} index The last cell that it reached.
 * @property {boolean} drawing Whether it draws; a finger starts drawing with its first move.
 * @property {number} x
 * @property {number} y
 * @property {number} timer
 */

/**
 * @param {import("../board/grid.js").Grid} grid
 * @param {Strokes} actions With `drag`, a press draws; without, it acts where it is released.
 */
export function listenToStrokes(grid, actions) {
  const { element } = grid;
  /** @type {Press | null} */
  let press = null;

  const under = (/** @type {PointerEvent} */ event) =>
    grid.indexOf(document.elementFromPoint(event.clientX, event.clientY));

  const end = () => {
    if (press) clearTimeout(press.timer);
    const drew = press?.drawing;
    press = null;
    grid.mark("down", []);
    if (drew) actions.released?.();
  };

  element.addEventListener("pointerdown", (event) => {
    const index = under(event);
    if (index === null) return;
    end();
    const touch = event.pointerType === "touch";
    if (!touch) event.preventDefault();
    // Scrolling now would move another cell under the pointer.
    grid.moveTo(index, { scroll: false });
    if (event.button === 2) {
      actions.secondary?.(index);
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    const drawing = Boolean(actions.drag) && !touch;
    press = { index, drawing, x: event.clientX, y: event.clientY, timer: 0 };
    if (touch) {
      // Otherwise all events of a finger go to the first element it touched.
      /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
      press.timer = window.setTimeout(() => longPress(index), storedLongPress());
    }
    if (drawing) actions.activate?.(index);
    else if (actions.activate) grid.mark("down", [index]);
  });

  /** @param {number} index */
  function longPress(index) {
    if (!actions.secondary) return;
    end();
    navigator.vibrate?.(15);
    actions.secondary(index);
  }

  document.addEventListener("pointermove", (event) => {
    if (!press) return;
    if (!press.drawing) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > STRAY;
      if (event.pointerType !== "touch" || !far) return;
      if (!actions.drag) return end();
      clearTimeout(press.timer);
      press.drawing = true;
      actions.activate?.(press.index);
    }
    const index = under(event);
    if (index === null || index === press.index) return;
    for (const cell of between(grid.place(press.index), grid.place(index))) actions.drag?.(grid.indexAt(cell));
    press.index = index;
    grid.moveTo(index, { scroll: false });
  });

  document.addEventListener("pointerup", (event) => {
    if (!press) return;
    const { drawing } = press;
    const index = under(event);
    if (!drawing && index !== null) {
      actions.activate?.(index);
      actions.released?.();
    }
    end();
  });

  // The finger is panning, so the browser takes over the pointer.
  document.addEventListener("pointercancel", end);
  addEventListener("blur", end);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") actions.pointed?.(grid.indexOf(/** @type {Element} */ (event.target)));
  });
  element.addEventListener("pointerleave", () => actions.pointed?.(null));
}

/**
 * Return the cells on a straight line, so that a fast stroke leaves no gaps.
 *
 * @param {[number, number]} from Row and column.
 * @param {[number, number]} to
 * @returns {Array<[number, number]>} Without `from`.
 */
export function between([row, col], [toRow, toCol]) {
  const steps = Math.max(Math.abs(toRow - row), Math.abs(toCol - col));
  return Array.from({ length: steps }, (_, i) => [
    Math.round(row + ((toRow - row) * (i + 1)) / steps),
    Math.round(col + ((toCol - col) * (i + 1)) / steps),
  ]);
}
