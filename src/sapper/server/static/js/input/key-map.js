/** The keys of the play page: what they do, and how a player changes them. Pure functions. */

import { t } from "../translation.js";

/**
 * @typedef {"open" | "mark" | "hint" | "overlay" | "undo" | "new" | "daily" | "review" | "analyze"
 *   | "play" | "step" | "larger" | "smaller" | "fit" | "cursor" | "help"} KeyAction
 */

/** @typedef {Record<KeyAction, string>} KeyMap Keys as in `KeyboardEvent.key`, letters in lower case. */

/** @type {Readonly<KeyMap>} */
export const USUAL_KEYS = {
  open: " ", mark: "f", hint: "h", overlay: "a", undo: "u", new: "n", daily: "d", review: "r",
  analyze: "e", play: "p", step: "s", larger: "+", smaller: "-", fit: "0", cursor: "c", help: "?",
};

/** What each key does, for the list of keys and for messages. */
export const KEY_NAMES = /** @type {Record<KeyAction, string>} */ ({
  open: t("Open"),
  mark: t("Flag"),
  hint: t("Hint"),
  overlay: t("Overlay"),
  undo: t("Undo"),
  new: t("New game"),
  daily: t("Daily board"),
  review: t("Review"),
  analyze: t("Analyze"),
  play: t("Bot: play"),
  step: t("Bot: step"),
  larger: t("Larger cells"),
  smaller: t("Smaller cells"),
  fit: t("Fit"),
  cursor: t("Show the cursor"),
  help: t("Keys and help"),
});

export const KEY_ACTIONS = /** @type {KeyAction[]} */ (Object.keys(USUAL_KEYS));

/** Keys that move the cursor or the focus, or that the browser needs. */
const FIXED = /^(Arrow.*|Home|End|PageUp|PageDown|Enter|Escape|Tab|F\d+|Dead|Process|Unidentified)$/;
const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

/**
 * @param {string} key As in `KeyboardEvent.key`.
 * @returns {string} The form in which keys are kept.
 */
export function plainKey(key) {
  return key.length === 1 ? key.toLowerCase() : key;
}

/**
 * @param {string} key
 * @returns {string} A key for people: `H`, `Space`
 */
export function keyLabel(key) {
  if (key === " ") return t("Space");
  if (key === "-") return "−";
  return key.length === 1 ? key.toUpperCase() : key;
}

/**
 * @param {string | null} text The stored text.
 * @returns {KeyMap} All keys; unknown, broken and conflicting ones are as usual.
 */
export function readKeys(text) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const keys = { ...USUAL_KEYS };
  for (const action of KEY_ACTIONS) {
    const key = kept?.[action];
    if (typeof key === "string" && key && !FIXED.test(key)) keys[action] = plainKey(key);
  }
  return new Set(Object.values(keys)).size === KEY_ACTIONS.length ? keys : { ...USUAL_KEYS };
}

/**
 * @param {string} key
 * @returns {boolean} Whether the key waits for another one.
 */
export function isModifier(key) {
  return MODIFIERS.includes(key);
}

/**
 * Why a key cannot stand for an action.
 *
 * @param {KeyMap} keys
 * @param {KeyAction} action
 * @param {string} key
 * @returns {string} Empty if it can.
 */
export function keyProblem(keys, action, key) {
  const plain = plainKey(key);
  if (FIXED.test(plain)) return t("{key} always keeps its own meaning. Choose another key.", { key });
  const other = KEY_ACTIONS.find((each) => each !== action && keys[each] === plain);
  if (!other) return "";
  return t("{key} is the key for “{action}” already. Choose another key.", {
    key: keyLabel(plain),
    action: KEY_NAMES[other],
  });
}
