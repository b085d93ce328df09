/** Stored mistakes: how they are described, and how to erase them. */

import { placeName } from "../board/cells.js";
import { $, button } from "../dom.js";
import { sentence, sentences } from "../sentence.js";
import { t, tn } from "../translation.js";

/**
 * Return the instruction, in one or two lines.
 *
 * @param {import("./types.js").Mistake} mistake
 * @param {boolean} touch
 * @returns {string}
 */
export function mistakePrompt({ cell, question }, touch) {
  const was = sentence(t("{cell} was opened here.", { cell: placeName(cell) }));
  const act =
    question === "safe"
      ? touch
        ? t("Tap a cell that is proved safe.")
        : t("Click a cell that is proved safe.")
      : touch
        ? t("Nothing is proved safe. Tap a cell that wins more often.")
        : t("Nothing is proved safe. Click a cell that wins more often.");
  return sentences(was, act);
}

/**
 * @param {import("./types.js").Question} question
 * @returns {string}
 */
export const mistakeTitle = (question) => (question === "safe" ? t("Find a safe cell") : t("Find a better cell"));

/**
 * @param {import("./types.js").KeptVerdict} verdict
 * @param {boolean} answered Whether a cell was chosen; otherwise the solution was requested.
 * @returns {{title: string, about: string}}
 */
export function mistakeOutcome({ solved, removed }, answered) {
  const title = solved ? t("Correct") : answered ? t("Not yet") : t("The solution");
  return { title, about: removed ? t("Answered correctly on two days: this mistake is now cleared.") : "" };
}

/** The panel next to the board: the rule, the download, and erasing with confirmation. */
export class KeptPanel {
  #total = 0;

  /** @param {(total: number) => void} erase Erases all of them. */
  constructor(erase) {
    $("kept-erase").addEventListener("click", () => this.#confirm(true));
    $("kept-keep").addEventListener("click", () => this.#confirm(false));
    $("kept-erase-now").addEventListener("click", () => {
      $("kept-confirm").hidden = true;
      erase(this.#total);
    });
  }

  /** @param {number} total The number of kept mistakes. */
  show(total) {
    this.#total = total;
    $("kept-confirm").hidden = true;
    $("kept-acts").hidden = !total;
  }

  /** @param {boolean} asking */
  #confirm(asking) {
    $("kept-erase-now").textContent = tn("Erase {n} mistake", "Erase {n} mistakes", this.#total);
    $("kept-confirm").hidden = !asking;
    button(asking ? "kept-keep" : "kept-erase").focus();
  }
}
