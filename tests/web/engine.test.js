import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

import { load, loadWorker, SapperError } from "../../src/sapper/web/static/engine/index.js";
import { positionJson, readPosition } from "../../src/sapper/web/static/engine/shared.js";

const lines = (name) =>
  readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const engine = await load();
const WALL = { rows: ["..", "11"], mines: 1 };
/** Too wide to count: every second cell of every second row is open. */
const WIDE = {
  mines: 250,
  rows: Array.from({ length: 40 }, (_, row) => (row % 2 ? ".2" : "..").repeat(20)),
};

/** Return the error of a call. */
function errorOf(work) {
  try {
    work();
  } catch (problem) {
    assert.ok(problem instanceof SapperError, `${problem}`);
    return problem;
  }
  return assert.fail("no error");
}

test("known positions have their counts and chances", () => {
  let inconsistent = 0;
  for (const { solutions, p_mine, safe, mined, width, mines, rows } of lines("positions.jsonl")) {
    const position = { rows, mines };
    if (solutions === "0" || p_mine === null || p_mine === undefined) {
      inconsistent += 1;
      assert.equal(errorOf(() => engine.analyze(position)).code, "inconsistent_position");
      continue;
    }
    const found = engine.analyze({ ...position, width });
    assert.equal(String(found.solutions), solutions);
    p_mine.flat().forEach((known, cell) => {
      // The file has twelve places.
      if (known === null) assert.ok(Number.isNaN(found.pMine[cell]));
      else assert.ok(Math.abs(found.pMine[cell] - known) <= 1.5e-12);
    });
    const indices = (cells) => cells.map(([row, col]) => row * width + col).sort((a, b) => a - b);
    assert.deepEqual([...found.safe], indices(safe));
    assert.deepEqual([...found.mined], indices(mined));
    assert.ok(found.exact && found.pMineError === null);
  }
  assert.equal(inconsistent, 4);
});

test("circuits without a mine total have their counts", () => {
  for (const { solutions, rows } of lines("gadgets.jsonl")) {
    assert.equal(engine.analyze({ rows }).solutions, BigInt(solutions));
  }
});

test("perfect play wins the known number of boards", () => {
  for (const { width, height, mines, wins } of lines("optimal_small_boards.jsonl").slice(0, 6)) {
    const rows = Array(height).fill(".".repeat(width));
    assert.equal(engine.optimal({ rows, mines }).wins, BigInt(wins));
  }
});

test("a coin flip is a coin flip for every method", () => {
  assert.deepEqual([...engine.analyze(WALL).pMine.slice(0, 2)], [0.5, 0.5]);
  const { winChance, kind, cells } = engine.winChance(WALL);
  assert.deepEqual([winChance, kind, cells.length], [0.5, "exact", 2]);
  for (const bot of ["exact", "swift", "champion"]) {
    const move = engine.bestMove(WALL, { bot });
    assert.deepEqual([[...move.cells], move.risk, move.guess], [[0], 0.5, true]);
  }
  assert.equal(engine.sample(WALL, { n: 3, seed: 1, safe: [[0, 1]] })[2].mined[0], 1);
});

test("an unknown board's win chance is sampled, with its error", () => {
  const rows = Array(12).fill(".".repeat(12));
  const { kind, error, winChance } = engine.winChance({ rows, mines: 12 }, { samples: 20, seed: 7 });
  assert.equal(kind, "sampled");
  assert.ok(error > 0 && winChance > 0.5 && winChance <= 1);
});

test("a position past the limit gives estimates, and the engine still works", () => {
  const found = engine.analyze(WIDE, { states: 1000 });
  assert.ok(!found.exact && found.solutions === null && found.pMineError.length === 1600);
  assert.equal(errorOf(() => engine.optimal(WIDE)).code, "limit_reached");
  assert.equal(engine.analyze(WALL).solutions, 2n);
});

test("a board too large for the memory is refused, and games go on", () => {
  const game = engine.game("beginner", { seed: 3 });
  game.open(40);
  game.flag(0);
  const before = game.position;
  // The neighbours of four million triangles take up most of the memory.
  const rows = Array(2000).fill(".".repeat(2000));
  assert.equal(errorOf(() => engine.analyze({ rows, topology: "triangle" })).code, "limit_reached");
  assert.deepEqual(game.position, before);
  assert.equal(engine.analyze(WALL).solutions, 2n);
  assert.equal(errorOf(() => engine.analyze({ rows: [...rows, rows[0]] })).code, "bad_position");
});

test("pasted positions are read as in Python", () => {
  const { read, refused } = JSON.parse(readFileSync(new URL("../data/pasted_positions.json", import.meta.url), "utf8"));
  for (const { text, rows, mines } of read) {
    const position = positionJson(readPosition(text));
    assert.deepEqual([position.rows, position.mines], [rows, mines], JSON.stringify(text));
  }
  const said = {
    cell: "is not a cell; use . for unopened, 0 to 8, F for a flag or * for an opened mine",
    empty: "row 1 has an empty cell; use . for unopened, or 0 for open",
    joined: "row 1 separates some cells and not others",
    length: "cells, but row 1 has",
    id: "line 1: a game id is a board, not a position",
    header: "use 'mines', 'density', 'running' or 'topology'",
  };
  for (const { text, because } of refused) {
    const { message } = errorOf(() => readPosition(text));
    assert.ok(message.includes(said[because]), `${JSON.stringify(text)}: ${message}`);
  }
});

