import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, interval, pace, percent, setting, state } from "../../src/sapper/web/static/js/lab/run-text.js";

const run = { state: "running", updated: 100, games: 250, games_wanted: 1000, games_per_second: 10 };

test("shares are percentages, and a missing share is a dash", () => {
  assert.equal(percent(0.3772, 1, "en"), "37.7 %");
  assert.equal(percent(null), "-");
  assert.equal(percent(Number.NaN), "-");
  assert.equal(interval([0.25, 0.5], "en"), "95 %: 25.0 % to 50.0 %");
});

test("a run shows its progress and the remaining time", () => {
  assert.equal(pace(run, 101), "250 of 1,000 games, 10 per second, 1 min left");
  assert.match(pace({ ...run, state: "interrupted" }, 101), /--resume/);
  assert.match(pace(run, 1000), /no recent updates/);
  assert.equal(state(run, 101), "running");
});

test("times use the unit that fits", () => {
  assert.deepEqual([0.2, 42, 120, 3700].map(duration), ["1 s", "42 s", "2 min", "1 h 2 min"]);
  assert.equal(duration(Number.POSITIVE_INFINITY), "-");
});

test("a run's bots and settings fit in a line", () => {
  const played = { level: "expert", rules: "classic", first_click: "safe", start: [0, 0], seed: 1, options: { sound: true } };
  assert.equal(setting(played), "expert · classic · first click safe · start at row 1, column 1 · seed 1 · sound true");
});
