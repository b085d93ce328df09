/** The settings of the next game, on a page without a server. */

import { t } from "../translation.js";

/** @typedef {import("../protocol.js").Settings} Settings */
/** @typedef {import("../protocol.js").Menu} Menu */

const USUAL = "opening";

/**
 * @param {Menu} menu
 * @param {string} rules
 * @param {Settings} [before] The settings of another rule set, whose level and chord are kept.
 * @returns {Settings} The defaults of a rule set.
 */
export function usualSettings(menu, rules, before) {
  const found = menu.rules.find(({ name }) => name === rules);
  if (!found) throw new Error(t("Unknown rule set: {rules}.", { rules }));
  const promises = found.first_clicks.map(({ name }) => name);
  return {
    level: before?.level ?? "beginner",
    rules,
    first_click: promises.includes(USUAL) ? USUAL : promises[0],
    win: found.wins[0].name,
    chord: before?.chord ?? "exact",
    options: Object.fromEntries(found.options.map(({ name, default: usual }) => [name, usual])),
  };
}

/**
 * @param {Menu} menu
 * @param {Settings} before
 * @param {Partial<Settings>} changes
 * @param {Map<string, Settings>} remembered The last settings of each rule set.
 * @returns {Settings}
 */
export function changedSettings(menu, before, changes, remembered) {
  const rules = changes.rules ?? before.rules;
  let base = before;
  if (rules !== before.rules) {
    const own = remembered.get(rules);
    base = own ? { ...own, level: before.level, chord: before.chord } : usualSettings(menu, rules, before);
  }
  return { ...base, ...changes, options: { ...base.options, ...changes.options } };
}

/**
 * @param {Settings} settings
 * @param {bigint | number} seed
 * @returns {import("../../engine/index.js").GameOptions} The engine's form.
 */
export function gameOptions({ rules, first_click, win, chord, options }, seed) {
  return /** @type {any} */ ({ rules, firstClick: first_click, win, chord, seed, ...(rules === "no-guess" && options) });
}
