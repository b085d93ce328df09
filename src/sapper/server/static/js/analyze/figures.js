/** The numbers beside the board: arrangements, proved cells, the chance to win and the best cells. */

import { placeName } from "../board/cells.js";
import { countText, riskText } from "../board/overlay.js";
import { $, make, spoken } from "../dom.js";
import { write } from "../places.js";

/** @typedef {import("./types.js").ChancesAnswer} ChancesAnswer */
/** @typedef {import("./types.js").WinsAnswer} WinsAnswer */
/** @typedef {import("./types.js").WinValue} WinValue */
/** @typedef {(value: number, digits: number) => string} Format */

/**
 * @param {WinValue} value
 * @param {Format} format
 * @returns {string} With its error where it is sampled.
 */
export function winPercent({ win_chance, kind, error }, format) {
  const digits = win_chance < 0.1 ? 2 : 1;
  const percent = format(100 * win_chance, digits);
  return kind === "sampled" ? `${percent} ± ${format(100 * (error ?? 0), digits)} %` : `${percent} %`;
}

/**
 * A chance to win, and how it is known.
 *
 * @param {WinValue} value
 * @param {Format} format
 * @returns {string}
 */
export function winText(value, format) {
  return `${winPercent(value, format)} ${value.kind}`;
}

/**
 * One line about the chances.
 *
 * @param {ChancesAnswer} answer
 * @returns {string}
 */
export function provedText({ safe, mined, exact }) {
  const cells = (/** @type {number} */ n, /** @type {string} */ what) => `${n} ${what}`;
  if (!safe && !mined) return exact ? "No cell is proved" : "No cell is proved yet";
  return [safe ? cells(safe, "safe") : "", mined ? cells(mined, mined === 1 ? "mine" : "mines") : ""]
    .filter(Boolean)
    .join(", ");
}

export class Figures {
  /** @type {Array<[string, string]>} */
  #rows = [];
  /** @type {[string, string] | null} */
  #win = null;

  /**
   * @param {Format} format
   * @param {(index: [number, number]) => void} pick A best cell was chosen.
   */
  constructor(format, pick) {
    this.format = format;
    this.pick = pick;
  }

  /**
   * @param {ChancesAnswer} answer
   * @param {number | null} left Mines that have no flag; null where the total is unknown.
   */
  showChances(answer, left) {
    const { solutions, exact } = answer;
    const count = solutions === null ? "too many to count" : countText(solutions, this.format);
    this.#rows = [
      ["Arrangements", count],
      ["Proved", provedText(answer)],
      ...(left === null ? [] : /** @type {Array<[string, string]>} */ ([["Mines without a flag", String(left)]])),
    ];
    if (!exact) this.#rows.push(["Chances", "estimated"]);
    this.#draw();
  }

  /** No arrangement fits. */
  showImpossible() {
    this.#rows = [["Arrangements", "none"]];
    this.showWin("");
  }

  /**
   * @param {WinsAnswer | string} answer Or why there is none; empty shows nothing.
   */
  showWin(answer) {
    if (typeof answer === "string") {
      this.#win = answer ? ["Win chance", answer] : null;
      $("best").replaceChildren();
      $("best-head").hidden = true;
    } else {
      this.#win = ["Win chance", winText(answer, this.format)];
      $("best-head").hidden = false;
      $("best").replaceChildren(...answer.cells.slice(0, 3).map((cell) => this.#cell(cell)));
    }
    this.#draw();
  }

  /** The position has changed: what is shown is about another one until the next answer. */
  age() {
    for (const id of ["figures", "best", "tally"]) $(id).classList.add("old");
  }

  #draw() {
    for (const id of ["figures", "best", "tally"]) $(id).classList.remove("old");
    // A phone has the list in its sheet.
    const [[, count] = ["", ""]] = this.#rows;
    const win = this.#win && /\d/.test(this.#win[1]) ? ` · win ${this.#win[1]}` : "";
    $("tally").textContent = count && `${count} arrangements${win}`;
    $("figures").replaceChildren(
      ...[...this.#rows, ...(this.#win ? [this.#win] : [])].flatMap(([name, value]) => [
        make("dt", name),
        make("dd", value),
      ]),
    );
  }

  /** @param {WinsAnswer["cells"][number]} found */
  #cell({ cell, p_mine, win_chance }) {
    const item = make("li");
    const choose = make("button");
    choose.type = "button";
    const [place, win, risk] = [make("span"), make("b"), make("small")];
    write(place, placeName(cell));
    // The button is what can be focused.
    for (const named of place.querySelectorAll(".place")) named.removeAttribute("tabindex");
    win.textContent = `${this.format(100 * win_chance, win_chance < 0.1 ? 2 : 1)} %`;
    risk.textContent = riskText(p_mine, this.format);
    choose.append(place, spoken(", "), win, spoken(" to win, "), risk, spoken(p_mine ? " mine" : ""));
    choose.addEventListener("click", () => this.pick(cell));
    item.append(choose);
    return item;
  }
}
