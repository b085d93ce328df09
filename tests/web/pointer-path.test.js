import assert from "node:assert/strict";
import { test } from "node:test";
import { PointerPath } from "../../src/sapper/web/static/js/input/pointer-path.js";

test("a path is sent once, in sixteenths of a cell and relative to the move", () => {
  const path = new PointerPath();
  assert.deepEqual(path.take(0), []);
  path.add(100.4, 0.5, 0);
  path.add(150, 1.25, 0.5);
  path.add(190, 1.26, 0.51);
  path.add(230.6, 1, 1);
  assert.deepEqual(path.take(250.2), [150, 8, 0, 50, 12, 8, 81, -4, 8]);
  assert.deepEqual(path.take(251), []);
});

test("points are recorded at most 25 times a second", () => {
  const path = new PointerPath();
  assert.ok(path.due(5));
  path.add(5, 1, 1);
  assert.deepEqual([44, 45].map((ms) => path.due(ms)), [false, true]);
});

test("a long path is thinned but keeps its last point", () => {
  const path = new PointerPath();
  for (let i = 0; i < 5000; i++) if (path.due(40 * i)) path.add(40 * i, i % 30, 3);
  path.add(200_007, 29.5, 2);
  const numbers = path.take(200_010);
  const [ages, xs] = [[numbers[0]], [numbers[1]]];
  for (let at = 3; at < numbers.length; at += 3) {
    ages.push(ages.at(-1) - numbers[at]);
    xs.push(xs.at(-1) + numbers[at + 1]);
  }
  assert.ok(ages.length > 500 && ages.length <= 1000);
  assert.ok(ages.every((age, at) => age >= 0 && (!at || age <= ages[at - 1])));
  assert.deepEqual([ages.at(-1), xs.at(-1)], [3, 29.5 * 16]);
  assert.ok(path.due(0));
});
