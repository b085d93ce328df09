/** The replay page: a recorded game with its pointer, its metrics and its review. */

import { packCells } from "../address.js";
import { StillBoard } from "../board/still-board.js";
import { $, button, input, make, select } from "../dom.js";
import { startTheme } from "../frame/theme.js";
import { showDecision } from "../review/detail.js";
import { ReviewedGame } from "../review/game.js";
import { mark } from "../review/kinds.js";
import { MoveList } from "../review/move-list.js";
import { Refusal, readLines } from "../review/stream.js";
import { KINDS, kindName, luckText } from "../review/wording.js";
import { t } from "../translation.js";
import { write } from "../places.js";
import { listenToKeys } from "./keys.js";
import { MetricsTable } from "./metrics-table.js";
import { listenToFiles, recordedGame } from "./opening.js";
import { Player, SPEEDS } from "./player.js";
import { PointerLayer } from "./pointer-layer.js";
import { RecordedGame } from "./recorded-game.js";
import { Timeline } from "./timeline.js";
import { guessSteps, risks, verdictOn } from "./verdicts.js";
import { about, disagreement, headline, placeText, seconds, stepText } from "./wording.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("../review/types.js").Decision} Decision */

const HEAT = 10;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {RecordedGame | null} */
let game = null;
/** @type {ReviewedGame | null} */
let review = null;
/** @type {Blob | null} The file, for taking over. */
let file = null;
/** How many events have happened. */
let place = 0;
/** @type {{decision: number, step: number} | null} The proof that is shown, before its click. */
let proof = null;
/** What was drawn last: the board, and the card. */
const drawn = { board: "", step: -1, card: "" };
/** Counts the files. */
let opened = 0;
/** Ends the reading of a file when another one is opened. */
let reading = new AbortController();

const board = new StillBoard($("stage"), { label: t("Board"), texts: [$("detail")] });
const layer = new PointerLayer(board);
const timeline = new Timeline($("timeline"), seek);
const table = new MetricsTable($("metrics-rows"));
const list = new MoveList($("moves"), (decision) => goTo(game ? game.stepOf(decision) + 1 : 0));
const player = new Player(
  () => game?.toMs ?? 0,
  () => {
    if (!game) return;
    if (player.running) place = Math.max(place, game.placeAt(player.now));
    else if (player.now >= game.toMs) place = game.end;
    draw();
  },
);
startTheme($("theme"));

/** @param {import("./types.js").ReplayLines} line */
function take(line) {
  if ("error" in line) throw new Refusal(line.error);
  if (line.type === "replay") {
    game = new RecordedGame(line);
    review = null;
    for (const id of ["game", "notes"]) $(id).hidden = false;
    $("empty").hidden = true;
    $("banner").hidden = true;
    $("headline").textContent = headline(line);
    $("about").textContent = about(line).join(" · ");
    $("disagreement").textContent = disagreement(line);
    input("path").disabled = !line.has_pointer;
    player.stop();
    player.now = game.fromMs;
    [place, proof] = [0, null];
  } else if (line.type === "game") review = new ReviewedGame(line);
  else review?.take(line);
  if (!game) return;
  summarize();
  timeline.show(game, review);
  if (review) list.show(review, input("every").checked, decisionNow());
  draw();
}

function summarize() {
  const { done = 0, total = 0, summary = null, decisions = [] } = review ?? {};
  $("working").hidden = !review || summary !== null;
  $("progress").max = total || 1;
  $("progress").value = done;
  $("progress-text").textContent = t("{done} of {total} steps", { done, total });
  $("luck").textContent = summary ? luckText(summary) : "";
  $("luck").hidden = !summary;
  $("counts").replaceChildren(
    ...KINDS.map((kind) => {
      const count = decisions.filter((each) => each?.kind === kind).length;
      const line = make("li");
      line.append(mark(kind), make("b", String(count)), ` ${kindName(kind, count)}`);
      line.hidden = !count;
      return line;
    }),
  );
  button("guess").disabled = !(game && guessSteps(game, review).length);
}

