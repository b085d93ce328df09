/** The form for a new room. */

import { $, input, select } from "../dom.js";
import { levelLabel } from "../frame/level-numbers.js";
import { levelOf } from "../frame/shapes.js";
import { tilings } from "../board/tiling.js";
import { KIND_NOTES } from "../room/wording.js";
import { t, tn } from "../translation.js";

/** @typedef {import("../room/types.js").Kind} Kind */
/** @typedef {import("../room/types.js").Menu} Menu */

const ROUNDS = [1, 3, 5, 7];
const LIVES = [1, 2, 3, 5, 10];
const TURNS_MS = [15_000, 30_000, 60_000, 120_000];
const BOTS = [0, 1, 2, 3, 5, 9];
const CUSTOM = "custom";

const MAKE = /** @type {Record<Kind, string>} */ ({
  race: t("Create a race"),
  shared: t("Create a shared board"),
  flags: t("Create a game of Flags"),
});

/**
 * @typedef {object} Values
 * @property {Kind} kind
 * @property {string} level Without a shape.
 * @property {string} topology
 * @property {string} rules
 * @property {number} best_of
 * @property {string} mine
 * @property {string} boards
 * @property {number} lives
 * @property {number} turn_ms
 * @property {boolean} rated
 * @property {boolean} public
 * @property {number} bots
 * @property {string} strength
 */

/**
 * @param {Values} values
 * @returns {{kind: Kind, settings: object, public: boolean, bots: string[]}} The body of `POST /api/rooms`.
 */
export function requestOf(values) {
  const { kind, rules, rated, best_of, mine, boards, lives, turn_ms, bots, strength } = values;
  const level = levelOf(values.level, values.topology);
  const settings = {
    race: { level, rules, best_of, mine, boards, rated },
    shared: { level, rules, lives },
    flags: { level, turn_ms, rated },
  }[kind];
  return { kind, settings, public: values.public, bots: Array.from({ length: bots }, () => strength) };
}

export class Form {
  /** @param {Menu} menu */
  constructor(menu) {
    this.menu = menu;
    const fill = (/** @type {string} */ id, /** @type {HTMLOptionElement[]} */ options) => select(id).replaceChildren(...options);
    fill("rules", menu.rules.map(({ name, label }) => new Option(label, name)));
    fill("topology", tilings().map(({ name, label }) => new Option(label, name)));
    fill("best_of", ROUNDS.map((rounds) => new Option(rounds === 1 ? t("1 round") : t("best of {rounds}", { rounds }), String(rounds))));
    fill("lives", LIVES.map((lives) => new Option(tn("{n} life", "{n} lives", lives), String(lives))));
    fill("turn_ms", TURNS_MS.map((ms) => new Option(tn("{n} second", "{n} seconds", ms / 1000), String(ms))));
    fill("strength", menu.strengths.map(({ name, label }) => new Option(label, name)));
    select("strength").value = "casual";
    $("kind").addEventListener("change", () => this.#choose());
    select("level").addEventListener("change", () => this.#showCustom());
    select("bots").addEventListener("change", () => this.#showStrength());
    input("rated").addEventListener("change", () => this.#showRated());
    this.#choose();
  }

  /** @returns {Kind} */
  get kind() {
    const chosen = /** @type {HTMLInputElement | null} */ ($("kind").querySelector(":checked"));
    return /** @type {Kind} */ (chosen?.value ?? "race");
  }

  /** Show the fields of the chosen kind with their defaults. */
  #choose() {
    const { kind, menu } = this;
    const defaults = menu.kinds.find(({ name }) => name === kind)?.settings;
    for (const field of /** @type {NodeListOf<HTMLElement>} */ ($("make").querySelectorAll("[data-for]"))) {
      field.hidden = !(field.dataset.for ?? "").split(" ").includes(kind);
    }
    $("kind-note").textContent = KIND_NOTES[kind];
    $("create").textContent = MAKE[kind];
    const named = kind === "flags" ? [] : menu.levels.map(({ name, label }) => new Option(label, name));
    const usual = defaults?.level ?? "intermediate";
    if (!named.some(({ value }) => value === usual)) named.unshift(new Option(levelLabel(usual), usual));
    select("level").replaceChildren(...named, new Option(t("Custom"), CUSTOM));
    select("level").value = usual;
    for (const [name, value] of Object.entries(defaults ?? {})) {
      const field = document.getElementById(name);
      if (field instanceof HTMLSelectElement && name !== "level") field.value = String(value);
    }
    const counts = kind === "flags" ? BOTS.slice(0, 2) : BOTS;
    select("bots").replaceChildren(...counts.map((count) => new Option(count ? String(count) : t("None"), String(count))));
    this.#showCustom();
    this.#showStrength();
    this.#showRated();
  }

  #showCustom() {
    $("custom").hidden = select("level").value !== CUSTOM;
    if (this.kind === "flags" && !$("custom").hidden) input("mines").value = "51";
  }

  /** Rated games are for players with a name, and have fixed rules. */
  #showRated() {
    const { name, rated } = this.menu;
    input("rated").disabled = name === null;
    const fixed = input("rated").checked && name !== null;
    for (const option of select("rules").options) option.disabled = fixed && !rated.rules.includes(option.value);
    if (select("rules").selectedOptions[0]?.disabled) select("rules").value = rated.rules[0];
    select("turn_ms").disabled = fixed;
    if (fixed) select("turn_ms").value = String(rated.flags.turn_ms);
  }

  #showStrength() {
    select("strength").disabled = select("bots").value === "0";
  }

  /** @returns {Values} */
  get values() {
    const chosen = select("level").value;
    const [width, height, mines] = ["width", "height", "mines"].map((id) => Number(input(id).value));
    return {
      kind: this.kind,
      level: chosen === CUSTOM ? `${width}x${height}:${mines}` : chosen,
      topology: select("topology").value,
      rules: select("rules").value,
      best_of: Number(select("best_of").value),
      mine: select("mine").value,
      boards: select("boards").value,
      lives: Number(select("lives").value),
      turn_ms: Number(select("turn_ms").value),
      rated: input("rated").checked && !input("rated").disabled,
      public: input("public").checked,
      bots: Number(select("bots").value),
      strength: select("strength").value,
    };
  }
}
