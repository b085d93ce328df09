/** The list of open rooms. */

import { make } from "../dom.js";
import { nickname } from "../room/nicknames.js";
import { boardName, KINDS } from "../room/wording.js";
import { t, tn } from "../translation.js";

/** @typedef {import("../room/types.js").ListedRoom} ListedRoom */

/**
 * @param {ListedRoom} room
 * @returns {string} Its host, and the game that is played.
 */
export function roomName({ kind, host, level }) {
  const game = `${KINDS[kind]} · ${boardName(level)}`;
  return host ? t("{name}: {game}", { name: nickname(host), game }) : game;
}

/**
 * @param {ListedRoom} room
 * @returns {boolean} Whether a new player can take part in this or the next game.
 */
export function canJoin({ kind, phase, players, most }) {
  return players < most && (kind !== "flags" || phase !== "playing");
}

/**
 * @param {ListedRoom} room
 * @param {(rules: string) => string} rulesLabel
 * @returns {string[]}
 */
export function roomNotes({ rules, phase, players, bots, watchers, most, rated }, rulesLabel) {
  const waiting = phase === "waiting" || phase === "over" || phase === "won" || phase === "lost";
  return [
    rules ? rulesLabel(rules) : "",
    t("{players} of {most} players", { players, most }),
    bots ? tn("{n} bot", "{n} bots", bots) : "",
    watchers ? tn("{n} watching", "{n} watching", watchers) : "",
    rated ? t("rated") : "",
    waiting ? t("waiting") : t("playing"),
  ].filter(Boolean);
}

/**
 * Show the rooms; rows that stay keep their elements, and with them the focus.
 *
 * @param {HTMLElement} list
 * @param {ListedRoom[]} rooms
 * @param {(rules: string) => string} rulesLabel
 */
export function showRooms(list, rooms, rulesLabel) {
  const before = new Map([...list.children].map((row) => [/** @type {HTMLElement} */ (row).dataset.code, row]));
  const rows = rooms.map((room) => {
    const row = /** @type {HTMLElement} */ (before.get(room.code) ?? blank(room.code));
    const [name, notes, link] = /** @type {HTMLElement[]} */ ([...row.children]);
    name.textContent = roomName(room);
    notes.textContent = roomNotes(room, rulesLabel).join(" · ");
    link.textContent = canJoin(room) ? t("Join") : t("Watch");
    link.setAttribute("aria-label", `${link.textContent}: ${name.textContent}`);
    return row;
  });
  const same = rows.length === list.children.length && rows.every((row, at) => list.children[at] === row);
  if (!same) list.replaceChildren(...rows);
}

/**
 * @param {string} code
 * @returns {HTMLElement}
 */
function blank(code) {
  const [row, link] = [make("li"), make("a")];
  row.dataset.code = code;
  link.href = `/r/${code}`;
  link.className = "button";
  row.append(make("b"), make("p"), link);
  return row;
}
