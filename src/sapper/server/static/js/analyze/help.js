/** The help card of the analysis board. */

import { make } from "../dom.js";
import { phone } from "../frame/phone.js";
import { t } from "../translation.js";

const KEYS = [
  ["0 – 8", t("draw the number on the cell under the cursor")],
  [t(". Backspace"), t("make it unopened")],
  [t("F, right click"), t("flag")],
  ["L", t("what each number there would mean")],
  ["O", t("open it as the mines shown lie")],
  [t("Enter, Space"), t("use the chosen tool")],
  [t("Arrows"), t("move the cursor")],
  [t("Drag"), t("draw on many cells")],
  [t("U, Ctrl+Z"), t("undo")],
  [t("Y, Ctrl+Y"), t("redo")],
  ["A", t("chances, states or none")],
  ["D", t("deal the unseen mines")],
  ["P", t("play on")],
  [t("Esc"), t("hide the mines, or close the card")],
];

const TOUCHES = [
  [t("Tap"), t("use the chosen tool")],
  [t("Long press"), t("flag")],
  [t("Drag"), t("draw on many cells, or move a large board")],
];

/** @param {import("../frame/card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    t("The analysis board"),
    t(
      "Draw what you see, and every unopened cell shows its exact chance of a mine. After a click, or outside the board, the tool keys choose a tool.",
    ),
  );
  const list = make("dl");
  const touch = phone.matches || matchMedia("(pointer: coarse)").matches;
  for (const [key, does] of touch ? TOUCHES : KEYS) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
