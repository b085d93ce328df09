/** Connects the parts of the play page: messages, drawing and input. */

import { PostMortem } from "./post-mortem.js";
import { writePosition } from "./address.js";
import { ofGame } from "./analyze/position.js";
import { Announcer } from "./announcer.js";
import { Assist } from "./assist.js";
import { Automatic } from "./automatic/automatic.js";
import { Board, loadBoard } from "./board/board.js";
import { isUnopened, MOST_ELEMENTS } from "./board/cells.js";
import { NextFrame } from "./board/next-frame.js";
import { flaggable, meaning, sunken } from "./board/press.js";
import { Renderer } from "./board/renderer.js";
import { showSeams } from "./board/seams.js";
import { CLASSIC, extentOf } from "./board/tiling.js";
import { Connection, MISSING } from "./connection.js";
import { DailyBoard } from "./daily.js";
import { $, button } from "./dom.js";
import { phone } from "./frame/phone.js";
import { Announcements } from "./frame/announcements.js";
import { Card } from "./frame/card.js";
import { Clock } from "./frame/clock.js";
import { startFrame } from "./frame/frame.js";
import { KeyList } from "./frame/key-list.js";
import { startLanguage } from "./frame/language.js";
import { levelNumbers } from "./frame/level-numbers.js";
import { LevelQuestion } from "./frame/level-question.js";
import { Levels } from "./frame/levels.js";
import { Offer } from "./frame/offer.js";
import { Preferences } from "./frame/preferences.js";
import { HelpQuestion } from "./frame/help-question.js";
import { Panel } from "./frame/panel.js";
import { NumberDisplay } from "./frame/number-display.js";
import { showSettingsInPanel } from "./frame/settings.js";
import { partsOf, Shapes } from "./frame/shapes.js";
import { Result } from "./frame/result.js";
import { Sheet } from "./frame/sheet.js";
import { SmileyFace } from "./frame/smiley.js";
import { Sounds } from "./frame/sound.js";
import { startTheme } from "./frame/theme.js";
import { BoardMap } from "./frame/board-map.js";
import { Zoom } from "./frame/zoom.js";
import { Inbox } from "./inbox.js";
import { Hover } from "./input/hover.js";
import { listenToKeys } from "./input/keyboard.js";
import { listenToPinch } from "./input/pinch.js";
import { listenToPointer } from "./input/pointer.js";
import { PointerPath, recordPointer } from "./input/pointer-path.js";
import { addressOf } from "./pages.js";
import { Places, write } from "./places.js";
import { notLoaded } from "./refusal.js";
import { Share } from "./share.js";
import { GameState } from "./game-state.js";
import { sentence } from "./sentence.js";
import { StatusLine } from "./status-line.js";
import { number as format, t } from "./translation.js";

customElements.define("number-display", NumberDisplay);
customElements.define("smiley-face", SmileyFace);

const state = new GameState();
const grid = new Board($("grid"), $("well"));
const preferences = new Preferences((name) => {
  if (name === "countdown") redraw();
  if (name === "turn") {
    zoom.refresh(true);
    boardMap.refresh();
    places.refresh();
  }
  if (name === "sound" && preferences.sound) sounds.play("open");
  if (name === "flags-first") setFlagMode(preferences.flagsFirst);
  if (name === "double" || name === "swap" || name === "chording") announcer.showKeys();
});
const sounds = new Sounds();
const keyList = new KeyList(() => {
  announcer.showKeys();
  daily.refresh();
});
const keyOf = (/** @type {import("./input/key-map.js").KeyAction} */ action) => keyList.label(action);
const nextFrame = new NextFrame();
const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 1000));
const renderer = new Renderer(state, grid, preferences, nextFrame);
const card = new Card($("card"));
const zoom = new Zoom(grid, () => preferences.turn);
const boardMap = new BoardMap({ state, grid, zoom, toggleTurn: () => preferences.toggleTurn() });
const clock = new Clock((seconds) => ($("time").value = seconds));
const face = /** @type {SmileyFace} */ (document.querySelector("smiley-face"));
/** @type {Map<string, number[]>} Cells drawn pressed until the server answers. */
const waiting = new Map();
/** @type {Map<number, string>} The last message that flagged each cell because of a chord. */
const flagging = new Map();
/** @type {string | null} The message whose answer opens the analysis board. */
let leaving = null;
/** The id of the last message with a level. */
let levelAsked = "";
let flagMode = false;
/** Whether the server has reported that it cannot save. */
let unsaved = false;

