/**
 * Fuzz the JavaScript engine: damaged positions, boards, levels, cells and options for every method.
 *
 * `node tests/fuzz/javascript.mjs [--cases N | --seconds S] [--seed N]`. Each call returns, or
 * throws a `SapperError` that names a problem of the input; the engine must not end or restart.
 * Cases depend only on the seed.
 *
 * The second half of the run repeats the first. It fails if more memory is in use after the second
 * half, in the engine or, after garbage collection, in JavaScript. Every 30 seconds, the memory is
 * printed.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { load, SapperError } from "../../src/sapper/web/static/engine/index.js";
import { currentGeneration, memoryBytes } from "../../src/sapper/web/static/engine/shared.js";

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((name, at, all) => (at % 2 ? [] : [[name.slice(2), Number(all[at + 1])]])),
);
const { cases = options.seconds ? Infinity : 2000, seconds = Infinity, seed = 1 } = options;
const engine = await load();
const ODD = [
  undefined, null, true, "", "é", "\0", "x", -1, 0, 1, 1.5, NaN, Infinity, 2 ** 32, 2 ** 53, 10n ** 30n, -1n,
  [], {}, [0, 0], [1], [-1, 99], ["."], { rows: 1 }, new Uint8Array(3), () => 0, Symbol("s"), new Date(0),
];
const NAMES = ["rectangle", "torus", "cylinder", "hexagon", "triangle", "sphere"];
const KNOWN = new Set([
  "bad_position", "bad_board", "bad_level", "bad_setting", "bad_cell", "wrong_type",
  "inconsistent_position", "illegal_action", "limit_reached",
]);

/** A generator of pseudorandom numbers (mulberry32). */
let state = seed;
function random(below) {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
}
const pick = (values) => values[random(values.length)];
const maybe = (value) => (random(15) ? value : pick(ODD));

function position() {
  const [width, height] = [1 + random(9), 1 + random(9)];
  const chars = pick(["....1", "...12", "..01", "....F*1", "....123456789abcx"]);
  const rows = Array.from({ length: height }, () =>
    Array.from({ length: width }, () => pick([...chars])).join(""),
  );
  if (!random(12)) rows[random(height)] += ".";
  const known = pick([{}, { mines: maybe(random(20)) }, { density: maybe(random(100) / 100) }]);
  const shape = random(3) ? {} : { topology: maybe(pick(NAMES)) };
  if (!random(4)) {
    const head = Object.entries({ ...known, ...shape }).map(([key, value]) => `${key}: ${String(value)}`);
    return [...head, ...rows].join("\n");
  }
  if (!random(4)) {
    const cells = new TextEncoder().encode(rows.join(""));
    return { width: maybe(width), height, cells, ...known, ...shape };
  }
  return maybe({ rows: maybe(rows), ...known, ...shape, width: random(8) ? undefined : maybe(width) });
}

const level = () =>
  pick([
    () => "beginner",
    () => `${random(12)}x${random(12)}:${random(30)}`,
    () => `${1 + random(9)}x${1 + random(9)}@0.${random(10)}/${pick(NAMES)}`,
    () => ({ width: maybe(1 + random(9)), height: 1 + random(9), mines: maybe(random(10)) }),
    () => pick(ODD),
  ])();
const board = () =>
  pick([
    () => ({ width: 3, height: 2, mined: maybe(Uint8Array.from({ length: 6 }, () => random(8) ? random(2) : 7)) }),
    () => pick(["1*1", "000\n000", "*", "12"]),
    position,
  ])();
const cell = () => maybe(random(2) ? random(90) : [random(9), random(9)]);
const some = (all) => Object.fromEntries(Object.entries(all).filter(() => !random(3)));
/** Options with a time limit, or something other than options. */
const limited = (all) =>
  random(15) ? { ...some(all), seconds: 0.05 } : pick([7, "x", true, Symbol("s"), [0], { seconds: "x" }]);

