/** The help card: keys and buttons. */

import { make } from "../dom.js";
import { phone } from "./phone.js";
import { t } from "../translation.js";

const KEYS = [
  [t("Left click"), t("open; on a number, chord")],
  [t("Right click"), t("flag")],
  [t("Middle, or both"), t("chord")],
  [t("Arrows"), t("move the cursor")],
  [t("Space"), t("open")],
  ["F", t("flag")],
  [t("Enter"), t("open, or chord a number")],
  ["H", t("hint; again, its proof step by step")],
  ["A", t("overlay off and on, when assisted")],
  ["P", t("let the bot play, or pause it")],
  ["S", t("let the bot do one step")],
  ["E", t("examine the position on the analysis board")],
  ["U", t("undo")],
  ["N", t("new game")],
  ["D", t("daily board")],
  ["R", t("review: every decision of the game")],
  ["+ − 0", t("larger, smaller, fitting cells")],
  [t("Esc"), t("close the card")],
];

const TOUCHES = [
  [t("Tap"), t("open; on a number, chord")],
  [t("Long press"), t("flag")],
  [t("Tap flags"), t("taps flag, a long press opens")],
  [t("Drag"), t("move a board that is larger than the screen")],
  [t("Pinch"), t("from the whole board to large cells")],
];

/** @param {import("./card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    t("How to play"),
    t(
      "Open every cell that holds no mine. A number says how many of the cells around it do. A chord opens all other cells around a number whose flags match it.",
    ),
  );
  const list = make("dl");
  const touch = phone.matches || matchMedia("(pointer: coarse)").matches;
  for (const [key, does] of touch ? TOUCHES : KEYS) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
