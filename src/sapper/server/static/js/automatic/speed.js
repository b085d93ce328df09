/** The bot's speed: the steps of the slider, from slow to fast. Pure functions. */

/** Milliseconds from one action to the next; 0 is one action per frame. */
export const PACES = [1000, 500, 200, 100, 50, 20, 10, 0];

/**
 * @param {number} ms
 * @returns {number} The nearest step of the slider.
 */
export function paceStep(ms) {
  const apart = PACES.map((pace) => Math.abs(pace - ms));
  return apart.indexOf(Math.min(...apart));
}

/**
 * @param {number} ms
 * @returns {string}
 */
export function paceText(ms) {
  if (ms === 0) return "as fast as drawn";
  return ms >= 1000 ? `${ms / 1000} s per action` : `${ms} ms per action`;
}
