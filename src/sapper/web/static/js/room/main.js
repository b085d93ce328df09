/** A room's page: connects its messages with the board, the list of players and the other parts. */

import { isUnopened } from "../board/cells.js";
import { flaggable } from "../board/press.js";
import { Connection } from "../connection.js";
import { $, button, input } from "../dom.js";
import { Announcements } from "../frame/announcements.js";
import { startFrame } from "../frame/frame.js";
import { NumberDisplay } from "../frame/number-display.js";
import { startSettings } from "../frame/settings.js";
import { Sheet } from "../frame/sheet.js";
import { SmileyFace } from "../frame/smiley.js";
import { pressedKey } from "../input/pressed-key.js";
import { loadMenu } from "../menu.js";
import { jsonOf } from "../refusal.js";
import { sentence } from "../sentence.js";
import { StatusLine } from "../status-line.js";
import { read, write } from "../storage.js";
import { number as format, t, tn } from "../translation.js";
import { happened } from "../wording.js";
import { addColourClasses } from "./colours.js";
import { Curtain } from "./curtain.js";
import { Effects } from "./effects.js";
import { GameBoard } from "./game-board.js";
import { Gate, isFull, showPhrases } from "./gate.js";
import { showHead } from "./head.js";
import { People, showWatchers } from "./people.js";
import { Pointers, Throttle, trackPointer } from "./pointers.js";
import { showRematch } from "./rematch.js";
import { ReplayView } from "./replay-view.js";
import { RoomState } from "./room-state.js";
import { spokenText, statusText } from "./status-text.js";

/** @typedef {import("./types.js").RoomEvent} RoomEvent */
/** @typedef {import("./types.js").RoomMessage} RoomMessage */
/** @typedef {import("./types.js").SentMessage} SentMessage */

customElements.define("number-display", NumberDisplay);
customElements.define("smiley-face", SmileyFace);

const POINTERS = "sapper.pointers";
/** How often the clock and the notes about frozen players are updated, in milliseconds. */
const TICK_MS = 200;

const code = /^\/r\/([a-z0-9]{1,20})/i.exec(location.pathname)?.[1]?.toUpperCase() ?? "";
const address = `${location.origin}/r/${code}`;
/** The code of the tournament whose race this is; empty for none. */
const tournament = /^[a-z0-9]{1,20}$/i.exec(new URLSearchParams(location.search).get("t") ?? "")?.[0] ?? "";
const state = new RoomState();
const announcements = new Announcements();
/** @type {Map<string, import("./types.js").Phrase>} */
const phrases = new Map();
/** @type {Map<string, string>} */
const ruleLabels = new Map();
/** @type {Map<string, number>} Cells whose flag was drawn before the answer, by message. */
const flagging = new Map();
/** @type {Connection<SentMessage, RoomMessage> | null} */
let connection = null;
/** Whether the page has asked whether to leave the running game. */
let asked = false;
let leaving = false;
/** Whether a refresh is planned for the next frame. */
let soon = false;

startSettings();
startFrame();
addColourClasses();
const sheet = new Sheet($("sheet"), $("scrim"));
const board = new GameBoard(state, { act, say, press: (pressing) => effects.smile(pressing) });
const face = /** @type {SmileyFace} */ (document.querySelector("smiley-face"));
const effects = new Effects(state, face, board.preferences);
const curtain = new Curtain(() => state.now, () => say(t("You can play again.")));
const pointers = new Pointers(board.board);
const own = new Throttle((x, y) => send({ type: "pointer", x, y }));
const people = new People($("people"), state, (number) => {
  const bot = state.players.find((one) => one.number === number)?.bot;
  send({ type: bot ? "remove_bot" : state.isHost ? "kick" : "vote", number });
});
const watching = new People($("watching"), state, () => undefined);
const replay = new ReplayView($("replay-part"), code);
const gate = new Gate(state, { address, isTournament: tournament !== "" }, {
  join: () => send(state.you ? { type: "take_part" } : { type: "join" }),
  watch: () => send({ type: "join", watch: true }),
  start: () => send({ type: "start" }),
  rematch: () => send({ type: "rematch" }),
  addBot: (strength) => send({ type: "add_bot", strength }),
});

const statusLine = new StatusLine(say, () => state.done);

/** @param {string} text */
function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

/**
 * @param {SentMessage} message
 * @returns {string | null}
 */
function send(message) {
  const id = connection?.send(message) ?? null;
  statusLine.sent(id, message.type);
  return id;
}

