/** A small line beside the cell under the pointer: its chance in full. */

export class Tooltip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {HTMLElement} cell
   * @param {string} text Nothing hides the tip.
   */
  show(cell, text) {
    this.element.hidden = !text;
    if (!text) return;
    this.element.textContent = text;
    const box = cell.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8));
    // Above the cell, where a hand does not cover it; below in the first rows.
    const top = box.top - height - 6 >= 8 ? box.top - height - 6 : box.bottom + 6;
    this.element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
