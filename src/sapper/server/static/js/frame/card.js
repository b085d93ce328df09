/** The card: one idea at a time, a sentence first. */

/** @typedef {{label: string, act: () => void}} Choice */

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
    for (const { label, act } of choices) {
      const button = document.createElement("button");
      button.textContent = label;
      button.addEventListener("click", act);
      buttons.append(button);
    }
    this.element.replaceChildren(heading, body, ...(choices.length ? [buttons] : []));
    this.element.dataset.kind = kind;
    this.element.hidden = false;
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
