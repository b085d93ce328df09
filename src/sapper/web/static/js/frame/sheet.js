/** On a phone, the panel is a sheet over the board. */

export class Sheet {
  /**
   * @param {HTMLElement} button Opens and closes the sheet.
   * @param {HTMLElement} scrim The backdrop: a tap on it only closes the sheet.
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

  /** @param {boolean} [open] Whether to open it; toggles by default. */
  toggle(open) {
    const now = document.body.classList.toggle("sheet-open", open);
    this.button.setAttribute("aria-expanded", String(now));
  }
}
