/** The Replay page: a recorded game with the pointer, metrics and a review. */

import { StillBoard } from "../board/still-board.js";
import { $, button, input, select } from "../dom.js";
import { listenToImports } from "../frame/imports.js";
import { offerDownload } from "../frame/download.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { Refusal, complaint } from "../refusal.js";
import { ReviewedGame } from "../review/game.js";
import { MoveList } from "../review/move-list.js";
import { showProgress } from "../review/progress.js";
import { readLines } from "../review/stream.js";
import { listed } from "../sentence.js";
import { t } from "../translation.js";
import { listenToKeys } from "./keys.js";
import { MetricsTable } from "./metrics-table.js";
import { Moment } from "./moment.js";
import { keepFile } from "./kept-files.js";
import { namedBy, recordedGame } from "./opening.js";
import { SPEEDS } from "./player.js";
import { PointerLayer } from "./pointer-layer.js";
import { RecordedGame } from "./recorded-game.js";
import { StepCard } from "./step-card.js";
import { Timeline } from "./timeline.js";
import { guessSteps, risks } from "./verdicts.js";
import { about, disagreement, headline, placeText, seconds, stepText } from "./wording.js";

const HEAT = 10;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Blob | null} The file, for continuing its game. */
let file = null;
/** The number of files opened so far. */
let opened = 0;
/** The board's content, as a string. */
let drawn = "";
/** Cancels reading a file when another one is opened. */
let reading = new AbortController();

const moment = new Moment(draw);
const board = new StillBoard($("stage"), { label: t("Board"), texts: [$("detail")], watched: true });
const layer = new PointerLayer(board);
const card = new StepCard(board, moment, takeOver);
const timeline = new Timeline($("timeline"), (ms) => moment.seek(ms));
const table = new MetricsTable($("metrics-rows"));
const list = new MoveList($("moves"), (decision) => moment.goTo(moment.game ? moment.game.stepOf(decision) + 1 : 0));
startSettings();
startFrame();

/** @param {import("./types.js").ReplayLines} line */
function take(line) {
  if ("error" in line) throw new Refusal(line.error);
  if (line.type === "replay") {
    moment.begin(new RecordedGame(line));
    for (const id of ["game", "notes"]) $(id).hidden = false;
    $("empty").hidden = true;
    $("banner").hidden = true;
    $("headline").textContent = headline(line);
    $("about").textContent = about(line).join(" · ");
    $("disagreement").textContent = disagreement(line);
    input("path").disabled = !line.has_pointer;
  } else if (line.type === "game") moment.review = new ReviewedGame(line);
  else moment.review?.take(line);
  const { game, review } = moment;
  if (!game) return;
  showProgress(review);
  button("guess").disabled = !guessSteps(game, review).length;
  timeline.show(game, review);
  if (review) list.show(review, input("every").checked, moment.decision);
  draw();
}

/** Draw the current moment. */
function draw() {
  const { game, review, place, steps, ms } = moment;
  if (!game) return;
  showBoard(game, steps);
  // With reduced motion, the pointer jumps from click to click.
  const pointed = moment.player.running && still.matches ? game.placeOf(steps) : place;
  layer.show(game, pointed, input("path").checked);
  timeline.move(ms);
  table.show(game.figuresAt(ms, steps), game.replay.metrics, risks(game, review, steps));
  showPlace(game, steps, ms);
  showButtons(game);
  card.show(drawn);
  list.move(moment.decision);
}

/**
 * @param {RecordedGame} game
 * @param {number} count The number of steps so far.
 */
function showBoard(game, count) {
  const mines = input("mines-shown").checked;
  const heat = input("heat").checked ? game.heat : null;
  const now = JSON.stringify([opened, count, mines, heat !== null]);
  if (now === drawn) return;
  drawn = now;
  board.show(game.rowsAfter(count, mines), game.replay.topology);
  board.cover((index) => ({ look: cover(index, heat), text: "", spoken: "" }));
}

/**
 * @param {number} index
 * @param {number[] | null} heat
 * @returns {string} Classes of the heat map.
 */
function cover(index, heat) {
  if (!heat || !heat[index]) return "";
  return `dwell dwell-${Math.min(HEAT - 1, Math.floor(Math.sqrt(heat[index]) * HEAT))}`;
}

/**
 * @param {RecordedGame} game
 * @param {number} count
 * @param {number} ms
 */
