/** Tables of players and games. On a phone, each row becomes a few lines with labels. */

import { make } from "../dom.js";

/**
 * A column: its name, its style and the content of a row's cell.
 *
 * @template Row
 * @typedef {object} Column
 * @property {string} name
 * @property {string} [look] `number`, `place`, `who` or `links`.
 * @property {(row: Row) => string | Node} cell
 */

/**
 * @template Row
 * @param {string} caption
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 * @param {(row: Row) => string} [look] The style of a row.
 * @returns {HTMLElement}
 */
export function tableOf(caption, columns, rows, look = () => "") {
  const table = make("table");
  const said = make("caption", caption);
  said.className = "spoken";
  const head = make("tr");
  for (const { name, look: style = "" } of columns) {
    const cell = make("th", name);
    cell.scope = "col";
    cell.className = style;
    head.append(cell);
  }
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    line.className = look(row);
    for (const { name, look: style = "", cell } of columns) {
      const place = make("td");
      place.className = style;
      place.dataset.label = name;
      place.append(cell(row));
      line.append(place);
    }
    body.append(line);
  }
  const top = make("thead");
  top.append(head);
  table.append(said, top, body);
  return table;
}

/**
 * @param {string} address
 * @param {string} text
 * @param {string} [whole] The accessible name.
 * @returns {HTMLElement}
 */
export function linkTo(address, text, whole) {
  const link = make("a", text);
  link.href = address;
  if (whole) link.setAttribute("aria-label", whole);
  return link;
}
