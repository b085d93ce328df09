/** A game at its public URL: its player, and the choices of its owner. */

import { $, make } from "../dom.js";
import { offerShare } from "../frame/share-game.js";
import { jsonOf } from "../refusal.js";
import { t } from "../translation.js";

/**
 * Return a public game, and show its player.
 *
 * @param {string} id
 * @returns {Promise<import("./types.js").PublicGame>}
 */
export async function publicGame(id) {
  /** @type {import("./types.js").PublicGame} */
  const found = await jsonOf(await fetch(`/api/games/${encodeURIComponent(id)}`));
  const line = $("public");
  line.replaceChildren(...parts(found));
  line.hidden = false;
  return found;
}

/**
 * @param {import("./types.js").PublicGame} game
 * @returns {Node[]}
 */
function parts({ name, profile, board, own, game }) {
  const shown = name ? playerOf(name, profile) : make("span", t("A guest"));
  /** @type {Node[]} */
  const found = [shown];
  if (board) found.push(make("span", " · "), boardOf(board, game));
  if (own) {
    const share = make("button", t("Sharing…"));
    share.type = "button";
    share.addEventListener("click", () => void offerShare(own));
    found.push(make("span", " · "), share);
  }
  return found;
}

/**
 * @param {string} name
 * @param {boolean} profile Whether everyone can see the profile.
 * @returns {HTMLElement}
 */
export function playerOf(name, profile) {
  if (!profile) return make("span", name);
  const link = make("a", name);
  link.href = `/@${encodeURIComponent(name)}`;
  return link;
}

/**
 * @param {string} board
 * @param {import("./types.js").PublicGame["game"]} game
 * @returns {HTMLElement}
 */
function boardOf(board, { rules, level }) {
  const day = /^daily (.+)$/.exec(board)?.[1];
  const link = make("a", t("Leaderboard"));
  link.href = `/leaderboards?${new URLSearchParams(day ? { day } : { rules, level })}`;
  return link;
}
