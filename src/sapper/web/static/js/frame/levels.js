/** The levels above the board, and the fields for a custom level. */

import { $, input, make, select } from "../dom.js";
import { MOST_ELEMENTS } from "../board/cells.js";
import { pressedKey } from "../input/pressed-key.js";
import { nameLabel } from "../menu.js";
import { levelNumbers, levelProblem } from "./level-numbers.js";
import { partsOf } from "./shapes.js";
import { number, t, tn } from "../translation.js";

/** The sizes offered for levels by density. */
const SIZES = ["9x9", "16x16", "30x16", "60x40", "100x100", "300x300", "1000x1000"];

/** The maximum values of the sliders. */
const SLIDERS = [60, 40];

/** The levels with approximately these densities, in percent. */
const DENSITIES = /** @type {Record<string, string>} */ ({ 12: "beginner", 16: "intermediate", 21: "expert" });

/** @typedef {{width: number, height: number, mines: number | null, density: number | null}} Numbers */

export class Levels {
  #custom = false;
  /** Columns and rows of a level by density. */
  #size = [9, 9];
  /** The last requested level, so that dragging a slider requests each level only once. */
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
    $("custom-numbers").addEventListener("keydown", (event) => {
      if (pressedKey(event) === "Enter") this.#enter();
    });
    // A custom level is checked when the focus leaves its fields.
    $("custom-numbers").addEventListener("focusout", ({ relatedTarget }) => {
      if (!$("custom-numbers").contains(/** @type {Node | null} */ (relatedTarget))) this.#enter();
    });
    $("custom-sliders").addEventListener("input", ({ target }) => this.#slide(/** @type {HTMLElement} */ (target)));
    input("by-density").addEventListener("change", () => this.#switch());
  }

  /** Show the current game's level, whatever is selected. */
  revert() {
    this.#custom = false;
    this.refresh();
  }

  /** Show the current game's level and the numbers of the next game. */
  refresh() {
    const { menu, settings } = this.state;
    if (!menu || !settings.level) return;
    // The page contains the usual levels as disabled buttons, to reserve space for them.
    if ($("level").querySelector("input:disabled")) this.#build(menu.levels);
    const { size } = partsOf(settings.level);
    const playing = this.#playing ?? size;
    const own = playing === size;
    // After a game with another level, choosing the next game's level again starts it.
    this.#asked = own ? size : "";
    const preset = menu.levels.some(({ name }) => name === size);
    const custom = this.#custom || (own && !preset);
    for (const radio of $("level").querySelectorAll("input")) {
      radio.checked = radio.value === (custom ? "custom" : playing);
    }
    $("custom").hidden = !custom;
    this.#bound();
    // Do not overwrite a field while it is being edited.
    if (!custom || $("custom").contains(document.activeElement)) return;
    this.#fill(levelNumbers(size, menu.levels));
  }

  /**
   * @returns {string | null} The level of the game on the board, without its shape; a daily board has none.
   */
  get #playing() {
    const { game } = this.state;
    if (!game) return null;
    return game.day ? "" : partsOf(game.settings.level).size;
  }

  /**
   * Show what is wrong with the requested level.
   *
   * @param {string} text The message; an empty text removes it.
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
        const found = levels.find((level) => level.name === name);
        label.append(radio, found?.label ?? t("Custom"));
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
    this.#size = [width, height];
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
    const [width, height] = sliding
      ? ["width", "height"].map((name) => Number(input(`custom-${name}`).value))
      : this.#size;
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
    const problem = levelProblem({ width, height, mines }, this.#most, this.#topology, this.#kept);
    this.complain(problem?.text ?? "");
    for (const name of ["width", "height", "mines"]) {
      input(`custom-${name}`).setAttribute("aria-invalid", String(problem?.field === name));
    }
    if (!problem) this.#ask(`${width}x${height}:${mines}`);
  }

  /** @returns {number} The maximum number of cells for the chosen rule set and shape. */
  get #most() {
    const { menu, settings } = this.state;
    const most = menu?.rules.find(({ name }) => name === settings.rules)?.max_cells ?? MOST_ELEMENTS;
    return this.#topology === "rectangle" ? most : Math.min(most, MOST_ELEMENTS);
  }

  get #topology() {
    return partsOf(this.state.settings.level ?? "").topology;
  }

  /** @returns {import("./level-numbers.js").KeptClear} The cells that the first click keeps free of mines. */
  get #kept() {
    const { menu, settings } = this.state;
    const rules = menu?.rules.find(({ name }) => name === settings.rules);
    return rules?.first_clicks.find(({ name }) => name === settings.first_click)?.keeps_clear ?? "nothing";
  }

  /** Show the limits of the chosen rule set, and offer no larger size. */
  #bound() {
    for (const option of select("dense-size").options) {
      const [width, height] = sizeOf(option.value);
      option.disabled = width * height > this.#most;
    }
    const largest = Math.max(...(this.state.menu?.rules ?? []).map((rules) => rules.max_cells));
    $("custom-note").hidden = this.#most === largest;
    $("custom-note").textContent = t("Up to {most} cells with these rules and shape.", { most: number(this.#most) });
  }

  /**
   * Request the level set by the sliders, even while they move, and by the lists next to them.
   *
   * @param {HTMLElement} [changed]
   */
  #slide(changed) {
    const [size, level] = [select("dense-size"), select("dense-level")];
    if (changed === size) this.#size = sizeOf(size.value);
    else if (changed === level) input("slide-density").value = level.value;
    else if (changed && changed !== input("slide-density")) {
      this.#size = [Number(input("slide-width").value), Number(input("slide-height").value)];
    }
    this.#write();
    const [width, height] = this.#size;
    this.#ask(`${width}x${height}@${Number(input("slide-density").value) / 100}`);
  }

  /** @param {string} level */
  #ask(level) {
    if (level === this.#asked) return;
    this.#asked = level;
    this.choose(level);
  }

  /** Show the value of each slider, and the size and density in the lists. */
  #write() {
    const [width, height] = this.#size;
    const density = input("slide-density").value;
    choices(select("dense-size"), SIZES, `${width}x${height}`, (size) => size.replace("x", "×"));
    choices(select("dense-level"), Object.keys(DENSITIES), density, densityLabel);
    this.#bound();
    // The range of the sliders excludes big boards.
    for (const [name, value] of /** @type {const} */ ([["width", width], ["height", height]])) {
      input(`slide-${name}`).value = String(value);
      $(`slide-${name}-field`).hidden = this.#size.some((side, i) => side > SLIDERS[i]);
    }
    $("slide-width-text").textContent = input("slide-width").value;
    $("slide-height-text").textContent = input("slide-height").value;
    $("slide-density-text").textContent = `${input("slide-density").value} %`;
  }
}

/**
 * @param {string} size
 * @returns {[number, number]} Columns and rows.
 */
function sizeOf(size) {
  const [width, height] = size.split("x").map(Number);
  return [width, height];
}

/**
 * @param {string} density In percent.
 * @returns {string}
 */
function densityLabel(density) {
  const name = DENSITIES[density];
  return name ? t("{density} %, like {level}", { density, level: nameLabel(name) }) : `${density} %`;
}

/**
 * Fill a list and select a value, adding it if necessary.
 *
 * @param {HTMLSelectElement} list
 * @param {string[]} usual
 * @param {string} value
 * @param {(value: string) => string} label
 */
function choices(list, usual, value, label) {
  const all = usual.includes(value) ? usual : [value, ...usual];
  if (all.length !== list.options.length || all[0] !== list.options[0].value) {
    list.replaceChildren(...all.map((each) => new Option(label(each), each)));
  }
  list.value = value;
}
