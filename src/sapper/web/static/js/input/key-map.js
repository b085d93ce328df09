/** The Play page's keys: their actions, and how to change them. Pure functions. */

import { t } from "../translation.js";
import { ofOtherScript } from "./pressed-key.js";

/**
 * @typedef {"open" | "mark" | "smart" | "hint" | "overlay" | "undo" | "new" | "restart" | "daily"
 *   | "review" | "analyze" | "play" | "step" | "larger" | "smaller" | "fit" | "cursor" | "help" | "up"
 *   | "down" | "left" | "right" | "far-up" | "far-down" | "row-start" | "row-end"} KeyAction
 */

/**
 * @typedef {Record<KeyAction, string>} KeyMap Keys as returned by `pressedKey`, letters in lower case;
 *   empty for an action without a key.
 */

/** @type {Readonly<KeyMap>} */
export const USUAL_KEYS = {
  open: "Enter", mark: "f", smart: " ", hint: "h", overlay: "a", undo: "u", new: "n", restart: "F2", daily: "d", review: "r",
  analyze: "e", play: "p", step: "s", larger: "+", smaller: "-", fit: "0", cursor: "c", help: "?",
  up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", "far-up": "PageUp", "far-down": "PageDown",
  "row-start": "Home", "row-end": "End",
};

/** The name of each action, for the list of keys and for messages. */
export const KEY_NAMES = /** @type {Record<KeyAction, string>} */ ({
  open: t("Open or chord"),
  mark: t("Flag"),
  smart: t("Flag or chord"),
  hint: t("Hint"),
  overlay: t("Overlay"),
  undo: t("Undo"),
  new: t("New game"),
  restart: t("New game, second key"),
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
  up: t("Cursor up"),
  down: t("Cursor down"),
  left: t("Cursor left"),
  right: t("Cursor right"),
  "far-up": t("Five rows up"),
  "far-down": t("Five rows down"),
  "row-start": t("Start of the row"),
  "row-end": t("End of the row"),
});

/** Actions that were added after keys became configurable. */
const ADDED = /** @type {readonly KeyAction[]} */ (["smart"]);

export const KEY_ACTIONS = /** @type {KeyAction[]} */ (Object.keys(USUAL_KEYS));

/** Keys that close the card or move the focus, and keys without a name. */
const UNUSABLE = /^(Escape|Tab|Dead|Process|Unidentified)$/;
const usable = (/** @type {string} */ key) => !UNUSABLE.test(key) && !ofOtherScript(key);
/** @type {Record<string, string>} */
const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
// "End" alone could be mistaken for the end of a game.
const [HOME, END] = t("Home, End").split(", ");
const [PAGE_UP, PAGE_DOWN] = t("Page Up, Page Down").split(", ");
/** @type {Record<string, string>} The labels of other keys. */
const NAMES = { " ": t("Space"), Enter: t("Enter"), Home: HOME, End: END, PageUp: PAGE_UP, PageDown: PAGE_DOWN };
const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

/**
 * @param {string} key As returned by `pressedKey`.
 * @returns {string} The stored form of a key.
 */
export function plainKey(key) {
  return key.length === 1 ? key.toLowerCase() : key;
}

/**
 * @param {string} key
 * @returns {string} A key as shown to the player: `H`, `Space`
 */
export function keyLabel(key) {
  if (key in NAMES) return NAMES[key];
  if (key in SIGNS) return SIGNS[key];
  if (key === "-") return "−";
  if (key === "") return "–";
  return key.length === 1 ? key.toUpperCase() : key;
}

/**
 * @param {string | null} text The stored text.
 * @returns {KeyMap} All keys; missing, broken and conflicting ones get their defaults.
 */
export function readKeys(text) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const keys = { ...USUAL_KEYS };
  // Space opened cells before a key for flagging or chording existed.
  const old = kept?.smart === undefined && kept?.open === " ";
  const isKept = (/** @type {KeyAction} */ action) =>
    typeof kept?.[action] === "string" && usable(kept[action]) && !(old && action === "open");
  for (const action of KEY_ACTIONS) if (isKept(action)) keys[action] = plainKey(kept[action]);
  const taken = KEY_ACTIONS.filter(isKept).map((action) => keys[action]);
  // A new action gets no key if its default key is taken.
  if (kept?.smart === undefined) {
    for (const action of ADDED) if (!isKept(action) && taken.includes(keys[action])) keys[action] = "";
  }
  const used = Object.values(keys).filter(Boolean);
  return new Set(used).size === used.length ? keys : { ...USUAL_KEYS };
}

/**
 * @param {string} key
 * @returns {boolean} Whether the key is a modifier.
 */
export function isModifier(key) {
  return MODIFIERS.includes(key);
}

/**
 * Return why a key cannot be used for an action.
 *
 * @param {KeyMap} keys
 * @param {KeyAction} action
 * @param {string} key
 * @returns {string} The reason; empty if the key can be used.
 */
export function keyProblem(keys, action, key) {
  const plain = plainKey(key);
  if (!usable(plain)) return t("{key} cannot be used here. Choose another key.", { key });
  const other = KEY_ACTIONS.find((each) => each !== action && keys[each] === plain);
  if (!other) return "";
  return t("{key} is already used for “{action}”. Choose another key.", {
    key: keyLabel(plain),
    action: KEY_NAMES[other],
  });
}
