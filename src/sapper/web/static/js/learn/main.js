/** The Learn page, which shows the trainer or the lesson in the URL. */

import { $, button, input, make, select } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { pressedKey } from "../input/pressed-key.js";
import { byTouch } from "../input/touch-line.js";
import { write } from "../places.js";
import { Refusal } from "../refusal.js";
import { answerExercise, answerLesson, answerMistake, answerPuzzle, eraseMistakes, nextExercise, nextMistake, puzzle, start } from "./api.js";
import { chart } from "./chart.js";
import { showContents } from "./contents.js";
import { Exercise } from "./exercise.js";
import { KeptPanel, mistakeOutcome, mistakePrompt, mistakeTitle } from "./kept-mistakes.js";
import { chosenPattern, doneText, practiceOutcome, practicePrompt, showToday } from "./practice.js";
import { chancesText, clock, mineCount, outcomeText, prompt, title } from "./texts.js";
import { t, tn } from "../translation.js";

/** @typedef {import("./types.js").Lesson} Lesson */

/** @type {Lesson[]} */
let lessons = [];
/** @type {Set<string>} */
let done = new Set();
/** @type {import("./types.js").Standing | null} */
let standing = null;
/** The current lesson and the number of its board; null in the trainer. */
let place = /** @type {{lesson: Lesson, board: number} | null} */ (null);
/** The current mistake; null in other parts of the page, or if there are none. */
let mistake = /** @type {import("./types.js").Mistake | null} */ (null);
let kept = { total: 0, due: 0 };
/** The current exercise; null in other parts of the page, or if none is left today. */
let drill = /** @type {import("./types.js").PracticeExercise | null} */ (null);
/** @type {import("./types.js").Practice | null} */
let practice = null;
/** @type {import("./types.js").Puzzle | null} */
let current = null;
/** The time at which the puzzle was first shown, by this page's clock. */
let began = 0;
let asking = false;
/** @type {(() => Promise<void>) | null} The action to run once the server has answered. */
let later = null;

const exercise = new Exercise($("stage"), [$("result"), $("prompt")], {
  answered: () => submit(),
  marked: () => showActs(),
  key: (key) => onBoard(key),
});
const panel = new KeptPanel((total) =>
  asked(async () => {
    await eraseMistakes(total);
    await showMistake();
    $("contents").querySelector("a")?.focus();
  }),
);
startSettings();
startFrame();

/**
 * Send a request to the server and show any refusal; other requests are blocked until it ends.
 *
 * @param {() => Promise<void>} work
 * @param {boolean} [waits] Whether to run it after a current request.
 */
async function asked(work, waits = false) {
  if (asking) {
    if (waits) later = work;
    return;
  }
  asking = true;
  try {
    await work();
    $("banner").hidden = true;
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    $("banner").textContent = problem.message;
    $("banner").hidden = false;
  } finally {
    asking = false;
  }
  const wanted = later;
  later = null;
  if (wanted) await asked(wanted);
}

async function load() {
  const found = await start();
  lessons = found.lessons;
  select("focus").replaceChildren(...found.focuses.map(({ name, label }) => new Option(label, name)));
  done = new Set(found.done);
  standing = found.standing;
  kept = found.mistakes;
  practice = found.practice;
  await go();
}

/** Show the part that is named in the URL. */
async function go() {
  // The server may not have been reachable when the page was opened.
  if (!standing) return load();
  const lesson = lessons.find(({ id }) => `#${id}` === location.hash);
  if (lesson) {
    const first = lesson.boards.findIndex(({ id }) => !done.has(id));
    showLesson(lesson, Math.max(0, first));
  } else if (location.hash === "#mistakes") await showMistake();
  else if (part() === "practice") await showExercise();
  else {
    place = null;
    await showPuzzle(await puzzle());
  }
}

