/**
 * Images of cells for a canvas, drawn from the page's style sheets.
 *
 * The classes are set on a hidden cell and its computed style is painted, so that a canvas supports
 * every look, palette and theme without defining it twice.
 */

import { make } from "../../dom.js";

/** The size of a glyph in the sprite; see `glyphs.js`. */
const GLYPH = 16;

const SHADOW = /((?:rgba?|hsla?|oklab|oklch|lab|lch|color)\([^)]*\)|#\w+) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px inset/g;

export class Stamps {
  /** @type {Map<string, HTMLCanvasElement>} */
  #stamps = new Map();
  /** @type {HTMLElement[]} One cell of each tint of the modern look. */
  #probes = [];
  /** @type {HTMLImageElement | null} */
  #sprite = null;
  #url = "";
  #cell = 0;
  #ratio = 1;

  /**
   * @param {Element} ground The element below the cells.
   * @param {() => void} changed Called when all cells look different.
   */
  constructor(ground, changed) {
    this.ground = ground;
    this.changed = changed;
    this.host = make("div");
    this.host.className = "grid probe";
    this.host.setAttribute("aria-hidden", "true");
    for (let r = 0; r < 2; r++) {
      const row = make("div");
      row.setAttribute("role", "row");
      for (let c = 0; c < 2; c++) {
        const cell = make("div");
        this.#probes.push(cell);
        row.append(cell);
      }
      this.host.append(row);
    }
    new MutationObserver(() => requestAnimationFrame(() => this.reset())).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-look", "data-palette", "data-dark", "data-theme"],
    });
  }

  /** @returns {number} The size of a cell in screen pixels. */
  get size() {
    return Math.round(this.#cell * this.#ratio);
  }

  /**
   * @param {number} cell The size of a cell.
   * @param {number} bevel The width of its bevel.
   * @param {number} ratio Screen pixels per pixel.
   */
  resize(cell, bevel, ratio) {
    if (cell === this.#cell && ratio === this.#ratio) return;
    [this.#cell, this.#ratio] = [cell, ratio];
    this.host.style.setProperty("--cell", `${cell}px`);
    this.host.style.setProperty("--bevel", `${bevel}px`);
    this.reset();
  }

  /** Discard all images when the page's look changes. */
  reset() {
    this.#stamps.clear();
    this.#load();
    this.changed();
  }

  /** Load the glyph sprite at the size of the cells. */
  #load() {
    const [probe] = this.#probes;
    probe.className = "cell open n1";
    const [, data] = /url\("data:image\/svg\+xml,([^"]*)"\)/.exec(getComputedStyle(probe).backgroundImage) ?? [];
    if (!data || !this.size) return;
    const scale = this.size / GLYPH;
    const svg = decodeURIComponent(data).replace(
      /width="(\d+)" height="\d+"/,
      (_, width) => `width="${width * scale}" height="${this.size}"`,
    );
    const url = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    if (url === this.#url) return;
    this.#url = url;
    const image = new Image();
    image.onload = () => {
      if (this.#url !== url) return;
      this.#sprite = image;
      this.#stamps.clear();
      this.changed();
    };
    image.src = url;
  }

  /**
   * @param {string} look The classes of the cell.
   * @param {string} text The text on it.
   * @param {number} odd 1 for a cell of the other checker tint, else 0.
   * @returns {HTMLCanvasElement}
   */
  of(look, text, odd) {
    const key = `${look}|${text}|${odd}`;
    let stamp = this.#stamps.get(key);
    if (!stamp) {
      stamp = this.#paint(look, text, odd);
      this.#stamps.set(key, stamp);
    }
    return stamp;
  }

  /**
   * @param {string} look The classes of a cell.
   * @returns {{background: string, ink: string}} Its colours, for a map.
   */
  colours(look) {
    const [probe] = this.#probes;
    probe.className = look;
    const style = getComputedStyle(probe);
    const digit = /\bn(\d)\b/.exec(look)?.[1];
    const ink = look.includes("flag") ? "--flag" : look.includes("mine") ? "--mine" : look.includes("closed") ? "--shade" : digit ? `--n${digit}` : "";
    return { background: style.backgroundColor, ink: ink && style.getPropertyValue(ink).trim() };
  }

  /**
   * @param {string} look
   * @param {string} text
   * @param {number} odd
   */
  #paint(look, text, odd) {
    const { size } = this;
    const canvas = make("canvas");
    [canvas.width, canvas.height] = [size, size];
    const pen = canvas.getContext("2d");
    if (!pen) return canvas;
    const probe = this.#probes[odd];
    probe.className = look;
    const style = getComputedStyle(probe);
    const px = (/** @type {string} */ length) => Math.round(parseFloat(length) * this.#ratio) || 0;
    // The ground is visible around rounded corners.
    pen.fillStyle = getComputedStyle(this.ground).backgroundColor;
    pen.fillRect(0, 0, size, size);
    pen.save();
    pen.beginPath();
    pen.roundRect(0, 0, size, size, px(style.borderTopLeftRadius));
    pen.clip();
    pen.fillStyle = style.backgroundColor;
    pen.fillRect(0, 0, size, size);
    border(pen, size, style, px);
    for (const shadow of [...style.boxShadow.matchAll(SHADOW)].reverse()) inset(pen, size, shadow, px);
    this.#glyphs(pen, style);
    pen.restore();
    outline(pen, size, style, px);
    if (text) {
      pen.font = `${style.fontWeight} ${px(style.fontSize)}px ${style.fontFamily}`;
      pen.fillStyle = style.color;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(text, size / 2, size / 2 + size * 0.03);
    }
    return canvas;
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {CSSStyleDeclaration} style
   */
  #glyphs(pen, style) {
    if (!this.#sprite || style.backgroundImage === "none") return;
    const { size } = this;
    for (const at of style.backgroundPosition.split(",").reverse()) {
      const place = Math.round(-parseFloat(at) / this.#cell);
      if (place > 0) pen.drawImage(this.#sprite, place * size, 0, size, size, 0, 0, size, size);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {CSSStyleDeclaration} style
 * @param {(length: string) => number} px
 */
function border(pen, size, style, px) {
  const wide = px(style.borderTopWidth);
  if (!wide) return;
  const far = size - wide;
  /** @type {Array<[string, number[]]>} */
  const sides = [
    [style.borderTopColor, [0, 0, size, 0, far, wide, wide, wide]],
    [style.borderLeftColor, [0, 0, wide, wide, wide, far, 0, size]],
    [style.borderBottomColor, [0, size, wide, far, far, far, size, size]],
    [style.borderRightColor, [size, 0, size, size, far, far, far, wide]],
  ];
  for (const [colour, points] of sides) {
    pen.fillStyle = colour;
    pen.beginPath();
    for (let i = 0; i < points.length; i += 2) pen.lineTo(points[i], points[i + 1]);
    pen.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {RegExpMatchArray} shadow
 * @param {(length: string) => number} px
 */
function inset(pen, size, [, colour, dx, dy, , spread], px) {
  const [x, y, wide] = [px(dx), px(dy), px(spread)];
  pen.fillStyle = colour;
  pen.beginPath();
  pen.rect(0, 0, size, size);
  pen.rect(x + wide, y + wide, size - 2 * wide, size - 2 * wide);
  pen.fill("evenodd");
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {CSSStyleDeclaration} style
 * @param {(length: string) => number} px
 */
function outline(pen, size, style, px) {
  const wide = px(style.outlineWidth);
  if (style.outlineStyle === "none" || !wide) return;
  const at = -px(style.outlineOffset) - wide / 2;
  pen.strokeStyle = style.outlineColor;
  pen.lineWidth = wide;
  if (style.outlineStyle === "dashed") pen.setLineDash([3 * wide, 2 * wide]);
  pen.strokeRect(at, at, size - 2 * at, size - 2 * at);
}
