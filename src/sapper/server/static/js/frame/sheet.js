/** On a phone the panel is a sheet, which comes up over the board. */

export class Sheet {
  /**
   * @param {HTMLElement} button Opens and closes it.
   * @param {HTMLElement} scrim Lies under it: a tap outside closes the sheet and does nothing else.
   */
  constructor(button, scrim) {
    this.button = button;
    button.addEventListener("click", () => this.toggle());
    scrim.addEventListener("click", () => this.toggle(false));
  }

  /** @returns {boolean} */
  get open() {
    return document.body.classList.contains("sheet-open");
  }

  /** @param {boolean} [open] Whether it is to be open; the other way round if left out. */
  toggle(open) {
    const now = document.body.classList.toggle("sheet-open", open);
    this.button.setAttribute("aria-expanded", String(now));
  }
}
