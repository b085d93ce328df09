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
    /** @type {Mark[]} */
    const down = [];
    for (const row of rows) {
      const cell = this.grid.cell(this.grid.indexAt([row, 0]))?.getBoundingClientRect();
      const y = cell && cell.top + cell.height / 2;
      if (y && y > well.top && y < well.bottom) down.push({ index: row, at: y - frame.top });
    }
    /** @type {Mark[]} */
    const across = [];
    for (const col of cols) {
      const cell = this.grid.cell(this.grid.indexAt([0, col]))?.getBoundingClientRect();
      const x = cell && cell.left + cell.width / 2;
      if (x && x > well.left && x < well.right) across.push({ index: col, at: x - frame.left });
    }
    this.labels.replaceChildren(
      ...edgeLabels(down, () => HEIGHT).map(({ text, at }) => label(text, well.left - frame.left, at)),
      ...edgeLabels(across, width).map(({ text, at }) => label(text, at, well.top - frame.top)),
    );
  }
}

/** @typedef {{index: number, at: number}} Mark A row or column, from 0, and where its middle is. */

/** The height of a label, and the least width: css/board.css says the same. */
const HEIGHT = 20;
/** What a label takes beside its text, and a digit at most, in pixels. */
const [PADDING, DIGIT] = [10, 7];

/**
 * @param {string} text
 * @returns {number} How wide a label is, in pixels.
 */
function width(text) {
  return Math.max(HEIGHT, PADDING + DIGIT * text.length);
}

/**
 * The labels of rows or columns; those without room beside each other share one: `3–5, 7`.
 *
 * @param {Mark[]} marks
 * @param {(text: string) => number} length How much room a label takes along its edge.
 * @returns {Array<{text: string, at: number}>}
 */
export function edgeLabels(marks, length) {
  /** @type {Array<{marks: Mark[], text: string, at: number}>} */
  const labels = [];
  for (const mark of marks.toSorted((a, b) => a.index - b.index)) {
    let last = { marks: [mark], text: numbers([mark]), at: mark.at };
    for (let before = labels.at(-1); before; before = labels.at(-1)) {
      if (last.at - before.at > (length(before.text) + length(last.text)) / 2) break;
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
 * @returns {string} Their numbers from 1, runs as `3–5`.
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
 * @param {number} x Its middle.
 * @param {number} y
 */
function label(text, x, y) {
  const made = document.createElement("span");
  made.textContent = text;
  made.style.translate = `calc(${Math.round(x)}px - 50%) calc(${Math.round(y)}px - 50%)`;
  return made;
}
