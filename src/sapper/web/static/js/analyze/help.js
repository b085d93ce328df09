/** The help card of the Analyze page. */

import { make } from "../dom.js";
import { byTouch } from "../input/touch-line.js";
import { t } from "../translation.js";

const KEYS = [
  ["0 – 8", t("draw that number on the cell under the cursor")],
  [t(". Backspace"), t("make the cell unopened")],
  [t("F, right click"), t("flag")],
  ["L", t("show what each number would mean there")],
  ["O", t("open the cell, with the mines as shown")],
  [t("Enter, Space"), t("use the selected tool")],
  [t("Arrows"), t("move the cursor")],
  [t("Drag"), t("draw on many cells")],
  [t("U, Ctrl+Z"), t("undo")],
  [t("Y, Ctrl+Y"), t("redo")],
  ["A", t("show chances, states or neither")],
  ["D", t("deal the hidden mines")],
  ["P", t("play from here")],
  [t("Esc"), t("hide the mines or close the card")],
];

const TOUCHES = [
  [t("Tap"), t("use the selected tool")],
  [t("Long press"), t("flag")],
  [t("Drag"), t("draw on many cells or move a large board")],
];

/** @param {import("../frame/card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    t("The analysis board"),
    t(
      "Draw what you see, and every unopened cell shows its exact chance of being a mine. The tool keys select a tool after a click, or while the focus is outside the board.",
    ),
  );
  const list = make("dl");
  const touch = byTouch();
  for (const [key, does] of touch ? TOUCHES : KEYS) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
