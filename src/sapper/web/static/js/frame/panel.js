/** The panel with the next game's settings, pending changes and the mode. */

import { overlayChoice } from "./overlay-choice.js";
import { $, input, make, select } from "../dom.js";
import { listed } from "../sentence.js";
import { t } from "../translation.js";

/** @typedef {import("../protocol.js").AssistSettings} AssistSettings */

/**
 * @param {HTMLSelectElement} list
 * @param {Array<[string, string]>} choices Values and labels.
 * @param {string} value
 */
function fill(list, choices, value) {
  const key = JSON.stringify(choices);
  // Replacing the options of an open menu would close it.
  if (list.dataset.key !== key) {
    list.replaceChildren(...choices.map(([name, label]) => new Option(label, name)));
    list.dataset.key = key;
  }
  list.value = value;
  list.disabled = choices.length < 2;
}

/** The names of pending settings. */
const SETTINGS = /** @type {Record<string, string>} */ ({
  level: t("level"),
  rules: t("rule set"),
  first_click: t("first click"),
  win: t("way to win"),
  chord: t("chord"),
  options: t("options"),
});

/**
 * @param {string[]} pending The names of settings.
 * @returns {string}
 */
export function pendingText(pending) {
  const names = pending.map((name) => SETTINGS[name] ?? name);
  const last = names.pop() ?? "";
  const settings = names.length ? t("{names} and {last}", { names: listed(names), last }) : last;
  return t("Changed for the next game: {settings}.", { settings });
}

/**
 * @typedef {object} Handlers
 * @property {(settings: Partial<import("../protocol.js").Settings>) => void} choose
 * @property {(on: boolean) => void} questions
 * @property {(changes: Partial<AssistSettings>) => void} assist
 */

export class Panel {
  /**
   * @param {import("../game-state.js").GameState} state
   * @param {Handlers} handlers
   */
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
    for (const name of ["rules", "first_click", "win", "chord"]) {
      $(name).addEventListener("change", () => handlers.choose({ [name]: select(name).value }));
    }
    const switches = { debug: "debug", "show-states": "show_states" };
    for (const [id, name] of Object.entries(switches)) {
      $(id).addEventListener("change", () => handlers.assist({ [name]: input(id).checked }));
    }
    $("questions").addEventListener("change", () => handlers.questions(input("questions").checked));
    for (const group of ["mode", "overlay"]) $(group).addEventListener("change", () => this.#assist());
  }

  /** Show the current settings. */
  refresh() {
    const { menu, settings, questions, assist } = this.state;
    if (!menu) return;
    const rules = menu.rules.find(({ name }) => name === settings.rules) ?? menu.rules[0];
    fill(select("rules"), menu.rules.map(({ name, label }) => [name, label]), rules.name);
    const { game } = this.state;
    const day = game?.day && menu.rules.find(({ name }) => name === game.settings.rules);
    $("rules-note").textContent = day
      ? t("The daily board uses {rules}. Changes here apply to your next game.", { rules: day.label })
      : rules.summary;
    const lists = { first_click: rules.first_clicks, win: rules.wins, chord: menu.chords };
    for (const kind of /** @type {const} */ (["first_click", "win", "chord"])) {
      fill(select(kind), lists[kind].map(({ name, label }) => [name, label]), settings[kind] ?? "");
    }
    input("questions").checked = questions;
    this.#refreshOptions(rules);
    if ($("overlay").querySelectorAll("input").length < 2) $("overlay").append(...menu.overlays.map(overlayChoice));
    for (const group of /** @type {const} */ (["mode", "overlay"])) {
      for (const radio of $(group).querySelectorAll("input")) radio.checked = radio.value === assist[group];
    }
    input("debug").checked = assist.debug;
    input("show-states").checked = assist.show_states;
    const played = this.state.game?.settings.rules;
    const aids = menu.rules.filter((each) => [rules.name, played].includes(each.name)).map((each) => each.aid);
    $("debug-field").hidden = !aids.includes("marks");
    $("show-states-field").hidden = !aids.includes("states");
    const solo = assist.mode === "solo";
    $("overlay").hidden = $("overlay-name").hidden = solo;
    this.#refreshPending();
  }

  /** @param {import("../protocol.js").RuleSet} rules */
  #refreshOptions(rules) {
    // Options are rebuilt only if the rules change, because this would close an open menu.
    if ($("options").dataset.rules !== rules.name) {
      $("options").replaceChildren(...rules.options.map((option) => this.#option(option)));
      $("options").dataset.rules = rules.name;
    }
    $("options").hidden = !rules.options.length;
    for (const { name } of rules.options) {
      const control = $(`option-${name}`);
      const value = this.state.settings.options?.[name];
      if (control instanceof HTMLInputElement) control.checked = value === true;
      else select(control.id).value = String(value);
    }
  }

  /**
   * @param {import("../protocol.js").RuleOption} option
   * @returns {HTMLElement}
   */
  #option({ name, label: title, summary, choices }) {
    const control = document.createElement(choices.length ? "select" : "input");
    control.id = `option-${name}`;
    if (control instanceof HTMLInputElement) control.type = "checkbox";
    else control.append(...choices.map((choice) => new Option(choice.label, choice.name)));
    control.addEventListener("change", () => {
      const value = control instanceof HTMLInputElement ? control.checked : control.value;
      this.handlers.choose({ options: { [name]: value } });
    });
    const label = document.createElement("label");
    label.className = choices.length ? "pick" : "check";
    label.title = name;
    const words = make("span", title);
    words.append(make("small", summary));
    label.append(...(choices.length ? [words, control] : [control, words]));
    return label;
  }

  #assist() {
    const chosen = (/** @type {string} */ group) =>
      /** @type {HTMLInputElement | null} */ ($(group).querySelector("input:checked"))?.value;
    const mode = /** @type {AssistSettings["mode"]} */ (chosen("mode"));
    const alone = this.state.assist.mode === "solo";
    let overlay = /** @type {AssistSettings["overlay"]} */ (chosen("overlay"));
    // Assisted mode starts with an overlay, automatic mode without one.
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
