/** The keys: on the board for cells, anywhere on the page for the rest. */

/**
 * @typedef {"hint" | "new" | "undo" | "help" | "larger" | "smaller" | "fit" | "leave"
 *   | "analyze" | "play" | "step"} Command
 */

/**
 * @typedef {object} Keys
 * @property {(rows: number, cols: number) => void} step
 * @property {(where: "row-start" | "row-end" | "first" | "last") => void} jump
 * @property {(kind: "open" | "mark" | "enter") => void} act On the cursor's cell.
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

/** @type {Record<string, "open" | "mark" | "enter">} */
const ACTS = { " ": "open", f: "mark", Enter: "enter" };

/** @type {Record<string, Command>} */
const COMMANDS = {
  h: "hint",
  n: "new",
  u: "undo",
  a: "analyze",
  p: "play",
  s: "step",
  "?": "help",
  "+": "larger",
  "=": "larger",
  "-": "smaller",
  0: "fit",
  Escape: "leave",
};

/**
 * What a key press asks for.
 *
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event
 * @param {"board" | "control" | "page"} focus Where the focus is.
 * @returns {{step?: [number, number], jump?: string, act?: string, command?: string} | null}
 */
export function keyMeaning({ key, ctrlKey, metaKey, altKey }, focus) {
  if (altKey || metaKey) return null;
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (focus !== "control") {
    if (ctrlKey && (key === "Home" || key === "End")) return { jump: key === "Home" ? "first" : "last" };
    if (ctrlKey) return null;
    if (ARROWS[plain]) return { step: ARROWS[plain] };
    if (plain === "Home" || plain === "End") return { jump: plain === "Home" ? "row-start" : "row-end" };
    // Off the board, Space and Enter are the page's own.
    if (ACTS[plain] && (focus === "board" || plain === "f")) return { act: ACTS[plain] };
  }
  if (ctrlKey) return null;
  return COMMANDS[plain] ? { command: COMMANDS[plain] } : null;
}

/**
 * @param {Element | null} element
 * @param {HTMLElement} board
 * @returns {"board" | "control" | "page" | "typing"}
 */
function focusOf(element, board) {
  if (board.contains(element)) return "board";
  if (element?.matches('input:not([type="radio"], [type="checkbox"], [type="range"]), select, textarea')) return "typing";
  return element?.matches("button, a, summary, input") ? "control" : "page";
}

/**
 * @param {HTMLElement} board
 * @param {Keys} keys
 */
export function listenToKeys(board, keys) {
  document.addEventListener("keydown", (event) => {
    const focus = focusOf(document.activeElement, board);
    if (focus === "typing" && event.key !== "Escape") return;
    const meant = keyMeaning(event, focus === "typing" ? "control" : focus);
    if (!meant) return;
    event.preventDefault();
    if (meant.step) keys.step(...meant.step);
    else if (meant.jump) keys.jump(/** @type {any} */ (meant.jump));
    // A key held down repeats; only moving may.
    else if (event.repeat) return;
    else if (meant.act) keys.act(/** @type {any} */ (meant.act));
    else if (meant.command) keys.command(/** @type {any} */ (meant.command));
  });
}
