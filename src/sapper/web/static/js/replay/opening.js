/** Replays given in the URL: games played, or files opened, in this browser. */

import { Refusal } from "../refusal.js";
import { t } from "../translation.js";
import { fetchReplay } from "./fetch-replay.js";
import { keptFile } from "./kept-files.js";
import { publicGame } from "./public-game.js";

/** The message for a link to another browser's game. */
export const MISSING = t("That game is not in this browser. Ask the player for the replay file and open it here.");

/**
 * @param {Location} address
 * @returns {URLSearchParams} Its parameters; some are written after a `#`.
 */
export function namedBy({ search, hash, pathname }) {
  const page = /^\/g\/([\w-]+)$/.exec(pathname);
  return new URLSearchParams(page ? { page: page[1] } : search || hash.slice(1));
}

/**
 * @param {URLSearchParams} named `game`: of this browser, or `last`, the one on the play page;
 * `day`: the result of a daily board; `file`: a file kept in this browser; `page`: a public game;
 * `room`, `player` and `round`: a player's game in a room.
 * @returns {Promise<Blob>} Its replay.
 */
export async function recordedGame(named) {
  const [game, day, file, page] = ["game", "day", "file", "page"].map((name) => named.get(name));
  if (page) return new Blob([JSON.stringify((await publicGame(page)).replay)]);
  if (file) return (await keptFile(file)) ?? missing();
  const room = named.get("room");
  if (room) return roomGame(room, named.get("player") ?? "all", named.get("round"));
  if (game && game !== "last") {
    const answer = await fetch(`/api/history/games/${encodeURIComponent(game)}`);
    const found = await answer.json();
    if (answer.ok) return new Blob([JSON.stringify(found.replay)]);
    return found.error.code === "no_game" ? missing() : refuse(found.error);
  }
  if (!day) return game ? fetchReplay("/api/replay") : missing();
  const answer = await fetch(`/api/replay?day=${encodeURIComponent(day)}`);
  if (answer.ok) return answer.blob();
  const { error } = await answer.json();
  return error.code === "no_game" ? missing() : refuse(error);
}

/**
 * @param {string} code
 * @param {string} player The number of a member, or `all` for a shared board.
 * @param {string | null} round The number of the game (default: the last one).
 * @returns {Promise<Blob>}
 */
function roomGame(code, player, round) {
  const [room, who] = [code, player].map(encodeURIComponent);
  return fetchReplay(`/api/rooms/${room}/games/${who}${round ? `?game=${encodeURIComponent(round)}` : ""}`);
}

/** @returns {never} */
function missing() {
  throw new Refusal({ code: "no_game", message: MISSING });
}

/**
 * @param {{code: string, message: string}} error
 * @returns {never}
 */
function refuse(error) {
  throw new Refusal(error);
}
