/** Handles cells named in text: hovering over "row 3, column 5" highlights the cell and labels its row and column. */

import { pattern } from "./translation.js";

/** @typedef {import("./protocol.js").Cell} Cell */

const NAMED = pattern("row {row}, column {column}");

/**
 * Split text at cell names.
 *
 * @param {string} text Rows and columns count from 1.
 * @returns {Array<{text: string, cell: Cell | null}>}
 */
export function placesIn(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), cell: null });
    const { row, column } = match.groups ?? {};
    const cell = /** @type {Cell} */ ([Number(row) - 1, Number(column) - 1]);
    parts.push({ text: match[0], cell });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), cell: null });
  return parts;
}

/**
 * Set an element's text, and make the cell names in it hoverable.
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

/** Labels the rows and columns named in text, and highlights a cell when its name is hovered over. */
export class Places {
  /** @type {HTMLElement[]} Elements whose text may name cells. */
  #texts;

  /**
   * @param {import("./board/board.js").Board | import("./board/grid.js").Grid} grid
   * @param {HTMLElement} labels The container of the labels, above the board's frame.
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
    const sizes = new ResizeObserver(() => this.refresh());
    // Other looks have a different frame.
    for (const element of [grid.element, labels]) sizes.observe(element);
  }

  /** @param {Element} target The element under the pointer or in focus. */
  #light(target) {
    const named = target instanceof HTMLElement ? target.closest(".place") : null;
    this.grid.mark("named", named instanceof HTMLElement ? [this.grid.indexAt(cellOf(named))] : []);
  }

  /** Label every row and column named in an element's text. */
  refresh() {
    const all = this.#texts.flatMap((text) => [
      .../** @type {NodeListOf<HTMLElement>} */ (text.querySelectorAll(".place")),
    ]);
    // Measuring forces a layout, so measure only if the text names cells.
    const named = all.length ? all.filter((place) => place.offsetParent) : [];
    if (!named.length) {
      if (this.labels.childElementCount) this.labels.replaceChildren();
      return;
    }
    const rows = new Set(named.map((place) => cellOf(place)[0]));
    const cols = new Set(named.map((place) => cellOf(place)[1]));
    // On a turned board, rows are drawn as columns.
    const firstOf = (/** @type {boolean} */ ofRow, /** @type {number} */ at) =>
      this.grid.box(this.grid.indexAt(ofRow ? [at, 0] : [0, at]));
    const { turned = false } = this.grid;
    const frame = this.labels.getBoundingClientRect();
    const well = this.grid.scroller.getBoundingClientRect();
    /** @type {Mark[]} */
    const down = [];
    for (const row of turned ? cols : rows) {
      const cell = firstOf(!turned, row);
      const y = cell && cell.top + cell.height / 2;
      if (y && y > well.top && y < well.bottom) down.push({ index: row, at: y - frame.top });
    }
    /** @type {Mark[]} */
    const across = [];
    for (const col of turned ? rows : cols) {
      const cell = firstOf(turned, col);
      const x = cell && cell.left + cell.width / 2;
      if (x && x > well.left && x < well.right) across.push({ index: col, at: x - frame.left });
    }
    // Place the labels outside the cells, as far as the window allows.
    const left = well.left + this.grid.scroller.clientLeft - frame.left;
    const top = well.top + this.grid.scroller.clientTop - frame.top;
    this.labels.replaceChildren(
      ...edgeLabels(down, () => HEIGHT).map(({ text, at }) =>
        label(text, Math.max(left - width(text), 2 - frame.left), at - HEIGHT / 2),
      ),
      ...edgeLabels(across, width).map(({ text, at }) => label(text, at - width(text) / 2, top - HEIGHT)),
    );
  }
}

/** @typedef {{index: number, at: number}} Mark A row or column, from 0, and its centre in pixels. */

/** The height and minimum width of a label in pixels, as in css/board.css. */
const HEIGHT = 16;
/** The padding of a label and the width of its widest digit, in pixels. */
const [PADDING, DIGIT] = [8, 7];

/**
 * @param {string} text
 * @returns {number} The width of a label in pixels.
 */
function width(text) {
  return Math.max(HEIGHT, PADDING + DIGIT * text.length);
}

/**
 * Return the labels of rows or columns, merging those that would overlap: `3–5, 7`.
 *
 * @param {Mark[]} marks
 * @param {(text: string) => number} length The length of a label along its edge.
 * @returns {Array<{text: string, at: number}>}
 */
export function edgeLabels(marks, length) {
  /** @type {Array<{marks: Mark[], text: string, at: number}>} */
  const labels = [];
  for (const mark of marks.toSorted((a, b) => a.index - b.index)) {
    let last = { marks: [mark], text: numbers([mark]), at: mark.at };
    for (let before = labels.at(-1); before; before = labels.at(-1)) {
      if (last.at - before.at >= (length(before.text) + length(last.text)) / 2) break;
      labels.pop();
      const both = [...before.marks, ...last.marks];
      last = { marks: both, text: numbers(both), at: (both[0].at + mark.at) / 2 };
    }
    labels.push(last);
  }
  return labels.map(({ text, at }) => ({ text, at }));
}

/**
 * @param {Mark[]} marks In order.
 * @returns {string} Their numbers from 1, with runs as `3–5`.
 */
function numbers(marks) {
  /** @type {number[][]} */
  const runs = [];
  for (const { index } of marks) {
    const run = runs.at(-1);
    if (run?.at(-1) === index) run.push(index + 1);
    else runs.push([index + 1]);
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}–${run.at(-1)}` : `${run[0]}`)).join(", ");
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
 * @param {string} text
 * @param {number} x The left edge.
 * @param {number} y The upper edge.
 */
function label(text, x, y) {
  const made = document.createElement("span");
  made.textContent = text;
  made.style.width = `${width(text)}px`;
  made.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  return made;
}
