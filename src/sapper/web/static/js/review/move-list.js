/** The list of moves with their marks. */

import { make, spoken } from "../dom.js";
import { mark } from "./kinds.js";
import { kindName, percent } from "./wording.js";
import { t, tn } from "../translation.js";

/** @typedef {import("./types.js").Decision} Decision */

export class MoveList {
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #text = "";

  /**
   * @param {HTMLElement} element An `ol`.
   * @param {(place: number) => void} jump
   */
  constructor(element, jump) {
    this.element = element;
    element.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest("button");
      if (button) jump(Number(button.dataset.from));
    });
  }

  /**
   * @param {import("./game.js").ReviewedGame} game
   * @param {boolean} every Whether to list proved moves separately.
   * @param {number} place The current position.
   */
  show(game, every, place) {
    const runs = game.groups(false);
    // A list of nothing but proved moves would be useless.
    const groups = every || runs.length < 2 ? game.groups(true) : runs;
    const text = groups.map((group) => JSON.stringify([group.length, figures(group[0])])).join();
    if (text !== this.#text) {
      this.#text = text;
      const focused = this.element.contains(document.activeElement);
      this.#buttons = groups.map((group) => (group.length > 1 ? run(group) : single(group[0])));
      this.element.replaceChildren(
        ...this.#buttons.map((button) => {
          const line = make("li");
          line.append(button);
          return line;
        }),
      );
      if (focused) this.#at(place)?.focus({ preventScroll: true });
    }
    this.move(place);
  }

  /** @param {number} place */
  #at(place) {
    return this.#buttons.find(({ dataset }) => Number(dataset.from) <= place && place <= Number(dataset.to));
  }

  /**
   * Mark the current move, and scroll the list to it.
   *
   * @param {number} place
   */
  move(place) {
    const now = this.#at(place);
    for (const button of this.#buttons) {
      if (button === now) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const { element } = this;
    if (!now || element.scrollHeight <= element.clientHeight) return;
    const [top, bottom] = [now.offsetTop - element.offsetTop, now.offsetTop - element.offsetTop + now.offsetHeight];
    if (top < element.scrollTop + 30) element.scrollTop = top - 30;
    else if (bottom > element.scrollTop + element.clientHeight - 30) element.scrollTop = bottom + 30 - element.clientHeight;
  }
}

/**
 * @param {number} from
 * @param {number} to
 * @returns {HTMLButtonElement}
 */
function entry(from, to) {
  const made = make("button");
  made.type = "button";
  [made.dataset.from, made.dataset.to] = [String(from), String(to)];
  return made;
}

/**
 * @param {Decision} decision
 * @returns {unknown[]} The content of its line.
 */
function figures({ index, cell, kind, p_mine, loss, undone, exploded }) {
  return [index, cell, kind, p_mine, loss, undone, exploded];
}

/**
 * @param {Decision} decision
 * @returns {HTMLButtonElement}
 */
function single({ index, cell, kind, p_mine, loss, undone, exploded }) {
  const made = entry(index, index);
  made.className = `move ${kind}${undone ? " undone" : ""}`;
  const [number, where, risk, lost] = ["", t("row {row}, col {column}", { row: cell[0] + 1, column: cell[1] + 1 }), "", ""].map((text) => make("span", text));
  number.append(spoken(`${t("Move")} `), String(index + 1), spoken(`, ${kindName(kind)}, `));
  where.title = kindName(kind);
  if (kind !== "proved") {
    risk.append(spoken(`, ${t("risk")} `), percent(p_mine));
    if (loss !== null) lost.append(spoken(`, ${t("points lost")} `), loss >= 0.0005 ? percent(loss).replace(/\s*%/, "") : "0");
  }
  if (exploded) lost.append(spoken(`, ${t("a mine")}`));
  if (undone) lost.append(spoken(`, ${t("undone")}`));
  made.append(number, mark(kind), where, risk, lost);
  return made;
}

/**
 * @param {Decision[]} group Proved decisions in a row.
 * @returns {HTMLButtonElement}
 */
function run(group) {
  const [from, to] = [group[0].index, group[group.length - 1].index];
  const made = entry(from, to);
  made.className = "move proved";
  const number = make("span");
  number.append(spoken(`${t("Moves")} `), `${from + 1}–${to + 1}`, spoken(", "));
  made.append(number, mark("proved"), make("span", tn("{n} proved", "{n} proved", group.length)), make("span"), make("span"));
  return made;
}
