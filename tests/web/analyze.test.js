import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./shapes.js";
import { History } from "../../src/sapper/web/static/js/analyze/history.js";
import { provedText, winPercent, winText } from "../../src/sapper/web/static/js/analyze/figures.js";
import { toolOf } from "../../src/sapper/web/static/js/analyze/palette.js";
import { fits, opened, painted, reshaped, resized } from "../../src/sapper/web/static/js/analyze/edits.js";
import { fromJson, ofGame, toJson, unopened } from "../../src/sapper/web/static/js/analyze/position.js";
import { parse, sizeProblem, toText } from "../../src/sapper/web/static/js/analyze/position-text.js";
import { Latest } from "../../src/sapper/web/static/js/analyze/latest.js";
import { readAddress, readPosition, writePosition } from "../../src/sapper/web/static/js/address.js";

const format = (value, digits) => value.toFixed(digits);
const WALL = parse("mines: 1\n..\n11");

test("positions round-trip as text, as JSON and as a link", () => {
  for (const text of ["mines: 1\n..\n11", "12\n.F\n*8", "mines: 0\ntopology: torus\n...\n...\n...", "topology: dozen\n9ab\ncF.", "density: 0.12\n..\n11", "density: 1e-7\n..", "density: 0.5\nrunning: no\n1..", "running: no\n1.."]) {
    const position = parse(text);
    assert.equal(toText(position), text);
    assert.deepEqual(parse(JSON.stringify(toJson(position))), position);
    assert.deepEqual(fromJson(readPosition(`#${writePosition(position)}`)), position);
  }
  assert.equal(parse("running: yes\n1..").running, undefined);
  assert.equal(parse("mines: 2\nrunning: no\n1..").running, undefined);
  assert.deepEqual(parse("// seen\n\nmines: 1\r\n ..\r\n 11\r\n"), WALL);
});

test("a game by density that only flags can win may go on with only mines unopened", () => {
  const game = { width: 3, height: 1, mines: null, density: 0.5, cells: [..."1.."] };
  assert.equal(ofGame({ ...game, settings: { win: "flags" } }).running, false);
  assert.equal(ofGame({ ...game, settings: { win: "either" } }).running, undefined);
  assert.equal(ofGame({ ...game, mines: 2, settings: { win: "flags" } }).running, undefined);
});

test("an invalid position is refused with the place of the error", () => {
  for (const [text, said] of [
    ["", "at least one row"],
    ["..\n1", "Row 2 has 1 cells"],
    ["..\n.9", "Row 2, column 2: “9”"],
    ["mines: x\n..", "Line 1"],
    ["mines: 9\n..", "from 0 to 2"],
    ["density: 2\n..", "from 0 to 100 %"],
    ["density: 0.1\nmines: 1\n..", "not both"],
    ['{"rows": [".."], "density": "x"}', "density"],
    ['{"rows": [".."], "running": 1}', "running"],
    ["running: maybe\n1..", "Line 1"],
    ["topology: ball\n..", "topology"],
    ['{"rows": [1]}', "rows"],
    ['{"rows"', "incomplete"],
    ['{"rows": [".."], "mines": -1}', "mines"],
    [".".repeat(201), "Columns"],
  ]) {
    assert.throws(() => parse(text), (problem) => problem.message.includes(said), text);
  }
  assert.match(sizeProblem(200, 200, null), /10,000|10 000|10.000/);
  assert.equal(sizeProblem(30, 16, null), "");
});

test("pasted positions are read as in Python", () => {
  const { read, refused } = JSON.parse(readFileSync(new URL("../data/pasted_positions.json", import.meta.url), "utf8"));
  for (const { text, rows, mines } of read) {
    // The shape of twelve neighbours in these tests.
    const position = parse(text.replace("triangle", "dozen"));
    assert.deepEqual([toJson(position).rows, position.mines], [rows, mines], JSON.stringify(text));
  }
  const said = {
    cell: "is not a cell; use . for unopened, 0 to 8, F or *.",
    empty: "Row 1 has an empty cell: use .",
    joined: "Row 1 separates some cells",
    length: "cells, but row 1 has",
    id: "game id",
    header: "Line 1: use",
  };
  for (const { text, because } of refused) {
    assert.throws(() => parse(text), (problem) => problem.message.includes(said[because]), JSON.stringify(text));
  }
  assert.throws(() => parse('{"rows": [".."], "mine": 1}'), /unknown field “mine”/);
});

test("a link without a total can be analysed but not played", () => {
  const link = writePosition(parse("..\n11"));
  assert.equal(readPosition(link).mines, null);
  assert.equal(readAddress(link), null);
  assert.equal(readAddress(`rules=fair&${link}`).position, null);
  assert.equal(readAddress(`rules=fair&${writePosition(WALL)}`).position.mines, 1);
});

