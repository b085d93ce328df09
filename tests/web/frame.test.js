import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff } from "../../src/sapper/web/static/js/connection.js";
import "./shapes.js";
import { levelNumbers, levelProblem } from "../../src/sapper/web/static/js/frame/level-numbers.js";
import { pendingText } from "../../src/sapper/web/static/js/frame/panel.js";
import { learnLabels, nameLabel } from "../../src/sapper/web/static/js/menu.js";
import { drawing, litSegments, places } from "../../src/sapper/web/static/js/frame/segments.js";
import { keyMeaning } from "../../src/sapper/web/static/js/input/keyboard.js";
import { GameState } from "../../src/sapper/web/static/js/game-state.js";
import { placesIn } from "../../src/sapper/web/static/js/places.js";
import { sentence } from "../../src/sapper/web/static/js/sentence.js";
import { lossFigures, streakText, winFigures } from "../../src/sapper/web/static/js/result-figures.js";
import { happened, hinted, lost, tally } from "../../src/sapper/web/static/js/wording.js";

const format = (value, digits) => value.toFixed(digits);

test("displays have at least three places, with the minus sign first", () => {
  assert.deepEqual([0, 7, 99, 999, 1234, -1, -12, -123].map(places), [
    "000", "007", "099", "999", "1234", "-01", "-12", "-123",
  ]);
  assert.equal(litSegments("8").size, 7);
  assert.deepEqual([...litSegments("-")], ["g"]);
  assert.equal(drawing("012").match(/class="lit"/g)?.length, 6 + 2 + 5);
});

test("a message becomes a sentence", () => {
  assert.deepEqual(["no such game", "Gone!", "why?", ""].map(sentence), ["No such game.", "Gone!", "Why?", ""]);
});

test("attempts to reconnect slow down up to a limit", () => {
  assert.equal(backoff(0), 200);
  assert.ok(backoff(3) > backoff(2));
  assert.equal(backoff(50), 4000);
});

test("keys do what the help says, and controls keep their own", () => {
  const key = (name, focus, more = {}) =>
    keyMeaning({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more }, focus);
  assert.deepEqual(key(" ", "board"), { act: "smart" });
  assert.deepEqual(key("F2", "control"), { command: "new" });
  assert.deepEqual(key("F", "board"), { act: "mark" });
  assert.deepEqual(key("Enter", "board"), { act: "enter" });
  assert.equal(key(" ", "control"), null);
  assert.equal(key("Enter", "page"), null);
  assert.equal(key("ArrowLeft", "control"), null);
  assert.deepEqual(key("ArrowLeft", "page"), { step: [0, -1] });
  assert.deepEqual(key("h", "control"), { command: "hint" });
  assert.deepEqual(key("e", "board"), { command: "analyze" });
  assert.equal(key("n", "board", { ctrlKey: true }), null);
  assert.deepEqual(key("Home", "board", { ctrlKey: true }), { jump: "first" });
  // If the mouse is over a cell, the keys act on it wherever the focus is, but Enter presses a button.
  const over = (name, focus) =>
    keyMeaning({ key: name, ctrlKey: false, metaKey: false, altKey: false }, focus, undefined, true);
  assert.deepEqual([" ", "f"].map((name) => over(name, "control")), [{ act: "smart" }, { act: "mark" }]);
  assert.deepEqual([over("Enter", "control"), over("Enter", "page")], [null, { act: "enter" }]);
});

test("levels are shown in everyday words", () => {
  const levels = [{ name: "expert", width: 30, height: 16, mines: 99 }];
  assert.equal(levelNumbers("expert", levels).mines, 99);
  assert.deepEqual(levelNumbers("12x8:20", levels), { width: 12, height: 8, mines: 20, density: null });
  assert.deepEqual(levelNumbers("20x10@0.155", levels), { width: 20, height: 10, mines: null, density: 0.155 });
  assert.equal(pendingText(["level"]), "Changed for the next game: level.");
  assert.equal(pendingText(["level", "rules"]), "Changed for the next game: level and rule set.");
});

test("a state applies deltas in turn, and requests everything if one is missing", () => {
  const state = new GameState();
  const game = { key: "a", width: 2, height: 1, rows: [".."], turn: 3, status: "ready", settings: { level: "x" } };
  const whole = { type: "welcome", game, settings: { level: "y" }, questions: false, assist: {} };
  assert.ok(state.apply(whole).fresh);
  assert.deepEqual(state.pending, ["level"]);
  const delta = { type: "delta", cells: [[1, "1"]], turn: 4, status: "playing", event: { kind: "open" } };
  assert.deepEqual(state.apply(delta).changed, [1]);
  assert.deepEqual(state.game?.cells, [".", "1"]);
  assert.ok(state.apply({ ...delta, turn: 6 }).lost);
  assert.deepEqual(state.apply({ ...whole, game: { ...game, rows: [".2"] } }).changed, [1]);
});

