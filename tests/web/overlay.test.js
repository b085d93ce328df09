import assert from "node:assert/strict";
import { test } from "node:test";
import { inFull, overlayOn, percent, readChances, riskClass, step } from "../../src/sapper/server/static/js/board/overlay.js";

const format = (value, digits) => value.toFixed(digits);
const message = { p: [0, 0.5, 1, 0.004], safe: [0], mined: [3], solutions: "12", exact: true };
const cells = [".", "1", ".", "F", "."];
const chances = readChances(message, cells);

test("chances belong to the unopened cells in row order", () => {
  assert.deepEqual([...chances.p], [[0, 0], [2, 0.5], [3, 1], [4, 0.004]]);
});

test("a chance that is merely rounded is never shown as 0 or 100", () => {
  assert.deepEqual([0.004, 0.006, 0.5, 0.994, 0.9951].map(percent), ["<1", "1", "50", "99", ">99"]);
});

test("the scale has ten steps", () => {
  assert.deepEqual([0, 0.099, 0.1, 0.999, 1].map(step), [0, 0, 1, 9, 9]);
});

test("proved cells are marked apart, flags keep their sign, opened cells show nothing", () => {
  const on = (index) => overlayOn("chances", chances, index, cells[index]);
  assert.deepEqual(on(0), { look: "state safe", text: "" });
  assert.deepEqual(on(1), { look: "", text: "" });
  assert.deepEqual(on(2), { look: "heat heat-5", text: "50" });
  assert.deepEqual(on(3), { look: "state danger marked", text: "" });
  assert.equal(overlayOn("states", chances, 2, ".").look, "state unknown");
  assert.equal(overlayOn("none", chances, 2, ".").look, "");
});

test("risks fall into three classes: low below a fifth, high from a third", () => {
  const classes = [0.001, 0.1999, 0.2, 0.33, 0.333333, 0.5].map(riskClass);
  assert.deepEqual(classes, ["low", "low", "medium", "medium", "high", "high"]);
  const on = (index) => overlayOn("risks", chances, index, cells[index]).look;
  assert.deepEqual([0, 2, 3, 4].map(on), ["state safe", "state high", "state danger marked", "state low"]);
});

test("in full: three digits and the counts", () => {
  assert.equal(inFull(chances, 2, format), "50.0 % mine · 6 of 12 arrangements");
  assert.equal(inFull(chances, 0, format), "proved safe · 0 of 12 arrangements");
  assert.equal(inFull(chances, 1, format), "");
  const many = { ...chances, solutions: "1.23e45", p: new Map([[2, 0.0123]]), safe: new Set() };
  assert.equal(inFull(many, 2, format), "1.23 % mine · of 1.23 × 10⁴⁵ arrangements");
  const guessed = { ...many, solutions: null, exact: false };
  assert.equal(inFull(guessed, 2, format), "about 1.23 % mine");
});
