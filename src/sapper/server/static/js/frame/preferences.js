/** The player's preferences, stored in this browser only. */

import { input } from "../dom.js";
import { read, write } from "../storage.js";

const KEY = "sapper.preferences";

/** The defaults, by the ids of their check boxes. */
const DEFAULTS = { countdown: false, double: false, wave: true };

/** @typedef {keyof typeof DEFAULTS} Preference */

/**
 * @param {string | null} text The stored text.
 * @returns {Record<Preference, boolean>} All preferences; unknown or broken ones get their defaults.
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

  /** @param {(name: Preference) => void} changed Called with the name of the changed preference. */
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
