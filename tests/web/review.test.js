import assert from "node:assert/strict";
import { test } from "node:test";
import { ReviewedGame } from "../../src/sapper/web/static/js/review/game.js";
import { moveTicks } from "../../src/sapper/web/static/js/review/graph.js";
import { chance, headline, luckText, verdict } from "../../src/sapper/web/static/js/review/wording.js";

const move = (cell, opened, numbers, more = {}) => ({ covered: [], cell, opened, numbers, exploded: false, ...more });
const line = {
  type: "game", key: "k", level: "2x2:1", width: 2, height: 2, mines: 1, topology: "rectangle",
  rules_label: "Classic", status: "lost", helped: null, origin: null, covered: [], mined: [3],
  moves: [move(0, [0], "1"), move(1, [1], "1"), move(3, [], "", { covered: [1], exploded: true })],
};
const decision = (index, kind, more = {}) => ({
  index, cell: [0, index], kind, chord: null, p_mine: 0, least: 0, exact: true, safe: [], proof: null,
  best: null, best_p_mine: null, before: null, chosen: null, after: null, loss: null,
  exploded: false, undone: false, promised: false, granted: false, forbidden: false, ...more,
});

test("any position of a game is drawn from its moves, including undone ones", () => {
  const game = new ReviewedGame(line);
  assert.deepEqual(game.cellsAt(0).join(""), "....");
  assert.deepEqual(game.cellsAt(1).join(""), "1...");
  assert.deepEqual(game.cellsAt(2).join(""), "1...");
  assert.deepEqual(game.cellsAt(game.end).join(""), "1..X");
  assert.deepEqual(game.rowsAt(2), ["1.", ".X"]);
  assert.deepEqual(game.rowsAt(1, true), ["1.", ".*"]);
});

test("a game that began from a position starts there", () => {
  const game = new ReviewedGame({ ...line, origin: ["1.", ".."], moves: [] });
  assert.deepEqual(game.cellsAt(0), ["1", ".", ".", "*"]);
});

test("proved moves share a line of the list, and the search for mistakes wraps around", () => {
  const game = new ReviewedGame(line);
  const kinds = ["proved", "proved", "blunder", "proved", "needless_guess", "proved"];
  const decisions = kinds.map((kind, index) => decision(index, kind, { undone: index === 3 }));
  game.take({ type: "decisions", done: 6, total: 12, decisions });
  const indices = (groups) => groups.map((group) => group.map(({ index }) => index));
  assert.deepEqual(indices(game.groups(false)), [[0, 1], [2], [3], [4], [5]]);
  assert.equal(game.groups(true).length, 6);
  assert.deepEqual([game.mistake(0, 1), game.mistake(2, 1), game.mistake(4, 1)], [2, 4, 2]);
  assert.deepEqual([game.mistake(4, -1), game.mistake(2, -1)], [2, 4]);
  assert.equal(new ReviewedGame(line).mistake(0, 1), null);
});

test("a chance says how it is known", () => {
  assert.equal(chance({ win_chance: 0.5, kind: "exact", error: 0 }), "50.0 % exact");
  assert.equal(chance({ win_chance: 0.5, kind: "sampled", error: 0.031 }), "50.0 % ± 3.1 sampled");
  assert.equal(chance({ win_chance: 0.5, kind: "estimated", error: null }), "about 50.0 % estimated");
  assert.equal(chance(null), "not known");
  assert.equal(chance({ win_chance: 0.994, kind: "sampled", error: 0.024 }), "97.0–100.0 % sampled");
  assert.equal(chance({ win_chance: 0, kind: "sampled", error: 0.02 }), "0.0–2.0 % sampled");
  assert.equal(chance({ win_chance: 0.98, kind: "sampled", error: 0.02 }), "98.0 % ± 2.0 sampled");
});

