/** Keyboard input: cell keys on the board, commands anywhere on the page. */

import { KEY_ACTIONS, plainKey, USUAL_KEYS } from "./key-map.js";

/**
 * @typedef {"hint" | "new" | "undo" | "help" | "larger" | "smaller" | "fit" | "leave"
 *   | "overlay" | "play" | "step" | "review" | "daily" | "analyze" | "cursor"} Command
 */

/** @typedef {"row-start" | "row-end" | "first" | "last"} Jump */
/** @typedef {"open" | "mark" | "enter"} Act */

/**
 * @typedef {object} Keys
 * @property {(rows: number, cols: number) => void} step
 * @property {(where: Jump) => void} jump
 * @property {(kind: Act) => void} act On the cell under the cursor.
 * @property {(name: Command) => void} command
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
};

/**
 * What a key stands for, as the player has chosen.
 *
 * @param {string} key
 * @param {KeyMap} keys
 * @returns {import("./key-map.js").KeyAction | undefined}
 */
function actionOf(key, keys) {
  const found = KEY_ACTIONS.find((action) => keys[action] === key);
  // The plus sign of many keyboards needs Shift.
  return found ?? (key === "=" && keys.larger === "+" ? "larger" : undefined);
}

/** @typedef {"board" | "control" | "page"} Focus */
/** @typedef {import("./key-map.js").KeyMap} KeyMap */

/**
 * The command of a key press.
 *
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event
 * @param {Focus} focus Where the focus is; controls keep Space, Enter and arrows.
 * @param {KeyMap} [keys]
 * @returns {{step?: [number, number], jump?: Jump, act?: Act, command?: Command} | null}
 */
export function keyMeaning({ key, ctrlKey, metaKey, altKey }, focus, keys = USUAL_KEYS) {
  if (altKey || metaKey) return null;
  const plain = plainKey(key);
  const action = actionOf(plain, keys);
  if (focus !== "control") {
    if (ctrlKey && (key === "Home" || key === "End")) return { jump: key === "Home" ? "first" : "last" };
    if (ctrlKey) return null;
    if (ARROWS[plain]) return { step: ARROWS[plain] };
    if (plain === "Home" || plain === "End") return { jump: plain === "Home" ? "row-start" : "row-end" };
    // Space and Enter outside the board belong to the page.
    if (plain === "Enter") return focus === "board" ? { act: "enter" } : null;
    if (action === "open" || action === "mark") return focus === "board" || plain !== " " ? { act: action } : null;
  }
  if (ctrlKey) return null;
  if (plain === "Escape") return { command: "leave" };
  if (!action || action === "open" || action === "mark" || (focus === "control" && plain === " ")) return null;
  return { command: action };
}

/** Elements in which letters are text. */
const TYPING = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea';

/**
 * @param {Element | null} element
 * @param {HTMLElement} board
 * @returns {Focus}
 */
function focusOf(element, board) {
  if (board.contains(element)) return "board";
  return element?.matches("button, a, summary, input, select, textarea") ? "control" : "page";
}

/**
 * @param {HTMLElement} board
 * @param {Keys} keys
 * @param {() => KeyMap} map The keys that the player has chosen.
 */
export function listenToKeys(board, keys, map) {
  document.addEventListener("keydown", (event) => {
    const focused = document.activeElement;
    if (focused?.matches(TYPING) && event.key !== "Escape") return;
    const meant = keyMeaning(event, focusOf(focused, board), map());
    if (!meant) return;
    // Also stops a letter from changing a focused select.
    event.preventDefault();
    if (meant.step) keys.step(...meant.step);
    else if (meant.jump) keys.jump(meant.jump);
    // Of held keys, only cursor keys repeat.
    else if (event.repeat) return;
    else if (meant.act) keys.act(meant.act);
    else if (meant.command) keys.command(meant.command);
  });
}