const sheet = new Sheet($("sheet"), $("scrim"));
const say = (/** @type {string} */ text) => write($("status"), text);
const statusLine = new StatusLine(say, () => state.over);
const places = new Places(grid, $("edge-labels"), [$("status"), $("card")]);
startTheme($("theme"), "look", "palette");

const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
const connection = new Connection(url, {
  onMessage: receive,
  onOpen: () => ($("banner").hidden = true),
  onLost() {
    waiting.clear();
    statusLine.forget();
    sink();
    clock.stop();
    warn();
    document.body.dataset.line = "lost";
  },
});
/** Show that the connection is lost. */
function warn() {
  $("banner").textContent = unsaved
    ? t("The server is not responding. Your last moves are not saved; this page reconnects automatically.")
    : t("The server is not responding. Your game is saved; this page reconnects automatically.");
  $("banner").hidden = false;
}
/** @type {Inbox<import("./protocol.js").Message>} */
const inbox = new Inbox({
  load: (message) => ("game" in message ? loadBoard(message.game) : null),
  take: handle,
  onLoad(failed) {
    if (failed) warn();
    else $("banner").hidden = true;
  },
});
/** @type {import("./types.js").Send} */
const send = (message) => {
  // Load a big board while the server deals it.
  if ("settings" in message && message.settings?.level) loadLevel(message.settings.level);
  const id = connection.send(message);
  statusLine.sent(id, message.type);
  return id;
};
const announcements = new Announcements();
const path = new PointerPath();
/** Send a move with the pointer's path so far. */
const sendMove = (/** @type {Extract<import("./protocol.js").SentMessage, { type: "open" | "chord" | "mark" | "undo" }>} */ move) => {
  const pointer = path.take(performance.now());
  return send(pointer.length ? { ...move, pointer } : move);
};
const review = MISSING.has("review") ? null : () => commands.review();
const learn = (/** @type {string} */ pattern) => location.assign(`/learn/patterns#${pattern}`);
const postMortem = new PostMortem({ state, grid, renderer, card, say, send, review, learn });
const assist = new Assist({ state, grid, renderer, postMortem, card, say, send, format });
const automatic = new Automatic({ state, grid, say, send, format, keyOf });
const share = new Share(state, card, send);
const daily = new DailyBoard({ state, card, say, send, format, keyOf });
/** @type {import("./thinking/play.js").PlayChances | null} */
let playChances = null;
const result = new Result(format);
const announcer = new Announcer({ state, grid, preferences, sounds, automatic, daily, result, say, format, keyOf, flagMode: () => flagMode });
const helpQuestion = new HelpQuestion({ state, card, preferences, say, keyOf });
const panel = new Panel(state, {
  choose: (settings) => send({ type: "settings", settings }),
  questions: (on) => send({ type: "settings", questions: on }),
  assist(changes) {
    // Load the panel while the server answers.
    if (changes.mode === "automatic") void import("./automatic/bot-panel.js").catch(() => null);
    send({ type: "assist", ...changes });
  },
});
const offer = new Offer(state, (rules) => send({ type: "settings", settings: { rules } }));
const startLevel = (/** @type {string} */ level) => {
  question.hide();
  levelAsked = send({ type: "new", settings: { level } }) ?? "";
};
const question = new LevelQuestion({ start: startLevel, keep: () => levels.revert() });
const setLevel = (/** @type {string} */ level) => {
  question.hide();
  levelAsked = send({ type: "settings", settings: { level } }) ?? "";
};
// A pending shape is shown next to its menu.
const shapes = new Shapes(state, (level) => (state.nothingLost ? startLevel(level) : setLevel(level)));
const levels = new Levels(state, (size) => {
  const level = shapes.shaped(size);
  const playing = state.game?.settings.level ?? "";
  if (level === playing && !state.over) setLevel(level);
  else if (state.nothingLost) startLevel(level);
  else question.ask(level, playing);
});

