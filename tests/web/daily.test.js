import assert from "node:assert/strict";
import { test } from "node:test";
import { DailyBoard, dayName, resultText, shareText } from "../../src/sapper/web/static/js/daily.js";

const format = (value, digits) => value.toFixed(digits);
const result = { day: "2026-11-22", won: true, seconds: 83.417, bbbv: 60, clicks: 75, helped: null };

test("the shared text has the result and no spoilers", () => {
  assert.equal(
    shareText(result, 3, format),
    "Sapper daily 2026-11-22\nWon in 83.42 s, 3BV/s 0.72, efficiency 80 %\n3 days in a row",
  );
  assert.equal(
    shareText({ ...result, won: false, helped: "hint" }, 0, format),
    "Sapper daily 2026-11-22\nLost after 83.42 s, with help",
  );
});

test("an instant win has no meaningful speed", () => {
  assert.equal(resultText({ ...result, seconds: 0 }, format), "won in 0.00 s, efficiency 80 %");
});

test("a page left open overnight requests the day before it shows the card", async () => {
  const made = () => ({ append: () => {}, addEventListener: () => {} });
  globalThis.document = { getElementById: made, createElement: made };
  const today = new Date().toISOString().slice(0, 10);
  const state = { daily: { today: "2020-01-01", yesterday: "2019-12-31", results: {}, streak: 0 }, game: null };
  const [sent, titles] = [[], []];
  const element = { querySelector: () => null, scrollIntoView: () => {} };
  const card = { kind: null, element, show: (_kind, title) => titles.push(title) };
  const send = (message) => `id-${sent.push(message.type)}`;
  const board = new DailyBoard({ state, card, send, format, say: () => {}, keyOf: () => "" });
  await board.show();
  assert.deepEqual([sent, titles], [["sync"], []]);
  await board.take({ re: "id-7" });
  state.daily.today = today;
  await board.take({ re: "id-1" });
  assert.deepEqual(titles, [`Daily board, ${dayName(today)}`]);
  await board.show();
  assert.equal(sent.length, 1);
  assert.equal(titles.length, 2);
});