/** @param {RoomMessage} message */
function receive(message) {
  if (message.now_ms !== undefined) state.setTime(message.now_ms);
  const { re } = message;
  if ("error" in message) return refused(message.error, re);
  if (message.type === "saving") {
    $("banner").textContent = t("Not saved: {problem}. Keep playing; Sapper will keep trying.", { problem: message.problem ?? "" });
    $("banner").hidden = message.problem === null;
    return;
  }
  if (message.type === "announcements") return announcements.take(message);
  if (re) {
    board.answered(re);
    statusLine.answered(re);
  }
  const flagged = re === undefined ? undefined : flagging.get(re);
  if (re) flagging.delete(re);
  // A later press on the same cell has not been answered yet.
  if (flagged !== undefined && [...flagging.values()].includes(flagged)) return;
  if (message.type === "done") {
    if (flagged !== undefined && state.unflag(flagged)) board.draw({ fresh: false, changed: [flagged] });
    return;
  }
  take(message);
}

/**
 * @param {{code: string, message: string}} error
 * @param {string} [re]
 */
function refused({ code: kind, message }, re) {
  if (kind === "no_room") return showEmpty(t("This room does not exist, or it is closed."));
  if (kind === "network_banned") return showEmpty(sentence(message), t("You cannot enter this room"));
  if (re) board.answered(re);
  const flagged = re === undefined ? undefined : flagging.get(re);
  if (re) flagging.delete(re);
  if (flagged !== undefined && state.unflag(flagged)) board.draw({ fresh: false, changed: [flagged] });
  statusLine.refuse(sentence(message), re ?? "");
  if (!state.view) {
    $("banner").textContent = sentence(message);
    $("banner").hidden = false;
  }
}

/** @param {RoomEvent} event */
function take(event) {
  if (event.type === "closed") return showEmpty(t("This room is closed."));
  if (event.type === "removed") return showEmpty(t("You were removed from this room."), t("Removed"));
  if (event.type === "left") {
    if (leaving) location.href = "/together";
    else send({ type: "sync" });
    return;
  }
  if (event.type === "pointer") {
    if (input("pointers").checked) pointers.show(event, state.names.get(event.number) ?? "", state.colours.get(event.number) ?? 0);
    return;
  }
  if (event.type === "phrase") return heard(event);
  const before = state.view?.members ?? [];
  const [wasShown, phase] = [shownPart(), state.view?.phase];
  const change = state.apply(event);
  if (change.fresh || change.changed.length) board.draw(change, event.type === "move" ? event.cell : undefined);
  const begun = event.type === "progress" && phase === "countdown" ? t("The race is on.") : null;
  const text = ownText(event, change.changed) ?? statusText(state, event) ?? begun;
  if (text !== null) say(text);
  const spoken = spokenText(state, event, before);
  if (spoken) $("spoken").textContent = spoken;
  effects.take(event, change.changed);
  if (event.type === "members") for (const { number } of before) if (!event.members.some((one) => one.number === number)) pointers.remove(number);
  // Players must not miss the next game while they watch the last one.
  if ((event.type === "countdown" || event.type === "game") && replay.shown && state.you?.plays) location.hash = "";
  // The player's own cells come first.
  if (event.type === "cells" || event.type === "progress") refreshSoon();
  else refresh(wasShown);
}

/**
 * @param {RoomEvent} event
 * @param {number[]} changed
 * @returns {string | null} The status line after this player's own move.
 */
function ownText(event, changed) {
  if (event.type !== "cells" || !state.game) return null;
  if (state.view?.kind === "shared" && event.number !== state.view.you) return null;
  const cells = state.game.cells;
  if (event.cells.some(([, , char]) => char === "*")) {
    const lives = state.view?.lives;
    return state.view?.kind === "shared" && lives ? tn("A mine: {n} life left.", "A mine: {n} lives left.", lives) : null;
  }
  const opened = changed.filter((index) => !isUnopened(cells[index])).length;
  return opened
    ? happened({ kind: "open" }, "playing", opened, format)
    : happened({ kind: "mark", shows: event.cells[0]?.[2] }, "playing", 0, format);
}

/** @param {{number: number, phrase: string}} event */
function heard({ number, phrase }) {
  const found = phrases.get(phrase);
  const text = found ? `${found.emoji} ${found.text}` : phrase;
  for (const list of [people, watching]) list.say(number, text);
  $("spoken").textContent = t("{name}: {text}", { name: state.names.get(number) ?? "", text });
}

/**
 * @param {"open" | "chord" | "mark"} kind
 * @param {number} index
 */