/** @param {import("./protocol.js").Message} message */
function receive(message) {
  if (message.type === "saving") {
    const problem = message.problem ?? "";
    unsaved = message.problem !== null;
    $("banner").textContent = message.restart
      ? t("Not saved: {problem}. Restart Sapper to save games again.", { problem })
      : t("Not saved: {problem}. Keep playing; Sapper will keep trying.", { problem });
    $("banner").hidden = message.problem === null;
    return;
  }
  if (message.type === "announcements") {
    announcements.take(message);
    return;
  }
  inbox.receive(message);
}

/** @param {import("./protocol.js").Message} message */
function handle(message) {
  const id = message.re ?? "";
  if ("error" in message) {
    refused(id, sentence(message.error.message));
    return;
  }
  // Overlays take longer to draw than a move and must not delay it.
  if (message.type === "overlay" || message.type === "cover" || message.type === "marks") nextFrame.run(() => take(message));
  else take(message);
}

function showAnalysis() {
  if (grid.big) {
    say(t("The analysis board is limited to {most} cells.", { most: format(MOST_ELEMENTS, 0) }));
    return;
  }
  if (state.game) location.href = addressOf("analyze", writePosition(ofGame(state.game)));
}

/** @param {import("./protocol.js").GoodMessage} message */
function take(message) {
  const id = message.re ?? "";
  // Overlays are sent as differences, each of which applies to the board of its turn.
  if (message.type === "delta" || "game" in message) nextFrame.flush();
  const change = state.apply(message);
  waiting.delete(id);
  statusLine.answered(id);
  if (change.lost) {
    const asked = send({ type: "sync" });
    if (id && id === leaving) leaving = asked;
    return;
  }
  const game = state.game;
  if (!game) return;
  if (id && id === leaving) showAnalysis();
  renderer.take(message, change);
  if (question.level && (change.another || change.changed.length || state.over)) {
    question.hide();
    levels.revert();
  }
  if (change.another) path.clear();
  if (change.fresh) {
    if (grid.big) listenToBig(grid.big);
    zoom.take(extentOf(game), game.topology === CLASSIC);
  }
  helpQuestion.take(change);
  assist.take(message, change);
  postMortem.take(message, change);
  automatic.take(message, change);
  daily.take(message);
  sink();
  if (message.type === "automatic") clock.set(game.clock);
  if (message.type === "delta" || "game" in message) standing();
  if (id && id === levelAsked) levels.complain("");
  announcer.take(message, change);
  offer.refresh();
  // Text below the board takes up some of its space.
  if (change.fresh) zoom.refresh();
  if (message.type === "welcome") share.open();
  share.note();
  if (change.fresh) boardMap.draw();
  else boardMap.refresh();
  if (change.changed.length) nextFrame.drawn();
  if (playChances) playChances.take(message);
  else if (state.layer !== "none") void computeChances();
  if (message.type === "welcome") idle(preload);
}

/** Compute chances in this window; until this has been loaded, the server sends them. */
async function computeChances() {
  const loaded = await import("./thinking/play.js").catch(() => null);
  if (!loaded || playChances) return;
  playChances = new loaded.PlayChances({ state, send, later: (work) => nextFrame.run(work), show: take });
  playChances.begin();
}

/** Load what the player may need next. */
function preload() {
  void import("./frame/help.js").catch(() => null);
  void import("./frame/celebration.js").catch(() => null);
  if (!MISSING.has("daily")) void import("./daily-card.js").catch(() => null);
  if (!MISSING.has("review")) void import("./frame/last-game.js").catch(() => null);
}

/** @param {"downloadLast" | "shareLast"} action */
function lastGame(action) {
  void import("./frame/last-game.js").then(
    (loaded) => loaded[action](),
    () => say(notLoaded()),
  );
}

/** @param {string} level A level that was requested. */
function loadLevel(level) {
  void loadBoard(levelNumbers(partsOf(level).size, state.menu?.levels ?? []))?.catch(() => null);
}

/** @param {import("./board/big/big-board.js").BigBoard} big */
function listenToBig(big) {
  big.source = { wanting: (index) => renderer.wanting(index), cover: (index, char) => assist.covering(index, char) };
  big.onMove = () => {
    places.refresh();
    assist.hideTip();
    zoom.tell();
  };
}

