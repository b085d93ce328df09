import assert from "node:assert/strict";
import { test } from "node:test";
import {
  inFull, noChances, overlayOn, percent, riskClass, step, takeChances,
} from "../../src/sapper/web/static/js/board/overlay.js";

const format = (value, digits) => value.toFixed(digits);
const told = { type: "overlay", turn: 1, whole: true, outside: 0.21, solutions: "12", exact: true, weighted: false };
const cells = [".", "1", ".", "F", ".", "."];

/** Cells 0 to 3 touch a number, 4 and 5 do not. */
function known(more = {}) {
  const chances = noChances();
  takeChances(chances, { ...told, chances: [[0, "safe"], [2, 0.25], [3, "mine"]], ...more }, cells);
  return chances;
}

test("each frontier cell has a chance, and all others share one", () => {
  const chances = known();
  assert.deepEqual([...chances.frontier], [[0, "safe"], [2, 0.25], [3, "mine"]]);
  assert.equal(inFull(chances, 5, ".", format), "21.0 % mine · 3 of 12 arrangements");
});

test("a change redraws the cells it names, and outside cells only if their look changes", () => {
  const chances = known();
  const change = (more) => takeChances(chances, { ...told, whole: false, chances: [], ...more }, cells);
  assert.deepEqual([...change({ chances: [[2, 0.5]] })], [2]);
  assert.deepEqual([...change({ outside: 0.2101 })], []);
  assert.deepEqual([...change({ outside: 0.3 })], [4, 5]);
  assert.deepEqual([...change({ chances: [[2, null]], outside: 0.3 })], [2]);
  assert.ok(!chances.frontier.has(2));
});

test("a rounded chance is never shown as 0 or 100", () => {
  assert.deepEqual([0.004, 0.006, 0.5, 0.994, 0.9951].map(percent), ["<1", "1", "50", "99", ">99"]);
});

test("the scale covers the range of guesses: ten steps up to a half", () => {
  assert.deepEqual([0, 0.049, 0.05, 0.3, 0.499, 0.5, 1].map(step), [0, 0, 1, 6, 9, 9, 9]);
});

test("proved cells are marked differently, flags stay visible, opened cells show nothing", () => {
  const chances = known();
  const on = (index, kind = "chances") => overlayOn(kind, chances, index, cells[index]);
  assert.deepEqual(on(0), { look: "state safe", text: "" });
  assert.deepEqual(on(1), { look: "", text: "" });
  assert.deepEqual(on(2), { look: "heat heat-5", text: "25" });
  assert.deepEqual(on(3), { look: "state danger marked", text: "" });
  assert.deepEqual(on(4), { look: "heat heat-4 far", text: "21" });
  assert.equal(on(2, "states").look, "state unknown");
  assert.equal(on(2, "none").look, "");
});

test("the best guess is ringed, unless a cell is proved", () => {
  assert.equal(known().best, null);
  const close = known({ chances: [[0, 0.2], [2, 0.2], [3, "mine"]] });
  assert.equal(close.best, 0);
  assert.equal(overlayOn("chances", close, 0, ".").look, "heat heat-4 best");
  assert.equal(known({ chances: [[0, 0.5], [2, 0.4], [3, "mine"]] }).best, 4);
});

test("risks have three classes, but not for cells that touch no number", () => {
  const classes = [0.001, 0.1999, 0.2, 0.33, 0.3333, 0.5].map(riskClass);
  assert.deepEqual(classes, ["low", "low", "medium", "medium", "high", "high"]);
  const chances = known();
  const on = (index) => overlayOn("risks", chances, index, cells[index]).look;
  assert.deepEqual([0, 2, 3, 4].map(on), ["state safe", "state medium", "state danger marked", ""]);
});

test("full figures have three digits and the counts", () => {
  const chances = known({ chances: [[0, "safe"], [2, 0.5]] });
  assert.equal(inFull(chances, 2, ".", format), "50.0 % mine · 6 of 12 arrangements");
  assert.equal(inFull(chances, 0, ".", format), "proved safe · 0 of 12 arrangements");
  assert.equal(inFull(chances, 1, "1", format), "");
  const many = known({ chances: [[2, 0.0123]], solutions: "1.23e45" });
  assert.equal(inFull(many, 2, ".", format), "1.23 % mine · of 1.23 × 10⁴⁵ arrangements");
  const large = known({ chances: [[2, 0.0123]], solutions: "9.87e765" });
  assert.equal(inFull(large, 2, ".", format), "1.23 % mine · of 9.87 × 10⁷⁶⁵ arrangements");
  const weighted = known({ chances: [[2, 0.0123]], weighted: true });
  assert.equal(inFull(weighted, 2, ".", format), "1.23 % mine");
  const guessed = known({ chances: [[2, 0.0123]], solutions: null, exact: false });
  assert.equal(inFull(guessed, 2, ".", format), "about 1.23 % mine");
});

test("without mine information, cells that no number touches have no chance", () => {
  const chances = known({ chances: [[0, 0.9], [2, 0.75], [3, 0.8]], outside: "unknown" });
  assert.deepEqual(overlayOn("chances", chances, 4, "."), { look: "no-chance", text: "" });
  assert.deepEqual(overlayOn("risks", chances, 4, "."), { look: "no-chance", text: "" });
  assert.equal(overlayOn("states", chances, 4, ".").look, "state unknown");
  assert.equal(inFull(chances, 4, ".", format), "chance unknown");
  assert.equal(chances.best, 2);
});
