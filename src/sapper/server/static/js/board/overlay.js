/** The chances, states and marks that lie over unopened cells. */

import { isUnopened } from "./cells.js";

/** How many steps the scale of chances has. */
export const STEPS = 10;

/**
 * @typedef {object} Chances
 * @property {Map<number, number>} p Each unopened cell's chance of a mine, from 0 to 1.
 * @property {Set<number>} safe Proved.
 * @property {Set<number>} mined Proved.
 * @property {string | null} solutions How many arrangements fit; null if not counted.
 * @property {boolean} exact
 */

/**
 * Put the chances of a message to the cells they belong to.
 *
 * @param {any} message
 * @param {string[]} cells The board at the message's turn.
 * @returns {Chances}
 */
export function readChances(message, cells) {
  const p = new Map();
  let at = 0;
  cells.forEach((char, index) => {
    if (isUnopened(char)) p.set(index, message.p[at++]);
  });
  const { solutions, exact } = message;
  return { p, safe: new Set(message.safe), mined: new Set(message.mined), solutions, exact };
}

/**
 * A chance as a cell shows it: whole per cent, and never a 0 or 100 that is not proved.
 *
 * @param {number} p
 * @returns {string}
 */
export function percent(p) {
  const rounded = Math.round(100 * p);
  if (rounded <= 0) return "<1";
  if (rounded >= 100) return ">99";
  return String(rounded);
}

/**
 * @param {number} p
 * @returns {number} Where a chance stands on the scale, from 0 to `STEPS - 1`.
 */
export function step(p) {
  return Math.max(0, Math.min(STEPS - 1, Math.floor(p * STEPS)));
}

/** A chance arrives with six digits, and a third is less than a third then. */
const ROUNDED = 1e-6;

/**
 * @param {number} p
 * @returns {"low" | "medium" | "high"} The class of a risk: low below 1/5, high from 1/3.
 */
export function riskClass(p) {
  if (p >= 1 / 3 - ROUNDED) return "high";
  return p >= 1 / 5 - ROUNDED ? "medium" : "low";
}

/**
 * How an overlay shows one unopened cell.
 *
 * @param {"none" | "states" | "chances" | "risks"} kind
 * @param {Chances} chances
 * @param {number} index
 * @param {string} char What the cell shows.
 * @returns {{look: string, text: string}} Classes to add, and what to write.
 */
export function overlayOn(kind, chances, index, char) {
  const p = chances.p.get(index);
  if (kind === "none" || p === undefined || !isUnopened(char)) return { look: "", text: "" };
  const marked = char !== "." ? " marked" : "";
  if (chances.safe.has(index)) return { look: `state safe${marked}`, text: "" };
  if (chances.mined.has(index)) return { look: `state danger${marked}`, text: "" };
  if (kind === "risks") return { look: `state ${riskClass(p)}${marked}`, text: "" };
  if (kind === "states") return { look: `state unknown${marked}`, text: "" };
  return { look: `heat heat-${step(p)}`, text: marked ? "" : percent(p) };
}

/** Kaboom's marks: the classes of each, and what it writes. */
const MARKS = /** @type {Record<string, {look: string, text: string}>} */ ({
  ".": { look: "safe", text: "•" },
  "!": { look: "danger", text: "!" },
  "?": { look: "unknown", text: "?" },
});

/**
 * How Kaboom's debug view shows one unopened cell.
 *
 * @param {string} marks One character a cell.
 * @param {number} index
 * @param {string} char What the cell shows.
 * @returns {{look: string, text: string}} Classes to add, and what to write.
 */
export function markOn(marks, index, char) {
  const mark = MARKS[marks[index]];
  if (!mark || !isUnopened(char)) return { look: "", text: "" };
  // A flag or question mark keeps its place; the mark goes to the corner.
  if (char !== ".") return { look: `state ${mark.look} marked`, text: "" };
  return { look: `note ${mark.look}`, text: mark.text };
}

/**
 * One cell's chance in full: three digits, and the counts while they can be read.
 *
 * @param {Chances} chances
 * @param {number} index
 * @param {(value: number, digits: number) => string} format Writes a number for the reader.
 * @returns {string}
 */
export function inFull(chances, index, format) {
  const p = chances.p.get(index);
  if (p === undefined) return "";
  const total = Number(chances.solutions);
  const count = chances.solutions === null ? "" : ` · ${counts(p, total, format)}`;
  if (chances.safe.has(index)) return `proved safe${count}`;
  if (chances.mined.has(index)) return `proved mine${count}`;
  const about = chances.exact ? "" : "about ";
  return `${about}${threeDigits(100 * p, format)} % mine${count}`;
}

/**
 * @param {number} value
 * @param {(value: number, digits: number) => string} format
 * @returns {string} At least three digits that count.
 */
function threeDigits(value, format) {
  return format(value, value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/**
 * @param {number} p
 * @param {number} total
 * @param {(value: number, digits: number) => string} format
 * @returns {string}
 */
function counts(p, total, format) {
  if (total < 1e5) return `${format(Math.round(p * total), 0)} of ${format(total, 0)} arrangements`;
  return `of ${total < 1e15 ? format(total, 0) : power(total)} arrangements`;
}

/**
 * @param {number} value
 * @returns {string} `1.23×10⁴⁵`
 */
function power(value) {
  const [lead, exponent] = value.toExponential(2).split("e");
  const raised = [...String(Number(exponent))].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("");
  return `${lead} × 10${raised}`;
}
