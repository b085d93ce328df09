import assert from "node:assert/strict";
import { test } from "node:test";

import { StatusLine } from "../../src/sapper/web/static/js/status-line.js";

/** Return a status line whose game can be ended, with everything that it says. */
function line() {
  const game = { over: false, said: [] };
  return { game, line: new StatusLine((text) => game.said.push(text), () => game.over) };
}

test("the refusal of an action is shown while the game runs", () => {
  const { game, line: status } = line();
  status.sent("a", "open");
  status.refuse("cannot open", "a");
  status.refuse("not your turn");
  assert.deepEqual(game.said, ["cannot open", "not your turn"]);
});

test("after the end, the refusal of an action writes nothing", () => {
  const { game, line: status } = line();
  ["open", "chord", "mark", "flag", "bomb", "hint"].forEach((type) => status.sent(type, type));
  game.over = true;
  for (const id of ["open", "chord", "mark", "flag", "bomb", "hint"]) status.refuse("the game is won", id);
  status.refuse("the game is won");
  assert.deepEqual(game.said, []);
});

test("after the end, a new game that cannot be made is explained", () => {
  const { game, line: status } = line();
  status.sent("a", "new");
  status.sent(null, "open");
  status.sent("b", "open");
  status.answered("b");
  status.sent("c", "open");
  status.forget();
  game.over = true;
  status.refuse("too many mines", "a");
  status.refuse("unknown", "b");
  status.refuse("unknown", "c");
  assert.deepEqual(game.said, ["too many mines", "unknown", "unknown"]);
});
