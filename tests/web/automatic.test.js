import assert from "node:assert/strict";
import { test } from "node:test";
import { Automatic } from "../../src/sapper/web/static/js/automatic/automatic.js";
import { choiceSentence, doesText, gamesText, riskText } from "../../src/sapper/web/static/js/automatic/choice-text.js";
import { PACES, paceStep, paceText } from "../../src/sapper/web/static/js/automatic/speed.js";
import { keyMeaning } from "../../src/sapper/web/static/js/input/keyboard.js";
import { GameState } from "../../src/sapper/web/static/js/game-state.js";
import { learnLabels } from "../../src/sapper/web/static/js/menu.js";
import { happened } from "../../src/sapper/web/static/js/wording.js";

const format = (value, digits) => value.toFixed(digits);
const entry = { number: 3, by: "level 2", risk: 0, guess: false, opens: 2, marks: 1, first: [[2, 4]] };

test("a choice is announced with its reason, cells and risk", () => {
  assert.equal(choiceSentence("autosweeper", entry, format), "Level 2: one cell to flag, two cells to open, no risk.");
  const guess = { ...entry, by: "least risk", risk: 0.3333, guess: true, opens: 1, marks: 0 };
  assert.equal(choiceSentence("exact", guess, format), "Least risk: one cell to open at row 3, column 5, guess 33 %.");
  assert.equal(choiceSentence("mine", { ...entry, by: "", risk: null }, format).slice(0, 6), "Mine: ");
});

test("a bot's unreported risk is not shown", () => {
  const risk = (value, guess) => riskText({ ...entry, risk: value, guess }, format);
  assert.equal(risk(0, false), "no risk");
  assert.equal(risk(null, false), "no estimate");
  assert.equal(risk(null, true), "blind guess");
  assert.equal(risk(0, true), "guess 0.0 %");
  assert.equal(risk(0.061, true), "guess 6.1 %");
  assert.equal(risk(0.25, false), "risk 25 %");
});

test("the log describes each action in a few words", () => {
  assert.equal(doesText(entry), "opens 2, flags 1");
  assert.equal(doesText({ ...entry, opens: 1, marks: 0 }), "opens r3 c5");
  assert.equal(doesText({ ...entry, opens: 0 }), "flags r3 c5");
  assert.equal(doesText({ ...entry, opens: 0, marks: 0, first: [] }), "nothing");
  assert.equal(gamesText({ games: 5, wins: 3 }, 0.0213, format), "3 of 5 won · thought for 0.021 s");
  assert.equal(gamesText({ games: 0, wins: 0 }, 1, format), "thought for 1.000 s");
});

test("the slider goes from slow to fast and finds the nearest pace", () => {
  assert.deepEqual(PACES, [...PACES].sort((a, b) => b - a));
  for (const [step, ms] of PACES.entries()) assert.equal(paceStep(ms), step);
  assert.equal(PACES[paceStep(240)], 200);
  assert.equal(paceText(1000), "1 s per action");
  assert.equal(paceText(20), "20 ms per action");
  assert.equal(paceText(0), "as fast as possible");
});

test("the state stores the bot's messages and thinking time", () => {
  const state = new GameState();
  const game = { key: "a", width: 1, height: 1, rows: ["."], turn: 1, status: "ready", settings: {} };
  state.apply({ type: "welcome", game, settings: {}, questions: false, assist: {}, automatic: { running: false } });
  state.apply({ type: "automatic", automatic: { running: true }, clock: { seconds: 2, running: true } });
  assert.equal(state.automatic.running, true);
  assert.equal(state.game.clock.seconds, 2);
});

test("P, S and A work beside the board, and the end of a bot's game is announced as the bot's", () => {
  const key = (name) => keyMeaning({ key: name, ctrlKey: false, metaKey: false, altKey: false }, "control");
  assert.deepEqual(["p", "s", "a"].map(key), [{ command: "play" }, { command: "step" }, { command: "overlay" }]);
  const won = { kind: "open", cell: [0, 0], seconds: 0.02, bbbv: 25, best: null, helped: "bot", bot: "exact" };
  learnLabels(/** @type {any} */ ({ levels: [], bots: [{ name: "exact", label: "Exact chances" }] }));
  assert.equal(happened(won, "won", 0, format), "Exact chances won after thinking for 0.020 s: 3BV 25.");
});

test("a hidden window confirms at once everything it would have drawn", () => {
  const element = { addEventListener: () => {}, dataset: {} };
  const body = { dataset: {} };
  globalThis.document = { hidden: false, body, getElementById: () => element, querySelectorAll: () => [] };
  globalThis.requestAnimationFrame = () => {};
  const sent = [];
  const state = Object.assign(new GameState(), { game: { turn: 0, status: "playing", cells: [] } });
  const automatic = new Automatic({ state, send: (message) => sent.push(message.turn) });
  const acted = (turn) => {
    state.game.turn = turn;
    automatic.take({ type: "delta", event: { kind: "open", bot: "exact" } }, { another: false });
  };
  acted(1);
  assert.deepEqual(sent, []);
  // The browser runs the requested frame only when the window is visible again.
  globalThis.document.hidden = true;
  acted(2);
  acted(3);
  assert.deepEqual(sent, [2, 3]);
});
