import assert from "node:assert/strict";
import { test } from "node:test";
import { percent, riskClass, step } from "../../src/sapper/web/static/js/board/chances.js";
import { BARE, coverOf } from "../../src/sapper/web/static/js/board/cover.js";
import { ChanceMarks, KaboomMarks, marksFor, SentMarks } from "../../src/sapper/web/static/js/board/overlays.js";

const format = (value, digits) => value.toFixed(digits);
const answer = { type: "overlay", turn: 1, whole: true, outside: 0.21, solutions: "12", exact: true, weighted: false };
const cells = [".", "1", ".", "F", ".", "."];

/** Cells 0 to 3 touch a number, 4 and 5 do not. */
function known(more = {}) {
  const marks = new ChanceMarks();
  marks.take({ ...answer, chances: [[0, "safe"], [2, 0.25], [3, "mine"]], ...more }, cells);
  return marks;
}

/** How a cell is drawn. */
const on = (marks, name, index) => coverOf(marks.at(name, index, cells[index]), cells[index]);

test("each frontier cell has a chance, and all others share one", () => {
  const marks = known();
  assert.deepEqual([...marks.chances.frontier], [[0, "safe"], [2, 0.25], [3, "mine"]]);
  assert.equal(marks.words(5, ".", format), "21.0 % mine · 3 of 12 arrangements");
});

test("a change redraws the cells it names, and outside cells only if their look changes", () => {
  const marks = known();
  const change = (more) => marks.take({ ...answer, whole: false, chances: [], ...more }, cells);
  assert.deepEqual([...change({ chances: [[2, 0.5]] })], [2]);
  assert.deepEqual([...change({ outside: 0.2101 })], []);
  assert.deepEqual([...change({ outside: 0.3 })], [4, 5]);
  assert.deepEqual([...change({ chances: [[2, null]], outside: 0.3 })], [2]);
  assert.ok(!marks.chances.frontier.has(2));
});

test("a change without the marks before it is ignored", () => {
  assert.equal(new ChanceMarks().take({ ...answer, whole: false, chances: [] }, cells), null);
  assert.equal(new SentMarks("a").take({ overlay: "a", whole: false, looks: [], cells: [] }, cells), null);
  assert.equal(new SentMarks("a").take({ overlay: "b", whole: true, looks: [], cells: [] }, cells), null);
});

test("a rounded chance is never shown as 0 or 100", () => {
  assert.deepEqual([0.004, 0.006, 0.5, 0.994, 0.9951].map(percent), ["<1", "1", "50", "99", ">99"]);
});

test("the scale covers the range of guesses: ten steps up to a half", () => {
  const chances = [0, 0.049, 0.05, 0.3, 0.499, 0.5, 1];
  const steps = [0, 0, 1, 6, 9, 9, 9];
  assert.deepEqual(chances.map(step), steps);
  const looks = chances.map((chance) => on(known({ chances: [[0, chance]], outside: 0 }), "chances", 0).look.split(" ")[1]);
  assert.deepEqual(looks, steps.map((each) => `heat-${each}`));
});

test("proved cells are marked differently, flags stay visible, opened cells show nothing", () => {
  const marks = known();
  assert.deepEqual(on(marks, "chances", 0), { look: "state safe", text: "", spoken: "proved safe" });
  assert.deepEqual(on(marks, "chances", 1), BARE);
  assert.deepEqual(on(marks, "chances", 2), { look: "heat heat-5", text: "25", spoken: "25 per cent mine risk" });
  assert.deepEqual(on(marks, "chances", 3), { look: "state danger marked", text: "", spoken: "proved mine" });
  assert.deepEqual(on(marks, "chances", 4), { look: "heat heat-4 far", text: "21", spoken: "21 per cent mine risk" });
  assert.deepEqual(on(marks, "states", 2), { look: "state unknown", text: "", spoken: "unknown" });
  assert.deepEqual(on(marks, "none", 2), BARE);
});

test("the best guess is ringed, unless a cell is proved", () => {
  assert.equal(known().chances.best, null);
  const close = known({ chances: [[0, 0.2], [2, 0.2], [3, "mine"]] });
  assert.equal(close.chances.best, 0);
  assert.equal(on(close, "chances", 0).look, "heat heat-4 best");
  assert.equal(on(close, "risks", 0).look, "state medium best");
  assert.equal(on(close, "states", 0).look, "state unknown");
  const far = known({ chances: [[0, 0.5], [2, 0.4], [3, "mine"]] });
  assert.equal(far.chances.best, 4);
  assert.deepEqual(on(far, "risks", 4), { look: "best", text: "", spoken: "" });
});