/** @returns {string} The visible part of the page, as in its URL. */
function part() {
  if (place) return place.lesson.id;
  if (/^#practice(?=:|$)/.test(location.hash)) return "practice";
  return location.hash === "#mistakes" ? "mistakes" : "train";
}

/** Show the next exercise of today, or of the pattern in the URL. */
async function showExercise() {
  [place, current, mistake] = [null, null, null];
  const found = await nextExercise(chosenPattern(location.hash));
  [drill, practice] = [found.exercise, found.practice];
  const heading = found.name || t("Daily practice");
  document.title = `${heading} - ${t("Learn Minesweeper - Sapper")}`;
  $("title").textContent = drill ? t("What do the ringed numbers prove?") : t("Done for today");
  $("count").textContent = found.name || tn("{n} pattern left", "{n} patterns left", practice.due + practice.new);
  $("prompt").textContent = drill ? practicePrompt(drill, byTouch()) : doneText(practice);
  begin(drill && { ...drill, question: "all" });
}

/** Ask about the next stored mistake. */
async function showMistake() {
  drill = null;
  const found = await nextMistake();
  [place, current, mistake, kept] = [null, null, found.mistake, found];
  document.title = `${t("Your mistakes")} - ${t("Learn Minesweeper - Sapper")}`;
  $("count").textContent = tn("{n} mistake", "{n} mistakes", found.total);
  if (mistake) {
    $("title").textContent = mistakeTitle(mistake.question);
    write($("prompt"), mistakePrompt(mistake, byTouch()));
    return begin({ ...mistake, retry: true });
  }
  $("title").textContent = t("Your mistakes");
  $("prompt").textContent = t("No mistakes saved. After a game, open its review and choose Learn from your mistakes.");
  begin(null);
}

/**
 * @param {Lesson} lesson
 * @param {number} board
 */
function showLesson(lesson, board) {
  [mistake, drill] = [null, null];
  place = { lesson, board };
  const task = lesson.boards[board];
  $("title").textContent = lesson.title;
  $("count").textContent = lesson.boards.length > 1 ? t("Board {board} of {boards}", { board: board + 1, boards: lesson.boards.length }) : "";
  $("idea").textContent = lesson.text;
  write($("prompt"), `${task.prompt} ${task.question === "all" ? prompt("all", { newcomer: false, touch: byTouch() }) : ""}`);
  document.title = `${lesson.title} - ${t("Learn Minesweeper - Sapper")}`;
  begin(task);
}

/** @param {import("./types.js").Puzzle} found */
async function showPuzzle(found) {
  [mistake, drill] = [null, null];
  current = found;
  began = performance.now() - 1000 * found.elapsed_s;
  $("title").textContent = title(found.question);
  const newcomer = (standing?.answered ?? 0) < 3;
  const count = newcomer && found.question === "safe" ? "" : mineCount(found.rows, found.mines);
  $("prompt").textContent = `${prompt(found.question, { newcomer, touch: byTouch() })} ${count}`;
  document.title = t("Learn Minesweeper - Sapper");
  select("focus").value = found.focus;
  input("timed").checked = found.limit_s !== null;
  begin(found);
}

/** @param {import("./exercise.js").Task | null} task Null without a question. */
function begin(task) {
  const here = part();
  $("idea").hidden = !place;
  $("clock").hidden = here !== "train";
  $("count").hidden = here === "train";
  $("rating").hidden = here !== "train";
  $("kept").hidden = here !== "mistakes";
  $("today").hidden = here !== "practice";
  if (practice) showToday(practice);
  $("stage").hidden = $("acts").hidden = task === null;
  panel.show(kept.total);
  $("result").hidden = true;
  $("main").classList.toggle("lesson", Boolean(place));
  if (task) exercise.show(task);
  else document.body.dataset.shown = "";
  showContents($("contents"), lessons, done, here, kept, practice);
  showStanding();
  showActs();
  tick();
  const free = document.activeElement === document.body || $("acts").contains(document.activeElement);
  if (task && free && !byTouch()) exercise.focus();
}

/**
 * @param {boolean} [giveUp]
 * @param {boolean} [nothing] Whether the answer is that nothing is proved.
 */
function submit(giveUp = false, nothing = false) {
  return asked(async () => {
    const given = giveUp || nothing ? { safe: [], mined: [] } : exercise.answer;
    if (giveUp || nothing) exercise.reset();
    if (place) {
      const { lesson, board } = place;
      const verdict = await answerLesson(lesson.boards[board].id, given);
      if (verdict.solved) done.add(lesson.boards[board].id);
      exercise.take(verdict);
      const head = verdict.solved ? t("Correct") : giveUp ? t("The solution") : t("Not yet");
      showResult({ title: head, text: verdict.text, about: chancesText(verdict) }, verdict.solved);
      showContents($("contents"), lessons, done, lesson.id, kept, practice);
    } else if (drill) {
      const verdict = await answerExercise(drill.id, given, nothing);
      practice = verdict.practice;
      exercise.take(verdict);
      showResult(practiceOutcome(verdict, !giveUp), verdict.solved);
      showToday(practice, verdict.friend || verdict.pattern);
      showContents($("contents"), lessons, done, "practice", kept, practice);
    } else if (mistake) {
      const verdict = await answerMistake(mistake.id, given);
      kept = verdict;
      exercise.take(verdict);
      if (verdict.solved) exercise.step();
      const { title: head, about } = mistakeOutcome(verdict, !giveUp);
      showResult({ title: head, text: verdict.text, about: about || chancesText(verdict) }, verdict.solved);
      $("count").textContent = tn("{n} mistake", "{n} mistakes", verdict.total);
      panel.show(verdict.total);
      showContents($("contents"), lessons, done, "mistakes", kept, practice);
    } else if (current) {
      const outcome = await answerPuzzle(current.id, given);
      standing = outcome.standing;
      exercise.take(outcome);
      showResult(outcomeText(outcome), outcome.solved);
      showStanding();
    }
    tick();
    showActs();
  });
}

/**
 * @param {{title: string, text: string, about: string}} said
 * @param {boolean} solved
 */
function showResult(said, solved) {
  $("result").hidden = false;
  $("result").classList.toggle("solved", solved);
  $("result-title").textContent = said.title;
  write($("result-text"), said.text);
  $("about").textContent = said.about;
  $("about").hidden = !said.about;
}

function showStep() {
  const { stage } = exercise;
  const { at, count } = exercise.place;
  $("proof").hidden = !stage;
  write($("step-title"), stage?.title ?? "");
  write($("step-text"), stage?.text ?? "");
  $("step-label").textContent = at < 0 ? t("Show the proof") : at === count - 1 ? t("Start again") : t("Next step");
  $("step").hidden = !exercise.over || !count || (at >= 0 && count < 2);
}

function nextStep() {
  if (!exercise.over || !exercise.place.count) return false;
  exercise.step();
  showStep();
  return true;
}

function next() {
  return asked(async () => {
    if (mistake) return showMistake();
    if (part() === "practice") return showExercise();
    if (!place) {
      if (exercise.over || !current) await showPuzzle(await puzzle());
      return;
    }
    const { lesson, board } = place;
    if (board + 1 < lesson.boards.length) return showLesson(lesson, board + 1);
    const after = lessons[lessons.indexOf(lesson) + 1];
    location.hash = after ? after.id : "train";
  }, true);
}

function showActs() {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  showStep();
  const { over, answer } = exercise;
  const task = place ? place.lesson.boards[place.board] : (mistake ?? current);
  const marking = drill !== null || task?.question === "all";
  $("nothing").hidden = over || !drill;
  $("check").hidden = over || !marking;
  button("check").disabled = answer.safe.length + answer.mined.length === 0;
  $("show-me").hidden = mistake ? exercise.settled : over;
  $("again").hidden = drill !== null || !over || !(place || (mistake && !exercise.settled));
  $("next").hidden = !over && !place && !mistake;
  $("next").classList.toggle("primary", over);
  const last = place && place.board + 1 === place.lesson.boards.length;
  const ended = last && lessons.at(-1) === place?.lesson;
  // Keep the focus from being lost when the focused button is hidden.
  if ($("acts").contains(focused) && focused.hidden) $($("next").hidden ? "show-me" : "next").focus({ preventScroll: true });
  $("next-text").textContent = drill ? t("Next exercise") : mistake ? t("Next mistake") : !place ? t("Next puzzle") : ended ? t("Go to trainer") : last ? t("Next lesson") : t("Next board");
}

function showStanding() {
  if (!standing) return;
  const { rating, deviation, answered, solved, streak, best_streak: best, history } = standing;
  $("rating-now").textContent = String(rating);
  $("rating-range").textContent = `± ${2 * deviation}`;
  $("rating-range").title = t("95 % interval");
  $("streak").textContent = String(streak);
  $("best-streak").textContent = String(best);
  $("solved").textContent = t("{solved} of {total}", { solved, total: answered });
  const note = make("p", t("Your rating history appears here after two puzzles."));
  note.className = "fine";
  $("chart").replaceChildren(history.length > 1 ? chart(history) : note);
}

/** Show the time, counting up or, if there is a limit, down. */
function tick() {
  if (place || !current || exercise.over) return;
  const passed = (performance.now() - began) / 1000;
  const { limit_s: limit } = current;
  const late = limit !== null && passed >= limit;
  $("clock").textContent = limit === null ? clock(passed) : late ? t("Time is up") : clock(Math.ceil(limit - passed));
  $("clock").classList.toggle("late", late);
}

/**
 * @param {string} key A key pressed on the board.
 * @returns {boolean} Whether the key was used.
 */
function onBoard(key) {
  if (key === " ") return nextStep();
  if (key !== "Enter" || !exercise.over) return false;
  if (mistake && !exercise.settled) button("again").click();
  else next();
  return true;
}

/** @type {Record<string, () => void>} */
const KEYS = {
  c: () => $("check").hidden || button("check").click(),
  0: () => $("nothing").hidden || button("nothing").click(),
  g: () => $("show-me").hidden || button("show-me").click(),
  r: () => $("again").hidden || button("again").click(),
  n: () => $("next").hidden || button("next").click(),
};

document.addEventListener("keydown", (event) => {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target instanceof HTMLSelectElement || event.defaultPrevented) return;
  KEYS[pressedKey(event).toLowerCase()]?.();
});
button("check").addEventListener("click", () => submit());
button("nothing").addEventListener("click", () => submit(false, true));
button("show-me").addEventListener("click", () => submit(true));
button("step").addEventListener("click", () => nextStep());
button("next").addEventListener("click", () => next());
button("again").addEventListener("click", () => {
  exercise.reset();
  $("result").hidden = true;
  showActs();
  exercise.focus();
});
for (const control of [select("focus"), input("timed")]) {
  control.addEventListener("change", () =>
    asked(async () => showPuzzle(await puzzle({ focus: select("focus").value, timed: input("timed").checked })), true),
  );
}
addEventListener("hashchange", () => asked(go, true));
setInterval(tick, 250);
asked(load);
