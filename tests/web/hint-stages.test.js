import assert from "node:assert/strict";
import { test } from "node:test";

import { windowAround } from "../../src/sapper/web/static/js/board/miniature.js";
import { stagesOf } from "../../src/sapper/web/static/js/hint-stages.js";

const format = (value, digits) => value.toFixed(digits);
const step = (more) => ({
  numbers: [], total: false, safe: [], mined: [], assumed: false, contradiction: false, text: "So.", ...more,
});
const proved = { cell: [0, 2], proved: true, p_mine: 0, sentence: "Why.", because: [[1, 1]], safe_count: 1, exact: true };
const guess = { ...proved, proved: false, p_mine: 0.5, sentence: "No cell is safe.", because: [] };

test("a proof is its reason and a stage for each step; the last names the cell to open", () => {
  const stages = stagesOf({ ...proved, steps: [step({ mined: [[0, 0]] }), step({ safe: [[0, 2]] })] }, format);
  assert.deepEqual(stages.map(({ title }) => title), ["Row 1, column 3 is safe", "Step 1 of 2", "Step 2 of 2"]);
  assert.deepEqual(stages.map(({ text }) => text), ["Why.", "So.", "So. Open row 1, column 3."]);
  assert.deepEqual(stages.map(({ next }) => next), ["Step by step", "Next step", "Start again"]);
});

test("each step keeps earlier results and adds its own", () => {
  const [, , last] = stagesOf({ ...proved, steps: [step({ mined: [[0, 0]] }), step({ safe: [[0, 2]] })] }, format);
  assert.deepEqual([last.mined, last.safe, last.concluded], [[[0, 0]], [[0, 2]], [[0, 2]]]);
});

test("the cell is drawn as a mine while that is assumed", () => {
  const steps = [
    step({}),
    step({ assumed: true, safe: [[0, 1]] }),
    step({ assumed: true, contradiction: true, safe: [[0, 2]] }),
  ];
  const stages = stagesOf({ ...proved, steps }, format);
  assert.deepEqual(stages.map(({ mined }) => mined), [[], [], [[0, 2]], []]);
});

test("a guess has two boards, one with a mine and one without", () => {
  const stages = stagesOf({ ...guess, ways: { mined: [2], clear: [0] } }, format);
  assert.deepEqual(stages.map(({ board }) => board), [null, [2], [0]]);
  assert.equal(stages[1].text, "Row 1, column 3 is a mine here, and every number fits.");
});

test("a hint without steps or boards has one stage and no button", () => {
  for (const hint of [proved, { ...guess, ways: null }, { ...proved, steps: [] }]) {
    assert.deepEqual(stagesOf(hint, format).map(({ next }) => next), [""]);
  }
});

test("the least risky cell is marked beside the one that wins more often", () => {
  const least = { cell: [1, 0], p_mine: 0.4, win_chance: 0.2, error: 0 };
  const stages = stagesOf({ ...guess, least_risky: least, ways: { mined: [2], clear: [0] } }, format);
  assert.deepEqual(stages.map(({ rivals }) => rivals), [[[1, 0]], [], []]);
});

test("a small board shows the area around a cell, inside the board", () => {
  assert.deepEqual(windowAround(0, 30), [0, 9]);
  assert.deepEqual(windowAround(15, 30), [11, 9]);
  assert.deepEqual(windowAround(29, 30), [21, 9]);
  assert.deepEqual(windowAround(1, 4), [0, 4]);
});
