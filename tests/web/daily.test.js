import assert from "node:assert/strict";
import { test } from "node:test";
import { resultText, shareText } from "../../src/sapper/server/static/js/daily.js";

const format = (value, digits) => value.toFixed(digits);
const result = { day: "2026-11-22", won: true, seconds: 83.417, bbbv: 60, clicks: 75, helped: null };

test("the text to share has the result and no spoilers", () => {
  assert.equal(
    shareText(result, 3, format),
    "Sapper daily 2026-11-22\nWon in 83.42 s, 3BV/s 0.72, efficiency 80 %\n3 days in a row",
  );
  assert.equal(
    shareText({ ...result, won: false, helped: "hint" }, 0, format),
    "Sapper daily 2026-11-22\nLost after 83.42 s, with help",
  );
});

test("a win at once has no meaningful speed", () => {
  assert.equal(resultText({ ...result, seconds: 0 }, format), "won in 0.00 s, efficiency 80 %");
});
