/** A counter above the board, with red segments or plain digits, depending on the look. */

import { t } from "../translation.js";
import { drawing, places } from "./segments.js";

/** `<number-display label="Mines left">`: set its `value`. */
export class NumberDisplay extends HTMLElement {
  #text = "";

  /** @param {number | null} value The number to show; null (unknown) shows dashes. */
  set value(value) {
    const text = value === null ? "---" : places(value);
    if (text === this.#text) return;
    this.#text = text;
    this.style.setProperty("--places", String(text.length));
    const plain = value === null ? "–" : String(Math.trunc(value));
    this.innerHTML = `${drawing(text)}<span aria-hidden="true">${plain}</span>`;
    this.setAttribute("role", "img");
    const spoken = value === null ? t("not known") : plain;
    this.setAttribute("aria-label", t("{what}: {text}", { what: this.getAttribute("label") ?? "", text: spoken }));
  }

  /** @returns {string} The text of the display. */
  get text() {
    return this.#text;
  }
}
