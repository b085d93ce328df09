/** The card in place of the board before a game: joining, inviting, bots and the start. */

import { $, button, input, make, select } from "../dom.js";
import { t } from "../translation.js";
import { LEAST, startsNow } from "./rematch.js";
import { kindNote, ratedRules } from "./wording.js";

/** @typedef {import("../protocol.js").RoomNewBot["strength"]} Strength */

/**
 * @typedef {object} GateCalls
 * @property {() => void} join
 * @property {() => void} watch
 * @property {() => void} start
 * @property {() => void} rematch
 * @property {(strength: Strength) => void} addBot
 */

/** @typedef {{name: string, label: string}} Choice */

export class Gate {
  /**
   * @param {import("./room-state.js").RoomState} state
   * @param {{address: string, isTournament: boolean}} room Its link, and whether it belongs to a
   * tournament, which then starts the race.
   * @param {GateCalls} calls
   */
  constructor(state, { address, isTournament }, calls) {
    this.state = state;
    this.isTournament = isTournament;
    $("gate-link").hidden = isTournament;
    input("address").value = address;
    input("address").addEventListener("focus", () => input("address").select());
    $("join").addEventListener("click", () => calls.join());
    $("watch").addEventListener("click", () => calls.watch());
    $("start").addEventListener("click", () => calls.start());
    $("again").addEventListener("click", () => (startsNow(state) ? calls.start() : calls.rematch()));
    $("add-bot").addEventListener("click", () => calls.addBot(/** @type {Strength} */ (select("strength").value)));
    for (const [id, label] of [["copy", "copy-label"], ["share", "share"]]) {
      if (canShare()) $(label).textContent = t("Share");
      $(id).addEventListener("click", () => void share(address, $(id), $(label)));
    }
    $("qr").addEventListener("toggle", () => {
      // The path of a room's page ends with its code.
      const source = `/api/rooms/${address.slice(address.lastIndexOf("/") + 1)}/qr.svg`;
      if ($("qr-code").getAttribute("src") !== source) $("qr-code").setAttribute("src", source);
    });
  }

  /** @param {Choice[]} strengths */
  offer(strengths) {
    select("strength").replaceChildren(...strengths.map(({ name, label }) => new Option(label, name)));
    if (strengths.some(({ name }) => name === "casual")) select("strength").value = "casual";
  }

  /** @returns {boolean} Whether the gate replaces the board. */
  get shown() {
    return !this.state.you || this.state.view?.phase === "waiting";
  }

  /** Show the current choices. */
  refresh() {
    const { state } = this;
    const { view, you, isHost, players } = state;
    if (!view) return;
    $("gate").hidden = !this.shown;
    const full = isFull(state);
    const locked = !you && view.locked;
    $("join").hidden = Boolean(you?.plays) || this.isTournament || locked;
    button("join").disabled = full;
    $("join").textContent = you ? t("Play along") : t("Join");
    $("watch").hidden = Boolean(you) || locked;
    $("start").hidden = !isHost || this.isTournament;
    const missing = players.length < LEAST[view.kind];
    button("start").disabled = missing;
    $("gate-title").textContent = title(state);
    $("gate-text").textContent = kindNote(view.kind, view.settings);
    $("gate-rules").textContent = ratedRules(view);
    $("gate-rules").hidden = !view.settings.rated;
    $("start-note").textContent = this.isTournament ? t("The race starts automatically.") : note(state, full, missing);
    const adds = isHost && !this.isTournament && !state.running && view.phase !== "countdown" && !full;
    $("bots").hidden = !adds;
    const place = this.shown ? $("gate-bots") : $("panel-bots");
    if ($("bots").parentElement !== place) place.append($("bots"));
  }
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @returns {boolean} Whether the room has its maximum number of players.
 */
export function isFull({ view, players }) {
  return players.length >= (view?.kind === "flags" ? 2 : (view?.settings?.most ?? Infinity));
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @returns {string}
 */
function title({ view, you, running, alone }) {
  const host = view?.members.find(({ number }) => number === view.host);
  if (you && alone) return t("The others have left");
  if (you) return t("Waiting for players");
  if (running) return t("A game is being played here");
  return host ? t("{name} invites you", { name: host.name }) : t("Join this room");
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {boolean} full
 * @param {boolean} missing
 * @returns {string}
 */
function note({ view, you, isHost, running }, full, missing) {
  if (!you && view?.locked) return t("This room is locked.");
  if (!you && view?.kind === "shared" && running && !full) return t("You watch until the host lets you play.");
  if (!you && view?.settings.rated) return "";
  if (!you) return full ? t("All places are taken, but you can watch.") : t("No account needed.");
  if (isHost) return missing ? t("One more player is needed: share the link or add a bot.") : t("Start when everyone is here.");
  const host = view?.members.find(({ number }) => number === view.host);
  return host ? t("{name} starts the game.", { name: host.name }) : "";
}

/** @returns {boolean} Whether the browser can share links with other apps. */
function canShare() {
  return typeof navigator.share === "function";
}

/**
 * Share the link or, where the browser cannot, copy it.
 *
 * @param {string} address
 * @param {HTMLElement} pressed
 * @param {HTMLElement} label The element with the text of the button.
 */
async function share(address, pressed, label) {
  if (canShare()) {
    // This fails if the player cancels.
    return navigator.share({ url: address }).catch(() => undefined);
  }
  try {
    await navigator.clipboard.writeText(address);
    if (pressed.dataset.copied !== undefined) return;
    const text = label.textContent;
    label.textContent = t("Copied");
    pressed.dataset.copied = "";
    setTimeout(() => {
      label.textContent = text;
      delete pressed.dataset.copied;
    }, 2000);
  } catch {
    // Browsers copy only on secure sites, but the link can still be selected.
    if ($("gate").hidden) $("status").textContent = address;
    else input("address").focus();
  }
}

/**
 * Show a button for each phrase.
 *
 * @param {{name: string, emoji: string, text: string}[]} phrases
 * @param {(name: string) => void} say
 */
export function showPhrases(phrases, say) {
  $("phrases").replaceChildren(
    ...phrases.map(({ name, emoji, text }) => {
      const one = make("button", emoji);
      one.type = "button";
      one.title = text;
      one.setAttribute("aria-label", text);
      one.addEventListener("click", () => say(name));
      return one;
    }),
  );
}
