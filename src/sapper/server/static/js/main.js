/** Ties the page together: messages in, drawing out, actions back. */

import { PostMortem } from "./post-mortem.js";
import { Assist } from "./assist.js";
import { Automatic } from "./automatic/automatic.js";
import { Grid } from "./board/grid.js";
import { isUnopened } from "./board/cells.js";
import { meaning, sunken } from "./board/press.js";
import { Renderer } from "./board/renderer.js";
import { Connection } from "./connection.js";
import { Card } from "./frame/card.js";
import { Clock } from "./frame/clock.js";
import { showHelp } from "./frame/help.js";
import { Preferences } from "./frame/preferences.js";
import { Panel } from "./frame/panel.js";
import { SevenSegment } from "./frame/seven-segment.js";
import { Sheet } from "./frame/sheet.js";
import { SmileyFace } from "./frame/smiley.js";
import { startTheme } from "./frame/theme.js";
import { Zoom } from "./frame/zoom.js";
import { listenToKeys } from "./input/keyboard.js";
import { listenToPinch } from "./input/pinch.js";
import { listenToPointer } from "./input/pointer.js";
import { Share } from "./share.js";
import { GameState } from "./game-state.js";
import { happened } from "./wording.js";

customElements.define("seven-segment", SevenSegment);
customElements.define("smiley-face", SmileyFace);

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/** @type {import("./wording.js").Format} */
const format = (value, digits) =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

const state = new GameState();
const grid = new Grid($("grid"));
const preferences = new Preferences((name) => {
  if (name === "countdown") redraw();
});
const renderer = new Renderer(state, grid, preferences);
const card = new Card($("card"));
const zoom = new Zoom();
const clock = new Clock((seconds) => ($("time").value = seconds));
const face = /** @type {SmileyFace} */ (document.querySelector("smiley-face"));
/** @type {Map<string, number[]>} Cells that stay sunken until the server has answered. */
const waiting = new Map();
let flagMode = false;

const sheet = new Sheet($("sheet"));
const say = (/** @type {string} */ text) => ($("status").textContent = text);
startTheme($("theme"), $("look"), $("palette"));

const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
const connection = new Connection(url, {
  onMessage: receive,
  onOpen: () => ($("banner").hidden = true),
  onLost() {
    waiting.clear();
    $("banner").textContent = "The server is gone. Your game is kept; this page goes on by itself when it is back.";
    $("banner").hidden = false;
    document.body.dataset.line = "lost";
  },
});
const send = (/** @type {object} */ message) => connection.send(message);
const lower = () => sheet.toggle(false);
const postMortem = new PostMortem({ state, grid, renderer, card, lower, say, send });
const assist = new Assist({ state, grid, postMortem, card, say, send, format });
const automatic = new Automatic({ state, grid, lower, say, send, format });
const share = new Share(state, card, send, (open) => sheet.toggle(open));
const panel = new Panel(state, {
  choose: (settings) => send({ type: "settings", settings }),
  questions: (on) => send({ type: "settings", questions: on }),
  assist: (changes) => send({ type: "assist", ...changes }),
});

/** @param {any} message */
function receive(message) {
  if (message.type === "saving") {
    $("banner").textContent = `Not saved: ${message.problem}. You can go on; Sapper keeps trying.`;
    $("banner").hidden = message.problem === null;
    return;
  }
  const id = message.re ?? "";
  if (message.error) {
    waiting.delete(id);
    sink();
    say(message.error.message[0].toUpperCase() + message.error.message.slice(1) + ".");
    // A refused setting goes back to what it was.
    panel.refresh();
    return;
  }
  const before = state.game;
  const another = message.game && message.game.key !== before?.key;
  const { fresh, changed, lost } = state.apply(message);
  if (lost) {
    send({ type: "sync" });
    return;
  }
  const game = state.game;
  if (!game) return;
  waiting.delete(id);
  renderer.take(message, { fresh, changed });
  if (fresh) zoom.shape = game;
  assist.take(message, { fresh, changed, another });
  postMortem.take(message, { fresh, changed, another });
  automatic.take(message, { another });
  sink();
  if (message.type === "automatic") clock.set(game.clock);
  if (message.type === "delta" || message.game) standing();
  announce(message, changed, another);
  if (message.type === "welcome") share.arrive();
  share.note();
}

/** Show how the game stands: displays, smiley, panel. */
function standing() {
  const { game } = state;
  if (!game) return;
  $("mines").value = game.mines_left;
  clock.set(game.clock);
  document.body.dataset.status = game.status;
  document.body.dataset.line = "open";
  $("undo").disabled = !game.can_undo;
  $("hint").disabled = state.over;
  $("thumb-hint").textContent = game.status === "lost" ? "Why?" : "Hint";
  $("thumb-hint").disabled = game.status === "won";
  smile(false);
  panel.refresh();
}