function playGame() {
  const start = pick(["game", "gameFromBoard", "gameFromPosition"]);
  const input = { game: level, gameFromBoard: board, gameFromPosition: position }[start]();
  const game = engine[start](
    input,
    maybe(some({
      seed: maybe(random(99)),
      undo: maybe(true),
      win: maybe(pick(["open", "flags", "either"])),
      chord: maybe("at_least"),
      firstClick: maybe(pick(["any", "safe", "opening"])),
      rules: maybe(pick(["classic", "no-guess"])),
    })),
  );
  for (let move = random(20); move > 0; move -= 1) {
    const kind = pick(["open", "flag", "question", "chord", "undo"]);
    attempt(() => game[kind](cell()));
    attempt(() => [game.board, game.position, game.bbbv, game.questions, game.counts]);
  }
}

const CALLS = [
  () => engine.analyze(position(), limited({ states: maybe(random(5000)), solutions: maybe(true) })),
  () => engine.winChance(position(), limited({ samples: maybe(2), seed: maybe(1) })),
  () => engine.optimal(position(), limited({ states: maybe(2000), solutions: maybe(200) })),
  () => engine.bestMove(position(), limited({ bot: maybe(pick(["exact", "swift", "champion"])) })),
  () =>
    engine.dealNoGuess(level(), {
      ...some({ start: cell(), seed: maybe(1), logic: maybe("pairs"), method: maybe("fast") }),
      tries: pick([1, 3, 20, 0, "x", 1.5]),
    }),
  () => engine.sample(position(), limited({ n: maybe(3), seed: maybe(1), safe: maybe([cell()]), mined: maybe([cell()]) })),
  () => engine.metrics(board()),
  () => engine.neighbours(maybe({ width: maybe(3), height: 4, topology: maybe(pick(NAMES)) }), cell()),
  playGame,
];

let [answers, refused] = [0, 0];

function attempt(work) {
  try {
    work();
    answers += 1;
  } catch (problem) {
    if (!(problem instanceof SapperError) || !KNOWN.has(problem.code) || problem.message.length > 1000) {
      throw problem;
    }
    refused += 1;
  }
}

/** Collect garbage, and let the engine free what belonged to it. */
async function collect() {
  for (let round = 0; round < 3; round += 1) {
    gc();
    await setImmediate();
  }
}

/** Print and return the memory in use, in MB. */
async function measure(number) {
  await collect();
  const { size, live } = memoryBytes();
  const { heapUsed, external, rss } = process.memoryUsage();
  const bytes = { engine: size, "in use": live, heap: heapUsed, external, rss };
  const used = Object.fromEntries(Object.entries(bytes).map(([name, part]) => [name, part / 2 ** 20]));
  const words = Object.entries(used).map(([name, part]) => `${name} ${part.toFixed(2)}`);
  console.log(`${number} cases, ${Math.round(elapsed())} s: MB of ${words.join(", ")}`);
  return used;
}

/** Run the cases of the seed, up to a number or a time; return their number and the memory. */
async function run(most, end) {
  state = seed;
  let number = 0;
  let printed = elapsed();
  for (; number < most && elapsed() < end; number += 1) {
    const before = state;
    try {
      attempt(pick(CALLS));
    } catch (problem) {
      console.error(`case ${number}, random state ${before}`);
      throw problem;
    }
    // Objects of games are freed between tasks.
    if (number % 100 === 99) await setImmediate();
    if (elapsed() > printed + 30) {
      await measure(number + 1);
      printed = elapsed();
    }
  }
  return { number, used: await measure(number) };
}

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const begun = performance.now();
const elapsed = () => (performance.now() - begun) / 1000;
const generation = currentGeneration();
// The first round fills caches and compiles code.
const first = await run(cases / 2, seconds / 2);
const again = await run(first.number, Infinity);
if (currentGeneration() !== generation) throw new Error("the engine was started again");
console.log(`${answers} answers, ${refused} errors`);
// The tables of the search are emptied when they are full, so the memory in use goes up and down.
// The size of the engine's memory is that of its largest case so far, which depends on the time.
for (const [part, most] of Object.entries({ "in use": 10, heap: 1 })) {
  const growth = again.used[part] - first.used[part];
  if (growth > most) throw new Error(`memory grew in the second round: ${part}, by ${growth.toFixed(2)} MB`);
}
