/** Moves a big board: the wheel or two fingers zoom; a drag, or Shift with an arrow key, pans. */

import { pressedKey } from "../../input/pressed-key.js";

/** How far, in pixels, a pressed mouse button or finger may move before the board pans. */
const STRAY = 10;

/** The zoom factor of one wheel notch. */
const NOTCH = 1.15;
const NOTCH_PX = 100;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * @typedef {object} Moves
 * @property {() => boolean} on Whether a big board is shown.
 * @property {(x: number, y: number) => void} pan By pixels of the board.
 * @property {(factor: number, x: number, y: number) => void} zoom Zoom about a point on the page.
 * @property {(right: number, down: number) => void} page Pan by a share of the window.
 * @property {() => () => void} press Called when a press begins; returns a function that cancels
 * it.
 */

/**
 * @param {HTMLElement} element
 * @param {Moves} moves
 */
export function listenToGestures(element, moves) {
  /** @type {Map<number, {x: number, y: number}>} The position of each pressed pointer. */
  const down = new Map();
  let panning = false;
  let takeBack = () => {};
  let from = { x: 0, y: 0 };

  element.addEventListener(
    "wheel",
    (event) => {
      if (!moves.on()) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30;
      if (event.shiftKey) return moves.pan(unit * (event.deltaX || event.deltaY), 0);
      moves.zoom(NOTCH ** ((-unit * event.deltaY) / NOTCH_PX), event.clientX, event.clientY);
    },
    { passive: false },
  );

  // Use the capture phase, because the press moves the cursor.
  element.addEventListener("pointerdown", () => (takeBack = moves.press()), true);
  element.addEventListener("pointerdown", (event) => {
    if (!moves.on()) return;
    if (event.pointerType === "mouse" && event.buttons !== 1) return down.clear();
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    [panning, from] = [down.size > 1, { x: event.clientX, y: event.clientY }];
  });

  document.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (event.pointerType === "mouse" && event.buttons !== 1) return down.clear();
    if (!panning) {
      if (Math.hypot(now.x - from.x, now.y - from.y) <= STRAY) return;
      panning = true;
      element.dataset.panning = "";
      // The press has become a pan, so it opens nothing.
      document.dispatchEvent(new PointerEvent("pointercancel", { pointerId: -1 }));
      takeBack();
    }
    const middle = centre(down);
    const apart = distance(down);
    down.set(event.pointerId, now);
    const after = centre(down);
    moves.pan(middle.x - after.x, middle.y - after.y);
    if (apart && down.size === 2) moves.zoom(distance(down) / apart, after.x, after.y);
  });

  const end = (/** @type {PointerEvent} */ event) => {
    down.delete(event.pointerId);
    if (!down.size) {
      panning = false;
      delete element.dataset.panning;
    }
  };
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  addEventListener("blur", () => down.clear());

  element.addEventListener("keydown", (event) => {
    const arrow = ARROWS[pressedKey(event)];
    if (!moves.on() || !arrow || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    moves.page(...arrow);
  });
}

/**
 * @param {Map<number, {x: number, y: number}>} points
 * @returns {{x: number, y: number}}
 */
function centre(points) {
  let [x, y] = [0, 0];
  for (const point of points.values()) [x, y] = [x + point.x, y + point.y];
  return { x: x / points.size, y: y / points.size };
}

/**
 * @param {Map<number, {x: number, y: number}>} points
 * @returns {number} The distance of the first two; 0 if there is one.
 */
function distance(points) {
  const [a, b] = points.values();
  return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}
