/** The panel: settings of the next game, the mode, and what waits. */

import { choiceLabel, levelLabel, levelNumbers, pendingText } from "./choices.js";

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/**
 * @param {HTMLSelectElement} select
 * @param {Array<[string, string]>} choices Values and labels.
 * @param {string} value
 */
function fill(select, choices, value) {
  const key = JSON.stringify(choices);
  // Replacing the choices of an open menu would close it.
  if (select.dataset.key !== key) {
    select.replaceChildren(...choices.map(([name, label]) => new Option(label, name)));
    select.dataset.key = key;
  }
  select.value = value;
  select.disabled = choices.length < 2;
}

/**
 * @typedef {object} Wishes
 * @property {(settings: object) => void} choose
 * @property {(on: boolean) => void} questions
 * @property {(mode: string, overlay: string) => void} assist
 */

export class Panel {
  #custom = false;

  /**
   * @param {import("../table.js").Table} table
   * @param {Wishes} wishes
   */
  constructor(table, wishes) {
    this.table = table;
    this.wishes = wishes;
    for (const name of ["rules", "start", "win", "chord"]) {
      $(name).addEventListener("change", () => wishes.choose({ [name]: $(name).value }));
    }
    $("level").addEventListener("change", () => this.#chooseLevel());
    $("custom").addEventListener("change", () => this.#chooseCustom());
    $("questions").addEventListener("change", () => wishes.questions($("questions").checked));
    for (const group of ["mode", "overlay"]) $(group).addEventListener("change", () => this.#assist());
  }

  /** Show what the table says. */
  refresh() {
    const { menu, settings, questions, assist } = this.table;
    if (!menu) return;
    const rules = menu.rules.find((/** @type {any} */ r) => r.name === settings.rules) ?? menu.rules[0];
    fill($("rules"), menu.rules.map((/** @type {any} */ r) => [r.name, r.label]), rules.name);
    $("rules-note").textContent = rules.summary;
    const labelled = (/** @type {"start" | "win" | "chord"} */ kind, /** @type {string[]} */ names) =>
      /** @type {Array<[string, string]>} */ (names.map((name) => [name, choiceLabel(kind, name)]));
    fill($("start"), labelled("start", rules.starts), settings.start);
    fill($("win"), labelled("win", rules.wins), settings.win);
    fill($("chord"), labelled("chord", menu.chords), settings.chord);
    $("questions").checked = questions;
    this.#refreshLevel();
    this.#refreshOptions(rules);
    for (const [group, value] of Object.entries(assist)) {
      for (const radio of $(group).querySelectorAll("input")) radio.checked = radio.value === value;
    }
    const solo = assist.mode === "solo";
    $("overlay").hidden = $("overlay-name").hidden = solo;
    this.#refreshPending();
  }

  #refreshLevel() {
    const { menu, settings } = this.table;
    const preset = menu.levels.some((/** @type {any} */ { name }) => name === settings.level);
    const custom = this.#custom || !preset;
    fill(
      $("level"),
      [...menu.levels.map((/** @type {any} */ l) => [l.name, levelLabel(l)]), ["custom", "Custom…"]],
      custom ? "custom" : settings.level,
    );
    $("custom").hidden = !custom;
    if ($("custom").contains(document.activeElement)) return;
    const numbers = levelNumbers(settings.level, menu.levels);
    $("custom-width").value = numbers.width;
    $("custom-height").value = numbers.height;
    $("custom-mines").value = numbers.mines;
  }

  #chooseLevel() {
    this.#custom = $("level").value === "custom";
    if (this.#custom) {
      this.#refreshLevel();
      $("custom-width").focus();
    } else this.wishes.choose({ level: $("level").value });
  }

  #chooseCustom() {
    const [width, height, mines] = ["width", "height", "mines"].map((name) => $(`custom-${name}`).value);
    if (width && height && mines) this.wishes.choose({ level: `${width}x${height}:${mines}` });
  }

  /** @param {any} rules */
  #refreshOptions(rules) {
    $("options").replaceChildren(
      ...rules.options.map((/** @type {any} */ { name, summary }) => {
        const label = document.createElement("label");
        label.className = "check";
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = this.table.settings.options[name];
        box.addEventListener("change", () =>
          this.wishes.choose({ options: { ...this.table.settings.options, [name]: box.checked } }),
        );
        label.append(box, summary);
        return label;
      }),
    );
  }

  #assist() {
    const chosen = (/** @type {string} */ group) => $(group).querySelector("input:checked")?.value;
    // Whoever asks for help wants to see some.
    const first = chosen("mode") === "assisted" && this.table.assist.mode === "solo";
    const overlay = first && chosen("overlay") === "none" ? "chances" : chosen("overlay");
    this.wishes.assist(chosen("mode"), overlay);
  }

  #refreshPending() {
    const { pending } = this.table;
    $("pending").hidden = pending.length === 0;
    if (pending.length) $("pending-text").textContent = pendingText(pending);
  }
}
