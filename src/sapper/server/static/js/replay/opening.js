/** Replays of games that were played here. */

import { Refusal } from "../refusal.js";

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
  return new Blob([JSON.stringify(replay)]);
}