function act(kind, index) {
  if (!connection?.open) return;
  const { view } = state;
  const cell = board.board.place(index);
  if (!state.canAct) return statusLine.refuse(whyNot());
  if (view?.kind === "flags") {
    if (!board.armed && kind !== "open") return;
    const id = send({ type: board.armed ? "bomb" : "open", cell });
    board.arm(false);
    if (id) board.wait(id, "open", index);
    return;
  }
  if (kind === "mark") {
    if (!state.flagEarly(index)) return;
    const id = send({ type: "flag", cell });
    if (id) flagging.set(id, index);
    board.draw({ fresh: false, changed: [index] });
    $("mines").value = state.minesLeft;
    return;
  }
  const rest = kind === "chord" && board.preferences.flagRest && state.game ? flaggable(state.game, index) : [];
  if (rest.length) return rest.forEach((each) => act("mark", each));
  const id = send({ type: kind, cell });
  if (id) board.wait(id, kind, index);
}

/** @returns {string} The reason why a click has no effect now. */
function whyNot() {
  const { view, you } = state;
  if (!you?.plays) return t("You are watching.");
  if (view?.phase === "countdown") return t("Get ready.");
  if (state.frozen) {
    const left = Math.ceil((state.frozenUntil - state.now) / 1000);
    return tn("Frozen for {n} more second.", "Frozen for {n} more seconds.", left);
  }
  if (view?.kind === "flags" && state.running) return t("It is not your turn.");
  return t("You play from the next round.");
}

/** @returns {"gate" | "console" | "watching"} The part shown in the middle of the page. */
function shownPart() {
  const { view, you } = state;
  if (gate.shown) return "gate";
  if (view?.kind !== "race") return "console";
  if (!you?.plays) return "watching";
  return view.phase === "countdown" || state.status !== null ? "console" : "watching";
}

/** Refresh in the next frame. */
function refreshSoon() {
  if (soon) return;
  soon = true;
  requestAnimationFrame(() => {
    soon = false;
    refresh(shownPart());
  });
}

function showTitle() {
  showHead(state, ruleLabels, !gate.shown && Boolean(state.you?.plays), board.flagMode);
}

/**
 * Show everything but the board's cells.
 *
 * @param {string} before The part of the page that was shown before.
 */
function refresh(before) {
  const { view, you } = state;
  if (!view) return;
  const shown = shownPart();
  const focused = document.activeElement;
  const hadResult = !$("result").hidden;
  showTitle();
  gate.refresh();
  people.refresh();
  showWatchers(state, (number) => send({ type: "admit", number }));
  $("console").hidden = shown !== "console";
  $("watching").hidden = shown !== "watching";
  if (shown === "watching") watching.refresh();
  document.body.dataset.status = view.phase;
  document.body.dataset.kind = view.kind;
  document.body.dataset.seat = you?.plays ? "player" : you ? "watcher" : "visitor";
  showCurtain();
  showActs();
  // The buttons below the board need space.
  if (shown === "console" && (before !== "console" || hadResult === $("result").hidden)) board.zoom.refresh(true);
  $("mines").value = state.minesLeft;
  tick();
  effects.smile(false);
  if (state.running || view.phase === "countdown") document.body.classList.remove("won-now");
  if (shown === "console" && before !== "console") begin(focused);
}

/**
 * Put the cursor on the opened start, and keep the focus from getting lost.
 *
 * @param {Element | null} focused
 */
function begin(focused) {
  const zero = state.game?.cells.indexOf("0") ?? -1;
  const lost = !focused || focused === document.body || $("gate").contains(focused);
  board.board.moveTo(zero < 0 ? board.board.cursor : zero, { focus: lost, scroll: false });
}

function showCurtain() {
  const { view } = state;
  if (view?.phase === "countdown") curtain.set("countdown", view.phase_ends_ms, t("Get ready"));
  else if (state.frozen && state.status === "racing") curtain.set("freeze", state.frozenUntil, t("Frozen"));
  else curtain.set("");
}

/** Show the buttons that currently have an effect. */
function showActs() {
  const { view, you, isHost } = state;
  if (!view) return;
  const ended = state.ended && !gate.shown;
  const over = ended && view.phase !== "break";
  showRematch(state, over && tournament === "");
  $("to-tournament").hidden = !over || tournament === "";
  $("take-part").hidden = !(you && !you.plays && !you.waits) || gate.shown || isFull(state) || tournament !== "";
  $("show-replay").hidden = !ended;
  $("result").hidden = [...$("result").querySelectorAll("button, a")].every((one) => /** @type {HTMLElement} */ (one).hidden);
  const flags = view.kind === "flags";
  $("flags-acts").hidden = !(flags && you?.plays && state.running);
  for (const id of ["bomb", "thumb-bomb"]) button(id).disabled = !state.canBomb;
  if (board.armed && !state.canBomb) board.arm(false);
  // After the end, a tap does nothing.
  $("thumb-bomb").hidden = !flags || state.done;
  $("flag-mode").hidden = flags || state.done;
  $("phrases").hidden = !you?.plays;
  $("sheet-label").textContent = you?.plays ? t("Say") : t("More");
  $("leave").hidden = !you;
  $("lock").hidden = !isHost || tournament !== "";
  $("lock").setAttribute("aria-pressed", String(view.locked));
  $("lock").textContent = view.locked ? t("Unlock room") : t("Lock room");
  $("pointers-field").hidden = view.kind !== "shared" || !view.settings.pointers;
}

