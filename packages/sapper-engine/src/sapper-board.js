/**
 * `<sapper-board>`: a Minesweeper position in any page, with exact chances.
 *
 *     <script type="module" src="sapper-board.js"></script>
 *     <sapper-board position="....|.21.|.10." mines="4" chances></sapper-board>
 *
 * Readers open cells with a click or Enter, and flag them with a right click, a long press or F.
 * The mines are drawn at the first click, from all arrangements that fit.
 */

import { load, positionJson, readPosition } from "./shared.js";

const SVG = "http://www.w3.org/2000/svg";
const LONG_PRESS_MS = 450;
/** The largest board that is drawn. */
const MOST_CELLS = 2500;

const SIDE = 1 / Math.sqrt(3);
const UP = [[0.7598, 0], [1.5197, 1.3161], [0, 1.3161]];
const DOWN = [[0, 0], [1.5197, 0], [0.7598, 1.3161]];
const HEXAGON = [[0.5, 0], [1, SIDE / 2], [1, 1.5 * SIDE], [0.5, 2 * SIDE], [0, 1.5 * SIDE], [0, SIDE / 2]];

/** The outline of a cell, the middle of its number, and the steps to the next column and row. */
const SHAPES = {
  square: { pitch: [1, 1], tile: () => ({ outline: [[0, 0], [1, 0], [1, 1], [0, 1]], middle: [0.5, 0.5] }) },
  hexagon: {
    pitch: [1, 1.5 * SIDE],
    tile: (/** @type {number} */ row) => {
      const shift = row % 2 ? 0.5 : 0;
      return { outline: HEXAGON.map(([x, y]) => [x + shift, y]), middle: [0.5 + shift, SIDE] };
    },
  },
  triangle: {
    pitch: [0.7598, 1.3161],
    tile: (/** @type {number} */ row, /** @type {number} */ col) =>
      (row + col) % 2 ? { outline: DOWN, middle: [0.7598, 0.4387] } : { outline: UP, middle: [0.7598, 0.8774] },
  },
};

const STYLE = `
:host { display: inline-block; max-width: 100%; color-scheme: light dark; line-height: 0;
  --closed: light-dark(#c3c3c3, #454a52); --open: light-dark(#e4e4e4, #24272c); --line: light-dark(#8a8a8a, #14161a);
  --safe: light-dark(#a8d9b4, #24553a); --mine: light-dark(#f3b4b4, #6d2b31); --heat: light-dark(#5b2a86, #b68cff);
  --ink: light-dark(#1d1326, #f2ecfa); --ring: light-dark(#0b57d0, #8ab4ff); }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
svg { max-width: 100%; height: auto; touch-action: manipulation; user-select: none; -webkit-user-select: none; }
.cell { cursor: default; outline: none; }
.cell polygon { fill: var(--open); stroke: var(--line); stroke-width: 0.05; stroke-linejoin: round; }
.cell.closed { cursor: pointer; }
.cell.closed polygon { fill: var(--closed); }
.cell.heat polygon { fill: color-mix(in oklab, var(--heat) var(--part), var(--closed)); }
.cell.heat.deep text { fill: light-dark(#fff, #190f26); }
.cell.safe polygon { fill: var(--safe); }
.cell.mined polygon { fill: var(--mine); }
.cell:focus-visible polygon { stroke: var(--ring); stroke-width: 0.12; }
text { font: 700 0.62px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; fill: var(--ink); pointer-events: none; }
text.chance { font-weight: 500; font-size: 0.4px; font-variant-numeric: tabular-nums; }
.n1 { fill: light-dark(#00f, #8ab4ff); } .n2 { fill: light-dark(#008000, #7fd389); } .n3 { fill: light-dark(#d40000, #ff9a94); }
.n4 { fill: light-dark(#000080, #b3b9ff); } .n5 { fill: light-dark(#800000, #e8a0a0); } .n6 { fill: light-dark(#007070, #7fd8d8); }
p { margin: 0; font: 400 0.85rem/1.4 system-ui, sans-serif; }
p button { font: inherit; line-height: 1.2; }
`;

/** @type {Promise<import("./index.js").Engine> | null} */
let loading = null;

export class SapperBoard extends HTMLElement {
  static observedAttributes = ["position", "mines", "chances", "theme", "topology", "still"];

  #root = this.attachShadow({ mode: "open" });
  /** @type {import("./index.js").PositionObject | null} */
  #position = null;
  /** @type {import("./index.js").Game | null} */
  #game = null;
  /** One character per cell, as in the rows of a position. */
  #cells = "";
  #cursor = 0;
  #press = 0;
  #pending = false;

  connectedCallback() {
    this.#soon();
  }

  attributeChangedCallback() {
    this.#game = null;
    this.#soon();
  }

  /** @returns {string} The position as text, which changes as the reader plays. */
  get text() {
    const position = this.#game?.position ?? this.#position;
    if (!position) return "";
    const head = [];
    if (typeof position.mines === "number") head.push(`mines: ${position.mines}`);
    if (position.topology && position.topology !== "rectangle") head.push(`topology: ${position.topology}`);
    return [...head, ...position.rows].join("\n");
  }

