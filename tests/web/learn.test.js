import assert from "node:assert/strict";
import { test } from "node:test";

import { range } from "../../src/sapper/web/static/js/learn/chart.js";
import { again, chosenPattern, doneText, practiceOutcome } from "../../src/sapper/web/static/js/learn/practice.js";
import { stagesOf } from "../../src/sapper/web/static/js/learn/stages.js";
import { clock, mineCount, outcomeText, prompt } from "../../src/sapper/web/static/js/learn/texts.js";

const STEP = { numbers: [[1, 0]], total: false, safe: [], mined: [], assumed: false, contradiction: false, text: "" };
const VERDICT = { solved: false, text: "Row 1, column 1 is a mine.", safe: [[0, 2]], mined: [], explanations: [], chances: [] };

test("a proof becomes one stage per step, each with everything settled so far", () => {
  const steps = [
    { ...STEP, mined: [[0, 1]], text: "First." },
    { ...STEP, safe: [[0, 2]], text: "Second." },
  ];
  const explanation = { cell: [0, 2], state: "safe", text: "Row 1, column 3 is safe.", steps, board: null };
  const [first, second, ...more] = stagesOf({ ...VERDICT, explanations: [explanation] });
  assert.equal(first.title, "Why row 1, column 3 is safe · step 1 of 2");
  assert.deepEqual([first.mined, first.safe], [[[0, 1]], []]);
  assert.deepEqual([second.mined, second.safe, second.concluded], [[[0, 1]], [[0, 2]], [[0, 2]]]);
  assert.deepEqual(more, []);
});

test("the opposite is assumed until the contradiction", () => {
  const steps = [
    { ...STEP, assumed: true },
    { ...STEP, assumed: true, contradiction: true, mined: [[0, 1]] },
  ];
  const explanation = { cell: [0, 1], state: "mined", text: "Row 1, column 2 is a mine.", steps, board: null };
  const [supposed, end] = stagesOf({ ...VERDICT, explanations: [explanation] });
  assert.deepEqual([supposed.safe, supposed.mined], [[[0, 1]], []]);
  assert.deepEqual([end.safe, end.mined], [[], [[0, 1]]]);
});

test("an unproved cell is explained by an arrangement, and all marks come last", () => {
  const explanation = { cell: [0, 0], state: "open", text: "It can be.", steps: [], board: [[0, 0]] };
  const stages = stagesOf({ ...VERDICT, mined: [[0, 1]], explanations: [explanation] });
  assert.deepEqual(stages.map(({ ghosts }) => ghosts), [[[0, 0]], null]);
  assert.equal(stages[1].title, "Everything proved");
});

test("a guess has figures on the board and no stages", () => {
  const chances = [{ cell: [0, 0], p_mine: 0.5, win_chance: 0.5 }];
  assert.deepEqual(stagesOf({ ...VERDICT, chances }), []);
});

test("an outcome shows the rating change and a late answer", () => {
  const outcome = { ...VERDICT, late: false, counted: true, seconds: 12.34, change: -9, need: "two", puzzle_rating: 1200 };
  assert.equal(outcomeText(outcome).title, "Not solved (−9)");
  assert.equal(outcomeText(outcome).about, "Needs two numbers together · puzzle rating 1200 · 12.3 s");
  assert.equal(outcomeText({ ...outcome, solved: true, change: 9 }).title, "Solved (+9)");
  assert.equal(outcomeText({ ...outcome, late: true }).title, "Right, but too late (−9)");
  assert.equal(outcomeText({ ...outcome, solved: true, counted: false }).title, "Solved");
});

test("prompts, counts and clocks are formatted", () => {
  assert.match(prompt("safe", { newcomer: true, touch: false }), /^A number counts .* Click a cell/);
  assert.match(prompt("all", { newcomer: false, touch: true }), /^Tap once for a safe cell/);
  assert.equal(mineCount(["F.F"], 5), "5 mines in all, 3 without a flag.");
  assert.equal(mineCount(["F.F"], null), "");
  assert.deepEqual([0, 65.9, -1].map(clock), ["0:00", "1:05", "0:00"]);
});

test("a chart's axis leaves space at round hundreds", () => {
  assert.deepEqual(range([1010, 1190]), [1000, 1200]);
  assert.deepEqual(range([1100, 1100]), [1000, 1200]);
});

test("the address selects a pattern or the daily queue", () => {
  assert.equal(chosenPattern("#practice:1-2-1"), "1-2-1");
  assert.equal(chosenPattern("#practice"), "");
  assert.equal(chosenPattern("#practice:<b>"), "");
});

test("a pattern comes back today or after whole days", () => {
  assert.deepEqual([600, 86_400, 8 * 86_400].map(again), ["Again today", "Again in 1 day", "Again in 8 days"]);
  assert.equal(doneText({ next_due_s: null }), "You can practise any pattern from its page.");
  assert.match(doneText({ next_due_s: 90_000 }), /^Again in 1 day\. You can/);
});

test("the result of an exercise names the pattern and its false friend", () => {
  const verdict = { ...VERDICT, solved: true, name: "1-1", friend: "", friend_name: "1-1", interval_s: 172_800, counted: true };
  assert.deepEqual(practiceOutcome(verdict, true), { title: "Correct", text: VERDICT.text, about: "1-1 · Again in 2 days" });
  const missed = practiceOutcome({ ...verdict, solved: false, friend: "not-1-1", friend_name: "Not 1-1", counted: false }, true);
  assert.deepEqual([missed.title, missed.about], ["Not solved", "Not 1-1, which looks like 1-1"]);
  assert.equal(practiceOutcome({ ...verdict, solved: false }, false).title, "The solution");
});
