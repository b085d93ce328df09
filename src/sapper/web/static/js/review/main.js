/** The Review page, which draws decisions as they arrive. */

import { packCells, sizeText } from "../address.js";
import { BARE } from "../board/cover.js";
import { TINTED } from "../board/overlays.js";
import { StillBoard } from "../board/still-board.js";
import { $, button, input, make } from "../dom.js";
import { offerDownload } from "../frame/download.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { pressedKey } from "../input/pressed-key.js";
import { openOn } from "../replay/kept-files.js";
import { MISSING, recordedGame } from "../replay/opening.js";
import { RecordedGame } from "../replay/recorded-game.js";
import { disagreement } from "../replay/wording.js";
import { showDecision, showEnd } from "./detail.js";
import { Refusal } from "../refusal.js";
import { listed, sentence } from "../sentence.js";
import { ReviewedGame } from "./game.js";
import { Graph } from "./graph.js";
import { MoveList } from "./move-list.js";
import { offerPractice, Practice } from "./practice.js";
import { showProgress } from "./progress.js";
import { readLines } from "./stream.js";
import { headline, KINDS, kindName, percent, setting } from "./wording.js";
import { t, tn } from "../translation.js";

/** @typedef {import("../protocol.js").Cell} Cell */

const address = new URLSearchParams(location.search);

/** @type {ReviewedGame | null} */
let game = null;
/** @type {RecordedGame | null} The replay, if a file is reviewed. */
let replay = null;
let place = 0;
/** The current step of the proof. */
let step = 0;
/** The visible position and step. */
let sighted = "";
/** Whether the page still chooses the position; it stops at the first key press or click. */
let leading = true;

const board = new StillBoard($("stage"), { label: t("Board before the move"), texts: [$("detail")], key: command, watched: true });
const graph = new Graph($("graph"), jump);
const list = new MoveList($("moves"), jump);
const practice = new Practice({ left: review, complain });
startSettings();
startFrame();

/** @param {import("./types.js").Line | import("../replay/types.js").ReplayLine} line */
function take(line) {
  if ("error" in line) throw new Refusal(line.error);
  if (line.type === "replay") {
    replay = new RecordedGame(line);
    $("disagreement").textContent = disagreement(line);
    return;
  }
  if (line.type === "game") {
    game = new ReviewedGame(line);
    place = game.end;
    for (const id of ["game", "notes"]) $(id).hidden = false;
    $("empty").hidden = true;
    $("setting").textContent = setting(line);
    $("mines-field").hidden = !line.mined;
    // The mines of a running game are secret, and there is no replay.
    for (const id of ["replay", "download"]) $(id).hidden = !line.mined && !replay;
    $("replay").setAttribute("href", `/replay?${named()}`);
  } else if (game) game.take(line);
  if (!game) return;
  if (leading) place = opening(game);
  $("headline").textContent = headline(game);
  showProgress(game);
  offerPractice(game);
  button("mistake").disabled = game.mistake(-1, 1) === null;
  graph.show(game);
  list.show(game, input("every").checked, place);
  draw();
}

/** @returns {URLSearchParams} The parameters that identify the game. */
const named = () => (address.size ? address : new URLSearchParams({ game: "last" }));

/**
 * @param {ReviewedGame} found
 * @returns {number} The position at which a review opens: the loss, the most costly move, or the end.
 */
function opening({ decisions, summary, end }) {
  const fatal = decisions.findLast(({ exploded, undone }) => exploded && !undone);
  return fatal?.index ?? summary?.costliest ?? end;
}

