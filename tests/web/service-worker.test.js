import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const SOURCE = readFileSync(new URL("../../src/sapper/web/static/service-worker.js", import.meta.url), "utf8");
const ORIGIN = "http://localhost";

/** Run the worker in a simulated browser, and return its answer to a request. */
function worker({ caches, fetch }) {
  const handlers = {};
  const self = { location: { origin: ORIGIN }, addEventListener: (name, handler) => (handlers[name] = handler) };
  runInNewContext(SOURCE, { self, caches, fetch, URL, Response });
  return async (path, mode) => {
    let answer;
    const afterwards = [];
    const request = { url: ORIGIN + path, method: "GET", mode };
    handlers.fetch({
      request,
      respondWith: (given) => (answer = given),
      waitUntil: (given) => afterwards.push(given),
    });
    const found = await answer;
    await Promise.all(afterwards);
    return found;
  };
}

const answer = (text, language = "en") => new Response(text, { headers: { "content-language": language } });

test("scripts come from the server if the browser's storage is broken", async () => {
  const broken = async () => {
    throw new Error("storage");
  };
  const caches = { open: broken, match: broken };
  const ask = worker({ caches, fetch: async () => answer("script") });
  assert.equal(await (await ask("/assets/index-1.js", "cors")).text(), "script");
  const gone = worker({ caches, fetch: broken });
  assert.equal((await gone("/", "navigate")).type, "error");
});

test("the offline page is kept in the language of the last page", async () => {
  const added = [];
  const cache = { match: async () => answer("offline", "en"), add: async (path) => added.push(path) };
  let language = "en";
  const ask = worker({ caches: { open: async () => cache }, fetch: async () => answer("page", language) });
  await ask("/", "navigate");
  assert.deepEqual(added, []);
  language = "cs";
  assert.equal(await (await ask("/", "navigate")).text(), "page");
  assert.deepEqual(added, ["/offline"]);
});
