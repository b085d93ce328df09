/** The keys of the Replay page, which work wherever the focus is. */

import { pressedKey } from "../input/pressed-key.js";

/**
 * @param {Record<string, () => void>} commands By key: letters in lower case, with Shift as `Shift+G`.
 * @param {(key: string) => boolean} usable Whether a key may act now.
 */
export function listenToKeys(commands, usable) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { shiftKey } = event;
      const key = pressedKey(event);
      const on = document.activeElement;
      // The settings box handles its own keys.
      if (on?.closest("[popover]")) return;
      if (key === " " && on?.matches("button, a, input, summary")) return;
      if (on?.matches("select, input[type=radio]") && key.startsWith("Arrow")) return;
      const name = shiftKey ? `Shift+${key}` : key.length === 1 ? key.toLowerCase() : key;
      if (!commands[name] || !usable(name)) return;
      commands[name]();
      event.preventDefault();
      event.stopPropagation();
    },
    // Listen before the board does, because Shift with an arrow would move its cursor.
    true,
  );
}
