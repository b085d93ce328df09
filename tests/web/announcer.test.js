import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.matchMedia = () => ({ matches: false });
globalThis.document = { getElementById: () => null };
const { Announcer } = await import("../../src/sapper/web/static/js/announcer.js");
const { GameState } = await import("../../src/sapper/web/static/js/game-state.js");

/** Return the text for a game that replaces another one. */
function said(game, message = { type: "state", game: {} }) {
  globalThis.document = { getElementById: () => ({}) };
  globalThis.localStorage = { getItem: () => "yes" };
  const told = [];
  const state = Object.assign(new GameState(), { game: { status: "playing", helped: null, cells: [], ...game } });
  const announcer = new Announcer({
    state,
    say: (text) => told.push(text),
    keyOf: (action) => action,
    automatic: { on: false },
    result: { hide() {} },
    daily: { greeting: () => "Daily board" },
    preferences: { chording: "click" },
  });
  announcer.take(message, { changed: [], another: true });
  return told.join();
}

test("a window names the source of a game that another page has started", () => {
  assert.match(said({ helped: "retry" }), /^A retry from the review/);
  assert.match(said({ helped: "replay" }), /^Taken over from a replay/);
  assert.match(said({ helped: "shared" }), /^Shared position/);
  assert.equal(said({ day: "2026-11-22" }), "Daily board");
  assert.equal(said({ status: "ready" }), "Open any cell.");
  assert.match(said({ helped: "retry" }, { type: "welcome", game: {} }), /^A retry from the review/);
});
