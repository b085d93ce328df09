/** The card for a cell, with the consequences of each number that it may show. */

import { placeName } from "../board/cells.js";
import { make } from "../dom.js";
import { capitalized } from "../sentence.js";
import { winPercent } from "./figures.js";
import { t } from "../translation.js";

/** @typedef {import("./types.js").CellAnswer} CellAnswer */

const KINDS = /** @type {Record<string, string>} */ ({
  exact: t("exact"),
  sampled: t("sampled"),
  estimated: t("estimated"),
});

const WINS = /** @type {Record<string, string>} */ ({
  exact: t("Win, exact"),
  sampled: t("Win, sampled"),
  estimated: t("Win, estimated"),
});

/**
 * Show the possible contents of a cell.
 *
 * @param {import("../frame/card.js").Card} card
 * @param {[number, number]} cell
 * @param {string} chance Its chance in words.
 * @param {CellAnswer | string | null} answer A string gives the reason why there is none; null while waiting.
 * @param {(value: number, digits: number) => string} format
 */
export function showCell(card, cell, chance, answer, format) {
  const name = placeName(cell);
  const heading = capitalized(name);
  card.show("cell", heading, typeof answer === "string" ? answer : chance);
  if (!answer || typeof answer === "string") return;
  const table = make("table");
  table.className = "outcomes";
  const head = make("tr");
  const values = answer.outcomes.flatMap(({ number, value }) => (number !== null && value ? [value] : []));
  const kinds = new Set(values.map(({ kind }) => kind));
  const valued = values.length > 0;
  const win = (kinds.size === 1 && WINS[[...kinds][0]]) || t("Win then");
  for (const title of [t("Shows"), t("Chance"), t("Safe then"), ...(valued ? [win] : [])]) {
    const column = make("th", title);
    column.scope = "col";
    head.append(column);
  }
  table.createTHead().append(head);
  const body = table.createTBody();
  for (const outcome of answer.outcomes) body.append(row(outcome, valued, kinds.size > 1, format));
  card.element.append(table);
}

/**
 * @param {CellAnswer["outcomes"][number]} outcome
 * @param {boolean} valued Whether there is a column for the chance of winning.
 * @param {boolean} mixed Whether the chances are of several kinds, so that each is labelled.
 * @param {(value: number, digits: number) => string} format
 * @returns {HTMLElement}
 */
function row({ number, chance, safe, value }, valued, mixed, format) {
  const line = make("tr");
  const shows = make("th");
  shows.scope = "row";
  const glyph = make("span");
  glyph.className = number === null ? "glyph glyph-mine" : `glyph glyph-n${number}`;
  glyph.setAttribute("role", "img");
  glyph.setAttribute("aria-label", number === null ? t("a mine") : String(number));
  shows.append(glyph);
  const percent = make("td");
  const bar = make("i");
  bar.style.setProperty("--part", String(chance));
  percent.append(bar, make("span", chanceText(chance, format)));
  line.append(shows, percent, make("td", number === null ? "–" : String(safe)));
  if (valued) {
    const win = make("td", number === null ? t("lost") : value ? winPercent(value, format) : "–");
    if (mixed && number !== null && value) win.append(make("small", KINDS[value.kind] ?? value.kind));
    line.append(win);
  }
  return line;
}

/**
 * @param {number} chance
 * @param {(value: number, digits: number) => string} format
 * @returns {string}
 */
function chanceText(chance, format) {
  const percent = 100 * chance;
  if (percent > 0 && percent < 0.01) return "<0.01 %";
  return t("{share} %", { share: format(percent, percent < 1 ? 2 : 1) });
}
