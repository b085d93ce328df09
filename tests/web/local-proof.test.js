import assert from "node:assert/strict";
import { test } from "node:test";

import "./shapes.js";

const { proofOf } = await import("../../src/sapper/web/static/js/local/proof.js");
const { load } = await import("../../src/sapper/web/static/engine/index.js");

const shown = (rows, topology = "rectangle") =>
  proofOf({ width: rows[0].length, height: rows.length, mines: null, density: null, topology, rows });

test("a pair of numbers proves a cell, and the sentence names them", () => {
  const { cell, because, sentence, steps } = shown(["...", "111", "000"]);
  assert.deepEqual(cell, [0, 0]);
  assert.deepEqual(because, [[1, 1], [1, 2]]);
  assert.equal(
    sentence,
    "The mine around the 1 at row 2, column 3 lies in cells that the 1 at row 2, column 2 also touches. " +
      "So the 1 at row 2, column 2 has no mine left for its other cells.",
  );
  assert.deepEqual(steps.map(({ text }) => text), [
    "The mine around the 1 at row 2, column 3 is also around the 1 at row 2, column 2, so row 1, column 1 is clear.",
  ]);
});

test("a proof of several steps names each of them", () => {
  const { cell, because, sentence, steps } = shown(["012...", "02.432", "02.22.", "01112."]);
  assert.deepEqual(cell, [0, 5]);
  assert.deepEqual(because, [[1, 3], [1, 4], [2, 4]]);
  assert.equal(
    sentence,
    "The 4 at row 2, column 4, the 3 at row 2, column 5 and the 2 at row 3, column 5 together leave no room for a mine here.",
  );
  assert.equal(
    steps[0].text,
    "The 4 at row 2, column 4 needs four mines and has only four cells left, so " +
      "row 1, column 4, row 1, column 5, row 2, column 3 and row 3, column 3 are mines.",
  );
  assert.equal(steps[2].text, "The 3 at row 2, column 5 already has its mines, so row 1, column 6 is clear.");
  assert.deepEqual([steps.length, steps[1].mined], [3, [[2, 5], [3, 5]]]);
});

test("there is no proof of a guess", () => {
  assert.equal(shown(["..", "11"]), null);
  assert.equal(shown(["...", "..."]), null);
});

test("every step agrees with the engine, in games on several shapes", async () => {
  const engine = await load({ search: false });
  let [proved, found] = [0, 0];
  for (const [level, seeds] of [["9x9:12", 5], ["8x8:8/hexagon", 5], ["9x9:12/torus", 5], ["30x16:99", 1]]) {
    for (let seed = 0; seed < seeds; seed++) {
      const game = engine.game(level, { seed, firstClick: "opening" });
      game.open(40);
      while (!game.over) {
        const position = { topology: "rectangle", density: null, ...game.position };
        const { safe, mined } = engine.analyze(position);
        if (!safe.length) break;
        proved += 1;
        const proof = proofOf(position);
        if (!proof) {
          game.open(safe[0]);
          continue;
        }
        found += 1;
        const index = ([row, col]) => row * position.width + col;
        for (const step of proof.steps) {
          assert.ok(step.safe.every((cell) => safe.includes(index(cell))), `${level} ${seed}: ${step.text}`);
          assert.ok(step.mined.every((cell) => mined.includes(index(cell))), `${level} ${seed}: ${step.text}`);
        }
        assert.ok(proof.steps.at(-1).safe.map(index).includes(index(proof.cell)));
        game.open(index(proof.cell));
      }
    }
  }
  assert.ok(proved > 100, `${proved}`);
  assert.ok(found / proved > 0.95, `${found} of ${proved}`);
});
