/** Kaboom's debug view next to the board, with its hint and the solver's figures. */

import { $, make } from "../dom.js";
import { t } from "../translation.js";

/**
 * Return the figures as names and values.
 *
 * @param {import("../protocol.js").MarksMessage} marks
 * @param {import("../types.js").Format} format
 * @returns {Array<[string, string]>}
 */
export function figureList({ frontier, outside, least, most, ms }, format) {
  const whole = (/** @type {number} */ value) => format(value, 0);
  const range = least === most ? whole(least ?? 0) : t("{least} to {most}", { least: whole(least ?? 0), most: whole(most ?? 0) });
  return [
    [t("Frontier cells"), whole(frontier)],
    [t("Mines among them"), least === null ? t("too wide to count") : range],
    [t("Outside cells"), whole(outside)],
    [t("Solved in"), `${format(ms, 1)} ms`],
  ];
}

export class DebugFigures {
  /** @param {boolean} on */
  set visible(on) {
    $("figures").hidden = !on;
  }

  /**
   * @param {import("../protocol.js").MarksMessage} marks
   * @param {import("../types.js").Format} format
   */
  show(marks, format) {
    $("advice").textContent = marks.advice ?? "";
    $("figure-list").replaceChildren(
      ...figureList(marks, format).flatMap(([name, value]) => [make("dt", name), make("dd", value)]),
    );
  }
}
