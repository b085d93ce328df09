/** The figures beside the board: arrangements, proved cells, the win chance and the best cells. */

import { placeName } from "../board/cells.js";
import { countText, riskText } from "../board/chances.js";
import { $, make, spoken } from "../dom.js";
import { write } from "../places.js";
import { listed } from "../sentence.js";
import { rangeText } from "../share-range.js";
import { t, tn } from "../translation.js";

/** @typedef {import("./types.js").ChancesAnswer} ChancesAnswer */
/** @typedef {import("./types.js").WinsAnswer} WinsAnswer */
/** @typedef {import("./types.js").WinValue} WinValue */
/** @typedef {(value: number, digits: number) => string} Format */

/**
 * @param {WinValue} value
 * @param {Format} format
 * @returns {string} With its error if it is sampled.
 */
export function winPercent({ win_chance, kind, error }, format) {
  const digits = win_chance < 0.1 ? 2 : 1;
  const percent = format(100 * win_chance, digits);
  if (kind !== "sampled") return t("{share} %", { share: percent });
  const range = rangeText(win_chance, error ?? 0, (value) => format(value, digits));
  const share = range ?? `${percent}\u00A0±\u00A0${format(100 * (error ?? 0), digits)}`;
  return t("{share} %", { share });
}

/**
 * A win chance, and how it was computed.
 *
 * @param {WinValue} value
 * @param {Format} format
 * @returns {string}
 */
export function winText(value, format) {
  const share = winPercent(value, format);
  return KINDS[value.kind]?.(share) ?? share;
}

/**
 * Describe the chances in one line.
 *
 * @param {ChancesAnswer} answer
 * @returns {string}
 */
export function provedText({ safe, mined, exact }) {
  if (!safe && !mined) return exact ? t("No cell is proved") : t("No cell is proved yet");
  const parts = [safe && tn("{n} safe", "{n} safe", safe), mined && tn("{n} mine", "{n} mines", mined)];
  return listed(parts.filter(Boolean));
}

/** How a win chance was computed. */
const KINDS = /** @type {Record<string, (share: string) => string>} */ ({
  exact: (share) => t("{share} exact", { share }),
  sampled: (share) => t("{share} sampled", { share }),
  estimated: (share) => t("{share} estimated", { share }),
});

export class Figures {
  /** @type {Array<[string, string]>} */
  #rows = [];
  /** @type {[string, string] | null} */
  #win = null;

  /**
   * @param {Format} format
   * @param {(index: [number, number]) => void} pick Called when a best cell is chosen.
   */
  constructor(format, pick) {
    this.format = format;
    this.pick = pick;
  }

  /**
   * @param {ChancesAnswer} answer
   * @param {number | null} left The number of mines without a flag; null if the total is unknown.
   */
  showChances(answer, left) {
    const { solutions, exact } = answer;
    const count = solutions === null ? t("too many to count") : countText(solutions, this.format);
    this.#rows = [
      [t("Arrangements"), count],
      [t("Proved"), provedText(answer)],
      ...(left === null ? [] : /** @type {Array<[string, string]>} */ ([[t("Mines without a flag"), String(left)]])),
    ];
    if (!exact) this.#rows.push([t("Chances"), t("estimated")]);
    this.#draw();
  }

  /** Show that no arrangement fits. */
  showImpossible() {
    this.#rows = [[t("Arrangements"), t("none")]];
    this.showWin("");
  }

  /** @param {WinsAnswer | string} answer A string gives the reason why there is none; empty shows nothing. */
  showWin(answer) {
    if (typeof answer === "string") {
      this.#win = answer ? [t("Win chance"), answer] : null;
      $("best").replaceChildren();
      $("best-head").hidden = true;
    } else {
      this.#win = [t("Win chance"), winText(answer, this.format)];
      $("best-head").hidden = false;
      $("best").replaceChildren(...answer.cells.slice(0, 3).map((cell) => this.#cell(cell)));
    }
    this.#draw();
  }

  /** The position has changed, so the values belong to the old one until the next answer. */
  age() {
    for (const id of ["figures", "best", "tally"]) $(id).classList.add("old");
  }

  #draw() {
    for (const id of ["figures", "best", "tally"]) $(id).classList.remove("old");
    // On a phone, the list is in the sheet.
    const [[, count] = ["", ""]] = this.#rows;
    const win = this.#win && /\d/.test(this.#win[1]) ? ` · ${t("win {share}", { share: this.#win[1] })}` : "";
    $("tally").textContent = count && `${t("Arrangements: {count}", { count })}${win}`;
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
    // Only the button can be focused.
    for (const named of place.querySelectorAll(".place")) named.removeAttribute("tabindex");
    win.textContent = t("{share} %", { share: this.format(100 * win_chance, win_chance < 0.1 ? 2 : 1) });
    risk.textContent = riskText(p_mine, this.format);
    choose.append(place, spoken(", "), win, spoken(` ${t("to win")}, `), risk, spoken(p_mine ? ` ${t("mine")}` : ""));
    choose.addEventListener("click", () => this.pick(cell));
    item.append(choose);
    return item;
  }
}