function showPlace(game, count, ms) {
  const { started_ms, metrics } = game.replay;
  const at = placeText(game, count);
  const time = seconds(game.clockMs(ms));
  $("time").textContent = t("{time} of {end} s", { time, end: seconds(1000 * metrics.time_s) });
  // Otherwise a screen reader would announce every click during playback.
  $("place").setAttribute("aria-live", moment.player.running ? "off" : "polite");
  const said = count ? listed([at, stepText(game, count - 1)]) : at;
  if ($("place").textContent !== said) $("place").textContent = said;
  const slider = $("timeline");
  slider.setAttribute("aria-valuemax", ((game.toMs - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuemin", ((game.fromMs - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuenow", ((ms - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuetext", t("{time} seconds, {place}", { time, place: at }));
}

/** @param {RecordedGame} game */
function showButtons(game) {
  const { player, place, atEnd } = moment;
  $("play").setAttribute("aria-label", player.running ? t("Pause") : t("Play the replay"));
  $("play").title = player.running ? t("Pause (Space)") : t("Play (Space)");
  $("play").dataset.running = String(player.running);
  for (const id of ["first", "back", "event-back"]) button(id).disabled = place === 0 && player.now <= game.fromMs;
  for (const id of ["on", "event-on", "last"]) button(id).disabled = atEnd;
}

/** @param {1 | -1} direction */
function faster(direction) {
  moment.player.change(direction);
  select("speed").value = String(moment.player.speed);
}

/** @param {number} count The number of steps to keep. */
async function takeOver(count) {
  const { game, player } = moment;
  if (!file || !game) return;
  player.stop();
  const { steps, metrics } = game.replay;
  const over = metrics.status === "won" || metrics.status === "lost";
  try {
    // The last click ended the game, so continue from the position before it.
    const kept = over ? Math.min(count, steps.length - 1) : count;
    const answer = await fetch(`/api/replay/take-over?steps=${kept}`, { method: "POST", body: file });
    if (!answer.ok) throw new Refusal((await answer.json()).error);
    location.href = "/";
  } catch (problem) {
    complain(problem);
  }
}

/** @param {unknown} problem */
function complain(problem) {
  const text = complaint(problem);
  if (moment.game) {
    $("banner").textContent = text;
    $("banner").hidden = false;
    return;
  }
  $("problem").textContent = text;
  $("problem").hidden = false;
  $("empty").hidden = false;
}

/**
 * @param {Blob} given
 * @param {boolean} [named] Whether to keep it and put it into the URL.
 */
async function open(given, named = false) {
  // The server allows two reviews at once per browser.
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  moment.player.stop();
  $("problem").hidden = true;
  try {
    let begun = false;
    const read = (/** @type {import("./types.js").ReplayLines} */ line) => {
      if (!begun && named) void nameInAddress(given);
      if (!begun) [file, begun, opened] = [given, true, opened + 1];
      take(line);
    };
    await readLines("/api/replay", "POST", /** @type {any} */ (read), { body: given, signal });
  } catch (problem) {
    if (!signal.aborted) complain(problem);
  }
}

/**
 * Add a file to the URL, so that it survives a reload.
 *
 * @param {Blob} given
 */
async function nameInAddress(given) {
  // Without storage, the file gets no name.
  const kept = await keepFile(given).catch(() => null);
  if (file === given) history.replaceState(null, "", kept ? `/replay?file=${kept}` : "/replay");
}

const chooseFile = () => input("file").click();

/** @type {Record<string, () => void>} */
const COMMANDS = {
  " ": () => moment.toggle(),
  ArrowLeft: () => moment.walk(-1),
  ArrowRight: () => moment.walk(1),
  "Shift+ArrowLeft": () => moment.jump(moment.place - 1),
  "Shift+ArrowRight": () => moment.jump(moment.place + 1),
  ",": () => moment.jump(moment.place - 1),
  ".": () => moment.jump(moment.place + 1),
  ArrowUp: () => faster(1),
  ArrowDown: () => faster(-1),
  j: () => moment.goTo(moment.steps - 10),
  l: () => moment.goTo(moment.steps + 10),
  Home: () => moment.jump(0),
  End: () => moment.jump(Infinity),
  g: () => moment.guess(1),
  "Shift+G": () => moment.guess(-1),
  p: () => input("path").click(),
  h: () => input("heat").click(),
  x: () => input("mines-shown").click(),
  t: () => takeOver(moment.steps),
  o: chooseFile,
  d: () => $("download").click(),
};

listenToKeys(COMMANDS, (key) => moment.game !== null || key === "o");

/** @type {Record<string, () => void>} */
const BUTTONS = {
  play: () => moment.toggle(),
  first: () => moment.jump(0),
  back: () => moment.walk(-1),
  on: () => moment.walk(1),
  last: () => moment.jump(Infinity),
  "event-back": () => moment.jump(moment.place - 1),
  "event-on": () => moment.jump(moment.place + 1),
  guess: () => moment.guess(1),
  another: chooseFile,
  download: () => void (file && offerDownload(async () => /** @type {Blob} */ (file))),
};
for (const [id, act] of Object.entries(BUTTONS)) $(id).addEventListener("click", act);
for (const id of ["path", "heat", "mines-shown"]) input(id).addEventListener("change", draw);
input("every").addEventListener("change", () => {
  if (moment.review) list.show(moment.review, input("every").checked, moment.decision);
});
select("speed").append(
  ...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed), speed === 1, speed === 1)),
);
select("speed").addEventListener("change", () => (moment.player.speed = Number(select("speed").value)));
for (const name of ["review", "metrics"]) {
  input(`show-${name}`).addEventListener("change", () => {
    for (const other of ["review", "metrics"]) $(`${other}-panel`).hidden = other !== name;
  });
}
listenToImports((given) => open(typeof given === "string" ? new Blob([given]) : given, true), { replays: true });

/** Open the game in the URL. */
async function start() {
  const named = namedBy(location);
  if (![...named].length) {
    $("empty").hidden = false;
    return;
  }
  const before = reading;
  try {
    const found = await recordedGame(named);
    // The user may have opened another file in the meantime.
    if (reading === before) await open(found);
  } catch (problem) {
    complain(problem);
  }
}

start();
