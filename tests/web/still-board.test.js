import assert from "node:assert/strict";
import { test } from "node:test";
import { between } from "../../src/sapper/web/static/js/input/strokes.js";

globalThis.matchMedia = () => ({ matches: false, addEventListener: () => undefined });
const { changedCells } = await import("../../src/sapper/web/static/js/board/still-board.js");

test("only cells that differ are redrawn", () => {
  assert.deepEqual(changedCells([".", "1", "2"], [".", "F", "2"]), [1]);
  assert.deepEqual(changedCells(["."], ["."]), []);
});

test("a fast stroke leaves no gaps, in any direction", () => {
  assert.deepEqual(between([0, 0], [0, 3]), [[0, 1], [0, 2], [0, 3]]);
  assert.deepEqual(between([2, 2], [0, 0]), [[1, 1], [0, 0]]);
  assert.deepEqual(between([1, 1], [1, 1]), []);
  const steep = between([0, 0], [5, 2]);
  assert.equal(steep.length, 5);
  for (const [i, [row, col]] of [[0, 0], ...steep].entries()) {
    const [nextRow, nextCol] = steep[i] ?? [5, 2];
    assert.ok(Math.abs(nextRow - row) <= 1 && Math.abs(nextCol - col) <= 1);
  }
});
