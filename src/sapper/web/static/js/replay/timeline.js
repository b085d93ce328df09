/** The time line: the solved 3BV and the win chance over time, with a mark for each guess. */

import { kindName, percent } from "../review/wording.js";
import { SHAPES, svg } from "../review/kinds.js";
import { decimals } from "../ticks.js";
import { number, t } from "../translation.js";

/** @typedef {import("./recorded-game.js").RecordedGame} RecordedGame */
/** @typedef {import("../review/types.js").Decision} Decision */

const EDGE = { left: 46, right: 14, top: 24, bottom: 26 };

export class Timeline {
  /** @type {RecordedGame | null} */
  #game = null;
  /** @type {import("../review/game.js").ReviewedGame | null} */
  #review = null;
  #now = 0;
  /** @type {Element | null} */
  #cursor = null;

  /**
   * @param {HTMLElement} element
   * @param {(ms: number) => void} seek
   */
  constructor(element, seek) {
    this.element = element;
    let held = false;
    const go = (/** @type {PointerEvent} */ { clientX }) => {
      if (this.#game) seek(this.#msAt(clientX));
    };
    element.addEventListener("pointerdown", (event) => {
      held = event.button === 0;
      if (held) go(event);
    });
    addEventListener("pointermove", (event) => {
      if (held && event.buttons) go(event);
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (held = false));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /**
   * @param {RecordedGame} game
   * @param {import("../review/game.js").ReviewedGame | null} review
   */
  show(game, review) {
    [this.#game, this.#review] = [game, review];
    this.draw();
  }

  /** @param {number} ms */
  move(ms) {
    this.#now = ms;
    this.#drawCursor();
  }

  /** @param {number} x The position in the window, in pixels. */
  #msAt(x) {
    const { left, width } = this.element.getBoundingClientRect();
    const { fromMs = 0, toMs = 0 } = this.#game ?? {};
    const share = (x - left - EDGE.left) / Math.max(1, width - EDGE.left - EDGE.right);
    return fromMs + Math.max(0, Math.min(1, share)) * (toMs - fromMs);
  }

  #x(/** @type {number} */ ms) {
    const { fromMs = 0, toMs = 0 } = this.#game ?? {};
    const wide = this.element.clientWidth - EDGE.left - EDGE.right;
    return EDGE.left + (wide * (ms - fromMs)) / Math.max(1, toMs - fromMs);
  }

  #y(/** @type {number} */ share) {
    return EDGE.top + (this.element.clientHeight - EDGE.top - EDGE.bottom) * (1 - share);
  }

  draw() {
    const game = this.#game;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!game || !width) return;
    const all = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.#axes(all, game);
    this.#solved(all, game);
    this.#openings(all, game);
    this.#chances(all, game);
    this.#cursor = svg("line", { class: "cursor" });
    all.append(this.#cursor);
    this.element.replaceChildren(all);
    this.#drawCursor();
  }

  /**
   * @param {Element} all
   * @param {RecordedGame} game
   */
  #axes(all, game) {
    const { clientWidth: width, clientHeight: height } = this.element;
    for (const share of [0, 0.5, 1]) {
      const y = this.#y(share);
      all.append(svg("line", { class: share ? "grid" : "axis", x1: EDGE.left, x2: width - EDGE.right, y1: y, y2: y }));
      all.append(svg("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, percent(share, 0)));
    }
    let left = EDGE.left;
    for (const [name, text] of [["line", t("Win chance")], ["solved", t("3BV solved")], ["opening", t("Opening")]]) {
      // Leave out a label that the edge of a phone would cut off.
      if (left + 21 + 7.2 * text.length > width) break;
      const key = { line: "M0 5H16", solved: "M0 0H16V10H0Z", opening: "M8 0V10" }[name] ?? "";
      all.append(svg("path", { class: name, d: key, transform: `translate(${left} 3)` }));
      all.append(svg("text", { x: left + 21, y: 13 }, text));
      left += 46 + 7.2 * text.length;
    }
    const { started_ms } = game.replay;
    const seconds = timeTicks(game.fromMs - started_ms, game.toMs - started_ms, Math.floor(width / 90));
    for (const second of seconds) {
      const x = this.#x(started_ms + 1000 * second);
      all.append(svg("text", { x, y: height - 8, "text-anchor": "middle" }, t("{seconds} s", { seconds: number(second, decimals(seconds)) })));
    }
  }

  /**
   * @param {Element} all
   * @param {RecordedGame} game
   */
  #solved(all, { replay }) {
    const most = Math.max(1, replay.metrics.board.bbbv);
    const points = [`${this.#x(replay.started_ms)},${this.#y(0)}`];
    let before = 0;
    for (const { event, solved } of replay.steps) {
      if (solved === before) continue;
      const x = this.#x(replay.events.ms[event]).toFixed(1);
      points.push(`${x},${this.#y(before / most).toFixed(1)}`, `${x},${this.#y(solved / most).toFixed(1)}`);
      before = solved;
    }
    const end = this.#x(replay.ended_ms);
    points.push(`${end},${this.#y(before / most)}`, `${end},${this.#y(0)}`);
    all.append(svg("polygon", { class: "solved", points: points.join(" ") }));
  }

  /**
   * Draw a tick for each click that opened many cells.
   *
   * @param {Element} all
   * @param {RecordedGame} game
   */
  #openings(all, { replay }) {
    const bottom = this.#y(0);
    for (const { event, opened } of replay.steps) {
      if (opened.length < 5) continue;
      const x = this.#x(replay.events.ms[event]);
      const high = Math.min(1, opened.length / 60) * 14 + 6;
      all.append(svg("line", { class: "opening", x1: x, x2: x, y1: bottom, y2: bottom - high }));
    }
  }

  /**
   * @param {Element} all
   * @param {RecordedGame} game
   */
  #chances(all, game) {
    const review = this.#review;
    if (!review) return;
    const { replay } = game;
    const at = (/** @type {number} */ index) => {
      const step = index < review.end ? game.stepOf(index) : -1;
      return this.#x(step < 0 ? replay.ended_ms : replay.events.ms[replay.steps[step].event]);
    };
    const points = review.curve.map(({ index, value }) => `${at(index).toFixed(1)},${this.#y(value.win_chance).toFixed(1)}`);
    if (points.length > 1) all.append(svg("polyline", { class: "line", points: points.join(" ") }));
    for (const decision of review.decisions) {
      if (!decision || decision.kind === "proved") continue;
      const y = decision.before ? this.#y(decision.before.win_chance) : EDGE.top;
      const dot = svg("path", {
        class: `kind ${decision.kind}`,
        d: SHAPES[decision.kind],
        transform: `translate(${at(decision.index) - 6} ${y - 6}) scale(.75)`,
      });
      const risk = percent(decision.p_mine);
      dot.append(svg("title", {}, t("{kind}, risk {risk}", { kind: kindName(decision.kind), risk })));
      all.append(dot);
    }
  }

  #drawCursor() {
    const x = this.#x(this.#now);
    const ends = { x1: x, x2: x, y1: EDGE.top - 6, y2: this.#y(0) + 3 };
    for (const [name, value] of Object.entries(ends)) this.#cursor?.setAttribute(name, value.toFixed(1));
  }
}

/**
 * @param {number} from In milliseconds.
 * @param {number} to
 * @param {number} most The maximum number of ticks.
 * @returns {number[]} Round numbers of seconds in between.
 */
export function timeTicks(from, to, most) {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
  const step = steps.find((each) => (to - from) / 1000 / each <= Math.max(1, most)) ?? 36_000;
  const ticks = [];
  for (let n = Math.ceil(Math.max(0, from) / 1000 / step); n * step <= to / 1000; n++) ticks.push(Number((n * step).toFixed(2)));
  return ticks;
}
