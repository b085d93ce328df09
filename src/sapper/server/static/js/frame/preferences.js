/** Preferences of the player, kept in this browser only. */

import { input } from "../dom.js";
import { read, write } from "../storage.js";

const KEY = "sapper.preferences";

/** What each is unless chosen otherwise; the names are those of the check boxes. */
const DEFAULTS = { countdown: false, double: false, wave: true };

/** @typedef {keyof typeof DEFAULTS} Preference */

/**
 * @param {string | null} text What was kept.
 * @returns {Record<Preference, boolean>} Every like; what is unknown or broken is left out.
 */
export function readPreferences(text) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const preferences = { ...DEFAULTS };
  for (const name of /** @type {Preference[]} */ (Object.keys(DEFAULTS))) {
    if (typeof kept?.[name] === "boolean") preferences[name] = kept[name];
  }
  return preferences;
}

export class Preferences {
  #values = readPreferences(read(KEY));

  /** @param {(name: Preference) => void} changed Told what was switched. */
  constructor(changed) {
    for (const name of /** @type {Preference[]} */ (Object.keys(DEFAULTS))) {
      const box = input(name);
      box.checked = this.#values[name];
      box.addEventListener("change", () => {
        this.#values[name] = box.checked;
        write(KEY, JSON.stringify(this.#values));
        changed(name);
      });
    }
  }

  /** @returns {boolean} Whether numbers count down. */
  get countdown() {
    return this.#values.countdown;
  }

  /** @returns {boolean} Whether only a double click opens. */
  get double() {
    return this.#values.double;
  }

  /** @returns {boolean} Whether floods open as a wave. */
  get wave() {
    return this.#values.wave;
  }
}
