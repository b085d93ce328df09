import assert from "node:assert/strict";
import { test } from "node:test";
import { Inbox } from "../../src/sapper/web/static/js/inbox.js";

/** Let promises that are already settled run their reactions. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** An inbox in which messages named "big" need something loaded, and what it reports. */
function opened() {
  const [taken, failures, attempts] = [[], [], []];
  let ready = false;
  const inbox = new Inbox({
    load(message) {
      if (message !== "big" || ready) return null;
      return new Promise((resolve, reject) => attempts.push({ resolve: () => resolve((ready = true)), reject }));
    },
    take: (message) => taken.push(message),
    onLoad: (failed) => failures.push(failed),
  });
  return { inbox, taken, failures, attempts };
}

test("messages with nothing to load are passed on at once", () => {
  const { inbox, taken } = opened();
  inbox.receive("a");
  assert.deepEqual([taken, inbox.waiting], [["a"], false]);
});

test("messages stay in order while something loads", async () => {
  const { inbox, taken, failures, attempts } = opened();
  for (const message of ["a", "big", "b", "big", "c"]) inbox.receive(message);
  assert.deepEqual([taken, inbox.waiting], [["a"], true]);
  attempts[0].resolve();
  await settle();
  assert.deepEqual([taken, inbox.waiting], [["a", "big", "b", "big", "c"], false]);
  assert.deepEqual([attempts.length, failures], [1, []]);
});

test("loading is retried until it succeeds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { inbox, taken, failures, attempts } = opened();
  inbox.receive("big");
  attempts[0].reject(new Error("no network"));
  await settle();
  assert.deepEqual([taken, failures], [[], [true]]);
  t.mock.timers.tick(2000);
  await settle();
  attempts[1].resolve();
  await settle();
  assert.deepEqual([taken, failures], [["big"], [true, false]]);
});

test("a message that cannot be handled does not hold up later ones", () => {
  const taken = [];
  const inbox = new Inbox({
    load: () => null,
    take(message) {
      if (message === "bad") throw new Error("bad");
      taken.push(message);
    },
    onLoad: () => {},
  });
  assert.throws(() => inbox.receive("bad"));
  inbox.receive("good");
  assert.deepEqual(taken, ["good"]);
});
