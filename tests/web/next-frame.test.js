import assert from "node:assert/strict";
import { test } from "node:test";

import { NextFrame } from "../../src/sapper/web/static/js/board/next-frame.js";

/** @type {Array<() => void>} */
let callbacks = [];

/** Run the callbacks of the frame being drawn. */
function frame() {
  for (const callback of callbacks.splice(0)) callback();
}

function fresh() {
  callbacks = [];
  globalThis.document = { hidden: false };
  globalThis.requestAnimationFrame = (callback) => callbacks.push(callback);
  const log = [];
  const nextFrame = new NextFrame();
  return { log, nextFrame, note: (name) => nextFrame.run(() => log.push(name)) };
}

test("work runs at once if no move is being drawn", () => {
  const { log, note } = fresh();
  note("a");
  assert.deepEqual(log, ["a"]);
});

test("work waits until the frame of the move is drawn, and keeps its order", () => {
  const { log, nextFrame, note } = fresh();
  nextFrame.drawn();
  note("a");
  note("b");
  frame();
  assert.deepEqual(log, []);
  frame();
  assert.deepEqual(log, ["a", "b"]);
});

test("the next move runs waiting work first", () => {
  const { log, nextFrame, note } = fresh();
  nextFrame.drawn();
  note("a");
  nextFrame.flush();
  assert.deepEqual(log, ["a"]);
});

test("a hidden page, which has no frames, waits for none", () => {
  const { log, nextFrame, note } = fresh();
  nextFrame.drawn();
  note("a");
  globalThis.document.hidden = true;
  note("b");
  assert.deepEqual(log, ["a", "b"]);
});
