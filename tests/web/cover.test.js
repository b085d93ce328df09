import assert from "node:assert/strict";
import { test } from "node:test";
import { coverOf, takeMarks } from "../../src/sapper/web/static/js/board/cover.js";

const mark = (more = {}) => ({ text: "", spoken: "", tint: "", heat: null, ...more });
const two = mark({ text: "2", spoken: "2 unopened neighbours", heat: 0.25 });
const safe = mark({ spoken: "proved safe", tint: "safe" });

test("a first message replaces all marks, and others change the cells they name", () => {
  const marks = new Map([[5, safe]]);
  assert.deepEqual([...takeMarks(marks, { whole: true, looks: [two, safe], cells: [[0, 0], [2, 1]] }, 4)], [0, 1, 2, 3]);
  assert.deepEqual([...marks], [[0, two], [2, safe]]);
  assert.deepEqual([...takeMarks(marks, { whole: false, looks: [safe], cells: [[0, null], [3, 0]] }, 4)], [0, 3]);
  assert.deepEqual([...marks], [[2, safe], [3, safe]]);
});

test("a mark has a colour, a text and words, and leaves flags visible", () => {
  assert.deepEqual(coverOf(two, "."), { look: "heat heat-2", text: "2", spoken: "2 unopened neighbours" });
  assert.deepEqual(coverOf(two, "F"), { look: "heat heat-2", text: "", spoken: "2 unopened neighbours" });
  assert.equal(coverOf(mark({ heat: 1 }), ".").look, "heat heat-9");
  assert.deepEqual(coverOf(safe, "."), { look: "state safe", text: "", spoken: "proved safe" });
  assert.equal(coverOf(safe, "F").look, "state safe marked");
  assert.equal(coverOf(mark({ text: "3" }), ".").look, "note");
  assert.deepEqual(coverOf(two, "1"), { look: "", text: "" });
  assert.deepEqual(coverOf(undefined, "."), { look: "", text: "" });
});
