/** The card that shows hints, losses and help. On a phone, it is a bar above the buttons. */

import { $ } from "../dom.js";
import { phone } from "./phone.js";
import { write } from "../places.js";
import { t } from "../translation.js";

/**
 * A button on a card, which acts once or toggles something on the board.
 *
 * @typedef {object} Choice
 * @property {string} label
 * @property {boolean} [wide] Whether it takes a full line.
 * @property {() => void} [act]
 * @property {(on: boolean) => void} [toggle]
 */

export class Card {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const settle = () => {
      $(phone.matches ? "reason" : "card-place").append(element);
      this.#mark();
    };
    phone.addEventListener("change", settle);
    settle();
  }

  /** Tell the page whether a card is open above the buttons on a phone. */
  #mark() {
    document.body.classList.toggle("reason-open", phone.matches && !this.element.hidden);
  }

  /** The action of the close button. */
  onClose = () => this.hide();

  /** Called with the kind of the visible card before another kind replaces it. */
  onReplace = (/** @type {string} */ kind) => void kind;

  /**
   * @param {string} kind The card's subject; any later card replaces it.
   * @param {string} title
   * @param {string} text
   * @param {Choice[]} [choices]
   */
  show(kind, title, text, choices = []) {
    if (this.kind && this.kind !== kind) this.onReplace(this.kind);
    const focused = this.kind === kind && this.element.querySelector(".choices")?.contains(document.activeElement);
    const heading = document.createElement("h2");
    write(heading, title);
    const body = document.createElement("p");
    write(body, text);
    const close = document.createElement("button");
    close.className = "close";
    close.textContent = "×";
    close.setAttribute("aria-label", t("Close"));
    close.addEventListener("click", () => this.onClose());
    const buttons = document.createElement("div");
    buttons.className = "choices";
    buttons.append(...choices.map((choice) => button(choice, buttons)));
    this.element.replaceChildren(heading, body, ...(choices.length ? [buttons] : []), close);
    this.element.dataset.kind = kind;
    this.element.hidden = false;
    if (focused) buttons.querySelector("button")?.focus();
    this.#mark();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} [kind] Only a card of this kind. */
  hide(kind) {
    if (this.element.hidden || (kind && this.element.dataset.kind !== kind)) return;
    this.element.hidden = true;
    this.#mark();
  }

  /** @returns {string | null} The subject of the visible card. */
  get kind() {
    return this.element.hidden ? null : (this.element.dataset.kind ?? null);
  }
}

/**
 * @param {Choice} choice
 * @param {HTMLElement} among
 * @returns {HTMLElement}
 */
function button({ label, wide, act, toggle }, among) {
  const made = document.createElement("button");
  made.textContent = label;
  made.classList.toggle("wide", wide ?? false);
  if (toggle) made.setAttribute("aria-pressed", "false");
  made.addEventListener("click", () => {
    if (!toggle) return act?.();
    const on = made.getAttribute("aria-pressed") !== "true";
    for (const other of among.querySelectorAll("[aria-pressed]")) {
      other.setAttribute("aria-pressed", String(on && other === made));
    }
    toggle(on);
  });
  return made;
}
