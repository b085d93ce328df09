/** The help card: keys and buttons. */

import { MISSING } from "../connection.js";
import { make } from "../dom.js";
import { byTouch } from "../input/touch-line.js";
import { t } from "../translation.js";

/** @typedef {import("../input/key-map.js").KeyAction} KeyAction */

/** The mouse actions that chord, by chording style. */
const CHORDS = /** @type {Record<import("../input/chording.js").Chording, string>} */ ({
  click: t("click on a number, middle button or both buttons"),
  buttons: t("middle button or both buttons"),
  middle: t("middle button"),
  double: t("double click on a number"),
  off: t("off"),
});

/**
 * @param {(action: KeyAction) => string} label The key of an action.
 * @param {import("./preferences.js").Preferences} preferences
 * @returns {string[][]}
 */
function keys(label, { chording, swap, double }) {
  const of = (/** @type {KeyAction} */ action, /** @type {string} */ does) => (MISSING.has(action) ? [] : [[label(action), does]]);
  const opens = double ? t("open, with a double click") : t("open");
  return [
    [t("Left click"), swap ? t("flag") : opens],
    [t("Right click"), swap ? opens : t("flag")],
    [t("Chord"), CHORDS[chording]],
    [["up", "down", "left", "right"].map((way) => label(/** @type {KeyAction} */ (way))).join(" "), t("move the cursor")],
    [label("open"), t("open, or chord a number")],
    [label("smart"), t("flag, or chord a number")],
    [label("mark"), t("flag")],
    [label("hint"), t("show a hint; press again for its proof, step by step")],
    [label("overlay"), t("turn the overlay off or on (Assisted mode)")],
    ...of("play", t("start or pause the bot")),
    ...of("step", t("let the bot play one step")),
    [label("analyze"), t("analyze the position on the analysis board")],
    [label("undo"), t("undo")],
    [[label("new"), label("restart")].join(" "), t("new game")],
    ...of("daily", t("daily board")),
    ...of("review", t("review every decision of the game")),
    [[label("larger"), label("smaller"), label("fit")].join(" "), t("enlarge, shrink or fit the cells")],
    [label("cursor"), t("bring the cursor into view")],
    [t("Wheel, drag"), t("zoom and move a large board; Shift+arrows also move it")],
    [t("Esc"), t("close the card")],
  ];
}

const TOUCHES = [
  [t("Tap"), t("open; on a number, chord")],
  [t("Long press"), t("flag")],
  [t("Tap flags"), t("tap to flag, long-press to open")],
  [t("Drag"), t("move a board that is larger than the screen")],
  [t("Pinch"), t("zoom between the whole board and large cells")],
];

/**
 * @param {import("./card.js").Card} card
 * @param {(action: KeyAction) => string} label The key of an action.
 * @param {import("./preferences.js").Preferences} preferences
 */
export function showHelp(card, label, preferences) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    t("How to play"),
    t(
      "Open every cell without a mine. Each number counts the mines in the cells around it. When a number has that many flags around it, a chord opens all its other cells.",
    ),
  );
  const list = make("dl");
  const touch = byTouch();
  for (const [key, does] of touch ? TOUCHES : keys(label, preferences)) list.append(make("dt", key), make("dd", does));
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
