import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.matchMedia = () => ({ matches: false, addEventListener: () => undefined });
const JS = "../../src/sapper/web/static/js";
const { RoomState } = await import(`${JS}/room/room-state.js`);
const { entriesOf, parseBoard, PlayedBoard } = await import(`${JS}/room/recording.js`);
const { bombCells } = await import(`${JS}/room/bomb.js`);
const { inksOf } = await import(`${JS}/room/block-map.js`);
const { Throttle } = await import(`${JS}/room/pointers.js`);
const { standings } = await import(`${JS}/room/people.js`);
const { endText, spokenText, statusText } = await import(`${JS}/room/status-text.js`);
const { askedText, rematchNote, startsNow } = await import(`${JS}/room/rematch.js`);
const { nickname } = await import(`${JS}/room/nicknames.js`);
const { about, duration, percent, racerNote } = await import(`${JS}/room/wording.js`);
const { requestOf } = await import(`${JS}/together/form.js`);
const { canJoin, roomName, roomNotes } = await import(`${JS}/together/list.js`);

const member = (number, name, more = {}) => ({ number, colour: number, name, plays: true, connected: true, bot: null, strength: null, ...more });
const SHAPE = { width: 3, height: 2, mines: 1, topology: "rectangle" };
const RACE = { level: "3x2:1", rules: "no-guess", best_of: 1, mine: "freeze", freeze_ms: 5000, break_ms: 10000, most: 50 };
const racer = (number, more = {}) => ({ number, status: "racing", opened: 0.5, map: ["o"], frozen_until_ms: 0, hits: 0, silent: false, time_ms: null, ...more });

function room(view, clock = () => 0) {
  const state = new RoomState(clock);
  state.apply({ type: "view", view: { kind: "race", phase: "waiting", settings: RACE, board_shape: SHAPE, members: [member(0, "Ann"), member(1, "Bot", { bot: "exact" })], host: 0, you: 0, ...view } });
  return state;
}

test("a race goes from the countdown to the revealed board", () => {
  const state = room({});
  assert.deepEqual([state.game.cells.length, state.over, state.isHost], [6, true, true]);
  state.apply({ type: "countdown", round: 1, starts_ms: 500 });
  assert.equal(state.view.phase, "countdown");
  const board = { rows: ["0..", "0.."], frozen_until_ms: 0, status: "racing", log: 0 };
  assert.deepEqual(state.apply({ type: "board", board, start_ms: 500 }).changed, [0, 3]);
  assert.equal(state.canAct, true);
  state.apply({ type: "cells", cells: [[0, 1, "1"], [0, 2, "*"], [1, 1, "F"]] });
  assert.deepEqual(state.game.cells, ["0", "1", "X", "0", "F", "."]);
  assert.equal(state.minesLeft, -1);
  state.apply({ type: "mine", status: "racing", frozen_until_ms: 900 });
  assert.deepEqual([state.frozen, state.canAct], [true, false]);
  state.setTime(901);
  assert.equal(state.canAct, true);
  state.apply({ type: "round_over", results: [], mines: ["01*", "011"], wins: [], over: true });
  assert.deepEqual([state.game.cells.join(""), state.view.phase], ["01X0x.", "over"]);
});

test("a flag drawn at once is undone if it had no effect", () => {
  const state = room({ phase: "racing", board: { rows: ["0..", "0.."], frozen_until_ms: 0, status: "racing" } });
  assert.deepEqual([state.flagEarly(0), state.flagEarly(1), state.game.cells[1]], [false, true, "F"]);
  assert.deepEqual([state.unflag(1), state.game.cells[1], state.unflag(1)], [true, ".", false]);
  state.flagEarly(2);
  state.apply({ type: "cells", cells: [[0, 2, "F"]] });
  assert.deepEqual([state.unflag(2), state.game.cells[2]], [false, "F"]);
});

