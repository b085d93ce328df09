import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.sapperTexts = {
  language: "cs",
  forms: [...Array(200).keys()].map((n) => (n === 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2)).join(""),
  messages: {
    "{n} mine": ["{n} mina", "{n} miny", "{n} min"],
    "row {row}, column {column}": "řádek {row}, sloupec {column}",
    Hint: "Nápověda",
    "{n} in a row": "{n} v řadě",
  },
};
const { date, locale, number, pattern, t, tn } = await import("../../src/sapper/web/static/js/translation.js");

test("a text is translated with its values, and stays English without a translation", () => {
  assert.equal(t("Hint"), "Nápověda");
  assert.equal(t("row {row}, column {column}", { row: 1, column: 2 }), "řádek 1, sloupec 2");
  assert.equal(t("{a} and {b}", { a: 1 }), "1 and {b}");
});

test("a count selects the plural form, even a large one", () => {
  const mines = [1, 3, 5, 0, 102, 1001].map((n) => tn("{n} mine", "{n} mines", n));
  assert.deepEqual(mines, ["1 mina", "3 miny", "5 min", "0 min", "102 min", "1001 min"]);
  assert.equal(tn("{n} cell", "{n} cells", 2), "2 cells");
  assert.equal(tn("{n} in a row", "{n} in a row", 2), "2 v řadě");
});

test("numbers and dates follow the language", () => {
  assert.equal(locale, "cs");
  assert.equal(number(1234.5, 1), "1\u00a0234,5");
  assert.equal(date(new Date("2026-11-22T00:00Z"), { day: "numeric", month: "long", timeZone: "UTC" }), "22. listopadu");
});

test("a pattern finds a translated text", () => {
  const [found] = "Otevři řádek 3, sloupec 14.".matchAll(pattern("row {row}, column {column}"));
  assert.deepEqual({ ...found.groups }, { row: "3", column: "14" });
});
