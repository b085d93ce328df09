/** The card: one idea at a time, a sentence first. */

/**
 * A button of a card: it acts, or it shows something until it is pressed again or another is.
 *
 * @typedef {object} Choice
 * @property {string} label
 * @property {boolean} [wide] Whether it takes a line of its own.
 * @property {() => void} [act]
 * @property {(on: boolean) => void} [toggle]
 */

export class Card {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {string} kind What the card is about; a later card of another kind replaces it.
   * @param {string} title
   * @param {string} text
   * @param {Choice[]} [choices]
   */
  show(kind, title, text, choices = []) {
    const heading = document.createElement("h2");
    heading.textContent = title;
    const body = document.createElement("p");
    body.textContent = text;
    const buttons = document.createElement("div");
    buttons.className = "choices";
    buttons.append(...choices.map((choice) => button(choice, buttons)));
    this.element.replaceChildren(heading, body, ...(choices.length ? [buttons] : []));
    this.element.dataset.kind = kind;
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} [kind] Only a card of this kind. */
  hide(kind) {
    if (!kind || this.element.dataset.kind === kind) this.element.hidden = true;
  }

  /** @returns {string | null} What the card shown is about. */
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
