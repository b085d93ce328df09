import assert from "node:assert/strict";
import test from "node:test";

import { decimals, ticks } from "../../src/sapper/web/static/js/ticks.js";

test("ticks are round values between the ends", () => {
  assert.deepEqual(ticks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(0, 20000, 4), [0, 5000, 10000, 15000, 20000]);
  assert.deepEqual(ticks(0, 0), [0]);
  assert.deepEqual(ticks(-0.5, 3.5, 4, 1), [0, 1, 2, 3]);
  assert.deepEqual(ticks(0.3, 0.4), [0.3, 0.32, 0.34, 0.36, 0.38, 0.4]);
});

test("counts have ticks at whole numbers only", () => {
  assert.deepEqual(ticks(0, 3, 5, 1), [0, 1, 2, 3]);
  assert.deepEqual(ticks(0, 1, 5, 1), [0, 1]);
});

test("labels with the decimals that the ticks need are exact and distinct", () => {
  for (let most = 0.01; most < 2000; most *= 1.07) {
    const values = ticks(0, most);
    const labels = values.map((value) => value.toFixed(decimals(values)));
    assert.deepEqual(labels.map(Number), values);
    assert.equal(new Set(labels).size, labels.length);
  }
});
