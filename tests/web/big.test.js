import assert from "node:assert/strict";
import { test } from "node:test";

import { writeAddress } from "../../src/sapper/web/static/js/address.js";
import { View } from "../../src/sapper/web/static/js/board/big/view.js";
import { GameState } from "../../src/sapper/web/static/js/game-state.js";
import { applyPatch, unpack } from "../../src/sapper/web/static/js/packed.js";

/** Return a view of 1000 by 1000 cells of 20 pixels in a window of 600 by 400. */
function view() {
  const made = new View(1000, 1000);
  made.cell = 20;
  made.resize(600, 400);
  return made;
}

test("packed boards and patches are read run by run", () => {
  assert.equal(unpack(".{20}11F").join(""), `${".".repeat(20)}11F`);
  const cells = unpack(".{40}");
  assert.deepEqual(applyPatch(cells, "={17}2{3}F={19}"), [17, 18, 19, 20]);
  assert.equal(cells.join("").slice(16, 22), ".222F.");
});

test("a patch changes the array from which the board is drawn", () => {
  const state = new GameState();
  const standing = { turn: 1, status: "playing", mines_left: 5, clock: {}, can_undo: true, helped: null, seed: null };
  const game = { ...standing, key: "a", width: 20, height: 1, packed: ".{20}", settings: {} };
  state.apply({ type: "state", game, settings: {}, assist: {}, automatic: {} });
  const { cells } = state.game;
  const { changed } = state.apply({ ...standing, type: "delta", turn: 2, cells: [], patch: "={18}12", event: {} });
  assert.deepEqual(changed, [18, 19]);
  const again = state.apply({ type: "state", game: { ...game, packed: ".{17}F12" }, settings: {}, assist: {}, automatic: {} });
  assert.deepEqual([again.fresh, again.changed], [false, [17]]);
  assert.equal(state.game.cells, cells);
});

test("zooming keeps the cell under the pointer in place", () => {
  const seen = view();
  seen.centre(500, 500);
  const before = seen.at(123, 321);
  for (const cell of [27.4, 40, 9, 20]) seen.zoom(cell, 123, 321);
  assert.equal(seen.at(123, 321), before);
  assert.equal(seen.cell, 20);
  seen.zoom(500);
  assert.equal(seen.cell, 48);
  seen.zoom(0);
  assert.equal(seen.cell, 0.4);
  assert.ok(seen.whole);
  assert.equal(seen.left, -100);
});

test("cells are whole screen pixels at any ratio", () => {
  const seen = view();
  seen.ratio = 1.25;
  for (const cell of [7.3, 21, 33.3]) {
    seen.zoom(cell);
    assert.ok(Number.isInteger(Math.round(seen.cell * 1.25 * 1e6) / 1e6));
  }
});

test("panning stops at the edges, but goes past what the map covers", () => {
  const seen = view();
  seen.pan(-1e9, -1e9);
  assert.deepEqual([seen.left, seen.top], [0, 0]);
  seen.slack = { x: 100, y: 50 };
  seen.pan(1e9, 1e9);
  assert.deepEqual([seen.left, seen.top], [20_000 + 100 - 600, 20_000 + 50 - 400]);
  assert.equal(seen.at(599, 10), null);
  assert.equal(seen.at(-1, 10), null);
});

test("revealing moves a cell into the window only if it is outside", () => {
  const seen = view();
  seen.reveal(999, 999);
  const { rows, cols } = seen.seen;
  assert.deepEqual([rows[1], cols[1]], [1000, 1000]);
  const { left, top } = seen;
  seen.reveal(990, 985);
  assert.deepEqual([seen.left, seen.top], [left, top]);
  seen.reveal(0, 0);
  assert.deepEqual([seen.left, seen.top], [0, 0]);
});

test("the address of a big board has its level, and no position", () => {
  const settings = { level: "300x300@0.15", rules: "classic", first_click: "opening", win: "open", chord: "exact" };
  const game = { width: 300, height: 300, mines: 5, status: "playing", seed: null, cells: unpack(".{90000}"), settings };
  assert.ok(writeAddress(game).startsWith("level=300x300@0.15&"));
  assert.ok(!writeAddress(game).includes("position"));
});
