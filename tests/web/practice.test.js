import assert from "node:assert/strict";
import { test } from "node:test";

import { mistakeOutcome, mistakePrompt } from "../../src/sapper/web/static/js/learn/kept-mistakes.js";
import { PracticeRun } from "../../src/sapper/web/static/js/review/practice-run.js";

test("a run asks its questions in order and ends with the summary", () => {
  const run = new PracticeRun([1, 51]);
  assert.equal(run.go(-1), false);
  assert.deepEqual([run.move, run.go(1), run.move, run.go(1), run.move, run.go(1)], [1, true, 51, true, null, false]);
  assert.deepEqual([run.go(-1), run.move], [true, 51]);
});

test("only a first answer solves a mistake at the first attempt", () => {
  const run = new PracticeRun([1, 51, 60]);
  run.take("right");
  run.go(1);
  run.take("wrong");
  run.take("right");
  run.go(1);
  run.take("shown");
  run.take("right");
  assert.deepEqual([...run.outcomes.values()], ["solved", "missed", "shown"]);
  assert.deepEqual(run.summary, ["Solved on the first try: 1 of 3.", "2 are saved in Learn, under Your mistakes."]);
});

test("only a wrong answer keeps a mistake", () => {
  const run = new PracticeRun([1]);
  assert.deepEqual(run.summary, ["Solved on the first try: 0 of 1."]);
  run.take("wrong");
  assert.equal(run.kept, 1);
  assert.deepEqual(run.summary[1], "One is saved in Learn, under Your mistakes.");
});

test("a kept mistake shows the opened cell and when it will be removed", () => {
  const mistake = { id: "x", question: "safe", cell: [1, 8], move: 51, rows: [], mines: 40, topology: "rectangle" };
  assert.equal(mistakePrompt(mistake, false), "Row 2, column 9 was opened here. Click a cell that is proved safe.");
  const verdict = { solved: true, removed: true };
  assert.deepEqual(mistakeOutcome(verdict, true), {
    title: "Correct",
    about: "Answered correctly on two days: this mistake is now cleared.",
  });
  assert.equal(mistakeOutcome({ solved: false, removed: false }, false).title, "The solution");
});
