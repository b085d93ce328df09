/** The list of keys in the settings: press a key's button, then the new key. */

import { MISSING } from "../connection.js";
import { $, make } from "../dom.js";
import { isModifier, KEY_ACTIONS, KEY_NAMES, keyLabel, keyProblem, plainKey, readKeys, USUAL_KEYS } from "../input/key-map.js";
import { pressedKey } from "../input/pressed-key.js";
import { read, write } from "../storage.js";
import { t } from "../translation.js";

/** @typedef {import("../input/key-map.js").KeyAction} KeyAction */

const KEY = "sapper.keys";

/** @returns {import("../input/key-map.js").KeyMap} The player's keys, on pages without the list. */
export const storedKeys = () => readKeys(read(KEY));

export class KeyList {
  keys = storedKeys();
  /** @type {Map<KeyAction, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {KeyAction | null} The action that waits for its key. */
  #waiting = null;

  /** @param {() => void} changed Called after keys have changed. */
  constructor(changed) {
    this.changed = changed;
    for (const action of KEY_ACTIONS.filter((each) => !MISSING.has(each))) {
      const button = make("button");
      button.type = "button";
      button.addEventListener("click", () => this.#wait(this.#waiting === action ? null : action));
      button.addEventListener("blur", () => {
        if (this.#waiting === action) this.#wait(null);
      });
      button.addEventListener("keydown", (event) => this.#take(action, event));
      this.#buttons.set(action, button);
      const line = make("div");
      line.append(make("span", KEY_NAMES[action]), button);
      $("key-list").append(line);
    }
    $("reset-keys").addEventListener("click", () => {
      this.keys = { ...USUAL_KEYS };
      this.#keep();
    });
    this.#show();
  }

  /**
   * @param {KeyAction} action
   * @returns {string} The key, as shown to the player.
   */
  label(action) {
    return keyLabel(this.keys[action]);
  }

  /** @param {KeyAction | null} action */
  #wait(action) {
    this.#waiting = action;
    this.#complain("");
    this.#show();
  }

  /**
   * @param {KeyAction} action
   * @param {KeyboardEvent} event
   */
  #take(action, event) {
    const key = pressedKey(event);
    if (this.#waiting !== action || key === "Tab") return;
    // Keep this key from the page and from the button itself.
    event.preventDefault();
    event.stopPropagation();
    if (isModifier(key)) return;
    if (key === "Escape") return this.#wait(null);
    const problem = keyProblem(this.keys, action, key);
    this.#complain(problem);
    if (problem) return;
    this.keys = { ...this.keys, [action]: plainKey(key) };
    this.#waiting = null;
    this.#keep();
  }

  #keep() {
    write(KEY, JSON.stringify(this.keys));
    this.#complain("");
    this.#show();
    this.changed();
  }

  /** @param {string} text */
  #complain(text) {
    $("key-error").textContent = text;
    $("key-error").hidden = !text;
  }

  /** Show the keys on their buttons, and next to the page's commands. */
  #show() {
    for (const [action, button] of this.#buttons) {
      const waits = this.#waiting === action;
      button.textContent = waits ? t("Press a key…") : this.label(action);
      button.setAttribute("aria-label", waits ? t("Press the new key") : t("{action}: {key}. Change", { action: KEY_NAMES[action], key: this.label(action) }));
    }
    for (const key of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("kbd[data-key]"))) {
      key.textContent = this.label(/** @type {KeyAction} */ (key.dataset.key));
    }
  }
}