/** Draw the current position and its text. */
function draw() {
  if (!game) return;
  const { grid } = board;
  const { end, decisions, done, total } = game;
  const decision = decisions[place];
  board.show(game.rowsAt(place, input("mines-shown").checked), game.game.topology);
  graph.move(place);
  list.move(place);
  const at = place < end ? t("Move {move} of {end}", { move: place + 1, end }) : tn("End, {n} move", "End, {n} moves", end);
  if ($("place").textContent !== at) $("place").textContent = at;
  const slider = $("graph");
  slider.setAttribute("aria-valuemax", String(end + 1));
  slider.setAttribute("aria-valuenow", String(place + 1));
  const spoken = [at];
  if (decision) spoken.push(kindName(decision.kind));
  if (decision?.before) spoken.push(t("win chance {share}", { share: percent(decision.before.win_chance) }));
  slider.setAttribute("aria-valuetext", listed(spoken));
  for (const id of ["first", "back"]) button(id).disabled = place === 0;
  for (const id of ["on", "last"]) button(id).disabled = place === end;

  const indices = (/** @type {Cell[]} */ cells) => cells.map((cell) => grid.indexAt(cell));
  const steps = decision?.proof?.steps ?? [];
  const shown = steps.slice(0, step);
  const now = shown.at(-1);
  const chosen = decision ? indices([decision.cell]) : [];
  for (const kind of KINDS) grid.mark(`chosen-${kind}`, decision?.kind === kind ? chosen : []);
  grid.mark("chosen", chosen);
  grid.mark("lit", decision && !step ? indices(decision.safe) : []);
  const best = decision?.best && !decision.safe.length && decision.kind !== "proved" ? indices([decision.best]) : [];
  grid.mark("best", best.filter((index) => !chosen.includes(index)));
  grid.mark("proving", indices(now?.numbers ?? []));
  grid.mark("concluded", indices([...(now?.safe ?? []), ...(now?.mined ?? [])]));
  const safe = new Set(indices(shown.flatMap((each) => each.safe)));
  const mines = new Set(indices(shown.flatMap((each) => each.mined)));
  board.cover((index) => {
    const tint = safe.has(index) ? "safe" : mines.has(index) ? "danger" : null;
    return tint ? { look: `state ${tint}`, text: "", spoken: TINTED[tint].spoken } : BARE;
  });
  // Do this only once, so that the page keeps its scroll position while lines arrive.
  if (sighted !== `${place} ${step}`) {
    sighted = `${place} ${step}`;
    for (const index of [...indices(now?.numbers ?? []), ...chosen]) {
      grid.cell(index).scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
  $("detail").classList.toggle("awaited", leading && game.game.status === "lost");
  const settled = done >= total / 2 + place + 1;
  if (decision) showDecision($("detail"), decision, step, settled, { step: next, retry, analyze: analysis() });
  else showEnd($("detail"), headline(game), endText(), endLinks());
}

/** @returns {string} */
function endText() {
  const { status, mined } = game?.game ?? { status: "", mined: null };
  if (!mined) return t("The game continues from here.");
  return status === "won" ? t("Every mine is flagged.") : t("The mines are shown.");
}

/** @returns {HTMLElement[]} */
function endLinks() {
  const play = make("a", game?.game.mined ? t("Play") : t("Continue"));
  play.className = "button";
  play.href = "/";
  return [play];
}

/** Return to the review after the questions about mistakes. */
function review() {
  draw();
  $("learn").focus({ preventScroll: true });
}

/** @returns {string} The URL that opens this position on the Analyze page. */
function analysis() {
  if (!game) return "/analyze";
  const { topology } = game.game;
  const fields = new URLSearchParams();
  if (topology !== "rectangle") fields.set("level", game.game.level);
  fields.set("size", sizeText(game.game));
  fields.set("position", packCells(game.cellsAt(place)));
  return `/analyze#${fields.toString().replaceAll("%3A", ":").replaceAll("%40", "@")}`;
}

/** @param {number} to */
function jump(to) {
  if (!game) return;
  leading = false;
  const target = Math.max(0, Math.min(game.end, to));
  if (target !== place) step = 0;
  place = target;
  draw();
}

/** @param {1 | -1} direction */
function mistake(direction) {
  const found = game?.mistake(place, direction);
  if (found !== null && found !== undefined) jump(found);
}

/** Show the next step of the proof or, after the last one, none. */
function next() {
  const steps = game?.decisions[place]?.proof?.steps.length ?? 0;
  if (!steps) return;
  leading = false;
  step = (step + 1) % (steps + 1);
  const focused = document.activeElement?.id === "proof-next";
  draw();
  if (focused) $("proof-next").focus();
}

async function retry() {
  if (!game) return;
  try {
    const answer = replay
      ? await fetch(`/api/replay/take-over?steps=${replay.stepOf(place)}`, { method: "POST", body: await recordedGame(address) })
      : await fetch("/api/review/retry", { method: "POST", body: JSON.stringify({ key: game.game.key, decision: place }) });
    if (!answer.ok) throw new Refusal((await answer.json()).error);
    location.href = "/";
  } catch (problem) {
    complain(problem);
  }
}

/** @param {unknown} problem */
function complain(problem) {
  const said = problem instanceof Refusal ? sentence(problem.message) : "";
  $("banner").textContent = said || t("The server is not responding. Reload this page once it is back.");
  $("banner").hidden = false;
}

/** @type {Record<string, () => void>} */
const COMMANDS = {
  ArrowLeft: () => jump(place - 1),
  ArrowRight: () => jump(place + 1),
  ArrowUp: () => jump(place - 1),
  ArrowDown: () => jump(place + 1),
  j: () => jump(place - 10),
  l: () => jump(place + 10),
  Home: () => jump(0),
  End: () => jump(game?.end ?? 0),
  m: () => mistake(1),
  M: () => mistake(-1),
  " ": next,
  x: () => input("mines-shown").click(),
  X: () => input("mines-shown").click(),
};

/**
 * @param {string} key
 * @returns {boolean} Whether the key had an effect.
 */
function command(key) {
  if (!COMMANDS[key]) return false;
  COMMANDS[key]();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const on = document.activeElement;
  const key = pressedKey(event);
  if (key === " " && on?.matches("button, a, input")) return;
  if (practice.on ? practice.command(key) : command(key)) event.preventDefault();
});

/** @type {Record<string, () => void>} */
const BUTTONS = {
  first: () => jump(0),
  back: () => jump(place - 1),
  on: () => jump(place + 1),
  last: () => jump(game?.end ?? 0),
  mistake: () => mistake(1),
  learn: () => game && practice.begin(game),
  anyway: () => load("POST"),
  open: () => input("file").click(),
  "open-first": () => input("file").click(),
  download: () => void offerDownload(() => recordedGame(named())),
};
for (const [id, act] of Object.entries(BUTTONS)) $(id).addEventListener("click", act);
input("mines-shown").addEventListener("change", draw);
input("every").addEventListener("change", () => {
  if (game) list.show(game, input("every").checked, place);
});

/** @param {"GET" | "POST"} method */
async function load(method) {
  const read = /** @type {(line: import("./types.js").Line) => void} */ (take);
  try {
    if (!address.has("file")) return await readLines(`/api/review${location.search}`, method, read);
    await readLines("/api/replay", "POST", read, { body: await recordedGame(address) });
    if (!game) throw new Refusal({ code: "no_moves", message: t("No cell was opened in this game, so there is nothing to review.") });
  } catch (problem) {
    if (game || !(problem instanceof Refusal)) return complain(problem);
    const running = problem.code === "still_running";
    $("empty-text").textContent = running
      ? t("This game is still running. The review shows safe cells, so the game would no longer count for best times.")
      : problem.code === "no_game" && address.size
        ? MISSING
        : problem.code === "no_game"
          ? t("No game to review yet. Play one, then press R or Review.")
          : sentence(problem.message);
    $("anyway").hidden = !running;
    $("empty").hidden = false;
  }
}

input("file").addEventListener("change", async () => {
  const file = input("file").files?.[0];
  input("file").value = "";
  if (!file) return;
  await openOn("/review", file).catch(complain);
});

load("GET");
