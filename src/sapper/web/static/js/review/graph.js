/** The win chance throughout a game, as SVG; a click jumps to a move. */

import { SHAPES, svg } from "./kinds.js";
import { kindName, percent } from "./wording.js";
import { t } from "../translation.js";

const EDGE = { left: 68, right: 14, top: 10, bottom: 36 };

export class Graph {
  /** @type {import("./game.js").ReviewedGame | null} */
  #game = null;
  #place = 0;
  /** @type {SVGElement | Element | null} */
  #cursor = null;

  /**
   * @param {HTMLElement} element
   * @param {(place: number) => void} jump
   */
  constructor(element, jump) {
    this.element = element;
    let held = false;
    const go = (/** @type {PointerEvent} */ event) => {
      if (this.#game) jump(this.#placeAt(event.clientX));
    };
    element.addEventListener("pointerdown", (event) => {
      held = event.button === 0;
      if (held) go(event);
    });
    element.addEventListener("pointermove", (event) => {
      if (held && event.buttons) go(event);
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (held = false));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /** @param {number} x The position in the window, in pixels. */
  #placeAt(x) {
    const { left, width } = this.element.getBoundingClientRect();
    const end = this.#game?.end ?? 0;
    const share = (x - left - EDGE.left) / Math.max(1, width - EDGE.left - EDGE.right);
    return Math.max(0, Math.min(end, Math.round(share * end)));
  }

  /** @param {import("./game.js").ReviewedGame} game */
  show(game) {
    this.#game = game;
    this.draw();
  }

  /** @param {number} place */
  move(place) {
    this.#place = place;
    this.#drawCursor();
  }

  #x(/** @type {number} */ place) {
    const wide = this.element.clientWidth - EDGE.left - EDGE.right;
    return EDGE.left + (wide * place) / Math.max(1, this.#game?.end ?? 1);
  }

  #y(/** @type {number} */ chance) {
    return EDGE.top + (this.element.clientHeight - EDGE.top - EDGE.bottom) * (1 - chance);
  }

  draw() {
    const game = this.#game;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!game || !width) return;
    const all = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.#axes(all, game.end, width, height);
    const { curve } = game;
    const at = (/** @type {{index: number, value: import("./types.js").Value}} */ { index, value }) =>
      `${this.#x(index).toFixed(1)},${this.#y(value.win_chance).toFixed(1)}`;
    if (curve.length > 1) {
      const floor = `${this.#x(curve[curve.length - 1].index)},${this.#y(0)} ${this.#x(curve[0].index)},${this.#y(0)}`;
      all.append(svg("polygon", { class: "area", points: `${curve.map(at).join(" ")} ${floor}` }));
      all.append(svg("polyline", { class: "line", points: curve.map(at).join(" ") }));
    }
    for (const { index, value } of curve) {
      if (!value.error) continue;
      const [low, high] = [Math.max(0, value.win_chance - value.error), Math.min(1, value.win_chance + value.error)];
      const x = this.#x(index);
      all.append(svg("line", { class: "whisker", x1: x, x2: x, y1: this.#y(low), y2: this.#y(high) }));
    }
    for (const decision of game.decisions) {
      if (decision.kind === "proved" || !decision.before || decision.undone) continue;
      const dot = svg("path", {
        class: `kind ${decision.kind}`,
        d: SHAPES[decision.kind],
        transform: `translate(${this.#x(decision.index) - 6} ${this.#y(decision.before.win_chance) - 6}) scale(.75)`,
      });
      const name = t("Move {move}: {kind}, {share}", {
        move: decision.index + 1,
        kind: kindName(decision.kind),
        share: percent(decision.before.win_chance),
      });
      dot.append(svg("title", {}, name));
      all.append(dot);
    }
    this.#cursor = svg("line", { class: "cursor" });
    all.append(this.#cursor);
    this.element.replaceChildren(all);
    this.#drawCursor();
  }

  /**
   * @param {Element} all
   * @param {number} end
   * @param {number} width
   * @param {number} height
   */
  #axes(all, end, width, height) {
    const bottom = height - EDGE.bottom;
    for (const chance of [0, 0.5, 1]) {
      const y = this.#y(chance);
      all.append(svg("line", { class: chance ? "grid" : "axis", x1: EDGE.left, x2: width - EDGE.right, y1: y, y2: y }));
      all.append(svg("text", { x: EDGE.left - 7, y: y + 4, "text-anchor": "end" }, percent(chance, 0)));
    }
    for (const place of moveTicks(end, Math.max(2, Math.floor(width / 110)))) {
      all.append(svg("text", { x: this.#x(place), y: bottom + 16, "text-anchor": "middle" }, String(place + 1)));
    }
    const middle = EDGE.left + (width - EDGE.left - EDGE.right) / 2;
    all.append(svg("text", { x: middle, y: height - 3, "text-anchor": "middle" }, t("Move")));
    const name = t("Win chance");
    // In a low graph, a long name starts below the top edge or is left out.
    const long = 7.4 * name.length;
    const half = Math.max(EDGE.top + (bottom - EDGE.top) / 2, long / 2);
    if (long > height) return;
    all.append(svg("text", { transform: `translate(12 ${half}) rotate(-90)`, "text-anchor": "middle" }, name));
  }

  #drawCursor() {
    const x = this.#x(this.#place);
    const ends = { x1: x, x2: x, y1: EDGE.top - 4, y2: this.#y(0) };
    for (const [name, value] of Object.entries(ends)) this.#cursor?.setAttribute(name, String(value));
  }
}

/**
 * @param {number} end The number of moves.
 * @param {number} most The maximum number of ticks.
 * @returns {number[]} Positions for ticks with round move numbers.
 */
export function moveTicks(end, most) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((each) => end / each <= most) ?? 10_000;
  const ticks = end > 0 ? [0] : [];
  for (let move = step; move <= end; move += step) if (move > 1) ticks.push(move - 1);
  return ticks;
}