/**
 * @param {string} id The id of the refused message.
 * @param {string} why
 */
function refused(id, why) {
  waiting.delete(id);
  sink();
  if (id && id === levelAsked) levels.complain(why);
  else statusLine.refuse(why, id);
  // Restore the old value of a rejected setting.
  panel.refresh();
  if (!question.level) levels.refresh();
  shapes.refresh();
}

/** Update the displays, the smiley and the panel. */
function standing() {
  const { game } = state;
  if (!game) return;
  $("mines").value = game.mines_left;
  clock.set(game.clock);
  const { dataset } = document.body;
  if (dataset.status !== game.status) dataset.status = game.status;
  if (dataset.line !== "open") dataset.line = "open";
  for (const undo of ["undo", "thumb-undo"]) button(undo).disabled = !game.can_undo;
  button("hint").disabled = state.over;
  for (const name of $("thumb-hint").getElementsByTagName("span")) {
    name.textContent = game.status === "lost" ? t("Why?") : t("Hint");
  }
  button("thumb-hint").disabled = game.status === "won";
  smile(false);
  panel.refresh();
  if (!question.level) levels.refresh();
  shapes.refresh();
  daily.refresh();
}

/** Redraw all cells and their overlay. */
function redraw() {
  renderer.all();
  assist.repaint();
}

/** @param {boolean} pressing */
function smile(pressing) {
  const status = state.game?.status;
  if (status === "won" || status === "lost") face.mood = status;
  else face.mood = pressing ? "pressing" : "neutral";
}

/** @type {number[]} */
let pressed = [];

/** Draw cells pressed: those under the pointer, and those waiting for the server. */
function sink() {
  grid.mark("down", [...pressed, ...[...waiting.values()].flat()]);
}

/**
 * @param {"open" | "chord" | "mark"} kind
 * @param {number} index
 */
function act(kind, index) {
  const { game } = state;
  // The board of the last message may still be loading.
  if (!game || inbox.waiting) return;
  if (automatic.running) {
    automatic.play();
    say(t("The bot is paused. Play yourself, or let it continue."));
    return;
  }
  if (state.over || (kind === "chord" && preferences.flagRest && flagRest(game, index))) return;
  const id = sendMove({ type: kind, cell: grid.place(index) });
  if (id && kind !== "mark") waiting.set(id, sunken(game, index, kind));
  sink();
}

/**
 * Flag the neighbours of a number if all of them must be mines.
 *
 * @param {import("./board/neighbours.js").Shape & {cells: string[]}} game
 * @param {number} index
 * @returns {boolean} Whether it has flags to set.
 */
function flagRest(game, index) {
  const cells = flaggable(game, index);
  // A second click before the answer would remove the flags.
  if (!cells.some((cell) => waiting.has(flagging.get(cell) ?? ""))) {
    for (const cell of cells) {
      // A question mark is removed first.
      if (game.cells[cell] === "?") sendMove({ type: "mark", cell: grid.place(cell) });
      const id = sendMove({ type: "mark", cell: grid.place(cell) });
      if (!id) continue;
      waiting.set(id, []);
      flagging.set(cell, id);
    }
  }
  return cells.length > 0;
}

showSeams(grid.small, () => state.game);
listenToPointer(grid, {
  shows: (index) => state.game?.cells[index] ?? ".",
  flagMode: () => flagMode,
  double: () => preferences.double && !state.over,
  choices: () => preferences,
  act,
  once: () => say(t("Double-click to open.")),
  press(kind, index) {
    const cells =
      kind && index !== null && state.game && !state.over ? sunken(state.game, index, kind) : null;
    pressed = cells ?? [];
    sink();
    smile(cells !== null);
  },
});

recordPointer(grid, path, {
  wanted: () => preferences.path && !grid.big && !state.over && !automatic.on && isRectangular(),
  running: () => state.game?.status === "playing",
  size: () => state.game ?? { width: 0, height: 0 },
});

/** @returns {boolean} Whether cells are drawn in straight rows and columns, as in replays. */
function isRectangular() {
  if (!state.game) return false;
  const { width, height } = extentOf(state.game);
  return width === state.game.width && height === state.game.height;
}

