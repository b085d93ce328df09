/**
 * The overlays of a board. Each overlay provides the marks of cells, which `coverOf` draws.
 *
 * The server sends the marks of most overlays. The marks of `states`, `chances` and `risks` are
 * computed here from chances. All cells that touch no number share one chance, so that on a board
 * of a million cells, one number replaces a million marks.
 */

import { chanceOf, inFull, noChances, percent, riskClass, takeChances } from "./chances.js";
import { t } from "../translation.js";

/** @typedef {import("./cover.js").Mark} Mark */
/** @typedef {import("./chances.js").Chance} Chance */

/**
 * @typedef {object} Marks The marks of one overlay, or of several that use the same data.
 * @property {string} type The type of the messages that contain the data.
 * @property {boolean} known Whether any data has arrived.
 * @property {(name: string) => boolean} serves Whether these are the marks of an overlay.
 * @property {(message: any, cells: string[]) => Iterable<number> | null} take Applies a message; returns the cells whose mark may have changed, or null if the message is useless.
 * @property {(name: string, index: number, char: string) => Mark | undefined} at The mark of a cell in an overlay.
 * @property {(index: number, char: string, format: import("../types.js").Format) => string} words The mark in full, for the tooltip.
 */

/** @type {Mark} */
const BLANK = { text: "", spoken: "", tint: "", heat: null };

/** Marks that are only a tint, by the tint's name. */
export const TINTED = {
  safe: { ...BLANK, tint: "safe", spoken: t("proved safe") },
  danger: { ...BLANK, tint: "danger", spoken: t("proved mine") },
  unknown: { ...BLANK, tint: "unknown", spoken: t("unknown") },
  low: { ...BLANK, tint: "low", spoken: t("low risk") },
  medium: { ...BLANK, tint: "medium", spoken: t("medium risk") },
  high: { ...BLANK, tint: "high", spoken: t("high risk") },
};

const NO_CHANCE = { ...BLANK, spoken: t("chance unknown") };

/** Descriptions of risks by percentage, because thousands of cells share a few percentages. */
const words = /** @type {Map<string, string>} */ (new Map());

/** @param {string} text The percentage, as `percent` returns it. */
function riskInWords(text) {
  const known = words.get(text) ?? t("{percent} per cent mine risk", { percent: text });
  words.set(text, known);
  return known;
}

/** The marks of cells that are not proved, by overlay. */
const DOUBTS = /** @type {Record<string, (chance: number, far: boolean, best: boolean) => Mark>} */ ({
  states: () => TINTED.unknown,
  chances(chance, far, best) {
    const text = percent(chance);
    return { text, spoken: riskInWords(text), tint: "", heat: Math.min(2 * chance, 1), far, best };
  },
  risks: (chance, far, best) => ({ ...(far ? BLANK : TINTED[riskClass(chance)]), best }),
});

/** The marks of `states`, `chances` and `risks`. @implements {Marks} */
export class ChanceMarks {
  type = "overlay";
  known = false;
  chances = noChances();

  /** @param {string} name */
  serves(name) {
    return Object.hasOwn(DOUBTS, name);
  }

  /**
   * @param {import("../protocol.js").OverlayMessage} message
   * @param {string[]} cells
   */
  take(message, cells) {
    // A difference is useless without the chances it applies to.
    if (!message.whole && !this.known) return null;
    if (message.whole) this.chances = noChances();
    this.known = true;
    return takeChances(this.chances, message, cells);
  }

  /**
   * @param {string} name
   * @param {number} index
   * @param {string} char
   * @returns {Mark | undefined}
   */
  at(name, index, char) {
    const doubt = DOUBTS[name];
    if (!doubt || !this.known) return undefined;
    const { chance, floating } = chanceOf(this.chances, index, char);
    if (chance === null) return undefined;
    if (chance === "safe") return TINTED.safe;
    if (chance === "mine") return TINTED.danger;
    if (chance === "unknown") return name === "states" ? TINTED.unknown : NO_CHANCE;
    return doubt(chance, floating, this.chances.best === index);
  }

  /**
   * @param {number} index
   * @param {string} char
   * @param {import("../types.js").Format} format
   */
  words(index, char, format) {
    return this.known ? inFull(this.chances, index, char, format) : "";
  }
}

/** The marks that the server sends for one overlay. @implements {Marks} */
export class SentMarks {
  type = "cover";
  known = false;
  /** @type {Map<number, Mark>} */
  #marks = new Map();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** @param {string} name */
  serves(name) {
    return name === this.name;
  }

  /**
   * @param {Pick<import("../protocol.js").CoverMessage, "overlay" | "whole" | "looks" | "cells">} message
   * @param {string[]} cells
   * @returns {Iterable<number> | null}
   */
  take({ overlay, whole, looks, cells: changed }, cells) {
    // A difference is useless without the marks it applies to.
    if (overlay !== this.name || (!whole && !this.known)) return null;
    if (whole) this.#marks.clear();
    this.known = true;
    for (const [index, look] of changed) {
      if (look === null) this.#marks.delete(index);
      else this.#marks.set(index, looks[look]);
    }
    return whole ? cells.keys() : changed.map(([index]) => index);
  }

  /**
   * @param {string} name
   * @param {number} index
   */
  at(name, index) {
    return this.serves(name) ? this.#marks.get(index) : undefined;
  }

  /** @param {number} index */
  words(index) {
    return this.#marks.get(index)?.spoken ?? "";
  }
}

const KABOOM = /** @type {Record<string, Mark>} */ ({
  ".": { ...TINTED.safe, text: "•" },
  "!": { ...TINTED.danger, text: "!" },
  "?": { ...TINTED.unknown, text: "?" },
});

/** The marks of Kaboom's debug view. @implements {Marks} */
export class KaboomMarks {
  type = "marks";
  known = false;
  #marks = "";

  /** @param {string} name */
  serves(name) {
    return name === "marks";
  }

  /**
   * @param {Pick<import("../protocol.js").MarksMessage, "marks">} message
   * @param {string[]} cells
   */
  take({ marks }, cells) {
    this.known = true;
    this.#marks = marks;
    return cells.keys();
  }

  /**
   * @param {string} name
   * @param {number} index
   */
  at(name, index) {
    return this.serves(name) ? KABOOM[this.#marks[index]] : undefined;
  }

  words() {
    return "";
  }
}

/**
 * @param {string} name
 * @param {import("../protocol.js").OverlayChoice[]} overlays The overlays in the menu.
 * @returns {Marks} The marks of an overlay, without data.
 */
export function marksFor(name, overlays) {
  if (name === "marks") return new KaboomMarks();
  const sent = overlays.some((each) => each.name === name && !each.compact);
  return sent ? new SentMarks(name) : new ChanceMarks();
}
