/**
 * Measures one analysis per request for wasm.py, one JSON line each: in Node, with the engine and,
 * if `--jsminesweeper DIR` is given, with the probability engine of JSMinesweeper.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

import { load } from "../src/sapper/web/static/engine/index.js";

const RUNS = 5;
const before = performance.now();
const engine = await load({ search: false });
const loaded = (performance.now() - before) / 1000;

/** Return the minimum seconds of several consecutive runs, and the last result. */
function fastest(work) {
  let [least, result] = [Infinity, null];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    result = work();
    least = Math.min(least, (performance.now() - start) / 1000);
  }
  return { seconds: least, result };
}

/** Load JSMinesweeper's scripts, and return a function that analyses a position. */
function other(folder) {
  const files = [
    "Utility/Binomial.js",
    "Utility/Compression.js",
    "Utility/PrimeSieve.js",
    "client/Tile.js",
    "client/Board.js",
    "client/Brute_force.js",
    "client/BruteForceAnalysis.js",
    "client/solver_main.js",
    "client/solver_probability_engine.js",
  ];
  const source = files.map((file) => readFileSync(`${folder}/Minesweeper/${file}`, "utf8")).join("\n");
  const start = `
    const analysisMode = false;
    const binomialCache = new BinomialCache(5000, 500, new Binomial(50000, 500));
    ({ Board, ProbabilityEngine, PLAY_STYLE_EFFICIENCY });`;
  console.log = () => {};
  const { Board, ProbabilityEngine, PLAY_STYLE_EFFICIENCY } = runInThisContext(source + start);
  const options = { verbose: false, playStyle: PLAY_STYLE_EFFICIENCY };
  return ({ width, height, mines, rows }) => {
    const board = new Board(1, width, height, mines, 0, "");
    rows.forEach((row, y) => {
      [...row].forEach((char, x) => {
        if (char !== ".") board.getTileXY(x, y).setValue(Number(char));
      });
    });
    return () => probabilities(board, ProbabilityEngine, options);
  };
}

/** Prepared as in its function runProbabilityEngine, which is not accessible from outside. */
function probabilities(board, ProbabilityEngine, options) {
  const witnesses = [];
  const around = new Set();
  let unopened = 0;
  for (const tile of board.tiles) {
    if (tile.isCovered()) {
      unopened += 1;
      continue;
    }
    const near = board.getAdjacent(tile).filter((next) => next.isCovered());
    if (near.length > 0) witnesses.push(tile);
    for (const next of near) around.add(next.index);
  }
  const witnessed = [...around].map((index) => board.getTile(index));
  const found = new ProbabilityEngine(board, witnesses, witnessed, unopened, board.num_bombs, options);
  found.process();
  return String(found.finalSolutionsCount);
}

const at = process.argv.indexOf("--jsminesweeper");
const prepare = at > 0 ? other(process.argv[at + 1]) : null;
const bytes = new TextEncoder();

for await (const line of createInterface({ input: process.stdin })) {
  const position = JSON.parse(line);
  const { rows, ...board } = position;
  const packed = { ...board, cells: bytes.encode(rows.join("")) };
  const chances = fastest(() => engine.analyze(packed, { solutions: false }));
  const counted = fastest(() => engine.analyze(packed));
  const answer = {
    loaded,
    chances: chances.seconds,
    counted: counted.seconds,
    solutions: String(counted.result.solutions),
  };
  if (prepare) {
    const theirs = fastest(prepare(position));
    answer.other = theirs.seconds;
    answer.same = theirs.result === answer.solutions;
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