const commands = {
  hint() {
    sheet.toggle(false);
    if (!postMortem.why()) assist.hint();
  },
  new() {
    sheet.toggle(false);
    if (question.level) startLevel(question.level);
    else send({ type: "new" });
  },
  undo: () => sendMove({ type: "undo" }),
  daily() {
    if (MISSING.has("daily")) return;
    sheet.toggle(false);
    daily.show();
  },
  review() {
    if (state.game?.status === "ready") say(t("There is nothing to review before the first click."));
    else if (grid.big) say(t("Reviews are limited to boards of {most} cells.", { most: format(MOST_ELEMENTS, 0) }));
    else if (!MISSING.has("review")) location.href = "/review";
  },
  overlay: () => assist.toggle(),
  play: () => MISSING.has("play") || automatic.play(),
  step: () => MISSING.has("step") || automatic.step(),
  analyze() {
    if (!state.game) return;
    // The server must record the help before the page is left.
    if (grid.big) showAnalysis();
    else if (state.game.status === "playing") leaving = send({ type: "analyze" });
    else showAnalysis();
  },
  help() {
    sheet.toggle(false);
    void import("./frame/help.js").then(
      ({ showHelp }) => showHelp(card, keyOf, preferences),
      () => say(notLoaded()),
    );
  },
  larger: () => zoom.change(2),
  smaller: () => zoom.change(-2),
  fit: () => zoom.choose(0),
  cursor() {
    if (grid.big) grid.big.showCursor();
    else grid.reveal(grid.cursor);
  },
  leave() {
    if (question.level) $("level-keep").click();
    else if (card.kind === "ask") helpQuestion.leave();
    else assist.leave();
  },
};

const hover = new Hover(grid);
listenToKeys(grid.element, {
  step(rows, cols) {
    hover.leave();
    if (grid.hasFocus) grid.step(rows, cols);
    else grid.moveTo(grid.cursor);
  },
  jump(where) {
    hover.leave();
    const { width, height } = state.game ?? { width: 1, height: 1 };
    const start = grid.cursor - (grid.cursor % width);
    const to = { "row-start": start, "row-end": start + width - 1, first: 0, last: width * height - 1 };
    grid.moveTo(to[where]);
  },
  act(kind) {
    const hovered = hover.cell;
    const index = hovered ?? grid.cursor;
    // Move the cursor as well, as a click does.
    if (hovered !== null) grid.moveTo(hovered, { scroll: false });
    const shown = state.game?.cells[index] ?? ".";
    const means = kind === "mark" || (kind === "smart" && isUnopened(shown)) ? "mark" : meaning(shown);
    if (means !== "chord" || preferences.chording !== "off") act(means, index);
  },
  hovering: () => hover.cell !== null,
  command(name) {
    if (name === "hint" || name === "undo" || name === "analyze") helpQuestion.before(name, () => void commands[name]());
    else commands[name]();
  },
}, () => keyList.keys);
// Big boards handle pinching themselves.
listenToPinch($("well"), () => zoom.cell, (px) => grid.big || zoom.choose(px));

card.onClose = () => commands.leave();

for (const name of /** @type {const} */ (["hint", "new", "undo", "help", "analyze"])) {
  $(name).addEventListener("click", () => commands[name]());
}
for (const id of ["apply", "new-game", "thumb-new", "result-new"]) {
  $(id).addEventListener("click", () => commands.new());
}
$("thumb-undo").addEventListener("click", () => helpQuestion.before("undo", () => void commands.undo()));
$("result-review").addEventListener("click", () => commands.review());
$("result-download").addEventListener("click", () => lastGame("downloadLast"));
$("result-link").addEventListener("click", () => lastGame("shareLast"));
$("flag-mode").addEventListener("click", () => setFlagMode(!flagMode));
setFlagMode(preferences.flagsFirst);
startLanguage();
startFrame();
showSettingsInPanel(() => phone.matches && sheet.toggle(true));

/** @param {boolean} on Whether taps flag. */
function setFlagMode(on) {
  flagMode = on;
  $("flag-mode").setAttribute("aria-checked", String(on));
  announcer.showKeys();
}

$("thumb-hint").addEventListener("click", () => helpQuestion.before("hint", () => commands.hint()));
phone.addEventListener("change", () => places.refresh());
