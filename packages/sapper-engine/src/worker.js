/**
 * The worker of `loadWorker`, which answers messages one after another.
 */

import {
  asFields,
  Engine,
  fetchSearch,
  filesAt,
  METHODS,
  SapperError,
  start,
  watch,
} from "./shared.js";

/** Not a literal, so that bundlers for browsers leave it alone. @type {string} */
const NODE = "node:worker_threads";

/** @type {{engine: Engine | null, prepare: () => Promise<void>, queue: Promise<void>}} */
const state = { engine: null, prepare: async () => {}, queue: Promise.resolve() };

/** @param {any} message */
async function answer(message) {
  if ("module" in message) {
    if (message.flag) watch(message.flag);
    const engine = new Engine(() => fetchSearch(filesAt(message.folder)));
    state.engine = engine;
    state.prepare = () =>
      message.module ? start("exact", message.module) : engine.loadSearch();
    return undefined;
  }
  const { method, values } = message;
  const { engine } = state;
  if (!engine || !METHODS.includes(method)) throw new SapperError("error", "unexpected message");
  await state.prepare();
  try {
    return { value: Reflect.apply(Reflect.get(engine, method), engine, values) };
  } catch (problem) {
    if (!(problem instanceof SapperError) || problem.code !== "missing_extra") throw problem;
    await engine.loadSearch();
    return { value: Reflect.apply(Reflect.get(engine, method), engine, values) };
  }
}

/** @param {(answer: object) => void} post */
function handler(post) {
  return (/** @type {unknown} */ message) => {
    state.queue = state.queue.then(async () => {
      try {
        const found = await answer(message);
        if (found) post(found);
      } catch (problem) {
        const error =
          problem instanceof SapperError ? problem : new SapperError("error", String(problem));
        post({ error: asFields(error) });
      }
    });
  };
}

if (typeof self === "object" && typeof self.postMessage === "function") {
  const handle = handler((found) => self.postMessage(found));
  self.onmessage = (event) => handle(event.data);
} else {
  const node = await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE);
  node.parentPort?.on("message", handler((found) => node.parentPort?.postMessage(found)));
}
