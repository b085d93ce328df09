/** The title of a room, its settings, and the line of keys. */

import { $ } from "../dom.js";
import { byTouch, touchLine } from "../input/touch-line.js";
import { t, tn } from "../translation.js";
import { about, boardName, KINDS } from "./wording.js";

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {Map<string, string>} ruleLabels
 * @param {boolean} playable Whether there is a board to use the keys on.
 * @param {boolean} flagMode Whether a tap flags.
 */
export function showHead({ view, running }, ruleLabels, playable, flagMode) {
  if (!view) return;
  const { kind, settings } = view;
  const title = `${KINDS[kind]} · ${boardName(settings.level)}`;
  if ($("room-title").textContent !== title) {
    $("room-title").textContent = title;
    document.title = t("{title} - Minesweeper - Sapper", { title });
  }
  const rounds = settings.best_of ?? 1;
  const parts = about(kind, settings, (rules) => ruleLabels.get(rules) ?? rules);
  if (rounds > 1 && view.round) parts.push(t("round {round}", { round: view.round }));
  if (view.locked) parts.push(t("locked"));
  if (kind === "shared" && running && view.lives !== undefined) {
    parts[1] = tn("{n} life left", "{n} lives left", view.lives);
  }
  const text = parts.join(" · ");
  if ($("room-about").textContent !== text) $("room-about").textContent = text;
  $("keys").textContent = playable ? keysOf(kind, flagMode) : "";
}

/**
 * @param {string} kind
 * @param {boolean} flagMode
 * @returns {string} The line of keys, or how taps work.
 */
function keysOf(kind, flagMode) {
  if (kind === "flags") return byTouch() ? t("Tap a cell where you expect a mine") : t("Click a cell where you expect a mine · B bomb · ? help");
  return byTouch() ? touchLine(false, flagMode) : t("Left click opens · right click flags · click a number to chord · ? help");
}
