/** The result of a finished game: figures, personal bests, and next actions. */

import { $, make } from "../dom.js";
import { improved, lossFigures, streakText, winFigures } from "../result-figures.js";
import { t } from "../translation.js";

export class Result {
  /** @param {import("../types.js").Format} format */
  constructor(format) {
    this.format = format;
  }

  /**
   * @param {import("../protocol.js").Result} result
   * @param {boolean} won
   */
  show(result, won) {
    const figures = won ? winFigures(result, this.format) : lossFigures(result, this.format);
    $("result-figures").replaceChildren(...figures.map(figureOf));
    const streak = won ? streakText(result) : "";
    $("result-streak").textContent = streak;
    $("result-streak").hidden = !streak;
    $("result").classList.toggle("best", won && improved(result).length > 0);
    $("result").hidden = false;
  }

  hide() {
    $("result").hidden = true;
    document.body.classList.remove("won-now");
  }
}

/**
 * @param {import("../result-figures.js").Figure} figure
 * @returns {HTMLElement}
 */
function figureOf({ name, value, before }) {
  const figure = make("div");
  figure.append(make("dt", name), make("dd", value));
  if (before === undefined) return figure;
  figure.className = "best";
  const note = make("dd");
  note.className = "before";
  note.append(make("strong", t("Personal best")), make("span", t("was {value}", { value: before })));
  figure.append(note);
  return figure;
}
