/** The help card of the analysis board. */

import { make } from "../dom.js";
import { phone } from "../frame/phone.js";

const KEYS = [
  ["0 – 8", "draw the number on the cell under the cursor"],
  [". Backspace", "make it unopened"],
  ["F, right click", "flag"],
  ["L", "what each number there would mean"],
  ["O", "open it as the mines shown lie"],
  ["Enter, Space", "use the chosen tool"],
  ["Arrows", "move the cursor"],
  ["Drag", "draw on many cells"],
  ["U, Ctrl+Z", "undo"],
  ["Y, Ctrl+Y", "redo"],
  ["A", "chances, states or none"],
  ["D", "deal the unseen mines"],
  ["P", "play on"],
  ["Esc", "hide the mines, or close the card"],
];

const TOUCHES = [
  ["Tap", "use the chosen tool"],
  ["Long press", "flag"],
  ["Drag", "draw on many cells, or move a large board"],
];

/** @param {import("../frame/card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    "The analysis board",
    "Draw what you see, and every unopened cell shows its exact chance of a mine. " +
      "Away from the board, the keys of the tools choose the tool.",
  );
  const list = make("dl");
  const touch = phone.matches || matchMedia("(pointer: coarse)").matches;
  for (const [key, does] of touch ? TOUCHES : KEYS) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
