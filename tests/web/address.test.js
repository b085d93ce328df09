import assert from "node:assert/strict";
import { test } from "node:test";
import { packCells, readAddress, unpackCells, writeAddress } from "../../src/sapper/web/static/js/address.js";

const settings = { level: "4x2:3", rules: "classic", first_click: "any", win: "open", chord: "exact" };
const game = { width: 4, height: 2, mines: 3, density: null, settings, status: "playing", seed: null, helped: null };

test("runs of unopened cells become letters", () => {
  assert.equal(packCells([..."...1F.0?"]), "c1Fa0a");
  assert.equal(packCells([...".".repeat(27)]), "za");
});

test("what was packed unpacks; question marks are opinions and are not shared", () => {
  for (const cells of ["........", "12345678", ".F?.0..1", ".".repeat(60) + "3"]) {
    assert.equal(unpackCells(packCells([...cells])), cells.replaceAll("?", "."));
  }
});

test("an address reads back as the position it was written for", () => {
  const cells = [..."..1F...0"];
  const read = readAddress(`#${writeAddress({ ...game, cells })}`);
  assert.deepEqual(read?.settings, settings);
  assert.deepEqual(read?.position, {
    width: 4, height: 2, mines: 3, density: null, topology: "rectangle", rows: ["..1F", "...0"],
  });
  assert.equal(read?.seed, null);
});

test("the address of a board by density holds the density", () => {
  const text = writeAddress({ ...game, mines: null, density: 0.12, cells: [..."..1F...0"] });
  assert.match(text, /size=4x2@0\.12&/);
  const position = readAddress(text)?.position;
  assert.deepEqual([position?.mines, position?.density], [null, 0.12]);
  assert.equal(readAddress(text.replace("0.12", "1.2"))?.position, null);
});

test("a running game's address holds no seed; a finished one's does", () => {
  assert.ok(!writeAddress({ ...game, cells: [] }).includes("seed"));
  const over = { ...game, cells: [], status: "lost", seed: 7 };
  assert.equal(readAddress(writeAddress(over))?.seed, 7);
});

test("an empty or invalid address is ignored", () => {
  assert.equal(readAddress(""), null);
  assert.equal(readAddress("#top"), null);
  for (const bad of ["size=4x2:3&position=c1", "size=x&position=h", "size=4x2:3&position=%3Cb%3E"]) {
    assert.equal(readAddress(`#level=expert&${bad}`)?.position, null);
  }
});

test("an address holds the rule set's options", () => {
  const options = { guess_anywhere: true, judge: "local", known_outside_is_safe: false };
  const text = writeAddress({ ...game, cells: [..."........"], settings: { ...settings, rules: "kaboom", options } });
  assert.match(text, /guess_anywhere=on&judge=local&known_outside_is_safe=off/);
  assert.deepEqual(readAddress(text)?.settings, { ...settings, rules: "kaboom", options });
});