test("a game with other settings than the player's does not affect the next game", () => {
  const game = { key: "a", width: 2, height: 1, rows: [".."], turn: 3, status: "ready", settings: { level: "x" } };
  const whole = { type: "state", settings: { level: "y" }, questions: false, assist: {} };
  const state = new GameState();
  for (const [key, why] of Object.entries({ b: { day: "2026-11-24" }, c: { helped: "shared" } })) {
    state.apply({ ...whole, game: { ...game, ...why, key } });
    assert.deepEqual(state.pending, []);
    state.apply({ ...whole, settings: { level: "z" }, game: { ...game, ...why, key } });
    assert.deepEqual(state.pending, ["level"]);
  }
  state.apply({ ...whole, game: { ...game, key: "d" } });
  assert.deepEqual(state.pending, ["level"]);
});

test("the status line reports each event", () => {
  const say = (event, status = "playing", opened = 0) => happened(event, status, opened, format);
  assert.equal(say({ kind: "open", cell: [2, 4] }, "playing", 1), "One cell opened.");
  assert.equal(say({ kind: "mark", cell: [0, 0], shows: "F" }), "Flag set.");
  assert.equal(say({ kind: "nothing", tried: "mark", cell: [0, 2] }), "Row 1, column 3 is open and cannot be flagged.");
  assert.match(say({ kind: "nothing", tried: "chord", why: "flags" }), /as many cells/);
  assert.equal(say({ kind: "nothing", tried: "chord", why: "finished" }), "No unopened cells are left around this one.");
  const won = { kind: "open", cell: [0, 0], seconds: 10, bbbv: 25, best: null, helped: null };
  assert.equal(say(won, "won"), "Won: your first win here.");
  assert.match(say({ ...won, best: 12 }, "won"), /a new best, 2\.00 s faster!/);
  // The times are shown as 10.00 and 9.69 s, or as 10.000 and 9.999 s.
  assert.match(say({ ...won, seconds: 9.685, best: 10.004 }, "won"), /a new best, 0\.31 s faster!/);
  assert.match(say({ ...won, seconds: 9.999, best: 10.001 }, "won"), /a new best, 0\.002 s faster!/);
  assert.match(say({ ...won, best: 9.5 }, "won"), /Your best time is 9\.50 s\./);
  assert.match(say({ ...won, helped: "undo" }, "won"), /Not counted: a move was undone\./);
  const before = { seconds: 9.5, bbbv_s: 2.4, efficiency: 0.9 };
  const best = { ...won, best: 9.5, clicks: 40 };
  assert.equal(say({ ...best, before }, "won"), "Won with your best 3BV/s so far!");
  assert.equal(say({ ...best, before: { ...before, bbbv_s: 3, efficiency: 0.5 } }, "won"), "Won with your best efficiency so far!");
  assert.equal(say({ ...best, before: { ...before, efficiency: 0.5 } }, "won"), "Won with your best 3BV/s and efficiency so far!");
});

test("a win has its figures, and names the personal best it beat", () => {
  const won = { seconds: 10, bbbv: 25, clicks: 40, helped: null };
  const shown = (result) => winFigures(result, format).map(({ name, value, before }) => [name, value, before].filter(Boolean));
  assert.deepEqual(shown({ ...won, rank: 2, wins: 7 }), [
    ["Time", "10.00 s"], ["3BV/s", "2.50"], ["Efficiency", "63 %"], ["Rank", "2 of 7"],
  ]);
  assert.deepEqual(shown({ ...won, seconds: 0, clicks: 0 }), [["Time", "0.00 s"]]);
  const before = { seconds: 12.5, bbbv_s: 2.499, efficiency: 0.9 };
  assert.deepEqual(shown({ ...won, before }), [
    ["Time", "10.00 s", "12.50 s"], ["3BV/s", "2.500", "2.499"], ["Efficiency", "63 %"],
  ]);
  // An equal value is not better, and a missing value cannot be beaten.
  assert.deepEqual(shown({ ...won, before: { seconds: 10, bbbv_s: null, efficiency: 0.625 } }).map(({ length }) => length), [2, 2, 2]);
});

test("a streak is named from two wins on", () => {
  assert.equal(streakText({ streak: 1, longest: 0 }), "");
  assert.equal(streakText({ streak: 2, longest: 0 }), "2 wins in a row.");
  assert.equal(streakText({ streak: 3, longest: 3 }), "3 wins in a row.");
  assert.equal(streakText({ streak: 4, longest: 3 }), "4 wins in a row, your longest streak.");
  assert.equal(streakText({}), "");
});

test("a loss has its time, its 3BV and the solved share", () => {
  const lossOf = (solved, bbbv) => lossFigures({ seconds: 12.345, bbbv, solved, clicks: 30, helped: null }, format);
  assert.deepEqual(lossOf(31, 54), [
    { name: "Time", value: "12.35 s" }, { name: "3BV", value: "31 of 54" }, { name: "Solved", value: "57 %" },
  ]);
  assert.equal(lossOf(0, 0)[2].value, "0 %");
});

