/** Two arrangements side by side, each shown as a small board around a cell. */

import { make } from "../dom.js";
import { cellLook, isNumber, placeName } from "./cells.js";
import { isSquare, tilingOf } from "./tiling.js";
import { t } from "../translation.js";

/** The maximum rows and columns of a small board; more would be illegible on a card. */
const MOST = 9;

/**
 * Return the window of at most `MOST` rows or columns around a position.
 *
 * @param {number} at
 * @param {number} size The number of rows or columns of the board.
 * @returns {[number, number]} Its first index and its length.
 */
export function windowAround(at, size) {
  const length = Math.min(MOST, size);
  const first = Math.min(Math.max(0, at - Math.floor(length / 2)), size - length);
  return [first, length];
}

/**
 * Create a button with a small board for each arrangement, with its mines on the unopened cells and
 * a tint on cells that differ.
 *
 * @param {import("../game-state.js").Game} game
 * @param {import("../protocol.js").Cell} cell The cell in question, a mine in the first.
 * @param {[number[], number[]]} boards The mines of each, by index.
 * @param {number} shown The index in `boards` of the arrangement on the large board.
 * @param {(which: number) => void} choose
 * @returns {HTMLElement}
 */
export function sideBySide(game, cell, boards, shown, choose) {
  const pair = make("div");
  pair.className = "ways";
  const mines = boards.map((board) => new Set(board));
  const [top, rows] = windowAround(cell[0], game.height);
  const [left, columns] = windowAround(cell[1], game.width);
  const square = isSquare(tilingOf(game.topology));
  boards.forEach((_, which) => {
    const button = make("button");
    button.type = "button";
    button.setAttribute("aria-pressed", String(which === shown));
    const small = make("span");
    small.className = "small-board";
    small.style.setProperty("--columns", String(columns));
    for (let row = top; row < top + rows; row++) {
      for (let col = left; col < left + columns; col++) {
        const index = row * game.width + col;
        const char = game.cells[index];
        const box = make("span");
        const mined = mines[which].has(index);
        box.className = isNumber(char) ? cellLook(char) : `cell closed${mined ? " mine" : ""}`;
        box.classList.toggle("differs", mines[0].has(index) !== mines[1].has(index));
        box.classList.toggle("asked", row === cell[0] && col === cell[1]);
        small.append(box);
      }
    }
    // On boards without square cells, arrangements are shown only on the large board.
    small.hidden = !square;
    button.append(small, make("span", which ? t("Clear") : t("A mine")));
    button.title = which
      ? t("{cell} is clear: show this on the board", { cell: placeName(cell) })
      : t("{cell} is a mine: show this on the board", { cell: placeName(cell) });
    button.addEventListener("click", () => choose(which));
    pair.append(button);
  });
  return pair;
}
