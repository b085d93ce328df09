/** The panel: settings of the next game, the mode, and what waits. */

import { choiceLabel, levelLabel, levelNumbers, optionLabel, pendingText } from "./labels.js";

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
 * @typedef {object} Handlers
 * @property {(settings: object) => void} choose
 * @property {(on: boolean) => void} questions
 * @property {(changes: object) => void} assist
 */

export class Panel {
  #custom = false;

  /**
   * @param {import("../game-state.js").GameState} state
   * @param {Handlers} handlers
   */
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    for (const name of ["rules", "first_click", "win", "chord"]) {
      $(name).addEventListener("change", () => handlers.choose({ [name]: $(name).value }));
    }
    $("level").addEventListener("change", () => this.#chooseLevel());
    $("custom").addEventListener("change", () => this.#chooseCustom());
    $("questions").addEventListener("change", () => handlers.questions($("questions").checked));
    for (const group of ["mode", "overlay"]) $(group).addEventListener("change", () => this.#assist());
    $("debug").addEventListener("change", () => handlers.assist({ debug: $("debug").checked }));
    $("show-states").addEventListener("change", () =>
      handlers.assist({ show_states: $("show-states").checked }),
    );
  }

  /** Show what the state says. */
  refresh() {
    const { menu, settings, questions, assist } = this.state;
    if (!menu) return;
    const rules = menu.rules.find((/** @type {any} */ r) => r.name === settings.rules) ?? menu.rules[0];
    fill($("rules"), menu.rules.map((/** @type {any} */ r) => [r.name, r.label]), rules.name);
    $("rules-note").textContent = rules.summary;
    const labelled = (/** @type {"first_click" | "win" | "chord"} */ kind, /** @type {string[]} */ names) =>
      /** @type {Array<[string, string]>} */ (names.map((name) => [name, choiceLabel(kind, name)]));
    fill($("first_click"), labelled("first_click", rules.first_clicks), settings.first_click);
    fill($("win"), labelled("win", rules.wins), settings.win);
    fill($("chord"), labelled("chord", menu.chords), settings.chord);
    $("questions").checked = questions;
    this.#refreshLevel();
    this.#refreshOptions(rules);
    for (const group of /** @type {const} */ (["mode", "overlay"])) {
      for (const radio of $(group).querySelectorAll("input")) radio.checked = radio.value === assist[group];
    }
    $("debug").checked = assist.debug;
    $("show-states").checked = assist.show_states;
    const played = this.state.game?.settings.rules;
    $("debug-field").hidden = ![rules.name, played].includes("kaboom");
    $("show-states-field").hidden = ![rules.name, played].includes("fair");
    const solo = assist.mode === "solo";
    $("overlay").hidden = $("overlay-name").hidden = solo;
    this.#refreshPending();
  }

  #refreshLevel() {
    const { menu, settings } = this.state;
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
    } else this.handlers.choose({ level: $("level").value });
  }

  #chooseCustom() {
    const [width, height, mines] = ["width", "height", "mines"].map((name) => $(`custom-${name}`).value);
    if (width && height && mines) this.handlers.choose({ level: `${width}x${height}:${mines}` });
  }

  /** @param {any} rules */
  #refreshOptions(rules) {
    // Made anew only for other rules: a select that is open would close.
    if ($("options").dataset.rules !== rules.name) {
      $("options").replaceChildren(...rules.options.map((/** @type {any} */ o) => this.#option(o)));
      $("options").dataset.rules = rules.name;
    }
    $("options").hidden = !rules.options.length;
    for (const { name } of rules.options) {
      const control = $(`option-${name}`);
      const value = this.state.settings.options[name];
      if (control.type === "checkbox") control.checked = value;
      else control.value = value;
    }
  }

  /**
   * @param {{name: string, summary: string, choices: string[]}} option
   * @returns {HTMLElement}
   */
  #option({ name, summary, choices }) {
    const control = document.createElement(choices.length ? "select" : "input");
    control.id = `option-${name}`;
    if (control instanceof HTMLInputElement) control.type = "checkbox";
    else control.append(...choices.map((choice) => new Option(optionLabel(choice), choice)));
    control.addEventListener("change", () => {
      const value = control instanceof HTMLInputElement ? control.checked : control.value;
      this.handlers.choose({ options: { [name]: value } });
    });
    const label = document.createElement("label");
    label.className = choices.length ? "pick" : "check";
    const words = document.createElement("span");
    const explained = document.createElement("small");
    words.textContent = optionLabel(name);
    explained.textContent = summary;
    words.append(explained);
    label.append(...(choices.length ? [words, control] : [control, words]));
    return label;
  }

  #assist() {
    const chosen = (/** @type {string} */ group) => $(group).querySelector("input:checked")?.value;
    const mode = chosen("mode");
    const alone = this.state.assist.mode === "solo";
    let overlay = chosen("overlay");
    // Whoever asks for help wants to see some; whoever watches a bot, the board.
    if (alone && mode === "assisted" && overlay === "none") overlay = "chances";
    if (alone && mode === "automatic") overlay = "none";
    this.handlers.assist({ mode, overlay });
  }

  #refreshPending() {
    const { pending } = this.state;
    $("pending").hidden = pending.length === 0;
    if (pending.length) $("pending-text").textContent = pendingText(pending);
  }
}
