import assert from "node:assert/strict";
import { test } from "node:test";
import { banWording, until, wording } from "../../src/sapper/web/static/js/frame/announcements.js";

test("times are counted in hours, then minutes, then seconds", () => {
  assert.deepEqual([3 * 3600_000, 90 * 60_000, 60_001, 60_000, 400, -1].map(until), [
    "in 3 hours", "in 90 minutes", "in 2 minutes", "in 60 seconds", "in 1 second", "in 1 second",
  ]);
});

test("announcements have a countdown, and restarts a text of their own", () => {
  assert.equal(wording({ text: "Hello", restart: false }, null), "Hello");
  assert.equal(wording({ text: "Finals", restart: false }, 600_000), "Finals (in 10 minutes)");
  assert.equal(wording({ text: "Finals", restart: false }, -5), "Finals");
  assert.match(wording({ text: "Version 2.", restart: true }, 600_000), /^The server restarts in 10 minutes\. .* Version 2\.$/);
  assert.match(wording({ text: "", restart: true }, 0), /^The server is restarting\. /);
});

test("a ban shows its reason and its end", () => {
  assert.equal(banWording({ name: "Ann", reason: "spam", until_ms: null }), "The account Ann is banned. Reason: spam");
  assert.match(banWording({ name: "Ann", reason: "spam", until_ms: 2 ** 41 }), /^The account Ann is banned until .*2039.*\. Reason: spam$/);
});
