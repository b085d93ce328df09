/** The patterns page: the library, each pattern with its proof, and the player's results. */

import { $, button, make } from "../dom.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { pressedKey } from "../input/pressed-key.js";
import { write } from "../places.js";
import { Refusal } from "../refusal.js";
import { sentences } from "../sentence.js";
import { number, t, tn } from "../translation.js";
import { library, pictures } from "./api.js";
import { picture } from "./contents.js";
import { Exercise } from "./exercise.js";
import { again } from "./practice.js";

/** @typedef {import("./types.js").Pattern} Pattern */

/** @type {import("./types.js").Library | null} */
let found = null;
/** @type {Pattern | null} */
let current = null;
/** @type {Map<string, import("./types.js").PatternForm[]>} The pictures by pattern. */
const loaded = new Map();
/** The number of the current picture. */
let form = 0;

const exercise = new Exercise($("stage"), [$("result"), $("summary")], {
  answered: () => {},
  marked: () => {},
  key: (key) => command(key),
});
startSettings();
startFrame();

/** Show the pattern in the URL, or the reason why it cannot be shown. */
async function go() {
  try {
    found ??= await library();
    const { patterns } = found;
    const wanted = patterns.find(({ id }) => `#${id}` === location.hash) ?? patterns[0];
    if (!loaded.has(wanted.id)) loaded.set(wanted.id, (await pictures(wanted.id)).forms);
    $("banner").hidden = true;
    // Another pattern may have been chosen during the request.
    if (location.hash && `#${wanted.id}` !== location.hash && patterns.some(({ id }) => `#${id}` === location.hash)) return;
    current = wanted;
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    $("banner").textContent = problem.message;
    $("banner").hidden = false;
    return;
  }
  form = 0;
  showList();
  show();
}

/** @returns {import("./types.js").PatternForm[]} The pictures of the current pattern. */
const formsNow = () => (current && loaded.get(current.id)) ?? [];

function showList() {
  if (!found) return;
  const nav = $("contents");
  const focused = nav.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  const back = make("a");
  back.href = "/learn";
  back.className = "trainer";
  back.append(make("b", t("Trainer and lessons")));
  const parts = found.families.flatMap(({ name, label }) => {
    const members = (found?.patterns ?? []).filter(({ family }) => family === name);
    if (!members.length) return [];
    const list = make("ol");
    list.append(...members.map(item));
    return [make("h2", label), list];
  });
  nav.replaceChildren(back, ...parts);
  for (const link of nav.querySelectorAll("a")) {
    if (link.hash === `#${current?.id}`) {
      link.setAttribute("aria-current", "true");
      link.scrollIntoView({ block: "nearest", inline: "center" });
    }
    if (link.getAttribute("href") === focused) link.focus({ preventScroll: true });
  }
}

/** @param {Pattern} pattern */
function item(pattern) {
  const link = make("a");
  link.href = `#${pattern.id}`;
  const words = make("span");
  words.append(make("b", pattern.name), make("small", stateOf(pattern)));
  link.append(picture(pattern.rows), words);
  const made = make("li");
  made.append(link);
  return made;
}

/**
 * @param {Pattern} pattern
 * @returns {string} The player's most important result, in a few words.
 */
function stateOf({ id }) {
  const { practice, counts } = /** @type {import("./types.js").Library} */ (found);
  const card = practice.cards[id];
  if (card && card.due_s <= 0) return t("due");
  const missed = counts[id]?.missed ?? 0;
  if (missed) return tn("missed once", "missed {n} times", missed);
  return card ? t("{share} %", { share: number(100 * card.recalled) }) : "";
}

function show() {
  if (!current || !found) return;
  const { name, family, summary, level, exercises, id } = current;
  const forms = formsNow();
  const label = found.families.find((one) => one.name === family)?.label ?? "";
  const levels = [t("basic"), t("intermediate"), t("advanced")];
  $("title").textContent = name;
  $("family").textContent = `${label} · ${levels[level - 1]}`;
  write($("summary"), summary);
  document.title = `${name} - ${t("Minesweeper patterns - Sapper")}`;
  $("practise").hidden = !exercises;
  $("practise").setAttribute("href", `/learn#practice:${id}`);
  $("form").hidden = forms.length < 2;
  $("form-label").textContent = t("Form {n} of {all}", { n: form + 1, all: forms.length });
  const { rows, numbers, guessed, safe, mined, explanations } = forms[form];
  exercise.show({ question: "all", rows, numbers, asked: guessed });
  exercise.take({ solved: true, text: "", safe, mined, explanations, chances: [] });
  showStep();
  showResults();
  showOrigin();
}