/** @returns {number} The decision made last. */
function decisionNow() {
  if (!game) return 0;
  if (proof) return proof.decision;
  return game.decisionBefore(game.stepsAt(place));
}

/** Draw the moment. */
function draw() {
  if (!game) return;
  const count = game.stepsAt(place);
  const ms = player.running || place >= game.end ? player.now : Math.max(player.now, game.msAt(place));
  showBoard(count);
  // With reduced motion the pointer stands still from click to click.
  const pointed = player.running && still.matches ? game.placeOf(count) : place;
  layer.show(game, pointed, input("path").checked);
  timeline.move(ms);
  table.show(game.figuresAt(ms, count), game.replay.metrics, risks(game, review, count));
  showPlace(count, ms);
  showButtons();
  showStep(count);
}

/** @param {number} count Of steps by now. */
function showBoard(count) {
  if (!game) return;
  const mines = input("mines-shown").checked;
  const heat = input("heat").checked ? game.heat : null;
  const now = JSON.stringify([opened, count, mines, heat !== null]);
  if (now === drawn.board) return;
  drawn.board = now;
  board.show(game.rowsAfter(count, mines), game.replay.topology);
  board.cover((index) => ({ look: cover(index, heat), text: "" }));
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
 * @param {number} count
 * @param {number} ms
 */
function showPlace(count, ms) {
  if (!game) return;
  const { started_ms, metrics } = game.replay;
  const at = placeText(game, count);
  const time = seconds(Math.min(ms, game.toMs) - started_ms);
  $("time").textContent = t("{time} of {end} s", { time, end: seconds(1000 * metrics.time_s) });
  // Somebody who listens would hear every click of a running playback.
  $("place").setAttribute("aria-live", player.running ? "off" : "polite");
  const said = count ? `${at}, ${stepText(game, count - 1)}` : at;
  if ($("place").textContent !== said) $("place").textContent = said;
  const slider = $("timeline");
  slider.setAttribute("aria-valuemax", ((game.toMs - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuemin", ((game.fromMs - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuenow", ((ms - started_ms) / 1000).toFixed(3));
  slider.setAttribute("aria-valuetext", t("{time} seconds, {place}", { time, place: at }));
}

function showButtons() {
  if (!game) return;
  const name = player.running ? t("Pause") : t("Play");
  $("play").setAttribute("aria-label", name);
  $("play").title = t("{name} (Space)", { name });
  $("play").dataset.running = String(player.running);
  for (const id of ["first", "back", "event-back"]) button(id).disabled = place === 0 && player.now <= game.fromMs;
  for (const id of ["on", "event-on", "last"]) button(id).disabled = place >= game.end;
}

/** @param {number} count Of steps by now. */
function showStep(count) {
  if (!game) return;
  const card = JSON.stringify([drawn.board, place >= game.end, proof, review?.done, review?.summary !== null, player.running]);
  if (card === drawn.card) return;
  drawn.card = card;
  const { grid } = board;
  const step = proof ? game.stepOf(proof.decision) : count - 1;
  const decision = proof ? (review?.decisions[proof.decision] ?? null) : step < 0 ? null : verdictOn(game, review, step);
  const indices = (/** @type {Cell[]} */ cells) => cells.map((cell) => grid.indexAt(cell));
  const closed = (/** @type {number[]} */ cells) => cells.filter((index) => /[.F?*]/.test(board.cells[index]));
  const chosen = decision ? indices([decision.cell]) : step >= 0 ? [game.replay.steps[step].cell] : [];
  for (const kind of KINDS) grid.mark(`chosen-${kind}`, decision?.kind === kind ? chosen : []);
  grid.mark("chosen", chosen);
  if (step !== drawn.step) {
    drawn.step = step;
    for (const index of chosen) grid.cell(index).scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const steps = (decision?.proof?.steps ?? []).slice(0, proof?.step ?? 0);
  const now = steps.at(-1);
  grid.mark("lit", decision && decision.kind !== "proved" && !now ? closed(indices(decision.safe)) : []);
  grid.mark("proving", indices(now?.numbers ?? []));
  grid.mark("concluded", indices([...(now?.safe ?? []), ...(now?.mined ?? [])]));
  list.move(decisionNow());
  if (decision) {
    const half = (review?.total ?? 0) / 2;
    const settled = (review?.done ?? 0) >= half + decision.index + 1;
    const again = { text: t("Take over from here"), note: t("You play on before this click, with the same mines. The game does not count for best times.") };
    const known = player.running ? { ...decision, proof: null } : decision;
    showDecision($("detail"), known, proof?.step ?? 0, settled, { step: () => nextProof(decision), retry: () => takeOver(step), analyze: address(step), again });
    return;
  }
  const title = make("h3", step < 0 ? t("Before the first click") : placeText(game, step + 1));
  const text = make("p");
  write(text, step < 0 ? t("Space plays the replay, the arrow keys walk from click to click.") : `${stepText(game, step)}.`);
  const row = make("div");
  row.className = "choices";
  const over = make("button", t("Take over from here"));
  over.type = "button";
  over.id = "retry";
  over.addEventListener("click", () => takeOver(count));
  row.append(over);
  $("detail").replaceChildren(title, text, row);
}

/** @param {Decision} decision */
function nextProof(decision) {
  if (!game || !decision.proof) return;
  player.stop();
  const step = proof?.decision === decision.index ? proof.step + 1 : 1;
  const focused = document.activeElement?.id === "proof-next";
  if (step > decision.proof.steps.length) goTo(game.stepOf(decision.index) + 1);
  else {
    const before = game.replay.steps[game.stepOf(decision.index)].event;
    [place, player.now, proof] = [before, game.msAt(before), { decision: decision.index, step }];
    draw();
  }
  if (focused) document.getElementById("proof-next")?.focus();
}

/**
 * @param {number} count Of steps before it.
 * @returns {string} The address of that position on the page Analyze.
 */
function address(count) {
  if (!game) return "/analyze";
  const { width, height, mined, topology } = game.replay;
  const fields = new URLSearchParams();
  const size = `${width}x${height}:${mined.length}`;
  if (topology !== "rectangle") fields.set("topology", topology);
  fields.set("size", size);
  fields.set("position", packCells([...new RecordedGame(game.replay).rowsAfter(count).join("").replaceAll("?", ".")]));
  return `/analyze#${fields.toString().replaceAll("%3A", ":")}`;
}

/** @param {number} to A place. */
function jump(to) {
  if (!game) return;
  player.stop();
  proof = null;
  place = Math.max(0, Math.min(game.end, to));
  player.now = place >= game.end ? game.toMs : game.msAt(place);
  draw();
}

/** @param {number} count Of steps. */
function goTo(count) {
  if (game) jump(game.placeOf(Math.max(0, Math.min(count, game.replay.steps.length))));
}

/** @param {1 | -1} direction To the next or previous click. */
function walk(direction) {
  if (!game) return;
  const count = game.stepsAt(place);
  if (direction > 0) {
    if (count === game.replay.steps.length) jump(game.end);
    else goTo(count + 1);
  } else if (place > game.placeOf(count)) goTo(count);
  else if (count === 0) jump(0);
  else goTo(count - 1);
}

/** @param {number} ms */
function seek(ms) {
  if (!game) return;
  proof = null;
  player.now = ms;
  place = game.placeAt(ms);
  draw();
}

/** @param {1 | -1} direction */
function guess(direction) {
  if (!game) return;
  const steps = guessSteps(game, review);
  if (!steps.length) return;
  const now = game.stepsAt(place) - 1;
  const next = direction > 0 ? (steps.find((step) => step > now) ?? steps[0]) : (steps.findLast((step) => step < now) ?? steps[steps.length - 1]);
  goTo(next + 1);
}

function toggle() {
  if (!game) return;
  proof = null;
  if (player.running) player.stop();
  else {
    if (player.now >= game.toMs) [place, player.now] = [0, game.fromMs];
    player.start();
  }
}

/** @param {1 | -1} direction */
function faster(direction) {
  player.change(direction);
  select("speed").value = String(player.speed);
}

/** @param {number} count Of steps that are kept. */
async function takeOver(count) {
  if (!file || !game) return;
  player.stop();
  const { steps, metrics } = game.replay;
  const over = metrics.status === "won" || metrics.status === "lost";
  try {
    // The last click ended the game, so one goes on from before it.
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
  const said = problem instanceof Refusal ? `${problem.message[0].toUpperCase()}${problem.message.slice(1)}.` : "";
  const text = said || t("The server is not responding. Try again once it is back.");
  if (game) {
    $("banner").textContent = text;
    $("banner").hidden = false;
    return;
  }
  $("problem").textContent = text;
  $("problem").hidden = false;
  $("empty").hidden = false;
}

/** @param {Blob} given */
async function open(given) {
  // The server has no more than two reviews at once for a browser.
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  player.stop();
  $("problem").hidden = true;
  try {
    let begun = false;
    const read = (/** @type {import("./types.js").ReplayLines} */ line) => {
      if (!begun) [file, begun, opened] = [given, true, opened + 1];
      take(line);
    };
    await readLines("/api/replay", "POST", /** @type {any} */ (read), { body: given, signal });
  } catch (problem) {
    if (!signal.aborted) complain(problem);
  }
}

/** @type {Record<string, () => void>} */
const COMMANDS = {
  " ": toggle,
  ArrowLeft: () => walk(-1),
  ArrowRight: () => walk(1),
  "Shift+ArrowLeft": () => jump(place - 1),
  "Shift+ArrowRight": () => jump(place + 1),
  ",": () => jump(place - 1),
  ".": () => jump(place + 1),
  ArrowUp: () => faster(1),
  ArrowDown: () => faster(-1),
  PageUp: () => goTo((game?.stepsAt(place) ?? 0) - 10),
  PageDown: () => goTo((game?.stepsAt(place) ?? 0) + 10),
  Home: () => jump(0),
  End: () => jump(game?.end ?? 0),
  g: () => guess(1),
  "Shift+G": () => guess(-1),
  p: () => input("path").click(),
  h: () => input("heat").click(),
  x: () => input("mines-shown").click(),
  t: () => takeOver(game?.stepsAt(place) ?? 0),
  o: () => input("file").click(),
};

listenToKeys(COMMANDS, (key) => game !== null || key === "o");

/** @type {Record<string, () => void>} */
const BUTTONS = {
  play: toggle,
  first: () => jump(0),
  back: () => walk(-1),
  on: () => walk(1),
  last: () => jump(game?.end ?? 0),
  "event-back": () => jump(place - 1),
  "event-on": () => jump(place + 1),
  guess: () => guess(1),
  choose: () => input("file").click(),
  another: () => input("file").click(),
};
for (const [id, act] of Object.entries(BUTTONS)) $(id).addEventListener("click", act);
for (const id of ["path", "heat", "mines-shown"]) input(id).addEventListener("change", draw);
input("every").addEventListener("change", () => {
  if (review) list.show(review, input("every").checked, decisionNow());
});
select("speed").append(
  ...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed), speed === 1, speed === 1)),
);
select("speed").addEventListener("change", () => (player.speed = Number(select("speed").value)));
for (const name of ["review", "metrics"]) {
  input(`show-${name}`).addEventListener("change", () => {
    for (const other of ["review", "metrics"]) $(`${other}-panel`).hidden = other !== name;
  });
}
listenToFiles(open);

/** Open the game that the address names. */
async function start() {
  const id = new URLSearchParams(location.search).get("game");
  if (!id) {
    $("empty").hidden = false;
    return;
  }
  try {
    await open(await recordedGame(id));
  } catch (problem) {
    complain(problem);
  }
}

start();