test("invalid input gives one error with Python's code and message", () => {
  const cases = [
    [() => engine.analyze(7), "bad_position", "expected a JSON object with 'rows', got 7"],
    [
      () => engine.analyze({ rows: ["x"] }),
      "bad_position",
      "row 1, column 1: 'x' is not a cell; use . for unopened, 0 to 8, F for a flag or * for an opened mine",
    ],
    [
      () => engine.analyze({ ...WALL, mines: 5 }),
      "bad_position",
      "mines must be between 0 and 4 for 4 cells, got 5",
    ],
    [
      () => engine.analyze({ rows: [".."], mine: 1 }),
      "bad_position",
      "unknown key 'mine'; use width, height, mines, density, running, topology, rows",
    ],
    [
      () => engine.analyze(WALL, { second: 1 }),
      "bad_setting",
      "unknown option 'second'; use seconds, states, solutions",
    ],
    [
      () => engine.game({ width: 9, height: 9, mine: 10 }),
      "bad_level",
      "unknown key 'mine'; use width, height, mines, density, topology",
    ],
    [
      () => engine.analyze(WALL, { seconds: -1 }),
      "bad_setting",
      "seconds must be a number 0 or more, got -1",
    ],
    [
      () => engine.analyze("9."),
      "bad_position",
      "row 1, column 1: '9' is not a cell; use . for unopened, 0 to 8, F for a flag or * for an opened mine",
    ],
    [
      () => engine.bestMove(WALL, { bot: "luck" }),
      "bad_setting",
      "bot must be exact, swift or champion, got 'luck'",
    ],
    [
      () => engine.game("9x9:80", { firstClick: "opening" }),
      "bad_setting",
      "first click opening keeps up to 9 cells of 9x9:80 clear: mines must be at most 72, got 80",
    ],
    [() => engine.game("9x9:10").open([9, 0]), "bad_cell", "no cell (9, 0) on a board with 9 rows and 9 columns"],
    [() => engine.game("9x9:10").board, "illegal_action", "the board is hidden while the game is ready"],
  ];
  for (const [work, code, message] of cases) {
    const problem = errorOf(work);
    assert.deepEqual([problem.code, problem.message], [code, message]);
  }
  const problem = errorOf(() => engine.analyze({ rows: ["3.", ".."] , mines: 2 }));
  assert.deepEqual([problem.code, problem.why], ["inconsistent_position", "total"]);
});

test("a game can be played, undone and lost", () => {
  const game = engine.gameFromBoard({ width: 3, height: 1, mined: Uint8Array.of(1, 0, 0) });
  assert.ok(game.open(1) && game.flag([0, 0]) && game.chord(1));
  assert.deepEqual([game.status, game.position.rows, game.bbbv, game.solved], ["won", ["F10"], 1, 1]);
  assert.ok(game.undo() && game.undo() && game.open(0));
  assert.deepEqual([game.status, [...game.changed], game.position.rows], ["lost", [0], ["*1."]]);
  assert.deepEqual([...game.board.mined], [1, 0, 0]);
});

test("a no-guess board is opened by proofs alone", () => {
  const deal = engine.dealNoGuess("beginner", { seed: 7 });
  const game = engine.gameFromBoard(deal);
  game.open(deal.start);
  while (!game.over) {
    const move = engine.bestMove(game.position);
    assert.ok(!move.guess);
    for (const cell of move.cells) game.open(cell);
  }
  assert.equal(game.status, "won");
});

test("without the search, exact play works, and the rest asks for it", async () => {
  // Another process, because an instance is shared.
  const script = `
    import { load } from "${new URL("../../src/sapper/web/static/engine/index.js", import.meta.url)}";
    const engine = await load({ search: false });
    const wall = { rows: ["..", "11"], mines: 1 };
    const game = engine.game("beginner", { seed: 7 });
    game.open(40);
    const before = game.position.rows.join();
    const codes = ["optimal", "winChance"].map((method) => {
      try { engine[method](wall); } catch (problem) { return problem.code; }
    });
    const { cells } = engine.bestMove(wall);
    await engine.loadSearch();
    console.log(codes.join(), cells[0], engine.winChance(wall).winChance,
      game.position.rows.join() === before);`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  assert.equal(stdout, "missing_extra,missing_extra 0 0.5 true\n");
});

test("the worker gives the same answers and errors", async () => {
  const worker = await loadWorker();
  const [found, move] = await Promise.all([
    worker.analyze(WALL),
    worker.bestMove(WALL, { bot: "champion" }),
  ]);
  assert.deepEqual(found, engine.analyze(WALL));
  assert.deepEqual(move, engine.bestMove(WALL, { bot: "champion" }));
  await assert.rejects(worker.analyze(7), errorOf(() => engine.analyze(7)));
  await assert.rejects(worker.analyze({ rows: [() => 0] }), { code: "wrong_type" });
  worker.terminate();
  await assert.rejects(worker.analyze(WALL), { code: "cancelled" });
  const searching = await loadWorker({ search: true });
  assert.deepEqual(await searching.optimal(WALL), engine.optimal(WALL));
  searching.terminate();
});

test("an aborted call is rejected at once, and the next call is answered", async () => {
  const worker = await loadWorker();
  const stop = new AbortController();
  const long = worker.analyze(WIDE, { signal: stop.signal });
  const waiting = worker.metrics("1*1", { signal: stop.signal });
  const other = worker.metrics("1*1");
  stop.abort();
  await assert.rejects(long, { code: "cancelled" });
  await assert.rejects(waiting, { code: "cancelled" });
  assert.deepEqual(await other, { openings: 0, bbbv: 2 });
  await assert.rejects(worker.analyze(WALL, { signal: stop.signal }), { code: "cancelled" });
  worker.terminate();
});
