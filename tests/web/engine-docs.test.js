import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const index = new URL("../../src/sapper/web/static/engine/index.js", import.meta.url);
const page = readFileSync(new URL("../../docs/javascript.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/<!-- test -->\n```js\n([^]*?)```/g)].map(([, code]) => code);
/** A line `expression; // value`, with a simple value. */
const CLAIM = /^( *)(?!const |let )([^/\n]+); \/\/ (true|"[^"]*"|-?[\d.]+n?)(?:[,:].*)?$/gm;

/** Run an example; its claims become assertions. */
async function run(code) {
  globalThis.same = assert.deepEqual;
  const source = code
    .replaceAll('"sapper-engine"', JSON.stringify(index.href))
    .replace(CLAIM, "$1globalThis.same($2, $3);");
  await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return source.split("globalThis.same(").length - 1;
}

test("every example of the page runs, and its results are true", async () => {
  let claims = 0;
  for (const code of examples) claims += await run(code);
  assert.equal(examples.length, 5);
  assert.ok(claims >= 7, `${claims}`);
});