test("luck and skill name their starting point", () => {
  const luck = {
    start: 0.41, index: 0, promised: true, kind: "exact", error: 0,
    lost: 0.03, expected: 0.38, result: 0, luck: -0.38, survival: 0.3,
  };
  assert.equal(
    luckText({ luck, status: "lost" }, line),
    "After the first click, best play wins 41.0 of 100 such games. The decisions cost 3.0 points, leaving 38.0. This game was lost: bad luck cost 38.0 points.",
  );
  const sampled = { ...luck, index: 22, promised: false, kind: "sampled", error: 0.06 };
  assert.match(luckText({ luck: sampled, status: "lost" }, line), /^From move 23, best play wins 41\.0 ± 6\.0 of 100 such games\./);
  const sure = { ...sampled, start: 1, error: 0.044 };
  assert.match(luckText({ luck: sure, status: "won" }, line), /best play wins 95\.6–100\.0 of 100 such games\./);
  const estimated = { ...luck, promised: false, kind: "estimated", error: null };
  assert.match(luckText({ luck: estimated, status: "lost" }, line), /^From the start, best play wins about 41\.0 of/);
  const rash = { ...luck, start: 0.4, lost: 0.5, expected: -0.1, result: 1, luck: 1.1, survival: 0.1 };
  assert.match(luckText({ luck: rash, status: "won" }, line), /cost 50\.0 points\. This game was won: good luck added 110\.0 points\.$/);
});

test("without luck a review says so, instead of 0.0 points", () => {
  const luck = {
    start: 1, index: 0, promised: true, kind: "exact", error: 0,
    lost: 0.0001, expected: 0.9999, result: 1, luck: 0.0001, survival: 1,
  };
  assert.equal(
    luckText({ luck, status: "won" }, line),
    "After the first click, best play wins 100.0 of 100 such games. The decisions cost nothing. This game was won without luck.",
  );
});

test("a board without a win chance gives the reason", () => {
  assert.equal(
    luckText({ luck: null, status: "lost" }, { ...line, width: 60, height: 60 }),
    "The win chance is unknown: the board has more than 3,333 cells.",
  );
  assert.equal(luckText({ luck: null, status: "lost" }, line), "No win chance could be computed for this game.");
});

test("a review works for other players' games", () => {
  const undone = decision(0, "proved", { undone: true });
  const texts = [verdict(undone, true), verdict(decision(1, "blunder", { p_mine: 0.4 }), false)];
  for (const text of texts) assert.doesNotMatch(text, /\b[Yy]ou/);
});

test("a verdict names the better choice", () => {
  const value = (win_chance) => ({ win_chance, kind: "exact", error: 0 });
  const needless = decision(3, "needless_guess", { p_mine: 0.5, safe: [[0, 0]], exploded: true });
  assert.equal(
    verdict(needless, true),
    "Row 1, column 1 was proved safe and this cell was not: a needless risk of 50.0 %. It was a mine.",
  );
  const blunder = decision(3, "blunder", {
    p_mine: 0.4, least: 0.2, best: [4, 4], before: value(0.5), chosen: value(0.3), loss: 0.2,
  });
  assert.equal(verdict(blunder, true), "No cell was proved safe; row 5, column 5 was the better guess by 20.0 points.");
  assert.match(verdict(blunder, false), /The risk taken was 40\.0 %; the lowest was 20\.0 %\.$/);
  const coin = decision(0, "forced_guess", { p_mine: 0.5, least: 0.5, loss: 0, best: [0, 0] });
  assert.equal(verdict(coin, true), "No cell was proved safe, and no choice was better: luck decided.");
});

test("the headline names the place and cause of a loss", () => {
  const game = new ReviewedGame(line);
  assert.equal(headline(game), "Lost");
  game.take({ type: "decisions", done: 1, total: 6, decisions: [decision(0, "forced_guess", { exploded: true })] });
  assert.equal(headline(game), "Lost at move 1");
  game.take({ type: "done" });
  assert.equal(headline(game), "Lost at move 1: forced guess");
});

test("the axis of moves has round numbers", () => {
  assert.deepEqual(moveTicks(26, 8), [0, 4, 9, 14, 19, 24]);
  assert.deepEqual(moveTicks(0, 8), []);
});
