/** The palette of tools, which determine the effect of a click. */

import { charOf } from "../board/cells.js";
import { mostNeighbours, tilingOf } from "../board/tiling.js";
import { $ } from "../dom.js";
import { t } from "../translation.js";

/**
 * @typedef {object} Tool
 * @property {string} name The name shown to the player.
 * @property {string} look The classes of its picture.
 * @property {string | null} char The character it draws; null draws nothing.
 * @property {string} key Empty for numbers of two digits.
 */

/** @type {Record<string, Tool>} */
export const TOOLS = {
  look: { name: t("Examine cells"), look: "pointer", char: null, key: "L" },
  open: { name: t("Open cells, mines as shown"), look: "hand", char: null, key: "O" },
  unopened: { name: t("Unopened"), look: "cell closed", char: ".", key: "." },
  ...Object.fromEntries(
    Array.from({ length: 13 }, (_, number) => [
      `n${number}`,
      {
        name: String(number),
        look: number ? `cell open n${number}` : "cell open",
        char: charOf(number),
        key: number < 10 ? String(number) : "",
      },
    ]),
  ),
  flag: { name: t("Flag"), look: "cell closed flag", char: "F", key: "F" },
  erase: { name: t("Erase"), look: "eraser", char: ".", key: "⌫" },
};

const PICTURES = /** @type {Record<string, string>} */ ({
  pointer: "m6 3 12 9-6 1 3 6-2.5 1.2-3-6L6 18Z",
  hand: "M8 13V5.5a1.5 1.5 0 0 1 3 0V11V9.5a1.5 1.5 0 0 1 3 0V11v-.5a1.5 1.5 0 0 1 3 0V15c0 4-2 6-5 6s-4-1-6-5l-1.5-3c1-1 2.5-.5 3.5 0Z",
  eraser: "m9 19-5-5L14 4l6 6-9 9Zm0 0h11M9 9l6 6",
});

/**
 * @param {string} key The key that was pressed.
 * @returns {string | null} The tool that the key selects.
 */
export function toolOf(key) {
  if (key === "Backspace" || key === "Delete") return "erase";
  const name = key.length === 1 ? key.toUpperCase() : key;
  return Object.keys(TOOLS).find((tool) => TOOLS[tool].key === name) ?? null;
}

export class Palette {
  /** @type {Map<string, HTMLInputElement>} */
  #inputs = new Map();

  /** @param {(tool: string) => void} changed */
  constructor(changed) {
    for (const [id, { name, look, key }] of Object.entries(TOOLS)) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "radio", name: "tool", value: id, checked: id === "look" });
      input.setAttribute("aria-label", /^\d+$/.test(name) ? t("Number {number}", { number: name }) : name);
      input.addEventListener("change", () => changed(id));
      const picture = document.createElement("span");
      picture.className = `tool ${look}`;
      picture.setAttribute("aria-hidden", "true");
      if (PICTURES[look]) picture.innerHTML = `<svg viewBox="0 0 24 24"><path d="${PICTURES[look]}" /></svg>`;
      label.title = key ? `${name} (${key})` : name;
      label.append(input, picture);
      this.#inputs.set(id, input);
      $("tools").append(label);
    }
    this.allow("open", false);
  }

  /**
   * Offer the numbers that are possible on a board.
   *
   * @param {string} topology
   */
  offer(topology) {
    // All boards with square cells have the same palette.
    const most = Math.max(8, mostNeighbours(tilingOf(topology)));
    for (const [id, input] of this.#inputs) {
      const number = /^n(\d+)$/.exec(id);
      if (!number) continue;
      const label = /** @type {HTMLElement} */ (input.parentElement);
      label.hidden = Number(number[1]) > most;
      this.allow(id, !label.hidden);
    }
  }

  /** @returns {string} The chosen tool. */
  get tool() {
    for (const [id, input] of this.#inputs) if (input.checked) return id;
    return "look";
  }

  set tool(id) {
    const input = this.#inputs.get(id);
    if (input && !input.disabled) input.checked = true;
  }

  /**
   * @param {string} id
   * @param {boolean} allowed
   */
  allow(id, allowed) {
    const input = this.#inputs.get(id);
    if (!input) return;
    input.disabled = !allowed;
    if (!allowed && input.checked) this.tool = "look";
  }
}
