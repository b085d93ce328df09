/** Keyboard input: cell keys on the board, commands anywhere on the page. */

/**
 * @typedef {"hint" | "new" | "undo" | "help" | "larger" | "smaller" | "fit" | "leave"
 *   | "overlay" | "play" | "step" | "review" | "daily" | "analyze"} Command
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

/** @type {Record<string, Act>} */
const ACTS = { " ": "open", f: "mark", Enter: "enter" };

/** @type {Record<string, Command>} */
const COMMANDS = {
  h: "hint",
  n: "new",
  u: "undo",
  r: "review",
  d: "daily",
  a: "overlay",
  p: "play",
  s: "step",
  e: "analyze",
  "?": "help",
  "+": "larger",
  "=": "larger",
  "-": "smaller",
  0: "fit",
  Escape: "leave",
};

/** @typedef {"board" | "control" | "page"} Focus */

/**
 * The command of a key press.
 *
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event
 * @param {Focus} focus Where the focus is; controls keep Space, Enter and arrows.
 * @returns {{step?: [number, number], jump?: Jump, act?: Act, command?: Command} | null}
 */
export function keyMeaning({ key, ctrlKey, metaKey, altKey }, focus) {
  if (altKey || metaKey) return null;
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (focus !== "control") {
    if (ctrlKey && (key === "Home" || key === "End")) return { jump: key === "Home" ? "first" : "last" };
    if (ctrlKey) return null;
    if (ARROWS[plain]) return { step: ARROWS[plain] };
    if (plain === "Home" || plain === "End") return { jump: plain === "Home" ? "row-start" : "row-end" };
    // Space and Enter outside the board belong to the page.
    if (ACTS[plain] && (focus === "board" || plain === "f")) return { act: ACTS[plain] };
  }
  if (ctrlKey) return null;
  return COMMANDS[plain] ? { command: COMMANDS[plain] } : null;
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
 */
export function listenToKeys(board, keys) {
  document.addEventListener("keydown", (event) => {
    const focused = document.activeElement;
    if (focused?.matches(TYPING) && event.key !== "Escape") return;
    const meant = keyMeaning(event, focusOf(focused, board));
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
