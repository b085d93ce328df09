/** Tournament settings as text. */

import { listed } from "../sentence.js";
import { number, t, tn } from "../translation.js";

/**
 * @param {import("./types.js").TournamentSettings} settings
 * @returns {string}
 */
export function settingsText({ level_label: level, rules_label: rules, mine, boards, rated, race_size: size, minutes }) {
  return listed([
    level,
    rules,
    tn("{n} minute", "{n} minutes", minutes, { n: number(minutes) }),
    t("races of up to {n}", { n: number(size) }),
    mine === "out" ? t("a mine ends your race") : t("a mine costs 5 seconds"),
    ...(boards === "different" ? [t("different boards")] : []),
    rated ? t("rated") : t("not rated"),
  ]);
}

/**
 * @param {number} ms
 * @returns {string} Hours, minutes and seconds.
 */
export function leftText(ms) {
  const whole = Math.ceil(ms / 1000);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}
