import assert from "node:assert/strict";
import { test } from "node:test";
import { keyProblem, readKeys, USUAL_KEYS } from "../../src/sapper/web/static/js/input/key-map.js";
import { keyMeaning } from "../../src/sapper/web/static/js/input/keyboard.js";
import { pressedKey } from "../../src/sapper/web/static/js/input/pressed-key.js";

test("letters of other scripts count as the key on a US keyboard", () => {
  /** @type {[string, string, string][]} */
  const pressed = [
    ["т", "KeyN", "n"],
    ["ν", "KeyN", "n"],
    ["מ", "KeyN", "n"],
    ["ى", "KeyN", "n"],
    ["ㅜ", "KeyN", "n"],
    ["み", "KeyN", "n"],
    ["น", "KeyO", "o"],
    ["لا", "KeyB", "b"],
    ["ю", "Period", "."],
    ["٣", "Digit3", "3"],
    ["۰", "Numpad0", "0"],
    ["ё", "Backquote", "`"],
  ];
  for (const [key, code, expected] of pressed) assert.equal(pressedKey({ key, code }), expected);
  assert.equal(pressedKey({ key: "Т", code: "KeyN", shiftKey: true }), "N");
  assert.equal(pressedKey({ key: "؟", code: "Slash", shiftKey: true }), "?");
});

test("Latin letters, signs and named keys stay as they are, wherever they are on the keyboard", () => {
  /** @type {[string, string][]} */
  const pressed = [
    ["a", "KeyQ"],
    ["'", "KeyQ"],
    ["é", "Digit2"],
    ["ñ", "Semicolon"],
    ["€", "KeyE"],
    ["№", "Digit3"],
    [".", "Slash"],
    ["?", "Digit7"],
    ["Escape", "Escape"],
    ["ArrowUp", "Numpad8"],
    ["Process", "KeyA"],
  ];
  for (const [key, code] of pressed) assert.equal(pressedKey({ key, code }), key);
  assert.equal(pressedKey({ key: "ц", code: "" }), "ц");
});

test("a key of another script can be chosen, but is stored as its Latin letter", () => {
  const press = (key, code, keys) => keyMeaning({ key, code, ctrlKey: false, metaKey: false, altKey: false }, "page", keys);
  assert.deepEqual(press("т", "KeyN", USUAL_KEYS), { command: "new" });
  assert.deepEqual(press("й", "KeyQ", readKeys('{"hint": "q"}')), { command: "hint" });
  assert.deepEqual(press("р", "KeyH", readKeys('{"hint": "й"}')), { command: "hint" });
  assert.match(keyProblem(USUAL_KEYS, "hint", "й"), /^й cannot be used here/);
});
