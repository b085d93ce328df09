/** The History page: periods of time, the summary, and the calendar's shades. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isoDay, shade } from "../../src/sapper/web/static/js/history/calendar.js";
import { figures } from "../../src/sapper/web/static/js/history/figures.js";
import { parameters, period, versus } from "../../src/sapper/web/static/js/history/periods.js";

const NOW = new Date(2026, 10, 22, 15, 30);
const day = (...date) => new Date(...date).getTime();

const EMPTY = {
  games: 0, won: 0, interval: [0, 1], best_s: null, median_s: null, recent_s: [], bbbv: null, bbbv_s: null,
  best_bbbv_s: null, efficiency: null, unmeasured: 0, forced_guesses: null, needless_guesses: null, risk: 0,
  losses: 0, streak: 0, longest_won: 0, longest_lost: 0,
};

test("a number of days ends with today", () => {
  assert.deepEqual(period("7", "", "", NOW), { since: day(2026, 10, 16), until: day(2026, 10, 23) });
  assert.deepEqual(period("all", "", "", NOW), { since: null, until: null });
});

test("a range includes its last day, and may be open at one end", () => {
  const found = period("range", "2026-01-05", "2026-01-31", NOW);
  assert.deepEqual(found, { since: day(2026, 0, 5), until: day(2026, 1, 1) });
  assert.deepEqual(period("range", "", "2026-01-31", NOW), { since: null, until: day(2026, 1, 1) });
});

test("the previous period has the same number of days", () => {
  // In most places, clocks change in these weeks, so that a day is longer or shorter.
  const shown = { since: day(2026, 9, 20), until: day(2026, 10, 20) };
  assert.deepEqual(versus("before", shown, "", ""), { since: day(2026, 8, 19), until: day(2026, 9, 20) });
  assert.deepEqual(versus("year", shown, "", ""), { since: day(2025, 9, 20), until: day(2025, 10, 20) });
  assert.equal(versus("before", { since: null, until: null }, "", ""), null);
  assert.equal(versus("none", shown, "", ""), null);
});

test("requests omit open ends", () => {
  assert.deepEqual(parameters({ since: 5, until: null }), { since_ms: "5" });
});

test("figures of no games are dashes", () => {
  const found = Object.fromEntries(figures(EMPTY).map(({ name, value }) => [name, value]));
  assert.equal(found["Best time"], "–");
  assert.equal(found["Win rate"], "–");
  assert.equal(found.Luck, "–");
});

test("figures show what is still being measured", () => {
  const all = { ...EMPTY, games: 2, won: 1, recent_s: [12, 10], unmeasured: 2, streak: -1 };
  const found = Object.fromEntries(figures(all).map((each) => [each.name, each]));
  assert.equal(found["Forced guesses"].detail, "being measured");
  assert.equal(found["Recent times"].value, "11.00 s");
  assert.equal(found.Streak.value, "1 lost");
});

test("a day with any game is shaded, and the busiest is darkest", () => {
  assert.deepEqual([0, 1, 50, 100].map((games) => shade(games, 100)), [0, 1, 2, 4]);
  assert.equal(isoDay(new Date(2026, 0, 5)), "2026-01-05");
});