  /** Show the position of the attributes again. */
  reset() {
    this.#game = null;
    this.#soon();
  }

  /** Draw once after several attributes have changed. */
  #soon() {
    if (this.#pending || !this.isConnected) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      void this.#show();
    });
  }

  async #show() {
    try {
      this.#position = this.#read();
      this.#cells = this.#position.rows.join("");
      this.#draw(null);
      if (this.hasAttribute("chances")) await this.#update();
    } catch (problem) {
      this.#complain(problem);
    }
  }

  /** @returns {import("./index.js").PositionObject} */
  #read() {
    const text = this.getAttribute("position") ?? this.textContent ?? "";
    const lines = text.split(/[\n|]/).map((line) => line.trim()).filter(Boolean);
    const first = lines.findIndex((line) => !line.includes(":"));
    // Of two headers with the same name, the second counts.
    const given = ["mines", "topology"].filter((name) => this.hasAttribute(name)).map((name) => `${name}: ${this.getAttribute(name)}`);
    const position = positionJson(readPosition(lines.toSpliced(Math.max(0, first), 0, ...given).join("\n")));
    if (position.width * position.height > MOST_CELLS) throw new Error(`A position here has at most ${MOST_CELLS} cells.`);
    return position;
  }

  /** @returns {Promise<import("./index.js").Engine>} */
  #engine() {
    loading ??= load({ search: false });
    return loading;
  }

  /** Compute the chances of the position, and draw it. */
  async #update() {
    const engine = await this.#engine();
    const position = /** @type {import("./index.js").PositionObject} */ (this.#game?.position ?? this.#position);
    if (!this.hasAttribute("chances") || this.#game?.over) return this.#draw(null);
    const closed = { ...position, rows: position.rows.map((row) => row.replaceAll("F", ".")) };
    this.#draw(engine.analyze(closed, { seconds: 1, solutions: false }));
  }

  /** @returns {keyof typeof SHAPES} */
  get #shape() {
    const topology = this.#position?.topology;
    return topology === "hexagon" || topology === "triangle" ? topology : "square";
  }

  /** @param {import("./index.js").Analysis | null} analysis */
  #draw(analysis) {
    const { width = 0, height = 0 } = /** @type {import("./index.js").PositionObject} */ (this.#position);
    const { pitch, tile } = SHAPES[this.#shape];
    const svg = made("svg", { role: "group", "aria-label": `Minesweeper position, ${height} rows, ${width} columns` });
    let [right, bottom] = [0, 0];
    const safe = new Set(analysis?.safe);
    const mined = new Set(analysis?.mined);
    const still = this.hasAttribute("still");
    for (let index = 0; index < this.#cells.length; index++) {
      const [row, col] = [Math.floor(index / width), index % width];
      const { outline, middle } = tile(row, col);
      const at = (/** @type {number[]} */ [x, y]) => [x + col * pitch[0], y + row * pitch[1]];
      const corners = outline.map(at);
      right = Math.max(right, ...corners.map(([x]) => x));
      bottom = Math.max(bottom, ...corners.map(([, y]) => y));
      const char = this.#cells[index];
      const look = lookOf(char, analysis && { p: analysis.pMine[index], safe: safe.has(index), mined: mined.has(index) });
      const cell = made("g", { class: `cell ${look.kind}`, "data-index": index, "aria-label": `row ${row + 1}, column ${col + 1}, ${look.words}` });
      cell.setAttribute("role", still ? "img" : "button");
      if (!still) cell.setAttribute("tabindex", index === this.#cursor ? "0" : "-1");
      if (look.part) cell.style.setProperty("--part", look.part);
      cell.append(made("polygon", { points: corners.map(([x, y]) => `${round(x)},${round(y)}`).join(" ") }));
      if (look.text) {
        const [x, y] = at(middle);
        const words = made("text", { x: round(x), y: round(y), class: look.style, "aria-hidden": "true" });
        words.textContent = look.text;
        cell.append(words);
      }
      svg.append(cell);
    }
    svg.setAttribute("viewBox", `-0.05 -0.05 ${round(right + 0.1)} ${round(bottom + 0.1)}`);
    svg.setAttribute("width", String(Math.round(30 * right)));
    if (!still) this.#listen(svg);
    const focused = this.#root.activeElement !== null;
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.#root.replaceChildren(style, svg, ...(this.#game ? [this.#again()] : []));
    if (focused) this.#focus(this.#cursor);
  }

  /** @returns {HTMLElement} The result, and a button that shows the first position again. */
  #again() {
    const line = document.createElement("p");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Reset";
    button.addEventListener("click", () => this.reset());
    line.setAttribute("role", "status");
    const told = { won: "Solved. ", lost: "That was a mine. " };
    line.append(told[/** @type {"won" | "lost"} */ (this.#game?.status)] ?? "", button);
    return line;
  }

  /** @param {SVGElement} svg */
  #listen(svg) {
    const at = (/** @type {Event} */ event) => {
      const cell = /** @type {Element} */ (event.target).closest("[data-index]");
      return cell ? Number(cell.getAttribute("data-index")) : null;
    };
    const on = (/** @type {string} */ kind, /** @type {(event: any) => void} */ does) => svg.addEventListener(kind, does);
    let long = false;
    on("click", (event) => {
      const index = at(event);
      if (index !== null && !long) void this.#act("open", index);
      long = false;
    });
    on("contextmenu", (event) => {
      event.preventDefault();
      const index = at(event);
      if (index !== null && !long) void this.#act("flag", index);
    });
    on("pointerdown", (event) => {
      clearTimeout(this.#press);
      long = false;
      const index = at(event);
      if (event.pointerType === "mouse" || index === null) return;
      this.#press = window.setTimeout(() => {
        long = true;
        void this.#act("flag", index);
      }, LONG_PRESS_MS);
    });
    for (const kind of ["pointerup", "pointercancel", "pointermove"]) on(kind, () => clearTimeout(this.#press));
    on("keydown", (event) => this.#key(event, at(event)));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number | null} index
   */
  #key(event, index) {
    if (index === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const width = this.#position?.width ?? 1;
    const steps = /** @type {Record<string, number>} */ ({ ArrowUp: -width, ArrowDown: width, ArrowLeft: -1, ArrowRight: 1 });
    const step = steps[event.key];
    if (step !== undefined) {
      const to = index + step;
      const sideways = Math.abs(step) === 1 && Math.floor(to / width) !== Math.floor(index / width);
      if (to >= 0 && to < this.#cells.length && !sideways) this.#focus(to);
    } else if (event.key === "Enter") void this.#act("open", index);
    else if (event.key === " " || isF(event)) void this.#act("flag", index);
    else return;
    event.preventDefault();
  }

  /** @param {number} index */
  #focus(index) {
    const cells = /** @type {NodeListOf<SVGElement>} */ (this.#root.querySelectorAll("[data-index]"));
    cells[this.#cursor]?.setAttribute("tabindex", "-1");
    this.#cursor = index;
    cells[index]?.setAttribute("tabindex", "0");
    cells[index]?.focus();
  }

  /**
   * @param {"open" | "flag"} kind
   * @param {number} index
   */
  async #act(kind, index) {
    try {
      const engine = await this.#engine();
      if (this.#game?.over) return;
      this.#game ??= engine.gameFromPosition(/** @type {any} */ (this.#position));
      this.#cursor = index;
      if (!this.#game[kind](index) && kind === "open") this.#game.chord(index);
      this.#cells = this.#game.position.rows.join("");
      await this.#update();
      this.dispatchEvent(new CustomEvent("change", { detail: { position: this.text, status: this.#game.status } }));
    } catch (problem) {
      this.#complain(problem);
    }
  }

  /** @param {unknown} problem */
  #complain(problem) {
    const line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.textContent = inReadersWords(/** @type {Error} */ (problem).message);
    const style = document.createElement("style");
    style.textContent = STYLE;
    const svg = this.#root.querySelector("svg");
    this.#root.replaceChildren(style, ...(svg ? [svg] : []), line);
  }
}

/**
 * @param {string} message An error of the engine, for programs.
 * @returns {string} The same for readers, who count cells from 1 and see no lines.
 */
function inReadersWords(message) {
  return message
    .replace(/^line \d+: /, "")
    .replace(/\((\d+), (\d+)\)/g, (_, row, col) => `row ${Number(row) + 1}, column ${Number(col) + 1}`);
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean} Whether the key is F, or the same key of a layout that is not Latin.
 */
function isF({ key, code }) {
  return key.toLowerCase() === "f" || (code === "KeyF" && !/\p{scx=Latin}/u.test(key));
}

/**
 * @param {string} char
 * @param {{p: number, safe: boolean, mined: boolean} | null} chance
 * @returns {{kind: string, text: string, style: string, words: string, part?: string}}
 */
function lookOf(char, chance) {
  if (char === "*") return { kind: "mined", text: "✹", style: "", words: "mine" };
  if (char !== "." && char !== "F") {
    const number = parseInt(char, 16);
    return { kind: "", text: number ? String(number) : "", style: `n${number}`, words: String(number) };
  }
  const flag = char === "F" ? "flag" : "unopened";
  const sign = char === "F" ? "⚑" : "";
  if (!chance) return { kind: "closed", text: sign, style: "", words: flag };
  if (chance.safe) return { kind: "closed safe", text: sign || "✓", style: "", words: `${flag}, safe` };
  if (chance.mined) return { kind: "closed mined", text: sign || "✕", style: "", words: `${flag}, mine` };
  const percent = Math.min(99, Math.max(1, Math.round(100 * chance.p)));
  const deep = chance.p >= 0.3 ? " deep" : "";
  return {
    kind: `closed heat${deep}`,
    text: sign || String(percent),
    style: sign ? "" : "chance",
    words: `${flag}, ${percent} % mine`,
    part: `${Math.round(Math.min(1, 2 * chance.p) * 90 + 8)}%`,
  };
}

/** @param {number} value */
function round(value) {
  return Math.round(1000 * value) / 1000;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function made(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return /** @type {SVGElement} */ (element);
}

if (!customElements.get("sapper-board")) customElements.define("sapper-board", SapperBoard);
