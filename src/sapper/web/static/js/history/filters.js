/** The fields that select games, whose values are stored in the page's URL. */

import { $, input, make, select } from "../dom.js";
import { t } from "../translation.js";
import { parameters, period, versus } from "./periods.js";

/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {import("./api.js").Selection} Selection */

const SELECTS = ["who", "level", "rules", "period", "versus"];
const DATES = ["from", "to", "versus-from", "versus-to"];
const BOT = "bot ";
const PLAYER = "player ";

/** @type {Record<string, string>} */
const FIRST = { who: "me", level: "", rules: "", period: "all", versus: "none" };

export class Filters {
  /** @param {() => void} changed */
  constructor(changed) {
    const given = new URLSearchParams(location.search);
    // The options of the first three lists arrive with the games.
    this.wanted = Object.fromEntries(SELECTS.map((id) => [id, given.get(id) ?? FIRST[id]]));
    for (const id of ["period", "versus"]) select(id).value = this.wanted[id];
    for (const id of DATES) input(id).value = given.get(id) ?? "";
    $("filters").addEventListener("change", () => {
      for (const id of SELECTS) this.wanted[id] = select(id).value;
      this.#tidy();
      changed();
    });
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    this.#tidy();
  }

  #tidy() {
    $("range").hidden = this.wanted.period !== "range";
    $("versus-range").hidden = this.wanted.versus !== "range";
    const fields = new URLSearchParams();
    for (const id of SELECTS) if (this.wanted[id] !== FIRST[id]) fields.set(id, this.wanted[id]);
    for (const id of DATES) if (input(id).value) fields.set(id, input(id).value);
    const query = String(fields);
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }

  /**
   * Offer only choices that have games.
   *
   * @param {Kind[]} kinds
   * @param {string[]} players The names in imported replays.
   */
  offer(kinds, players) {
    const bots = new Map(kinds.filter(({ bot }) => bot).map(({ bot, bot_label: label }) => [bot, label]));
    this.#fill("who", [
      ["me", t("You")],
      ["helped", t("You, with help")],
      ...players.map((player) => [PLAYER + player, t("{player} (imported)", { player })]),
      ...[...bots].map(([bot, label]) => [BOT + bot, label]),
    ]);
    const levels = new Map(kinds.map(({ level, level_label: label }) => [level, label]));
    this.#fill("level", [["", t("All levels")], ...levels]);
    const rules = new Map(kinds.map(({ rules: name, rules_label: label }) => [name, label]));
    this.#fill("rules", [["", t("All rule sets")], ...rules]);
  }

  /**
   * @param {string} id
   * @param {string[][]} choices
   */
  #fill(id, choices) {
    const chosen = this.wanted[id];
    const list = select(id);
    const known = choices.some(([value]) => value === chosen) ? choices : [...choices, [chosen, chosen.replace(BOT, "").replace(PLAYER, "")]];
    const key = JSON.stringify([chosen, known]);
    // Replacing the options of an open menu would close it.
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.replaceChildren(
      ...known.map(([value, text]) => Object.assign(make("option", text), { value, selected: value === chosen })),
    );
  }

  /** @returns {Selection} The selection without a time period. */
  get #what() {
    const { who, level, rules } = this.wanted;
    /** @type {Selection} */
    const found = who.startsWith(BOT) ? { bot: who.slice(BOT.length) } : { bot: "", helped: who === "helped" ? "1" : "0" };
    if (who.startsWith(PLAYER)) found.player = who.slice(PLAYER.length);
    if (level) found.level = level;
    if (rules) found.rules = rules;
    return found;
  }

  get #period() {
    return period(this.wanted.period, input("from").value, input("to").value, new Date());
  }

  /** @returns {Selection} */
  get selection() {
    return { ...this.#what, ...parameters(this.#period) };
  }

  /** @returns {Selection | null} The games that only the default choice of a player hides: those with help. */
  get withHelp() {
    return this.wanted.who === "me" ? { ...this.selection, helped: "1" } : null;
  }

  /** Show the games with help. */
  showHelped() {
    select("who").value = "helped";
    select("who").dispatchEvent(new Event("change", { bubbles: true }));
    select("who").focus();
  }

  /** @returns {Selection | null} The games to compare with. */
  get versus() {
    const other = versus(this.wanted.versus, this.#period, input("versus-from").value, input("versus-to").value);
    return other && { ...this.#what, ...parameters(other) };
  }

  /** @returns {Date} The last day to show. */
  get lastDay() {
    const { until } = this.#period;
    const now = new Date();
    return until === null || until > now.getTime() ? now : new Date(until - 1);
  }
}
