/** The bot's speed: the slider's steps, from slow to fast. Pure functions. */

import { t } from "../translation.js";

/** Milliseconds between actions; 0 is one action per frame. */
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
  if (ms === 0) return t("as fast as possible");
  return ms >= 1000 ? t("{time} s per action", { time: ms / 1000 }) : t("{time} ms per action", { time: ms });
}
