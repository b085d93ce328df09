/** Small SVG plots with two named axes. */

import { decimals, ticks } from "../ticks.js";

const WIDTH = 400;
const HEIGHT = 264;
const EDGE = { left: 66, right: 24, top: 12, bottom: 46 };

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function element(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text) made.textContent = text;
  return made;
}

/**
 * @typedef {object} Axis
 * @property {string} name With its unit.
 * @property {number} [least]
 * @property {number} most
 * @property {boolean} [whole] Whether it has ticks at whole numbers only.
 * @property {(value: number, digits: number) => string} text The label of a tick, with the decimals that all ticks need.
 */

export class Plot {
  /**
   * @param {string} label The description for screen readers.
   * @param {Axis} x
   * @param {Axis} y
   */
  constructor(label, x, y) {
    this.svg = element("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    const wide = WIDTH - EDGE.left - EDGE.right;
    const high = HEIGHT - EDGE.top - EDGE.bottom;
    const [x0, y0] = [x.least ?? 0, y.least ?? 0];
    /** @param {number} value */
    this.x = (value) => EDGE.left + (wide * (value - x0)) / (x.most - x0 || 1);
    /** @param {number} value */
    this.y = (value) => HEIGHT - EDGE.bottom - (high * (value - y0)) / (y.most - y0 || 1);
    const bottom = HEIGHT - EDGE.bottom;
    const rows = ticks(y0, y.most, 5, Number(y.whole ?? false));
    for (const at of rows) {
      this.add("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: this.y(at), y2: this.y(at) });
      this.add("text", { x: EDGE.left - 7, y: this.y(at) + 4, "text-anchor": "end" }, y.text(at, decimals(rows)));
    }
    const columns = ticks(x0, x.most, 4, Number(x.whole ?? false));
    for (const at of columns) {
      this.add("text", { x: this.x(at), y: bottom + 18, "text-anchor": "middle" }, x.text(at, decimals(columns)));
    }
    this.add("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: bottom, y2: bottom });
    this.add("text", { x: EDGE.left + wide / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x.name);
    const middle = EDGE.top + high / 2;
    this.add("text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, y.name);
  }

  /**
   * @param {string} name
   * @param {Record<string, string | number>} attributes
   * @param {string} [text]
   */
  add(name, attributes, text) {
    this.svg.append(element(name, attributes, text));
  }

  /**
   * Draw a line through points.
   *
   * @param {number[]} xs
   * @param {number[]} ys
   */
  line(xs, ys) {
    this.add("polyline", { class: "line", points: xs.map((x, i) => `${this.x(x)},${this.y(ys[i])}`).join(" ") });
  }

  /**
   * Fill the area between two lines.
   *
   * @param {number[]} xs
   * @param {number[]} low
   * @param {number[]} high
   */
  band(xs, low, high) {
    const there = xs.map((x, i) => `${this.x(x)},${this.y(low[i])}`);
    const back = xs.map((x, i) => `${this.x(x)},${this.y(high[i])}`).reverse();
    this.add("polygon", { class: "band", points: [...there, ...back].join(" ") });
  }

  /**
   * Draw a point with an interval and a tooltip.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} low
   * @param {number} high
   * @param {string} says
   */
  point(x, y, low, high, says) {
    this.add("line", { class: "whisker", x1: this.x(x), x2: this.x(x), y1: this.y(low), y2: this.y(high) });
    const dot = element("circle", { class: "dot", cx: this.x(x), cy: this.y(y), r: 3.5 });
    dot.append(element("title", {}, says));
    this.svg.append(dot);
  }

  /**
   * Draw a bar on the horizontal axis.
   *
   * @param {string} look
   * @param {number} x Its centre.
   * @param {number} width
   * @param {number} y Its height.
   * @param {string} says
   */
  bar(look, x, width, y, says) {
    const left = this.x(x - width / 2);
    const top = this.y(y);
    const bar = element("rect", {
      class: look,
      x: left,
      y: top,
      width: Math.max(1, this.x(x + width / 2) - left),
      height: Math.max(0, this.y(0) - top),
    });
    bar.append(element("title", {}, says));
    this.svg.append(bar);
  }
}
