/** The Rematch button after a game, and the note that says who has asked for one. */

import { $, button } from "../dom.js";
import { listed, sentences } from "../sentence.js";
import { t, tn } from "../translation.js";

/** The minimum number of players in each kind of room. */
export const LEAST = { race: 2, shared: 1, flags: 2 };
/** The maximum number of names in the note. */
const MOST_NAMES = 3;

/** @typedef {import("./room-state.js").RoomState} RoomState */
/** @typedef {import("./types.js").Member} Member */

/**
 * @param {RoomState} state
 * @returns {boolean} Whether the host has asked for a rematch, and can start it without the others.
 */
export function startsNow(state) {
  const { view, you, isHost } = state;
  return Boolean(isHost && you?.rematch) && (view?.kind !== "flags" || missing(state).length === 0);
}

/**
 * @param {RoomState} state
 * @param {boolean} offered Whether there can be another game.
 */
export function showRematch(state, offered) {
  const { view, you, players } = state;
  const now = startsNow(state);
  $("again").hidden = !(offered && you?.plays);
  $("again").textContent = now ? t("Start now") : t("Rematch");
  button("again").disabled = !view || players.length < LEAST[view.kind] || Boolean(you?.rematch && !now);
  const note = offered ? rematchNote(state) : "";
  if ($("rematch-note").textContent !== note) $("rematch-note").textContent = note;
  $("rematch-note").hidden = !note;
}

/**
 * @param {RoomState} state
 * @returns {string} Who has asked for a rematch and who has not, or that a player is missing; empty if there is nothing to say.
 */
export function rematchNote(state) {
  const { view, you, isHost, players } = state;
  if (view && players.length < LEAST[view.kind]) {
    return isHost ? t("One more player is needed: share the link or add a bot.") : "";
  }
  const asked = players.filter((one) => one.rematch);
  if (!asked.length) return "";
  const others = asked.filter((one) => one !== you);
  const awaited = missing(state).filter((one) => one !== you);
  return sentences(others.length > 0 && askedText(others), awaited.length > 0 && awaitedText(awaited));
}

/**
 * @param {RoomState} state
 * @returns {Member[]} The people who have not asked: the connected ones if there are any, otherwise all.
 */
function missing({ players }) {
  const rest = players.filter((one) => !one.bot && !one.rematch);
  const here = rest.filter((one) => one.connected);
  return here.length ? here : rest;
}

/**
 * @param {Member[]} members
 * @returns {string}
 */
export function askedText(members) {
  if (members.length === 1) return t("{name} wants a rematch.", { name: members[0].name });
  if (members.length > MOST_NAMES) return tn("{n} player wants a rematch.", "{n} players want a rematch.", members.length);
  return t("{names} want a rematch.", { names: listed(members.map((one) => one.name)) });
}

/**
 * @param {Member[]} members
 * @returns {string}
 */
function awaitedText(members) {
  if (members.length > MOST_NAMES) return tn("Waiting for {n} player.", "Waiting for {n} players.", members.length);
  return t("Waiting for {names}.", { names: listed(members.map((one) => one.name)) });
}
