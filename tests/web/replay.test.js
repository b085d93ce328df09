import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../../src/sapper/web/static/js/replay/metrics-table.js";
import { Moment } from "../../src/sapper/web/static/js/replay/moment.js";
import { Player } from "../../src/sapper/web/static/js/replay/player.js";
import { RecordedGame } from "../../src/sapper/web/static/js/replay/recorded-game.js";
import { timeTicks } from "../../src/sapper/web/static/js/replay/timeline.js";
import { guessSteps, risks, verdictOn } from "../../src/sapper/web/static/js/replay/verdicts.js";
import { about, disagreement, headline, stepText } from "../../src/sapper/web/static/js/replay/wording.js";
import { isReplay } from "../../src/sapper/web/static/js/replay/is-replay.js";
import { namedBy } from "../../src/sapper/web/static/js/replay/opening.js";

const step = (event, action, cell, more = {}) => ({
  event, action, cell, changed: true, flagged: false, opened: [], numbers: "", exploded: [], decisions: 0,
  solved: 0, clicks: [0, 0, 0, 0], path_px: 0, ...more,
});
const metrics = {
  status: "lost", time_s: 2, solved: 2, flags: 1, clicks: { all: 3, effective: 2, left: 2, right: 1, double: 0 },
  bbbv_s: 1, estimated_s: 3, ioe: 0.67, corr: 0.67, thrp: 1, rqp: 2, qg: 1, stnb: null, path_px: 32,
  left_s: 1, right_s: 0.5, double_s: 0, clicks_s: 1.5, effective_s: 1, flags_s: 0.5, is_official: false, is_fair: false,
  board: { bbbv: 3, openings: 1, islands: 1, zini: 2, hzini: 2 },
};
const line = {
  type: "replay", format: "avf", width: 3, height: 1, topology: "rectangle", level_label: "", mined: [1], cell_px: 16, has_pointer: true,
  info: { program: "", player: "A\u0007nn", started_at: "2026-01-02T10:00:00", mode: "upk", version: "", time_ms: 3000, bbbv: 3, won: false },
  contradictions: [{ what: "time_s", file: 3, clicks: 2 }],
  started_ms: 500, ended_ms: 2500, kinds: ["", "mv", "lc", "lr", "rc", "rr"],
  events: { ms: [100, 400, 500, 900, 1500, 1500, 2500], kind: [1, 2, 3, 1, 4, 5, 3], x: [0, 8, 8, 20, 24, 24, 20], y: [8, 8, 8, 8, 8, 8, 8] },
  steps: [
    step(2, "open", 0, { opened: [0], numbers: "1", decisions: 1, solved: 1, clicks: [1, 0, 0, 1] }),
    step(4, "flag", 2, { flagged: true, solved: 1, clicks: [1, 1, 0, 1], path_px: 16 }),
    step(6, "open", 1, { exploded: [1], decisions: 1, solved: 1, clicks: [2, 1, 0, 1], path_px: 20 }),
  ],
  metrics, dwell_ms: [1000, 250, 0],
};

test("places, times and steps agree", () => {
  const game = new RecordedGame(line);
  assert.deepEqual([0, 2, 3, 5, 7].map((place) => game.stepsAt(place)), [0, 0, 1, 2, 3]);
  assert.deepEqual([99, 500, 1500, 9999].map((ms) => game.placeAt(ms)), [0, 3, 6, 7]);
  assert.deepEqual([0, 1, 2, 3].map((count) => game.placeOf(count)), [0, 3, 5, 7]);
  assert.deepEqual([game.fromMs, game.toMs, game.msAt(0), game.msAt(3)], [100, 2500, 100, 500]);
  assert.deepEqual([game.decisionsOf(0), game.decisionsOf(1), game.decisionsOf(2)], [[0], [], [1]]);
  assert.deepEqual([game.stepOf(0), game.stepOf(1), game.stepOf(7)], [0, 2, -1]);
  assert.deepEqual([0, 1, 2, 3].map((count) => game.decisionBefore(count)), [0, 0, 0, 1]);
});

test("the view is rebuilt forwards and backwards, with the mines on request", () => {
  const game = new RecordedGame(line);
  assert.deepEqual([0, 1, 2, 3, 1].map((count) => game.rowsAfter(count).join("")), ["...", "1..", "1.F", "1XF", "1.."]);
  assert.deepEqual(game.rowsAfter(1, true), ["1*."]);
});

