/** The tooltip of a cell: its exact chance. */

export class Tooltip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {DOMRect | undefined} box Where the cell is.
   * @param {string} text Empty hides the tooltip.
   */
  show(box, text) {
    this.element.hidden = !text || !box;
    if (!text || !box) return;
    this.element.textContent = text;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8));
    // Above the cell; below it in the first rows.
    const top = box.top - height - 6 >= 8 ? box.top - height - 6 : box.bottom + 6;
    this.element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
