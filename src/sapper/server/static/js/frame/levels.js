/** The levels above the board, and the fields of a custom level. */

import { $, input, make } from "../dom.js";
import { levelNumbers, levelProblem, nameLabel } from "./labels.js";
import { partsOf } from "./shapes.js";
import { t, tn } from "../translation.js";

/** @typedef {{width: number, height: number, mines: number | null, density: number | null}} Numbers */

export class Levels {
  #custom = false;
  /** The last requested level, so that dragging a slider requests each only once. */
  #asked = "";

  /**
   * @param {import("../game-state.js").GameState} state
   * @param {(size: string) => void} choose Called with a level without a shape.
   */
  constructor(state, choose) {
    this.state = state;
    this.choose = choose;
    $("level").addEventListener("change", ({ target }) => {
      this.#pick(/** @type {HTMLInputElement} */ (target).value);
    });
    $("custom").addEventListener("submit", (event) => event.preventDefault());
    $("custom-numbers").addEventListener("keydown", ({ key }) => {
      if (key === "Enter") this.#enter();
    });
    // Checked when the last field is entered, not before.
    $("custom-numbers").addEventListener("focusout", ({ relatedTarget }) => {
      if (!$("custom-numbers").contains(/** @type {Node | null} */ (relatedTarget))) this.#enter();
    });
    $("custom-sliders").addEventListener("input", () => this.#slide());
    input("by-density").addEventListener("change", () => this.#switch());
  }

  /** Show the level of the next game. */
  refresh() {
    const { menu, settings } = this.state;
    if (!menu || !settings.level) return;
    if (!$("level").childElementCount) this.#build(menu.levels);
    const { size } = partsOf(settings.level);
    this.#asked = size;
    const preset = menu.levels.some(({ name }) => name === size);
    const custom = this.#custom || !preset;
    for (const radio of $("level").querySelectorAll("input")) {
      radio.checked = radio.value === (custom ? "custom" : size);
    }
    $("custom").hidden = !custom;
    // Do not overwrite a field in use.
    if (!custom || $("custom").contains(document.activeElement)) return;
    this.#fill(levelNumbers(size, menu.levels));
  }

  /**
   * Show what is wrong with the requested level.
   *
   * @param {string} text Empty removes the message.
   */
  complain(text) {
    $("custom-error").textContent = text;
    $("custom-error").hidden = !text;
  }

  /** @param {import("../protocol.js").Level[]} levels */
  #build(levels) {
    const names = [...levels.map(({ name }) => name), "custom"];
    $("level").replaceChildren(
      ...names.map((name) => {
        const label = make("label");
        const radio = make("input");
        [radio.type, radio.name, radio.value] = ["radio", "level", name];
        label.append(radio, nameLabel(name));
        const found = levels.find((level) => level.name === name);
        label.title = found
          ? tn("{size}, {n} mine", "{size}, {n} mines", found.mines, { size: `${found.width}×${found.height}` })
          : t("Custom size");
        return label;
      }),
    );
  }

  /** @param {string} name */
  #pick(name) {
    this.complain("");
    this.#custom = name === "custom";
    if (!this.#custom) return this.choose(name);
    this.refresh();
    if (!input("by-density").checked) input("custom-width").focus();
  }

  /** @param {Numbers} numbers */
  #fill({ width, height, mines, density }) {
    const sliding = density !== null;
    input("by-density").checked = sliding;
    this.#arrange(sliding);
    const cells = width * height;
    input("custom-width").value = String(width);
    input("custom-height").value = String(height);
    input("custom-mines").value = String(mines ?? Math.round(cells * (density ?? 0)));
    input("slide-width").value = String(width);
    input("slide-height").value = String(height);
    input("slide-density").value = String(Math.round(200 * (density ?? (mines ?? 0) / cells)) / 2);
    this.#write();
  }

  /** @param {boolean} sliding Whether to show sliders instead of fields. */
  #arrange(sliding) {
    $("custom-numbers").hidden = sliding;
    $("custom-sliders").hidden = !sliding;
  }

  /** Convert the mine total to a density, or back. */
  #switch() {
    const sliding = input("by-density").checked;
    this.complain("");
    const [width, height] = ["width", "height"].map((name) =>
      Number(input(`${sliding ? "custom" : "slide"}-${name}`).value),
    );
    const mines = Number(input("custom-mines").value);
    const density = Number(input("slide-density").value) / 100;
    this.#fill(
      sliding
        ? { width, height, mines: null, density: Math.round((200 * mines) / (width * height)) / 200 }
        : { width, height, mines: Math.round(width * height * density), density: null },
    );
    if (sliding) this.#slide();
    else this.#enter();
  }

  /** Request the level in the fields, or show the first problem. */
  #enter() {
    if (input("by-density").checked) return;
    const [width, height, mines] = ["width", "height", "mines"].map((name) => input(`custom-${name}`).valueAsNumber);
    const { menu, settings } = this.state;
    const rules = menu?.rules.find(({ name }) => name === settings.rules);
    const problem = levelProblem({ width, height, mines }, rules?.max_cells ?? 10_000, settings.first_click);
    this.complain(problem?.text ?? "");
    for (const name of ["width", "height", "mines"]) {
      input(`custom-${name}`).setAttribute("aria-invalid", String(problem?.field === name));
    }
    if (!problem) this.#ask(`${width}x${height}:${mines}`);
  }

  /** Request the level of the sliders while they move. */
  #slide() {
    this.#write();
    const [width, height, density] = ["width", "height", "density"].map((name) => Number(input(`slide-${name}`).value));
    this.#ask(`${width}x${height}@${density / 100}`);
  }

  /** @param {string} level */
  #ask(level) {
    if (level === this.#asked) return;
    this.#asked = level;
    this.choose(level);
  }

  /** Show the value of each slider. */
  #write() {
    $("slide-width-text").textContent = input("slide-width").value;
    $("slide-height-text").textContent = input("slide-height").value;
    $("slide-density-text").textContent = `${input("slide-density").value} %`;
  }
}
