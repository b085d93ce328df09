/** The help card: keys and buttons. */

import { make } from "../dom.js";
import { phone } from "./phone.js";

const KEYS = [
  ["Left click", "open; on a number, chord"],
  ["Right click", "flag"],
  ["Middle, or both", "chord"],
  ["Arrows", "move the cursor"],
  ["Space", "open"],
  ["F", "flag"],
  ["Enter", "open, or chord a number"],
  ["H", "hint; again, its proof step by step"],
  ["A", "overlay off and on, when assisted"],
  ["P", "let the bot play, or pause it"],
  ["S", "let the bot do one step"],
  ["E", "examine the position on the analysis board"],
  ["U", "undo"],
  ["N", "new game"],
  ["D", "daily board"],
  ["R", "review: every decision of the game"],
  ["+ − 0", "larger, smaller, fitting cells"],
  ["Esc", "close the card"],
];

const TOUCHES = [
  ["Tap", "open; on a number, chord"],
  ["Long press", "flag"],
  ["Tap flags", "taps flag, a long press opens"],
  ["Drag", "move a board that is larger than the screen"],
  ["Pinch", "from the whole board to large cells"],
];

/** @param {import("./card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    "How to play",
    "Open every cell that holds no mine. A number says how many of the cells around it do. " +
      "A chord opens all other cells around a number whose flags match it.",
  );
  const list = make("dl");
  const touch = phone.matches || matchMedia("(pointer: coarse)").matches;
  for (const [key, does] of touch ? TOUCHES : KEYS) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
