/** On a phone the panel is a sheet, which comes up over the lower part of the board. */

export class Sheet {
  /** @param {HTMLElement} button Opens and closes it. */
  constructor(button) {
    this.button = button;
    button.addEventListener("click", () => this.toggle());
  }

  /** @param {boolean} [open] Whether it is to be open; the other way round if left out. */
  toggle(open) {
    const now = document.body.classList.toggle("sheet-open", open);
    this.button.setAttribute("aria-expanded", String(now));
  }
}