/** Update the clock, and the notes that depend on the time. */
function tick() {
  const { view } = state;
  if (!view) return;
  $("time").value = Math.min(999, state.seconds);
  if (view.phase === "racing" && [...state.progress.values()].some((one) => one.frozen_until_ms > state.now - 2 * TICK_MS)) {
    people.refresh();
  }
}

/**
 * @param {string} text The reason why there is no room.
 * @param {string} [title]
 */
function showEmpty(text, title = t("No such room")) {
  connection?.stop();
  connection = null;
  // A replay remains available after its room has been removed.
  if (replay.shown) return;
  document.body.classList.add("no-room");
  $("empty-title").textContent = title;
  $("empty-text").textContent = text;
  $("empty").hidden = false;
  $("banner").hidden = true;
}

async function start() {
  if (!code) return showEmpty(t("Enter a code on the Together page, or open a link to a room."));
  /** @type {[import("./types.js").Menu | null, unknown]} */
  const [menu] = await Promise.all([
    fetch("/api/rooms/menu").then(jsonOf).catch(() => null),
    loadMenu().catch(() => null),
  ]);
  for (const phrase of menu?.phrases ?? []) phrases.set(phrase.name, phrase);
  for (const { name, label } of menu?.rules ?? []) ruleLabels.set(name, label);
  gate.offer(menu?.strengths ?? []);
  showPhrases(menu?.phrases ?? [], (phrase) => {
    send({ type: "say", phrase });
    sheet.toggle(false);
  });
  connect();
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  connection = new Connection(`${scheme}://${location.host}/ws/rooms/${code}`, {
    onMessage: receive,
    onOpen: () => {
      $("banner").hidden = true;
      document.body.dataset.line = "open";
    },
    onLost: () => {
      board.forget();
      flagging.clear();
      statusLine.forget();
      $("banner").textContent = t("Reconnecting… The room keeps your place.");
      $("banner").hidden = false;
      document.body.dataset.line = "lost";
    },
  });
}

$("code").textContent = code;
if (tournament) {
  const back = `/t/${tournament}`;
  $("to-tournament").setAttribute("href", back);
  $("all-rooms").setAttribute("href", back);
  $("all-rooms").textContent = t("Tournament");
}
input("pointers").checked = read(POINTERS) !== "off";
input("pointers").addEventListener("change", () => {
  write(POINTERS, input("pointers").checked ? "on" : "off");
  if (!input("pointers").checked) pointers.clear();
});
trackPointer(
  board.board,
  () => (state.view?.kind === "shared" && state.running && state.you?.plays && state.view.settings.pointers && input("pointers").checked ? state.game : null),
  (x, y) => own.put(x, y),
);
for (const id of ["bomb", "thumb-bomb"]) $(id).addEventListener("click", () => board.arm(!board.armed));
document.addEventListener("keydown", (event) => {
  if (pressedKey(event).toLowerCase() === "b" && !event.ctrlKey && !event.metaKey && !event.altKey) board.arm(!board.armed);
});
$("flag-mode").addEventListener("click", () => setFlagMode(!board.flagMode));
setFlagMode(board.preferences.flagsFirst);
$("take-part").addEventListener("click", () => send({ type: "take_part" }));
$("lock").addEventListener("click", () => send({ type: "lock", locked: !state.view?.locked }));
$("leave").addEventListener("click", () => {
  // Leaving a running game gives up the player's place.
  if (state.running && state.you?.plays && !asked) {
    asked = true;
    $("leave").textContent = t("Really leave?");
    return;
  }
  leaving = true;
  if (!send({ type: "leave" })) location.href = "/together";
});

/** @param {boolean} on Whether taps flag. */
function setFlagMode(on) {
  board.flagMode = on;
  showTitle();
  $("flag-mode").setAttribute("aria-checked", String(on));
}

function showReplay() {
  if (location.hash === "#replay") void replay.show();
  else if (replay.shown) {
    replay.hide();
    if (!connection) location.reload();
  }
}

addEventListener("hashchange", showReplay);
showReplay();
setInterval(tick, TICK_MS);
void start();
