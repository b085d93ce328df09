import { drawing, places } from "./segments.js";

/** `<seven-segment label="Mines left">`: set its `value`. */
export class SevenSegment extends HTMLElement {
  #text = "";

  /** @param {number | null} value The number to show; null shows dashes, for "not told". */
  set value(value) {
    const text = value === null ? "---" : places(value);
    if (text === this.#text) return;
    this.#text = text;
    this.style.setProperty("--places", String(text.length));
    this.innerHTML = drawing(text);
    this.setAttribute("role", "img");
    const spoken = value === null ? "not told" : String(Math.trunc(value));
    this.setAttribute("aria-label", `${this.getAttribute("label")}: ${spoken}`);
  }

  /** @returns {string} What the display reads. */
  get text() {
    return this.#text;
  }
}