test("running values cover the clicks so far", () => {
  const game = new RecordedGame(line);
  const now = game.figuresAt(1500, 2);
  assert.deepEqual([now.time, now.solved, now.flags, now.speed, now.ioe, now.corr, now.thrp, now.rqp, now.path], [1, 1, 1, 1, 0.5, 0.5, 1, 1, 16]);
  assert.deepEqual([100, 500, 1500, 2500, 9000].map((ms) => game.clockMs(ms)), [0, 0, 1000, 2000, 2000]);
  const start = game.figuresAt(100, 0);
  assert.deepEqual([start.time, start.speed, start.ioe, start.estimated], [0, null, null, null]);
  const shown = rows(now, metrics, { now: 0.25, end: 0.5 });
  assert.deepEqual(shown.find(([name]) => name === "3BV")?.slice(2), ["1 / 3", "2 / 3"]);
  assert.deepEqual(shown.find(([name]) => name === "Clicks/s")?.slice(2), ["2.000", "1.500"]);
  assert.deepEqual(shown.find(([name]) => name === "Official")?.slice(2), ["", "No"]);
  assert.deepEqual(rows(start, metrics, null).find(([name]) => name === "Left/s")?.slice(2), ["–", "1.000"]);
  assert.deepEqual(shown.find(([name]) => name === "Risk")?.slice(2), ["25.0 %", "50.0 %"]);
});

test("the pointer is at the last event, with its button held or not", () => {
  const game = new RecordedGame(line);
  assert.equal(game.pointerAt(0), null);
  assert.deepEqual(game.pointerAt(2), { col: 0.5, row: 0.5, held: true });
  assert.deepEqual(game.pointerAt(4), { col: 1.25, row: 0.5, held: false });
  const cells = new RecordedGame({ ...line, cell_px: 1, events: { ...line.events, x: [0, 2, 0, 0, 0, 0, 0] } });
  assert.equal(cells.pointerAt(2)?.col, 2.5);
  assert.deepEqual(game.heat, [1, 0.25, 0]);
});

test("the review of a click is the worst of its cells, and risks add up", () => {
  const game = new RecordedGame({ ...line, steps: [line.steps[0], { ...line.steps[2], decisions: 2 }] });
  const kinds = ["proved", "blunder", "good_guess"];
  const decisions = kinds.map((kind, index) => ({ index, kind, p_mine: index / 4, promised: index === 0 }));
  assert.deepEqual(guessSteps(game, { decisions }), [1]);
  assert.equal(verdictOn(game, { decisions }, 1)?.kind, "blunder");
  assert.equal(verdictOn(game, null, 1), null);
  assert.deepEqual(risks(game, { decisions }, 1), { now: 0, end: 0.625 });
  assert.equal(risks(game, null, 1), null);
});

test("texts name the player and contradictions in the file", () => {
  assert.equal(headline(line), "Lost after 2.000 s");
  const beginner = { ...line, width: 8, height: 8, mined: Array.from({ length: 10 }, (_, i) => i), level_label: "Beginner (8x8)" };
  assert.equal(about(beginner)[2], "Beginner (8x8)");
  assert.equal(about({ ...beginner, level_label: "" })[2], "8 × 8, 10 mines");
  assert.deepEqual(about(line), ["Ann", "2026-01-02 10:00:00", "3 × 1, 1 mines", "upk", "Minesweeper Arbiter"]);
  assert.equal(disagreement(line), "The file says 3.000 s, but its clicks take 2.000 s.");
  assert.equal(disagreement({ ...line, contradictions: [] }), "");
  const other = { ...line, contradictions: [{ what: "status", file: "won", clicks: "lost" }, { what: "bbbv", file: 4, clicks: 3 }] };
  assert.equal(headline(other), "Result unclear");
  assert.equal(disagreement(other), "The file says the game was won, but its clicks open a mine. The file gives a 3BV of 4, but its board has 3.");
  const game = new RecordedGame(line);
  assert.deepEqual([0, 1, 2].map((at) => stepText(game, at)), [
    "row 1, column 1: 1 cell opened", "row 1, column 3: flag set", "row 1, column 2: a mine",
  ]);
});

test("ticks of time are round from the start", () => {
  assert.deepEqual(timeTicks(-800, 4200, 10), [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]);
  assert.deepEqual(timeTicks(0, 47_000, 5), [0, 10, 20, 30, 40]);
  assert.deepEqual(timeTicks(0, 340, 4), [0, 0.1, 0.2, 0.3]);
});

