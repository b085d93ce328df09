/** How taps work, in a line, for screens without a mouse. */

import { t } from "../translation.js";

const coarse = matchMedia("(pointer: coarse)");

/** @returns {boolean} Whether the usual pointer is a finger. */
export const byTouch = () => coarse.matches;

/**
 * @param {boolean} double Whether only a double tap opens.
 * @param {boolean} flagMode Whether a tap flags.
 * @returns {string}
 */
export function touchLine(double, flagMode) {
  if (flagMode) return `${t("Tap to flag")} · ${t("long press to open")}`;
  return `${double ? t("Double-tap to open") : t("Tap to open")} · ${t("long press to flag")}`;
}