/**
 * @param {any} message
 * @param {number[]} changed
 * @param {boolean} another
 */
function announce(message, changed, another) {
  const { game } = state;
  if (!game) return;
  const watched = message.event?.bot && !state.over;
  if (message.type === "delta" && message.event.kind !== "assist" && !watched) {
    const opened = changed.filter((index) => !isUnopened(game.cells[index])).length;
    say(happened(message.event, game.status, opened, format));
  } else if (message.type === "welcome" && game.status === "playing") {
    say("Your game is as you left it.");
  } else if (another && game.status === "ready") {
    say(automatic.on ? "A new game. P lets the bot play, S does one step." : "A new game. Open any cell.");
  }
  $("keys").textContent = state.over
    ? "N new game · U take back · ? all keys"
    : automatic.on
    ? "P plays or pauses · S steps · N new game · ? all keys"
    : `${preferences.double ? "Double" : "Left"} click opens · right click flags · a click on a number chords · H hint · ? all keys`;
}

/** Draw all cells anew, and what lies over them. */
function redraw() {
  renderer.all();
  assist.repaint();
}

/** @param {boolean} pressing */
function smile(pressing) {
  const ends = /** @type {Record<string, any>} */ ({ won: "won", lost: "lost" });
  face.mood = ends[state.game?.status ?? ""] ?? (pressing ? "pressing" : "neutral");
}

/**
 * Show cells as sunken: those under the pointer, and those the server is asked to open.
 *
 * @param {number[]} [pressed]
 */
function sink(pressed = []) {
  grid.mark("down", [...pressed, ...[...waiting.values()].flat()]);
}

/**
 * @param {"open" | "chord" | "mark"} kind
 * @param {number} index
 */
function act(kind, index) {
  const { game } = state;
  if (!game) return;
  if (automatic.running) {
    automatic.play();
    say("The bot is paused. You can play on yourself; P lets it go on.");
    return;
  }
  if (state.over) {
    say(`The game is ${game.status}. N or the smiley starts a new one.`);
    return;
  }
  const id = send({ type: kind, cell: grid.place(index) });
  if (id && kind !== "mark") waiting.set(id, sunken(game, index, kind));
  sink();
}

listenToPointer(grid, {
  shows: (index) => state.game?.cells[index] ?? ".",
  flagMode: () => flagMode,
  double: () => preferences.double && !state.over,
  act,
  once: () => say("A double click opens."),
  press(kind, index) {
    const cells =
      kind && index !== null && state.game && !state.over ? sunken(state.game, index, kind) : null;
    sink(cells ?? []);
    smile(cells !== null);
  },
});

const commands = {
  hint() {
    sheet.toggle(false);
    assist.hint();
  },
  new() {
    sheet.toggle(false);
    send({ type: "new" });
  },
  undo: () => send({ type: "undo" }),
  analyze: () => assist.analyze(),
  play: () => automatic.play(),
  step: () => automatic.step(),
  help() {
    showHelp(card);
    sheet.toggle(card.kind === "help");
  },
  larger: () => zoom.change(2),
  smaller: () => zoom.change(-2),
  fit: () => zoom.choose(0),
  leave: () => assist.leave(),
};

listenToKeys(grid.element, {
  step(rows, cols) {
    if (grid.hasFocus) grid.step(rows, cols);
    else grid.moveTo(grid.cursor);
  },
  jump(where) {
    const { width, height } = state.game ?? { width: 1, height: 1 };
    const start = grid.cursor - (grid.cursor % width);
    const to = { "row-start": start, "row-end": start + width - 1, first: 0, last: width * height - 1 };
    grid.moveTo(to[where]);
  },
  act(kind) {
    const index = grid.cursor;
    const shown = state.game?.cells[index] ?? ".";
    act(kind === "enter" ? meaning(shown) : kind, index);
  },
  command: (name) => commands[name](),
});
listenToPinch($("well"), () => zoom.cell, (px) => zoom.choose(px));

for (const name of /** @type {const} */ (["hint", "new", "undo", "analyze", "help"])) {
  $(name).addEventListener("click", () => commands[name]());
}
$("apply").addEventListener("click", () => commands.new());
$("flag-mode").addEventListener("click", () => {
  flagMode = !flagMode;
  $("flag-mode").setAttribute("aria-checked", String(flagMode));
});
$("thumb-hint").addEventListener("click", () => {
  if (!state.over) commands.hint();
  else if (postMortem.why()) sheet.toggle();
});
