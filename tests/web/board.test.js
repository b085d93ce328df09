import assert from "node:assert/strict";
import { test } from "node:test";
import "./shapes.js";
import { cellLook, cellName, isNumber, isUnopened } from "../../src/sapper/web/static/js/board/cells.js";
import { COUNT, INKS, PLACES, sprite } from "../../src/sapper/web/static/js/board/glyphs.js";
import { across, neighbours } from "../../src/sapper/web/static/js/board/neighbours.js";
import { flaggable, meaning, sunken } from "../../src/sapper/web/static/js/board/press.js";
import { bevel, clamp, fit } from "../../src/sapper/web/static/js/board/size.js";
import { rules } from "../../src/sapper/web/static/js/board/tiles.js";
import { extentOf, isSquare, tilingOf } from "../../src/sapper/web/static/js/board/tiling.js";

test("spoken names count from 1 and describe the content", () => {
  assert.equal(cellName(2, 4, "."), "row 3, column 5, unopened");
  assert.equal(cellName(2, 4, "2"), "row 3, column 5, 2");
  assert.equal(cellName(2, 4, "0"), "row 3, column 5, 0");
  assert.equal(cellName(0, 0, "F"), "row 1, column 1, flag");
  assert.equal(cellName(0, 0, "*"), "row 1, column 1, mine");
  assert.equal(cellName(0, 0, "?"), "row 1, column 1, question mark");
});

test("every character has a look, and is either unopened or not", () => {
  for (const char of ".F?") assert.ok(isUnopened(char) && cellLook(char).includes("closed"));
  for (const char of "0123456789abc*Xx") assert.ok(!isUnopened(char) && cellLook(char).includes("open"));
  assert.ok(isNumber("0") && isNumber("9") && isNumber("c") && !isNumber("d") && !isNumber("."));
});

test("neighbours stop at the edges of a rectangle and wrap on a torus", () => {
  assert.deepEqual(neighbours({ width: 3, height: 3 }, 0), [1, 3, 4]);
  assert.equal(neighbours({ width: 3, height: 3 }, 4).length, 8);
  assert.equal(neighbours({ width: 4, height: 4, topology: "torus" }, 0).length, 8);
  assert.deepEqual(neighbours({ width: 2, height: 1, topology: "torus" }, 0), [1]);
});

test("hexagons touch six others, and their drawing is half a cell wider", () => {
  const shape = { width: 3, height: 3, topology: "hexagon" };
  assert.deepEqual(neighbours(shape, 4), [1, 2, 3, 5, 7, 8]);
  assert.deepEqual(neighbours(shape, 0), [1, 3]);
  assert.equal(extentOf(shape).width, 3.5);
  assert.equal(extentOf({ width: 3, height: 1, topology: "hexagon" }).width, 3);
  assert.deepEqual(extentOf({ width: 3, height: 4, topology: "torus" }), { width: 3, height: 4 });
  assert.ok(isSquare(tilingOf("torus")) && !isSquare(tilingOf("hexagon")));
  assert.equal(rules(tilingOf("hexagon")).match(/clip-path/g)?.length, 4);
});

test("light from the top left falls on the sides of a hexagon that face up or left", () => {
  const text = rules(tilingOf("hexagon"));
  const shares = [...text.matchAll(/light\) ([\d.]+)%/g)].map(([, share]) => Number(share) > 50);
  // Clockwise from the upper right side, in both kinds of cells.
  assert.deepEqual(shares, [...Array(2)].flatMap(() => [true, false, false, false, true, true]));
  assert.ok(text.includes("conic-gradient(from 0.00deg at 50% 50%,"));
});

test("sides that touch list the neighbours across them", () => {
  assert.deepEqual(across({ width: 5, height: 5, topology: "torus" }, 2), [21, 22, 23]);
  assert.deepEqual(across({ width: 5, height: 5, topology: "torus" }, 12), []);
  assert.deepEqual(across({ width: 5, height: 5 }, 2), []);
});

test("numbers from ten on are letters, drawn with two digits", () => {
  assert.equal(cellName(0, 0, "c"), "row 1, column 1, 12");
  assert.equal(cellLook("b"), "cell open n11");
  assert.ok(PLACES.n12 && PLACES.over12);
});

test("a press sinks one cell, a chord its unopened neighbours, but never a flag", () => {
  const game = { width: 3, height: 1, cells: [".", "1", "F"] };
  assert.deepEqual(sunken(game, 0, "open"), [0]);
  assert.deepEqual(sunken(game, 2, "open"), []);
  assert.deepEqual(sunken(game, 1, "chord"), [0]);
  assert.equal(meaning("1"), "chord");
  assert.equal(meaning("?"), "open");
});

test("cells are whole pixels from 16 to 48 and fit the space", () => {
  assert.equal(fit({ width: 30, height: 16 }, { width: 1000, height: 600 }), 33);
  assert.equal(fit({ width: 9, height: 9 }, { width: 1000, height: 600 }), 48);
  assert.equal(fit({ width: 100, height: 100 }, { width: 1000, height: 600 }), 16);
  assert.equal(fit({ width: 30, height: 16 }, { width: 370, height: 600 }, true), 36);
  assert.equal(fit({ width: 30, height: 30 }, { width: 370, height: 600 }, true), 28);
  assert.equal(fit({ width: 9, height: 9 }, { width: 370, height: 600 }, true), 41);
  assert.equal(clamp(33.4), 33);
  assert.deepEqual([16, 29, 30, 48].map(bevel), [2, 2, 3, 4]);
});

test("the sprite draws each glyph in the given colours", () => {
  const svg = sprite(Object.fromEntries(INKS.map((name) => [name, `ink-${name}`])));
  for (const name of INKS) assert.ok(svg.includes(`ink-${name}`), name);
  assert.ok(!svg.includes("undefined"));
  assert.equal(Object.keys(PLACES).length, COUNT);
  assert.equal(PLACES.none, 0);
});

test("a number flags its unopened neighbours if they are as many as its mines", () => {
  const at = (/** @type {string} */ rows, /** @type {number} */ index) => flaggable({ width: 3, height: 1, topology: "rectangle", cells: [...rows] }, index);
  assert.deepEqual(at(".2.", 1), [0, 2]);
  assert.deepEqual(at("F2?", 1), [2]);
  assert.deepEqual(at("F2F", 1), []);
  assert.deepEqual(at(".1.", 1), []);
  assert.deepEqual(at("1..", 1), []);
});
