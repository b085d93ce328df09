/** The table of patterns that the player missed and found. */

import { make } from "../dom.js";
import { number, t } from "../translation.js";

/** The number of patterns shown at first. */
const MOST = 10;

/**
 * @param {import("./types.js").PatternRow[]} rows The most missed first.
 * @returns {HTMLTableElement}
 */
export function patternTable(rows) {
  const table = make("table");
  table.setAttribute("aria-label", t("Patterns"));
  const head = make("tr");
  const names = [t("Pattern"), t("Missed"), t("Found"), t("Time to see it")];
  head.append(...names.map((name, at) => heading(name, at > 0)));
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  body.append(...rows.slice(0, MOST).map((row) => line(row, names)));
  table.append(top, body);
  return table;
}

/**
 * @param {string} name
 * @param {boolean} isFigure
 */
function heading(name, isFigure) {
  const made = make("th", name);
  made.scope = "col";
  made.classList.toggle("number", isFigure);
  return made;
}

/**
 * @param {import("./types.js").PatternRow} row
 * @param {string[]} names
 */
function line({ pattern, name, missed, seen, seconds }, names) {
  const row = make("tr");
  const first = make("td");
  first.className = "when";
  const link = make("a", name);
  link.href = `/learn/patterns#${pattern}`;
  first.append(link);
  const time = seconds === null ? "–" : t("{time} s", { time: number(seconds, 1) });
  const figures = [number(missed), number(seen), time].map((text, at) => {
    const cell = make("td", text);
    cell.className = "number";
    cell.dataset.label = names[at + 1];
    return cell;
  });
  row.append(first, ...figures);
  return row;
}
