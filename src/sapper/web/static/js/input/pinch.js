/** Pinch zoom on the board. */

/**
 * @param {HTMLElement} element
 * @param {() => number} size The current cell size.
 * @param {(px: number) => void} resize
 */
export function listenToPinch(element, size, resize) {
  let apart = 0;
  let before = 0;
  const distance = (/** @type {TouchList} */ touches) =>
    Math.hypot(
      touches[0].clientX - touches[1].clientX,
      touches[0].clientY - touches[1].clientY,
    );
  element.addEventListener(
    "touchstart",
    ({ touches }) => {
      apart = touches.length === 2 ? distance(touches) : 0;
      before = size();
    },
    { passive: true },
  );
  element.addEventListener(
    "touchmove",
    (event) => {
      if (!apart || event.touches.length !== 2) return;
      event.preventDefault();
      resize((before * distance(event.touches)) / apart);
    },
    { passive: false },
  );
}