test("a shared board counts who opened, flagged and hit what", () => {
  const state = room({ kind: "shared", settings: { level: "3x2:1", rules: "no-guess", lives: 3, pointers: true, most: 20 } });
  state.apply({ type: "game", rows: ["0..", "0.."], owners: [], shares: [], lives: 3, start_ms: 0 });
  assert.equal(state.canAct, true);
  state.apply({ type: "cells", number: 1, cells: [[0, 1, "1"], [1, 1, "1"]], lives: 3 });
  state.apply({ type: "cells", number: 0, cells: [[1, 2, "F"]], lives: 3 });
  state.apply({ type: "cells", number: 0, cells: [[1, 2, "."]], lives: 3 });
  state.apply({ type: "cells", number: 0, cells: [[0, 2, "*"]], lives: 2 });
  assert.deepEqual([...state.owners], [[1, 1], [4, 1], [2, 0]]);
  assert.deepEqual(state.view.shares, [{ number: 1, opened: 2, flags: 0, hits: 0 }, { number: 0, opened: 0, flags: 2, hits: 1 }]);
  assert.deepEqual(standings(state).map(({ value, note }) => [value, note]), [["0 cells", "1 mine hit"], ["2 cells", ""]]);
  state.apply({ type: "game_over", won: true, time_ms: 61_200, mines: ["01*", "011"], shares: state.view.shares });
  assert.deepEqual([state.view.phase, state.won, state.lost, state.seconds], ["won", true, false, 61]);
  assert.equal(endText(state), "The board was opened in 1:01.2!");
});

test("Flags has turns, and a bomb for the side behind", () => {
  const state = room({ kind: "flags", settings: { level: "3x2:1", turn_ms: 60000 } });
  state.apply({ type: "game", rows: ["...", "..."], owners: [], sides: [0, 1], turn: 0, turn_ends_ms: 9, scores: [0, 0], bombs: [true, true] });
  assert.deepEqual([state.side, state.canAct, state.canBomb], [0, true, false]);
  const move = { type: "move", side: 1, cell: [0, 2], bomb: false, found: 1, cells: [[0, 2, "*"]], turn: 0, turn_ends_ms: 9, scores: [0, 1], bombs: [true, true] };
  state.apply(move);
  assert.deepEqual([state.game.cells[2], state.owners.get(2), state.canBomb], ["F", 1, true]);
  assert.equal(statusText(state, move), "Bot found a mine. Your turn.");
  state.apply({ ...move, side: 0, cell: [0, 0], found: 0, cells: [[0, 0, "0"]], turn: 1 });
  assert.deepEqual([state.canAct, statusText(state, { ...move, side: 0, found: 0 })], [false, "No mine there. Bot is next."]);
  assert.deepEqual(standings(state).map(({ value }) => value), ["0", "1"]);
  state.setTime(-1500);
  assert.equal(state.seconds, 2);
  state.apply({ type: "game_over", winner: 1, mines: ["01*", "011"] });
  assert.deepEqual([endText(state), state.won, state.lost, state.seconds], ["Bot won.", false, true, 0]);
});

test("only players without a board wait for the next round", () => {
  const racing = { phase: "racing", members: [member(0, "Ann"), member(1, "Bob")], you: 0 };
  // Visitors who have not joined receive no progress.
  assert.deepEqual(standings(room({ ...racing, you: null })).map((one) => one.note), ["", ""]);
  const state = room({ ...racing, progress: [racer(0)] });
  assert.deepEqual(standings(state).map((one) => [one.value, one.note]), [["50 %", ""], ["", "Next round"]]);
});

test("only players are told that they play", () => {
  const begun = (plays) => statusText(room({ kind: "shared", members: [member(0, "Ann", { plays })] }), { type: "game" });
  assert.deepEqual([begun(true), begun(false)], ["Go! You all play on this board.", ""]);
});

test("the result of a race lists places, and the players who wait", () => {
  const state = room({ phase: "racing", progress: [racer(0), racer(1)], members: [member(0, "Ann"), member(1, "Bob"), member(2, "Cy")] });
  assert.deepEqual(standings(state).map(({ value }) => value), ["50 %", "50 %", ""]);
  const result = (number, place, time) => ({ number, name: "Ann Bob".split(" ")[number], bot: null, status: time ? "finished" : "racing", time_ms: time, opened: 3, hits: place - 1, place });
  const over = { type: "round_over", results: [result(1, 1, 12_340), result(0, 2, null)], mines: [], wins: [[1, 1]], over: true };
  state.apply({ type: "finished", number: 1, time_ms: 12_340 });
  assert.equal(state.progress.get(1).opened, 1);
  state.apply(over);
  assert.equal(statusText(state, over), "Bob won.");
  assert.deepEqual(
    standings(state).map(({ name, place, value, note }) => [name, place, value, note]),
    [["Bob", 1, "12.3 s", ""], ["Ann", 2, "50 %", "1 mine hit"], ["Cy", null, "", "Waiting"]],
  );
});