function showStep() {
  if (!current) return;
  const { stage } = exercise;
  const { at, count } = exercise.place;
  const { safe, mined, remaining, elsewhere } = formsNow()[form];
  const outside = remaining !== null && elsewhere === "safe";
  const proves = safe.length + mined.length > 0 || outside;
  $("step").hidden = !count;
  $("step-label").textContent = at < 0 ? t("Show the proof") : at === count - 1 ? t("Start again") : t("Next step");
  write($("step-title"), stage?.title ?? (proves ? t("What it proves") : t("It proves nothing")));
  const left = remaining === null ? "" : tn("{n} mine is left on the board.", "{n} mines are left on the board.", remaining);
  const says = safe.length + mined.length ? t("Ticks are safe cells, crosses are mines.") : "";
  const others = outside ? t("All other unopened cells of the board are safe.") : "";
  write($("step-text"), stage ? stage.text : sentences(left, says, others));
}

function showResults() {
  if (!current || !found) return;
  const card = found.practice.cards[current.id];
  const count = found.counts[current.id];
  /** @type {[string, string][]} */
  const facts = [];
  if (card) {
    facts.push(
      [t("Rating"), `${card.rating} ± ${2 * card.deviation}`],
      [t("Right answers"), t("{solved} of {total}", { solved: card.solved, total: card.answered })],
      [t("Next practice"), card.due_s <= 0 ? t("Due now") : again(card.due_s)],
    );
    if (card.seconds !== null) facts.push([t("Time per answer"), t("{time} s", { time: number(card.seconds, 1) })]);
  }
  if (count) {
    facts.push([t("Missed in your games"), number(count.missed)], [t("Found in your games"), number(count.seen)]);
    if (count.seconds !== null) facts.push([t("Time to see it"), t("{time} s", { time: number(count.seconds, 1) })]);
  }
  $("facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
  $("facts").hidden = !facts.length;
  $("facts-none").hidden = facts.length > 0;
  $("facts-none").textContent = t("Practise it, or finish a game: your results appear here.");
}

function showOrigin() {
  if (!current || !found) return;
  const { source, looks_like: like } = current;
  const original = found.patterns.find(({ id }) => id === like);
  const text = $("origin-text");
  text.replaceChildren();
  if (original) {
    const link = make("a", original.name);
    link.href = `#${original.id}`;
    text.append(t("It looks like this pattern:"), " ", link, make("br"));
  }
  if (!source) text.append(t("We chose this name; players have no common name for it."));
  else {
    const link = make("a", new URL(source).host);
    link.href = source;
    link.rel = "noreferrer";
    text.append(t("The name is used here:"), " ", link);
  }
}

/** @returns {boolean} Whether there is a proof to show. */
function step() {
  if (!exercise.place.count) return false;
  exercise.step();
  showStep();
  return true;
}

/** @param {1 | -1} by */
function turn(by) {
  if (!found || !current) return;
  const { patterns } = found;
  const to = patterns.indexOf(current) + by;
  if (patterns[to]) location.hash = patterns[to].id;
}

/** @type {Record<string, () => unknown>} */
const KEYS = {
  " ": step,
  f: () => $("form").hidden || button("form").click(),
  p: () => $("practise").hidden || $("practise").click(),
  n: () => turn(1),
  b: () => turn(-1),
};

/**
 * @param {string} key
 * @returns {boolean} Whether the key had an effect.
 */
function command(key) {
  const act = KEYS[key.toLowerCase()];
  act?.();
  return Boolean(act);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const key = pressedKey(event);
  if (key === " " && document.activeElement?.matches("button, a, input, select")) return;
  if (document.activeElement?.matches("input, select")) return;
  if (command(key)) event.preventDefault();
});
button("step").addEventListener("click", step);
button("form").addEventListener("click", () => {
  form = (form + 1) % Math.max(1, formsNow().length);
  show();
});
addEventListener("hashchange", go);
go();
