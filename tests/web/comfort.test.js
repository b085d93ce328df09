import assert from "node:assert/strict";
import { test } from "node:test";
import { read, write } from "../../src/sapper/web/static/js/storage.js";
import { soundOf } from "../../src/sapper/web/static/js/frame/sound.js";
import { clicked, pressed } from "../../src/sapper/web/static/js/input/chording.js";
import { keyLabel, keyProblem, readKeys, USUAL_KEYS } from "../../src/sapper/web/static/js/input/key-map.js";
import { keyMeaning } from "../../src/sapper/web/static/js/input/keyboard.js";

const mouse = (button, buttons = 1 << (button === 1 ? 2 : button === 2 ? 1 : 0)) => ({
  button, buttons, pointerType: "mouse",
});

test("each chording style has its buttons", () => {
  const kinds = (chording) => [mouse(0), mouse(1), mouse(2), mouse(2, 3)].map((event) => pressed(event, { swap: false, chording }));
  assert.deepEqual(kinds("click"), ["open", "chord", "mark", "chord"]);
  assert.deepEqual(kinds("buttons"), ["open", "chord", "mark", "chord"]);
  assert.deepEqual(kinds("middle"), ["open", "chord", "mark", "mark"]);
  assert.deepEqual(kinds("double"), ["open", "none", "mark", "mark"]);
  assert.deepEqual(kinds("off"), ["open", "none", "mark", "mark"]);
});

test("swapped buttons flag with the left and open with the right, but fingers are unchanged", () => {
  const choices = { swap: true, chording: /** @type {const} */ ("click") };
  assert.equal(pressed(mouse(0), choices), "mark");
  assert.equal(pressed(mouse(2), choices), "open");
  assert.equal(pressed({ ...mouse(0), pointerType: "touch" }, choices), "open");
});

test("a click on a number chords if the style allows it", () => {
  const on = (chording, touch = false, again = false) => clicked("3", { chording, touch, again });
  assert.equal(clicked(".", { chording: "off", touch: false, again: false }), "open");
  assert.deepEqual(["click", "buttons", "middle", "double", "off"].map((style) => on(style)), ["chord", "none", "none", "none", "none"]);
  assert.deepEqual(["click", "buttons", "middle", "double", "off"].map((style) => on(style, true)), ["chord", "chord", "chord", "none", "none"]);
  assert.equal(on("double", false, true), "chord");
});

test("a changed key takes over the action, and the old key does nothing", () => {
  const keys = readKeys(JSON.stringify({ hint: "J", open: "o" }));
  const press = (key, focus = /** @type {const} */ ("board")) =>
    keyMeaning({ key, ctrlKey: false, metaKey: false, altKey: false }, focus, keys);
  assert.deepEqual(press("j"), { command: "hint" });
  assert.equal(press("h"), null);
  assert.deepEqual(press("o"), { act: "enter" });
  assert.equal(press("Enter"), null);
  assert.deepEqual(press(" "), { act: "smart" });
  assert.deepEqual(press("="), { command: "larger" });
});

test("broken and conflicting keys fall back to the defaults", () => {
  for (const text of ["nonsense", "null", '{"hint": "n"}', '{"hint": 5}', '{"hint": "Escape"}']) {
    assert.deepEqual(readKeys(text), USUAL_KEYS, text);
  }
});

test("keys chosen before Space flagged are kept", () => {
  const { smart, restart, ...rest } = USUAL_KEYS;
  const old = { ...rest, open: " " };
  assert.deepEqual(readKeys(JSON.stringify(old)), USUAL_KEYS);
  const moved = readKeys(JSON.stringify({ ...old, open: "o", mark: " " }));
  assert.deepEqual([moved.open, moved.mark, moved.smart, moved.restart], ["o", " ", "", restart]);
  assert.deepEqual(readKeys(JSON.stringify(moved)), moved);
  assert.equal(smart, " ");
});

test("movement can have other keys", () => {
  const keys = readKeys(JSON.stringify({ ...USUAL_KEYS, up: "w", hint: "ArrowUp" }));
  const press = (key) => keyMeaning({ key, ctrlKey: false, metaKey: false, altKey: false }, "page", keys);
  assert.deepEqual([press("w"), press("ArrowUp")], [{ step: [-1, 0] }, { command: "hint" }]);
});

test("a taken or fixed key is refused, and the message names its use", () => {
  assert.match(keyProblem(USUAL_KEYS, "hint", "N"), /^N is already used for “New game”/);
  assert.match(keyProblem(USUAL_KEYS, "hint", "ArrowUp"), /^↑ is already used for “Cursor up”/);
  assert.match(keyProblem(USUAL_KEYS, "hint", "Dead"), /^Dead cannot be used here/);
  assert.equal(keyProblem(USUAL_KEYS, "hint", "F3"), "");
  assert.equal(keyProblem(USUAL_KEYS, "hint", "h"), "");
  assert.equal(keyProblem(USUAL_KEYS, "hint", "q"), "");
  assert.equal(keyLabel(" "), "Space");
});

test("each event has its sound, and only events have one", () => {
  const event = (kind) => /** @type {any} */ ({ kind });
  assert.equal(soundOf(event("open"), "playing", 1), "open");
  assert.equal(soundOf(event("chord"), "playing", 12), "flood");
  assert.equal(soundOf(event("mark"), "playing", 0), "flag");
  assert.equal(soundOf(event("open"), "lost", 0), "lost");
  assert.equal(soundOf(event("open"), "won", 1), "won");
  assert.equal(soundOf(event("nothing"), "playing", 0), null);
});

test("values that cannot be stored last until the page is closed", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  globalThis.localStorage = { getItem: blocked, setItem: blocked };
  assert.equal(read("sapper.look"), null);
  write("sapper.look", "modern");
  assert.equal(read("sapper.look"), "modern");
  const stored = new Map();
  globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
  write("sapper.look", "classic");
  assert.equal(stored.get("sapper.look"), "classic");
  assert.equal(read("sapper.look"), "classic");
});
