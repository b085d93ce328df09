/** Replays from outside: files that are chosen, dropped or pasted, and games of the history. */

import { $, input } from "../dom.js";
import { Refusal } from "../review/stream.js";
import { t } from "../translation.js";

/** @param {(file: Blob) => void} take Called with each file that somebody opens. */
export function listenToFiles(take) {
  let inside = 0;
  const showDrop = (/** @type {number} */ change) => {
    inside = Math.max(0, inside + change);
    $("drop").hidden = inside === 0;
  };
  document.addEventListener("dragenter", () => showDrop(1));
  document.addEventListener("dragleave", () => showDrop(-1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    showDrop(-inside);
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text") ?? "";
    if (file || text.trim()) take(file ?? new Blob([text]));
  });
  input("file").addEventListener("change", () => {
    const file = input("file").files?.[0];
    if (file) take(file);
    input("file").value = "";
  });
}

/**
 * @param {string} id Of a game of this browser; `last` is the one on the play page.
 * @returns {Promise<Blob>} Its replay.
 */
export async function recordedGame(id) {
  const path = id === "last" ? "/api/replay" : `/api/history/games/${encodeURIComponent(id)}`;
  const answer = await fetch(path);
  if (!answer.ok) throw new Refusal((await answer.json()).error);
  if (id === "last") return answer.blob();
  const { replay } = await answer.json();
  if (!replay) {
    const message = t("this game began from a position, so it has no replay; open its review");
    throw new Refusal({ code: "no_replay", message });
  }
  return new Blob([JSON.stringify(replay)]);
}
