import assert from "node:assert/strict";
import { test } from "node:test";

import { edgeLabels, placesIn } from "../../src/sapper/web/static/js/places.js";

const wide = (text) => Math.max(20, 10 + 7 * text.length);
const marks = (px, ...indices) => indices.map((index) => ({ index, at: (index + 0.5) * px }));

test("a text's cells count from 1, and the rest stays text", () => {
  assert.deepEqual(placesIn("Open row 3, column 12."), [
    { text: "Open ", cell: null },
    { text: "row 3, column 12", cell: [2, 11] },
    { text: ".", cell: null },
  ]);
});

test("columns with space each have a centred label", () => {
  assert.deepEqual(edgeLabels(marks(32, 4, 2), wide), [
    { text: "3", at: 80 },
    { text: "5", at: 144 },
  ]);
});

test("columns without space share a label, with runs shortened", () => {
  assert.deepEqual(edgeLabels(marks(16, 13, 14, 15), wide), [{ text: "14–16", at: 232 }]);
  assert.deepEqual(edgeLabels(marks(16, 99, 102, 3, 100), wide), [
    { text: "4", at: 56 },
    { text: "100–101, 103", at: 1616 },
  ]);
});

test("no two labels overlap for any named cells", () => {
  for (const px of [4, 16, 20, 24]) {
    for (let bits = 1; bits < 1 << 10; bits++) {
      const named = [...Array(10).keys()].filter((i) => bits & (1 << i));
      const labels = edgeLabels(marks(px, ...named), wide);
      labels.slice(1).forEach((label, i) => {
        const before = labels[i];
        assert.ok(label.at - before.at >= (wide(label.text) + wide(before.text)) / 2);
      });
    }
  }
});