test("a game's position shows everything visible, but no mine", () => {
  const game = { width: 4, height: 2, mines: 2, cells: ["1", "F", "x", "?", "*", "X", ".", "0"] };
  assert.equal(ofGame(game).cells, "1FF....0");
});

test("drawing replaces cells, and resizing keeps those that remain", () => {
  assert.equal(painted(WALL, [0, 1], "F").cells, "FF11");
  assert.equal(painted(WALL, [2], "1"), WALL);
  assert.deepEqual(resized(WALL, 3, 1), { ...WALL, width: 3, height: 1, cells: "..." });
  assert.equal(resized(WALL, 3, 3).cells, "...11....");
});

test("a cell opens according to the mines, and a zero opens its neighbours", () => {
  const board = unopened(4, 3, 1);
  const after = opened(board, new Set([0]), 11);
  assert.equal(after.cells, ".1001100" + "0000");
  assert.ok(fits(after, new Set([0])));
  assert.ok(!fits(after, new Set([8])));
  assert.equal(opened(board, new Set([0]), 0).cells[0], "*");
});

test("moves of one stroke are one step, and a new move drops undone ones", () => {
  const history = new History(WALL, "Start");
  assert.ok(!history.add(WALL, "nothing"));
  history.add(painted(WALL, [0], "F"), "one", "stroke");
  history.add(painted(WALL, [0, 1], "F"), "two", "stroke");
  assert.deepEqual(history.moves.map(({ name }) => name), ["Start", "two"]);
  history.settle();
  history.add(WALL, "back", "stroke");
  assert.equal(history.at, 2);
  assert.ok(history.go(1) && !history.go(9));
  assert.equal(history.position.cells, "FF11");
  history.add(painted(WALL, [1], "F"), "other");
  assert.deepEqual(history.moves.map(({ name }) => name), ["Start", "two", "other"]);
});

test("another shape keeps the numbers that its cells can show", () => {
  const position = parse("topology: dozen\n9ab\n6F7");
  assert.equal(toText(reshaped(position, "hexagon")), "topology: hexagon\n...\n6F.");
  assert.equal(toText(reshaped(position, "rectangle")), "...\n6F7");
});

test("keys select tools", () => {
  assert.deepEqual(["0", "8", "9", ".", "f", "Backspace", "Delete", "l", "o"].map(toolOf), [
    "n0", "n8", "n9", "unopened", "flag", "erase", "erase", "look", "open",
  ]);
  assert.deepEqual(["b", "u", "Enter", "ArrowUp"].map(toolOf), [null, null, null, null]);
});

test("a win chance says how it is known", () => {
  assert.equal(winText({ win_chance: 0.5, kind: "exact", error: 0 }, format), "50.0 % exact");
  assert.equal(winText({ win_chance: 0.012, kind: "estimated", error: null }, format), "1.20 % estimated");
  assert.equal(winPercent({ win_chance: 0.8, kind: "sampled", error: 0.013 }, format), "80.0\u00A0±\u00A01.3 %");
  assert.equal(winPercent({ win_chance: 0.994, kind: "sampled", error: 0.024 }, format), "97.0–100.0 %");
  assert.equal(winPercent({ win_chance: 0.001, kind: "sampled", error: 0.002 }, format), "0.00–0.30 %");
  assert.equal(provedText({ safe: 2, mined: 1, exact: true }), "2 safe, 1 mine");
});

/** Return a query that the test answers. */
function question() {
  const made = { aborted: false };
  made.ask = (signal) =>
    new Promise((answer, fail) => {
      made.answer = answer;
      signal.addEventListener("abort", () => {
        made.aborted = true;
        fail(new DOMException("aborted", "AbortError"));
      });
    });
  return made;
}

const turn = () => new Promise((go) => setImmediate(go));

test("an answer about an older position never appears", async () => {
  const latest = new Latest(60_000);
  const taken = [];
  const [first, second, third] = [question(), question(), question()];
  for (const [number, each] of [first, second, third].entries()) {
    latest.ask(each.ask, (answer) => taken.push([number, answer]), () => taken.push("problem"));
  }
  first.answer("old");
  await turn();
  assert.equal(second.answer, undefined);
  third.answer("new");
  await turn();
  assert.deepEqual(taken, [[2, "new"]]);
});

test("a slow query is dropped for a newer one, and silently if nobody waits", async () => {
  const latest = new Latest(0);
  const taken = [];
  const [first, second] = [question(), question()];
  latest.ask(first.ask, (answer) => taken.push(answer), () => taken.push("problem"));
  latest.ask(second.ask, (answer) => taken.push(answer), () => taken.push("problem"));
  assert.ok(first.aborted);
  await turn();
  latest.drop();
  await turn();
  assert.ok(second.aborted);
  assert.deepEqual(taken, []);
});
