/** The status line of a room, and announcements about the others for screen readers. */

import { t, tn } from "../translation.js";
import { askedText } from "./rematch.js";
import { duration, winners } from "./wording.js";

/** @typedef {import("./room-state.js").RoomState} RoomState */
/** @typedef {import("./types.js").RoomEvent} RoomEvent */

/**
 * @param {RoomState} state
 * @param {number | undefined} number
 * @returns {string}
 */
function nameOf(state, number) {
  return state.names.get(number ?? -1) ?? t("someone");
}

/**
 * @param {RoomState} state
 * @returns {string} A sentence about the turn in Flags.
 */
export function turnText(state) {
  const { view, side } = state;
  if (view?.turn === undefined) return "";
  return view.turn === side ? t("Your turn.") : t("{name} is next.", { name: nameOf(state, view.sides?.[view.turn]) });
}

/**
 * @param {RoomState} state
 * @returns {string} The result of a game or round.
 */
export function endText(state) {
  const { view } = state;
  if (!view) return "";
  if (view.kind === "flags") {
    const winner = view.winner === null || view.winner === undefined ? undefined : view.sides?.[view.winner];
    if (winner === undefined) return t("The game is over.");
    return winner === view.you ? t("You won!") : t("{name} won.", { name: nameOf(state, winner) });
  }
  if (view.kind === "shared") {
    if (view.phase === "won") return t("The board was opened in {time}!", { time: duration(view.time_ms ?? 0) });
    return t("That was the last life.");
  }
  const first = (view.results ?? []).filter((one) => one.place === 1 && one.time_ms !== null);
  const own = view.results?.find((one) => one.number === view.you);
  if (own?.place === 1 && own.time_ms !== null && first.length === 1) return t("You won in {time}!", { time: duration(own.time_ms) });
  return winners(first.map((one) => one.name));
}

/**
 * Return the status line after an event, or null if it does not change.
 *
 * @param {RoomState} state After the event.
 * @param {RoomEvent} event
 * @returns {string | null}
 */
export function statusText(state, event) {
  const { view } = state;
  switch (event.type) {
    case "view":
      return standing(state);
    case "countdown":
      return t("Get ready.");
    case "stopped":
      return t("The others have left. The race waits for another player.");
    case "board":
      return t("Go! The start is already open.");
    case "mine":
      if (event.status === "out") return t("A mine. You are out of this round.");
      return tn("A mine: {n} second without clicks.", "A mine: {n} seconds without clicks.", Math.round((view?.settings.freeze_ms ?? 0) / 1000));
    case "finished":
      return event.number === view?.you ? t("Finished in {time}.", { time: duration(event.time_ms) }) : null;
    case "game":
      if (view?.kind === "flags") return turnText(state);
      return state.you?.plays ? t("Go! You all play on this board.") : "";
    case "move":
      return moveText(state, event);
    case "turn":
      return t("Time is up. {turn}", { turn: turnText(state) });
    case "round_over":
      return event.over ? endText(state) : t("{result} The next round starts soon.", { result: endText(state) });
    case "game_over":
      return endText(state);
    case "members":
      if (state.you?.waits) return t("You are watching until the host lets you play.");
      // Clear the message that the others have left once another player is here.
      return view?.phase === "waiting" && !state.alone ? "" : null;
    default:
      return null;
  }
}

/**
 * @param {RoomState} state
 * @returns {string} The status line when the page is opened, or after reconnecting.
 */
function standing(state) {
  const { view, you } = state;
  if (!view || !you) return "";
  if (you.waits) return t("You are watching until the host lets you play.");
  if (state.ended) return endText(state);
  if (view.phase === "countdown") return t("Get ready.");
  if (view.kind === "flags" && state.running) return turnText(state);
  if (view.kind === "race" && state.running && you.plays && !view.board) return t("You play from the next round.");
  return "";
}

/**
 * @param {RoomState} state
 * @param {Extract<RoomEvent, {type: "move"}>} event
 * @returns {string}
 */
function moveText(state, { side, bomb, found }) {
  const own = side === state.side;
  const name = nameOf(state, state.view?.sides?.[side]);
  const what = bomb
    ? own
      ? tn("Your bomb found {n} mine.", "Your bomb found {n} mines.", found)
      : tn("{name}'s bomb found {n} mine.", "{name}'s bomb found {n} mines.", found, { name })
    : found
      ? own
        ? t("You found a mine.")
        : t("{name} found a mine.", { name })
      : own
        ? t("No mine there.")
        : t("{name} found no mine.", { name });
  return `${what} ${turnText(state)}`;
}

/**
 * Return the announcement about the other members for screen readers.
 *
 * @param {RoomState} state After the event.
 * @param {RoomEvent} event
 * @param {import("./types.js").Member[]} before The members before it.
 * @returns {string}
 */
export function spokenText(state, event, before) {
  if (event.type === "finished" && event.number !== state.view?.you) {
    return t("{name} finished in {time}.", { name: nameOf(state, event.number), time: duration(event.time_ms) });
  }
  if (event.type !== "members") return "";
  const asks = state.ended ? event.members.filter((one) => one.rematch && one.number !== state.view?.you && !before.find(({ number }) => number === one.number)?.rematch) : [];
  const [old, now] = [new Set(before.map((one) => one.number)), new Set(event.members.map((one) => one.number))];
  const came = event.members.filter((one) => !old.has(one.number));
  const left = before.filter((one) => !now.has(one.number));
  return [
    ...came.map(({ name, plays }) => (plays ? t("{name} joined.", { name }) : t("{name} is watching.", { name }))),
    ...event.members.filter((one) => one.waits && !before.find(({ number }) => number === one.number)?.waits).map(({ name }) => t("{name} wants to play", { name })),
    asks.length ? askedText(asks) : "",
    ...left.map(({ name }) => t("{name} left.", { name })),
  ].filter(Boolean).join(" ");
}
