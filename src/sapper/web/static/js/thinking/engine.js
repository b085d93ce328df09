/** The engine, which computes chances in this window. It is loaded when it is first needed. */

/** @typedef {import("../../engine/index.js").Engine} Engine */
/** @typedef {import("../../engine/index.js").WorkerEngine} WorkerEngine */

/** @type {Engine | null} */
let engine = null;
/** @type {Promise<Engine | null> | null} */
let loading = null;
/** @type {Promise<WorkerEngine | null> | null} */
let starting = null;

/** @returns {HTMLMetaElement | null} The tag with the engine's URL; null if it is switched off. */
function tag() {
  return document.querySelector('meta[name="sapper-engine"]');
}

/** @returns {boolean} Whether this page has no server that could answer instead. */
export function isAlone() {
  return tag()?.dataset.alone !== undefined;
}

/** @returns {Promise<Engine | null>} The engine in this thread; null if it is switched off or cannot run here. */
export function loadEngine() {
  loading ??= begun(async ({ load }) => (engine = await load({ search: false })));
  return loading;
}

/** @returns {Engine | null} The engine in this thread; null until it has been loaded. */
export function engineNow() {
  void loadEngine();
  return engine;
}

/** @returns {Promise<WorkerEngine | null>} The engine in a worker, for work that takes longer than a frame. */
export function workerEngine() {
  starting ??= begun(({ loadWorker }) => loadWorker());
  return starting;
}

/**
 * @template Started
 * @param {(module: typeof import("../../engine/index.js")) => Promise<Started>} start
 * @returns {Promise<Started | null>}
 */
async function begun(start) {
  const address = tag()?.content;
  if (!address || typeof WebAssembly !== "object") return null;
  try {
    return await start(await import(new URL(address, document.baseURI).href));
  } catch {
    // Without the engine, the server answers.
    return null;
  }
}
