/** The player's preferences, which are stored only in this browser. */

import { input, select } from "../dom.js";
import { CHORDINGS } from "../input/chording.js";
import { read, write } from "../storage.js";

const KEY = "sapper.preferences";

/** The defaults, by the ids of check boxes and lists. */
const DEFAULTS = {
  countdown: false,
  double: false,
  swap: false,
  "flags-first": false,
  sound: false,
  path: true,
  ask: true,
  turn: false,
  "flag-rest": false,
  chording: "click",
  "long-press": "350",
  animation: "system",
};

const CHOICES = /** @type {Record<string, readonly string[]>} */ ({
  chording: CHORDINGS,
  "long-press": ["200", "350", "500", "800"],
  animation: ["system", "on", "off"],
});

/** @typedef {typeof DEFAULTS} Values */
/** @typedef {keyof Values} Preference */

const NAMES = /** @type {Preference[]} */ (Object.keys(DEFAULTS));

/**
 * @param {string | null} text The stored text.
 * @returns {Values} All preferences; missing or broken ones get their defaults.
 */
export function readPreferences(text) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const found = /** @type {Record<string, boolean | string>} */ ({ ...DEFAULTS });
  for (const name of NAMES) {
    const value = kept?.[name];
    if (CHOICES[name] ? CHOICES[name].includes(value) : typeof value === "boolean") found[name] = value;
  }
  return /** @type {Values} */ (found);
}

/**
 * Store one preference, from a page that does not have the others.
 *
 * @param {Preference} name
 * @param {boolean | string} value
 */
export function storePreference(name, value) {
  write(KEY, JSON.stringify({ ...readPreferences(read(KEY)), [name]: value }));
}

/** @returns {string} The animation setting: `on`, `off` or the system's. */
export const storedAnimation = () => readPreferences(read(KEY)).animation;

/** @returns {number} The duration of a long press, in milliseconds. */
export const storedLongPress = () => Number(readPreferences(read(KEY))["long-press"]);

/** The preferences, on pages without their controls. */
export class StoredPreferences {
  values = readPreferences(read(KEY));

  /** @returns {boolean} Whether wide boards are turned on a phone held upright. */
  get turn() {
    return this.values.turn;
  }

  /** @returns {boolean} Whether numbers count down. */
  get countdown() {
    return this.values.countdown;
  }

  /** @returns {boolean} Whether only a double click opens. */
  get double() {
    return this.values.double;
  }

  /** @returns {boolean} Whether the right button opens and the left one flags. */
  get swap() {
    return this.values.swap;
  }

  /** @returns {boolean} Whether taps flag when the page opens. */
  get flagsFirst() {
    return this.values["flags-first"];
  }

  /** @returns {boolean} Whether the path of the pointer is recorded. */
  get path() {
    return this.values.path;
  }

  /** @returns {boolean} Whether to ask before help that stops a game from counting. */
  get ask() {
    return this.values.ask;
  }

  /** @returns {boolean} */
  get sound() {
    return this.values.sound;
  }

  /** @returns {import("../input/chording.js").Chording} */
  get chording() {
    return /** @type {import("../input/chording.js").Chording} */ (this.values.chording);
  }

  /** @returns {number} The duration of a long press, in milliseconds. */
  get longPress() {
    return Number(this.values["long-press"]);
  }

  /** @returns {boolean} Whether chording a number flags its unopened neighbours if all must be mines. */
  get flagRest() {
    return this.values["flag-rest"];
  }

  /** @returns {boolean} Whether animation is on. */
  get moves() {
    const { animation } = this.values;
    return animation === "on" || (animation === "system" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }
}

export class Preferences extends StoredPreferences {
  /** @param {(name: Preference) => void} changed Called with the name of the changed preference. */
  constructor(changed) {
    super();
    const values = /** @type {Record<string, boolean | string>} */ (this.values);
    for (const name of NAMES) {
      const control = CHOICES[name] ? select(name) : input(name);
      if (control instanceof HTMLInputElement) control.checked = values[name] === true;
      else control.value = String(values[name]);
      control.addEventListener("change", () => {
        values[name] = control instanceof HTMLInputElement ? control.checked : control.value;
        write(KEY, JSON.stringify(values));
        this.#mark();
        changed(name);
      });
    }
    this.#mark();
  }

  /** Turn wide boards, or stop turning them. */
  toggleTurn() {
    input("turn").click();
  }

  /** Never ask before help again. */
  allowHelp() {
    input("ask").checked = false;
    input("ask").dispatchEvent(new Event("change"));
  }

  /** Tell the style sheets whether animation is on. */
  #mark() {
    document.documentElement.dataset.animation = this.values.animation;
  }
}
