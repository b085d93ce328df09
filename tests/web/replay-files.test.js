import assert from "node:assert/strict";
import { test } from "node:test";

import { areReplays, form, parts } from "../../src/sapper/web/static/js/history/replay-files.js";

/** @param {string} name @param {number} [size] */
const file = (name, size = 1) => new File([new Uint8Array(size)], name);

test("files are sent in order, in parts of limited size and number", () => {
  assert.deepEqual(parts([]), []);
  const large = [9, 9, 9, 30, 1].map((megabytes, at) => file(`${at}.avf`, megabytes * 2 ** 20));
  assert.deepEqual(
    parts(large).map((part) => part.map(({ name }) => name)),
    [["0.avf", "1.avf"], ["2.avf"], ["3.avf"], ["4.avf"]],
  );
  const many = Array.from({ length: 4001 }, (_, at) => file(`${at}.avf`));
  assert.deepEqual(parts(many).map(({ length }) => length), [2000, 2000, 1]);
});

test("a single file that is no replay is sent unchanged", async () => {
  assert.equal(await areReplays([file("games.jsonl")]), false);
  assert.equal(await areReplays([file("games.zip")]), false);
  assert.equal(await areReplays([file("game.avf")]), true);
  assert.equal(await areReplays([file("a.txt"), file("b.txt")]), true);
});

test("a form has the files with their names", () => {
  const made = form([file("a.avf"), file("b.avf")]);
  assert.deepEqual(
    made.getAll("replay").map((one) => (one instanceof File ? one.name : one)),
    ["a.avf", "b.avf"],
  );
});
