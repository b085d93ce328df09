/** Cells named in texts: "row 3, column 5" lights that cell, and labels its row and column. */

/** @typedef {import("./protocol.js").Cell} Cell */

const NAMED = /row (\d+), column (\d+)/gi;

/**
 * The parts of a text, with the cells it names.
 *
 * @param {string} text Rows and columns in it count from 1.
 * @returns {Array<{text: string, cell: Cell | null}>}
 */
export function placesIn(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), cell: null });
    const cell = /** @type {Cell} */ ([Number(match[1]) - 1, Number(match[2]) - 1]);
    parts.push({ text: match[0], cell });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), cell: null });
  return parts;
}

/**
 * Write a text into an element; the cells it names can be pointed at.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
export function write(element, text) {
  element.replaceChildren(
    ...placesIn(text).map(({ text: part, cell }) => {
      if (!cell) return part;
      const named = document.createElement("span");
      named.className = "place";
      named.textContent = part;
      named.tabIndex = 0;
      named.dataset.cell = cell.join(" ");
      return named;
    }),
  );
}

/** Labels rows and columns that texts name, and lights the cell of the text pointed at. */
export class Places {
  /** @type {HTMLElement[]} Elements whose text may name cells. */
  #texts;

  /**
   * @param {import("./board/grid.js").Grid} grid
   * @param {HTMLElement} labels Holds the labels, over the board's frame.
   * @param {HTMLElement[]} texts
   */
  constructor(grid, labels, texts) {
    this.grid = grid;
    this.labels = labels;
    this.#texts = texts;
    for (const kind of ["pointerover", "focusin"]) {
      document.addEventListener(kind, ({ target }) => this.#light(/** @type {Element} */ (target)));
    }
    for (const text of texts) {
      const watch = new MutationObserver(() => this.refresh());
      watch.observe(text, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
    }
    grid.scroller.addEventListener("scroll", () => this.refresh(), { passive: true });
    new ResizeObserver(() => this.refresh()).observe(grid.element);
  }

  /** @param {Element} target What is pointed at. */
  #light(target) {
    const named = target instanceof HTMLElement ? target.closest(".place") : null;
    this.grid.mark("named", named instanceof HTMLElement ? [this.grid.indexAt(cellOf(named))] : []);
  }

  /** Put a label beside the board for every row and column that is named now. */
  refresh() {
    const all = this.#texts.flatMap((text) => [
      .../** @type {NodeListOf<HTMLElement>} */ (text.querySelectorAll(".place")),
    ]);
    // Measuring takes a layout, which most texts are not worth.
    const named = all.length ? all.filter((place) => place.offsetParent) : [];
    if (!named.length) {
      if (this.labels.childElementCount) this.labels.replaceChildren();
      return;
    }
    const rows = new Set(named.map((place) => cellOf(place)[0]));
    const cols = new Set(named.map((place) => cellOf(place)[1]));
    const frame = this.labels.getBoundingClientRect();
    const well = this.grid.scroller.getBoundingClientRect();
    const made = [];
    for (const row of rows) {
      const cell = this.grid.cell(this.grid.indexAt([row, 0]))?.getBoundingClientRect();
      const y = cell && cell.top + cell.height / 2;
      if (y && y > well.top && y < well.bottom) made.push(label(row, well.left - frame.left, y - frame.top));
    }
    for (const col of cols) {
      const cell = this.grid.cell(this.grid.indexAt([0, col]))?.getBoundingClientRect();
      const x = cell && cell.left + cell.width / 2;
      if (x && x > well.left && x < well.right) made.push(label(col, x - frame.left, well.top - frame.top));
    }
    this.labels.replaceChildren(...made);
  }
}

/**
 * @param {HTMLElement} place
 * @returns {Cell}
 */
function cellOf(place) {
  const [row, col] = (place.dataset.cell ?? "0 0").split(" ").map(Number);
  return [row, col];
}

/**
 * @param {number} index From 0; written from 1.
 * @param {number} x
 * @param {number} y
 */
function label(index, x, y) {
  const made = document.createElement("span");
  made.textContent = String(index + 1);
  made.style.translate = `calc(${Math.round(x)}px - 50%) calc(${Math.round(y)}px - 50%)`;
  return made;
}