test("screen readers hear who joins, leaves and finishes", () => {
  const state = room({});
  const before = state.view.members;
  const event = { type: "members", members: [before[0], member(2, "Cy", { plays: false })], host: 0 };
  state.apply(event);
  assert.equal(spokenText(state, event, before), "Cy is watching. Bot left.");
  assert.equal(spokenText(state, { type: "finished", number: 2, time_ms: 3000 }, before), "Cy finished in 3.0 s.");
});

test("times, shares and notes are formatted", () => {
  assert.deepEqual([duration(59_960), duration(61_250), duration(600_000, 0)], ["60.0 s", "1:01.2", "10:00"]);
  assert.deepEqual([percent(0.999), percent(1)], ["99 %", "100 %"]);
  assert.deepEqual(
    [racerNote(racer(0, { status: "out" }), 0, true), racerNote(racer(0, { silent: true }), 0, true), racerNote(racer(0, { frozen_until_ms: 5 }), 4, true), racerNote(racer(0), 0, false)],
    ["Out", "Away", "Frozen", "Disconnected"],
  );
  assert.deepEqual(about("race", { ...RACE, best_of: 3, rated: true }, () => "No guess"), ["No guess", "best of 3", "a mine freezes you for 5 seconds", "rated"]);
});

test("the bomb covers 5x5 cells, clipped at the edges", () => {
  assert.equal(bombCells({ width: 16, height: 16 }, 8 * 16 + 8).length, 25);
  assert.deepEqual(bombCells({ width: 16, height: 16 }, 0), [0, 1, 2, 16, 17, 18, 32, 33, 34]);
});

test("a map has one colour per block", () => {
  assert.deepEqual(inksOf([".o"], { closed: "a", open: "b" }), [["a", "b"]]);
});

test("pointers are sent at most every 100 ms, and the last one always", () => {
  const sent = [];
  let now = 0;
  const throttle = new Throttle((x, y) => sent.push([now, x, y]), () => now);
  throttle.put(1, 1);
  now = 40;
  throttle.put(2, 2);
  throttle.put(3, 3);
  now = 100;
  throttle.flush();
  now = 150;
  throttle.put(4, 4);
  now = 200;
  throttle.flush();
  throttle.flush();
  assert.deepEqual(sent, [[0, 1, 1], [100, 3, 3], [200, 4, 4]]);
});

test("a recorded board is the dealt one, and plays forwards and backwards", () => {
  const dealt = parseBoard("3x2:1,2,sgA");
  assert.deepEqual([dealt.start, dealt.cells.join("")], [5, "*10110"]);
  const recording = { kind: "race", level: "3x2:1", board: "3x2:1,2,sgA", logs: { 4: [[100, "flag", 0, 0], [200, "open", 1, 0]] } };
  const entries = entriesOf(recording, 3).get(4);
  const played = new PlayedBoard(dealt, entries, true);
  assert.deepEqual([played.at(0).join(""), played.at(100).join(""), played.at(200).join("")], [".10.10", "F10.10", "F10110"]);
  assert.equal(played.share, 1);
  assert.deepEqual(played.at(150).join(""), "F10.10");
});

test("chords stop at a mine, and bombs do not", () => {
  const dealt = parseBoard("3x2:1,2,sgA");
  const chorded = new PlayedBoard(dealt, [{ ms: 1, number: 0, kind: "flag", index: 3 }, { ms: 2, number: 0, kind: "chord", index: 1 }], true);
  assert.equal(chorded.at(2).join(""), "X10F10");
  const moves = entriesOf({ kind: "flags", level: "", board: "", moves: [[1, 0, 0, true, 1, 7]] }, 3).get(-1);
  const bombed = new PlayedBoard(dealt, moves, false);
  assert.equal(bombed.at(7).join(""), "X10110");
  assert.equal(bombed.owners.get(0), 1);
});

test("a room is requested with the settings of its kind only", () => {
  const values = {
    kind: "race", level: "beginner", topology: "torus", rules: "no-guess", best_of: 3, mine: "out", boards: "same", lives: 3, turn_ms: 60000, rated: false, public: true, bots: 2, strength: "casual",
  };
  assert.deepEqual(requestOf(values), {
    kind: "race", settings: { level: "beginner/torus", rules: "no-guess", best_of: 3, mine: "out", boards: "same", rated: false }, public: true, bots: ["casual", "casual"],
  });
  assert.deepEqual(requestOf({ ...values, kind: "flags", level: "16x16:51", topology: "rectangle", bots: 0 }).settings, { level: "16x16:51", turn_ms: 60000, rated: false });
});