test("a custom size is checked field by field, with the labels of the fields", () => {
  const problem = (width, height, mines) => levelProblem({ width, height, mines }, 10_000, "rectangle", "nothing");
  assert.equal(problem(9, 9, 10), null);
  assert.deepEqual(problem(0, 0, 500), { field: "width", text: "Columns must be a whole number from 1 to 200." });
  assert.match(problem(9, Number.NaN, 10).text, /^Rows must/);
  assert.match(problem(9, 9, 82).text, /^Mines must be a whole number from 0 to 81 on 9×9\./);
  assert.match(problem(200, 200, 1).text, /^The board can have at most/);
});

test("the first click limits the mines, depending on shape and size", () => {
  const problem = (/** @type {string} */ level, /** @type {any} */ kept) => {
    const [, width, height, mines, topology] = /^(\d+)x(\d+):(\d+)\/(\w+)$/.exec(level) ?? [];
    return levelProblem({ width: Number(width), height: Number(height), mines: Number(mines) }, 10_000, topology, kept)?.text;
  };
  assert.equal(problem("5x5:18/hexagon", "neighbours"), undefined);
  assert.match(problem("5x5:19/hexagon", "neighbours") ?? "", /from 0 to 18 on 5×5/);
  assert.equal(problem("5x5:16/rectangle", "neighbours"), undefined);
  assert.match(problem("5x5:17/rectangle", "neighbours") ?? "", /from 0 to 16/);
  assert.match(problem("2x2:1/rectangle", "neighbours") ?? "", /from 0 to 0/);
  assert.match(problem("6x6:24/dozen", "neighbours") ?? "", /from 0 to 23/);
  assert.match(problem("150x40:5992/rectangle", "neighbours") ?? "", /from 0 to 5991/);
  assert.match(problem("5x5:25/hexagon", "cell") ?? "", /from 0 to 24/);
  assert.equal(problem("5x5:25/hexagon", "nothing"), undefined);
});

test("levels and bots have the labels of the menu, others their names in words", () => {
  learnLabels(/** @type {any} */ ({ levels: [{ name: "beginner", label: "Beginner" }], bots: [{ name: "kaboom-sat", label: "Kaboom's solver" }] }));
  assert.deepEqual(["beginner", "kaboom-sat", "my_own-bot", ""].map(nameLabel), ["Beginner", "Kaboom's solver", "My own bot", ""]);
});

test("cells named in a text are found and counted from 0", () => {
  assert.deepEqual(placesIn("Row 1, column 4 is safe."), [
    { text: "Row 1, column 4", cell: [0, 3] },
    { text: " is safe.", cell: null },
  ]);
  assert.deepEqual(placesIn("No cell."), [{ text: "No cell.", cell: null }]);
});

test("a loss is explained in one sentence, starting with any wrong flag", () => {
  const base = { sentence: "No cell was safe: this was a true coin flip.", wrong_flags: [] };
  assert.equal(lost(base), base.sentence);
  assert.match(lost({ ...base, wrong_flags: [[0, 1]] }), /wrong flag at row 1, column 2/);
});

test("the guess account is one short line", () => {
  assert.equal(tally({ made: 0, forced: 0, needless: 0 }), "No guess so far");
  assert.equal(tally({ made: 0, forced: 0, needless: 0 }, true), "No guesses");
  assert.equal(tally({ made: 1, forced: 1, needless: 0 }), "1 guess: 1 forced");
  assert.equal(tally({ made: 3, forced: 2, needless: 1 }), "3 guesses: 2 forced, 1 needless");
});

test("a hint distinguishes proved cells from guesses", () => {
  const why = "The 0 at row 3, column 4 has no mine around it.";
  const base = { cell: [2, 4], proved: true, p_mine: 0, safe_count: 3, exact: true, sentence: why };
  assert.equal(hinted(base, format).title, "Row 3, column 5 is safe");
  assert.equal(hinted(base, format).text, `${why} Three cells are proved safe.`);
  const risky = hinted({ ...base, proved: false, p_mine: 0.123, safe_count: 0 }, format);
  assert.equal(risky.title, "Row 3, column 5 is the best guess: 12.3 %");
  assert.equal(risky.text, why);
  const guess = { ...base, proved: false, p_mine: 0.25, safe_count: 0, win_chance: 0.412, kind: "estimated" };
  const least = { cell: [0, 1], p_mine: 0.2, win_chance: 0.305, error: null };
  assert.equal(
    hinted({ ...guess, least_risky: least }, format).text,
    "No cell is safe. This one wins most often: about 41.2 %. " +
      "Row 1, column 2 is less risky (20.0 %) but wins only about 30.5 %.",
  );
  const equal = { ...guess, kind: "exact", least_risky: { ...least, p_mine: 0.25 } };
  assert.match(hinted(equal, format).text, /most often: 41\.2 %\. .* is equally risky but wins only 30\.5 %\.$/);
  const granted = hinted({ ...base, proved: false, p_mine: 0.123, granted: true }, format);
  assert.equal(granted.title, "Row 3, column 5 is safe to guess");
  const advice = hinted({ ...base, advice: "There are safe cells." }, format);
  assert.equal(advice.title, "There are safe cells.");
  assert.match(advice.text, /^Row 3, column 5 is safe\. The 0 at row 3/);
});
