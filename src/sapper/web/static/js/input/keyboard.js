/** Keyboard input: keys that act on a cell, and commands that work anywhere on the page. */

import { KEY_ACTIONS, plainKey, USUAL_KEYS } from "./key-map.js";
import { pressedKey } from "./pressed-key.js";

/**
 * @typedef {"hint" | "new" | "undo" | "help" | "larger" | "smaller" | "fit" | "leave"
 *   | "overlay" | "play" | "step" | "review" | "daily" | "analyze" | "cursor"} Command
 */

/** @typedef {"row-start" | "row-end" | "first" | "last"} Jump */
/**
 * @typedef {"mark" | "enter" | "smart"} Act `enter` opens, or chords a number; `smart` flags, or chords
 *   a number.
 */

/**
 * @typedef {object} Keys
 * @property {(rows: number, cols: number) => void} step
 * @property {(where: Jump) => void} jump
 * @property {(kind: Act) => void} act On the cell under the mouse or the cursor.
 * @property {() => boolean} hovering Whether the mouse is in use over a cell.
 * @property {(name: Command) => void} command
 */

/** @type {Record<string, [number, number]>} */
const STEPS = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  "far-up": [-5, 0],
  "far-down": [5, 0],
};

/** @type {Record<string, Act>} */
const ACTS = { open: "enter", mark: "mark", smart: "smart" };

/** Keys that buttons, fields and the page itself need. */
const NEEDED = /^( |Enter|Arrow.*|Home|End|PageUp|PageDown)$/;

/** Keys that scroll the page, unless the board has focus. */
const SCROLLING = /^(Home|End|PageUp|PageDown)$/;

/**
 * Return the action of a key under the player's settings.
 *
 * @param {string} key
 * @param {KeyMap} keys
 * @returns {import("./key-map.js").KeyAction | undefined}
 */
function actionOf(key, keys) {
  const found = KEY_ACTIONS.find((action) => keys[action] === key);
  // On many keyboards, the plus sign needs Shift.
  return found ?? (key === "=" && keys.larger === "+" ? "larger" : undefined);
}

/** @typedef {"board" | "control" | "page"} Focus */
/** @typedef {import("./key-map.js").KeyMap} KeyMap */

/**
 * Return the command for a key press.
 *
 * @param {{key: string, code?: string, shiftKey?: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event
 * @param {Focus} focus The focus; controls keep Space, Enter and arrows.
 * @param {KeyMap} [keys]
 * @param {boolean} [hovering] Whether the mouse is in use over a cell of the board.
 * @returns {{step?: [number, number], jump?: Jump, act?: Act, command?: Command} | null}
 */
export function keyMeaning(event, focus, keys = USUAL_KEYS, hovering = false) {
  const { ctrlKey, metaKey, altKey } = event;
  if (altKey || metaKey) return null;
  const plain = plainKey(pressedKey(event));
  const action = actionOf(plain, keys);
  const needed = NEEDED.test(plain);
  if (ctrlKey) {
    if (focus === "control" || (plain !== "Home" && plain !== "End")) return null;
    return { jump: plain === "Home" ? "first" : "last" };
  }
  if (plain === "Escape") return { command: "leave" };
  if (!action) return null;
  if (ACTS[action]) {
    // Enter presses the focused button, wherever the mouse is.
    const mouse = hovering && !(focus === "control" && plain === "Enter");
    const keyboard = focus === "board" || (focus === "page" && !needed);
    return mouse || keyboard ? { act: ACTS[action] } : null;
  }
  if (focus === "control" && needed) return null;
  const moves = STEPS[action] || action === "row-start" || action === "row-end";
  if (focus === "page" && moves && SCROLLING.test(plain)) return null;
  if (STEPS[action]) return { step: STEPS[action] };
  if (action === "row-start" || action === "row-end") return { jump: action };
  return { command: action === "restart" ? "new" : /** @type {Command} */ (action) };
}

/** Elements in which letters are typed as text. */
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
 * @param {() => KeyMap} map The player's keys.
 */
export function listenToKeys(board, keys, map) {
  let taken = "";
  // Releasing Space would press a button.
  document.addEventListener("keyup", (event) => {
    if (pressedKey(event) === taken) event.preventDefault();
    taken = "";
  });
  document.addEventListener("keydown", (event) => {
    const focused = document.activeElement;
    if (focused?.matches(TYPING) && pressedKey(event) !== "Escape") return;
    const meant = keyMeaning(event, focusOf(focused, board), map(), keys.hovering());
    if (!meant) return;
    taken = pressedKey(event);
    // This also stops a letter from changing a focused select.
    event.preventDefault();
    if (meant.step) keys.step(...meant.step);
    else if (meant.jump) keys.jump(meant.jump);
    // Only cursor keys repeat when held down.
    else if (event.repeat) return;
    else if (meant.act) keys.act(meant.act);
    else if (meant.command) keys.command(meant.command);
  });
}