test("a listed room says what is played, and whether one can join", () => {
  const listed = { code: "K7QM3X", kind: "race", level: "expert", rules: "no-guess", phase: "racing", players: 3, bots: 1, watchers: 2, most: 50, host: "Ann", rated: true };
  assert.equal(roomName(listed), "Ann: Race · Expert");
  assert.deepEqual(roomNotes(listed, () => "No guess"), ["No guess", "3 of 50 players", "1 bot", "2 watching", "rated", "playing"]);
  assert.equal(canJoin(listed), true);
  assert.equal(canJoin({ ...listed, kind: "flags", most: 2, players: 2, phase: "waiting" }), false);
  const flags = { ...listed, kind: "flags", most: 2, players: 1 };
  assert.deepEqual(["over", "playing"].map((phase) => canJoin({ ...flags, phase })), [true, false]);
});

test("the note after a game says who has asked for a rematch, and who has not", () => {
  const people = (...asks) => asks.map((rematch, at) => member(at, "ABCDEF"[at], { rematch }));
  const after = (members, more = {}) => room({ phase: "over", results: [], members, ...more });
  assert.equal(rematchNote(after(people(false, false))), "");
  assert.equal(rematchNote(after(people(false, true))), "B wants a rematch.");
  assert.equal(rematchNote(after(people(true, false, true))), "C wants a rematch. Waiting for B.");
  assert.equal(rematchNote(after(people(true, false, false, false, false, false))), "Waiting for 5 players.");
  assert.equal(rematchNote(after(people(true, false), { you: null })), "A wants a rematch. Waiting for B.");
  assert.equal(rematchNote(after([member(0, "A", { rematch: true }), member(1, "B", { connected: false })])), "Waiting for B.");
  assert.match(rematchNote(after(people(false))), /One more player/);
  assert.equal(askedText(people(true, true)), "A, B want a rematch.");
  assert.equal(startsNow(after(people(true, false))), true);
  assert.equal(startsNow(after(people(false, true))), false);
  assert.equal(startsNow(after(people(true, false), { kind: "flags" })), false);
});

test("a player who asks for a rematch is announced to the others", () => {
  const state = room({ phase: "over", results: [], members: [member(0, "Ann"), member(1, "Bob")] });
  const before = state.view.members;
  const event = { type: "members", members: [member(0, "Ann"), member(1, "Bob", { rematch: true })], host: 0 };
  state.apply(event);
  assert.equal(spokenText(state, event, before), "Bob wants a rematch.");
});

test("a player left alone in a countdown waits for others", () => {
  const state = room({ members: [member(0, "Ann"), member(1, "Bob")] });
  state.apply({ type: "countdown", round: 1, starts_ms: 500 });
  const event = { type: "stopped" };
  state.apply(event);
  assert.deepEqual([state.view.phase, state.alone, state.running], ["waiting", true, false]);
  assert.match(statusText(state, event), /others have left/);
  state.apply({ type: "members", members: [member(0, "Ann")], host: 0, locked: false });
  assert.equal(state.alone, true);
  state.apply({ type: "members", members: [member(0, "Ann"), member(2, "Cy")], host: 0, locked: false });
  assert.equal(state.alone, false);
  assert.equal(statusText(state, { type: "members" }), "");
});

test("guests are named by a colour and an animal, wherever their names come from", () => {
  assert.deepEqual(["#0", "#406", "#575", "#576", "#", "Ann", "Guest 2"].map(nickname), ["Amber badger", "Teal otter", "White wolf", "#576", "#", "Ann", "Guest 2"]);
  const result = { number: 1, name: "#406", place: 1, time_ms: 1000, status: "finished", hits: 0, bot: null, opened: 5 };
  const state = room({ phase: "over", results: [result], members: [member(0, "#0"), member(1, "#406")] });
  assert.deepEqual([state.names.get(0), endText(state)], ["Amber badger", "Teal otter won."]);
  state.apply({ type: "members", members: [member(2, "#575")], host: 2, locked: false });
  assert.equal(state.names.get(2), "White wolf");
  assert.match(roomName({ kind: "race", host: "#406", level: "9x9:10" }), /^Teal otter: /);
});
