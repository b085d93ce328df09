import assert from "node:assert/strict";
import { test } from "node:test";
import { monthAfter, weeksOf } from "../../src/sapper/web/static/js/daily-calendar.js";

test("a month is shown in weeks from Monday", () => {
  const weeks = weeksOf("2026-11");
  assert.deepEqual(weeks[0], [null, null, null, null, null, null, "2026-11-01"]);
  assert.deepEqual(weeks.at(-1), ["2026-11-30", null, null, null, null, null, null]);
  assert.equal(weeks.flat().filter(Boolean).length, 30);
  assert.equal(weeksOf("2028-02").flat().filter(Boolean).length, 29);
  assert.deepEqual(weeksOf("2027-02").map((week) => week.length), [7, 7, 7, 7]);
});

test("months continue across the end of a year", () => {
  assert.equal(monthAfter("2026-12", 1), "2027-01");
  assert.equal(monthAfter("2027-01", -1), "2026-12");
});