test("risks have three classes, but not for cells that touch no number", () => {
  const classes = [0.001, 0.1999, 0.2, 0.33, 0.3333, 0.5].map(riskClass);
  assert.deepEqual(classes, ["low", "low", "medium", "medium", "high", "high"]);
  const looks = [0, 2, 3, 4].map((index) => on(known(), "risks", index).look);
  assert.deepEqual(looks, ["state safe", "state medium", "state danger marked", ""]);
  assert.equal(on(known(), "risks", 2).spoken, "medium risk");
});

test("full figures have three digits and the counts", () => {
  const words = (more, index = 2) => known(more).words(index, cells[index], format);
  const half = { chances: [[0, "safe"], [2, 0.5]] };
  assert.equal(words(half), "50.0 % mine · 6 of 12 arrangements");
  assert.equal(words(half, 0), "proved safe · 0 of 12 arrangements");
  assert.equal(words(half, 1), "");
  const rare = { chances: [[2, 0.0123]] };
  assert.equal(words({ ...rare, solutions: "1.23e45" }), "1.23 % mine · of 1.23 × 10⁴⁵ arrangements");
  assert.equal(words({ ...rare, solutions: "9.87e765" }), "1.23 % mine · of 9.87 × 10⁷⁶⁵ arrangements");
  assert.equal(words({ ...rare, weighted: true }), "1.23 % mine");
  assert.equal(words({ ...rare, solutions: null, exact: false }), "about 1.23 % mine");
});

test("without mine information, cells that no number touches have no chance", () => {
  const marks = known({ chances: [[0, 0.9], [2, 0.75], [3, 0.8]], outside: "unknown" });
  assert.deepEqual(on(marks, "chances", 4), { look: "", text: "", spoken: "chance unknown" });
  assert.deepEqual(on(marks, "risks", 4), { look: "", text: "", spoken: "chance unknown" });
  assert.equal(on(marks, "states", 4).look, "state unknown");
  assert.equal(marks.words(4, ".", format), "chance unknown");
  assert.equal(marks.chances.best, 2);
});

const mark = (more = {}) => ({ text: "", spoken: "", tint: "", heat: null, ...more });
const two = mark({ text: "2", spoken: "2 unopened neighbours", heat: 0.25 });
const safe = mark({ spoken: "proved safe", tint: "safe" });

test("a first message replaces all marks, and others change the cells they name", () => {
  const marks = new SentMarks("a");
  const held = () => cells.map((_, index) => marks.at("a", index));
  const take = (message) => [...(marks.take({ overlay: "a", ...message }, cells) ?? [])];
  assert.deepEqual(take({ whole: true, looks: [two, safe], cells: [[0, 0], [2, 1]] }), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(held(), [two, undefined, safe, undefined, undefined, undefined]);
  assert.deepEqual(take({ whole: false, looks: [safe], cells: [[0, null], [3, 0]] }), [0, 3]);
  assert.deepEqual(held(), [undefined, undefined, safe, safe, undefined, undefined]);
  assert.equal(marks.words(3), "proved safe");
  assert.equal(marks.at("b", 3), undefined);
});

test("a mark has a colour, a text and words, and leaves flags visible", () => {
  assert.deepEqual(coverOf(two, "."), { look: "heat heat-2", text: "2", spoken: "2 unopened neighbours" });
  assert.deepEqual(coverOf(two, "F"), { look: "heat heat-2", text: "", spoken: "2 unopened neighbours" });
  assert.equal(coverOf(mark({ heat: 1 }), ".").look, "heat heat-9");
  assert.deepEqual(coverOf(safe, "."), { look: "state safe", text: "", spoken: "proved safe" });
  assert.equal(coverOf(safe, "F").look, "state safe marked");
  assert.equal(coverOf(mark({ text: "3" }), ".").look, "note");
  assert.deepEqual(coverOf(two, "1"), BARE);
  assert.deepEqual(coverOf(undefined, "."), BARE);
});

test("Kaboom's marks are drawn on plain cells, and in the corner of marked ones", () => {
  const marks = new KaboomMarks();
  marks.take({ marks: ".!?o " }, cells);
  const shown = (index, char) => coverOf(marks.at("marks", index), char);
  assert.deepEqual(shown(0, "."), { look: "note safe", text: "•", spoken: "proved safe" });
  assert.deepEqual(shown(1, "F"), { look: "state danger marked", text: "", spoken: "proved mine" });
  assert.deepEqual(shown(2, "."), { look: "note unknown", text: "?", spoken: "unknown" });
  assert.deepEqual(shown(3, "."), BARE);
  assert.deepEqual(shown(4, "1"), BARE);
});

test("the menu tells which marks the server sends", () => {
  const menu = [{ name: "chances", label: "", summary: "", compact: true }, { name: "own", label: "", summary: "", compact: false }];
  assert.ok(marksFor("chances", menu) instanceof ChanceMarks);
  assert.ok(marksFor("own", menu) instanceof SentMarks);
  assert.ok(marksFor("marks", menu) instanceof KaboomMarks);
  assert.ok(!marksFor("none", menu).serves("none"));
});
