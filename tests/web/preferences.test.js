import assert from "node:assert/strict";
import { test } from "node:test";
import { cellLook, cellName } from "../../src/sapper/web/static/js/board/cells.js";
import { touched, wanting } from "../../src/sapper/web/static/js/board/countdown.js";
import { wave } from "../../src/sapper/web/static/js/board/renderer.js";
import { figureList } from "../../src/sapper/web/static/js/frame/debug-figures.js";
import { readPreferences } from "../../src/sapper/web/static/js/frame/preferences.js";
import { GameState } from "../../src/sapper/web/static/js/game-state.js";

const format = (value, digits) => value.toFixed(digits);
const board = (...rows) => ({ width: rows[0].length, height: rows.length, cells: [...rows.join("")] });

test("a number counts down by the flags around it, even below zero", () => {
  assert.equal(wanting(board("..", "11"), 2), null);
  assert.equal(wanting(board("F.", "11"), 2), 0);
  assert.equal(wanting(board("FF", "11"), 2), -1);
  assert.equal(wanting(board("F?", "21"), 2), 1);
  assert.equal(wanting(board("F.", "11"), 0), null);
  assert.equal(cellLook("3", 2), "cell open n2");
  assert.equal(cellLook("1", 0), "cell open done");
  assert.equal(cellLook("1", -1), "cell open over1");
  assert.equal(cellName(0, 0, "3", 2), "row 1, column 1, 3, 2 to flag");
  assert.equal(cellName(0, 0, "1", -1), "row 1, column 1, 1, 1 too many");
});

test("a flag affects only the numbers around it", () => {
  assert.deepEqual([...touched(board("F...", "1..1"), [0])].sort(), [0, 4]);
});

test("a wave starts at the click and lasts at most 150 ms", () => {
  const waits = wave(30, 0, [...Array(480).keys()]);
  assert.ok(!waits.has(0) && !waits.has(1) && !waits.has(31));
  assert.equal(Math.max(...waits.values()), 150);
  assert.ok((waits.get(2) ?? 0) < (waits.get(3) ?? 0));
});

test("the solver's figures are labelled, and a range of one number is one number", () => {
  const figures = { frontier: 5, outside: 4, least: 1, most: 3, ms: 0.26 };
  assert.deepEqual(figureList(figures, format), [
    ["Frontier cells", "5"],
    ["Mines among them", "1 to 3"],
    ["Outside cells", "4"],
    ["Solved in", "0.3 ms"],
  ]);
  assert.equal(figureList({ ...figures, least: 3 }, format)[1][1], "3");
  assert.equal(figureList({ ...figures, least: null }, format)[1][1], "too wide to count");
});

test("the overlay follows the rules of the game", () => {
  const state = new GameState();
  const rules = [{ name: "kaboom", aid: "marks" }, { name: "fair", aid: "states" }, { name: "classic", aid: "" }];
  state.menu = /** @type {any} */ ({ rules });
  const layer = (name, assist) => {
    state.game = /** @type {any} */ ({ settings: { rules: name } });
    state.assist = { mode: "solo", overlay: "chances", show_states: true, debug: true, ...assist };
    return state.layer;
  };
  assert.equal(layer("kaboom", {}), "marks");
  assert.equal(layer("fair", {}), "states");
  assert.equal(layer("classic", {}), "none");
  assert.equal(layer("classic", { mode: "assisted" }), "chances");
  assert.equal(layer("kaboom", { mode: "assisted", debug: false }), "chances");
});

test("stored preferences are restored; broken ones get defaults", () => {
  const usual = readPreferences(null);
  assert.equal(usual.sound, false);
  assert.equal(usual.chording, "click");
  assert.equal(usual.animation, "system");
  assert.deepEqual(
    readPreferences('{"countdown": true, "sound": 3, "x": true, "chording": "double", "animation": "fast"}'),
    { ...usual, countdown: true, chording: "double" },
  );
  assert.deepEqual(readPreferences("nonsense"), usual);
  assert.deepEqual(readPreferences("null"), usual);
});