test("time runs at the chosen speed and stops at the end", () => {
  let frame = () => {};
  globalThis.requestAnimationFrame = (call) => ((frame = call), 1);
  globalThis.cancelAnimationFrame = () => {};
  const player = new Player(() => 1000, () => {});
  player.change(1);
  player.start();
  const begun = performance.now();
  frame(begun + 100);
  assert.ok(player.running);
  assert.ok(player.now >= 200 && player.now < 260);
  frame(begun + 5000);
  assert.deepEqual([player.now, player.running], [1000, false]);
});

test("the moment moves by click and by event, within the replay", () => {
  let drawn = 0;
  const moment = new Moment(() => (drawn += 1));
  moment.begin(new RecordedGame(line));
  const places = (move) => (move(), [moment.place, moment.steps, moment.ms]);
  assert.deepEqual(places(() => moment.walk(1)), [3, 1, 500]);
  assert.deepEqual(places(() => moment.jump(4)), [4, 1, 900]);
  assert.deepEqual(places(() => moment.walk(-1)), [3, 1, 500]);
  assert.deepEqual(places(() => moment.jump(Infinity)), [7, 3, 2500]);
  assert.deepEqual(places(() => moment.goTo(-5)), [0, 0, 100]);
  assert.deepEqual(places(() => moment.seek(1500)), [6, 2, 1500]);
  assert.equal(drawn, 6);
});

test("a replay may begin with open cells and flags", () => {
  const game = new RecordedGame({ ...line, origin: ["1.F"] });
  assert.deepEqual([1, 0].map((count) => game.rowsAfter(count).join("")), ["1.F", "1.F"]);
  assert.equal(game.figuresAt(0, 0).flags, 1);
});

test("guesses and proofs have their moments", () => {
  const proof = { steps: [{ numbers: [[0, 0]], safe: [], mined: [[0, 1]] }] };
  const decisions = [{ index: 0, kind: "forced", proof: null }, { index: 1, kind: "needless", proof }];
  const moment = new Moment(() => undefined);
  moment.begin(new RecordedGame(line));
  moment.review = { decisions };
  const steps = (move) => (move(), moment.steps);
  assert.deepEqual([1, 1, 1, -1].map((direction) => steps(() => moment.guess(direction))), [1, 3, 1, 3]);
  moment.nextProof(decisions[1]);
  assert.deepEqual([moment.proof, moment.steps, moment.decision], [{ decision: 1, step: 1 }, 2, 1]);
  moment.nextProof(decisions[1]);
  assert.deepEqual([moment.proof, moment.steps], [null, 3]);
});

test("a replay is recognised by its extension or its first bytes", async () => {
  const file = (/** @type {string} */ name, /** @type {string} */ text = "") => new File([text], name);
  for (const name of ["a.avf", "A.RMV", "a.mvf", "a.b.evf", "a.rawvf"]) assert.ok(await isReplay(file(name)), name);
  for (const text of ["*rmv\0\x02", "RawVF_Version: 6\n", ' {"board": {}, "format": "sapper-replay/1"}']) {
    assert.ok(await isReplay(file("download", text)), text);
  }
  for (const [name, text] of [["a.json", '{"rows": []}'], ["a.png", "\x89PNG"], ["avf", ""], ["a.txt", "see sapper-replay/1"]]) {
    assert.ok(!(await isReplay(file(name, text))), name);
  }
});

test("an address names its game after a question mark or a number sign", () => {
  const at = (/** @type {string} */ url) => namedBy(/** @type {Location} */ (/** @type {unknown} */ (new URL(url))));
  assert.equal(at("http://a/replay?game=last").get("game"), "last");
  assert.equal(at("http://a/replay#game=abc").get("game"), "abc");
  assert.equal(at("http://a/replay#abc").get("game"), null);
});

test("a start with a zone is shown in local time, one without is unchanged", () => {
  const started = (/** @type {string} */ text) => about({ ...line, info: { ...line.info, started_at: text } })[1];
  assert.match(started("2026-01-02T10:00:00Z"), /Jan 2, 2026/);
  assert.equal(started("2026-01-02T10:00:00"), "2026-01-02 10:00:00");
  assert.equal(started("yesterdayZ"), "yesterdayZ");
});
