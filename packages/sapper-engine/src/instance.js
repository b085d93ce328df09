/**
 * The compiled module and its one instance in this thread.
 *
 * An instance that fails, for example for lack of memory, is replaced by a new one, so that later
 * calls work. Objects of the old instance are lost: `currentGeneration` tells which ones. The
 * module exists in two builds: `exact`, and `search`, which has everything.
 */

import { SapperError } from "./errors.js";
import { takeExhausted } from "./host.js";
import { written } from "./arguments.js";

/** @typedef {"exact" | "search"} Build */
/** @typedef {typeof import("./search.js")} Glue */

/** @type {Glue | null} */
let current = null;
/** @type {Build | null} */
let running = null;
let generation = 0;
/** Not a literal, so that bundlers for browsers leave it alone. @type {string} */
const NODE = "node:fs/promises";

/** Return a number that changes with every new instance. */
export function currentGeneration() {
  return generation;
}

/** Compile the module. @returns {Promise<WebAssembly.Module>} */
export async function compile(/** @type {URL} */ url) {
  if (typeof WebAssembly !== "object") throw unsupported("WebAssembly is missing");
  const bytes = await contents(url);
  try {
    return await WebAssembly.compile(bytes);
  } catch (problem) {
    throw unsupported(`this engine cannot run here: ${messageOf(problem)}`, problem);
  }
}

/** Return the size of the instance's memory, which never shrinks, and the part in use. */
export function memoryBytes() {
  // Once there is an instance, `initSync` returns it.
  const { memory } = glue().initSync(/** @type {any} */ (undefined));
  return { size: memory.buffer.byteLength, live: glue().liveBytes() };
}

/** Return the build that runs in this thread; null before `start`. */
export function currentBuild() {
  return running;
}

/** Return the classes and functions of the current instance. */
export function glue() {
  if (!current) throw new SapperError("error", "the engine is not loaded");
  return current;
}

/**
 * Start a build in this thread. An instance with the search is never replaced by one without.
 *
 * @param {Build} build
 * @param {WebAssembly.Module} module
 */
export async function start(build, module) {
  if (running === "search" || running === build) return;
  const next =
    build === "search"
      ? await import("./search.js")
      : /** @type {Glue} */ (/** @type {unknown} */ (await import("./exact.js")));
  try {
    next.initSync({ module });
  } catch (problem) {
    throw unsupported(`this engine cannot run here: ${messageOf(problem)}`, problem);
  }
  if (currentBuild() === "search") return;
  [current, running] = [next, build];
  generation += 1;
}

/**
 * Run a function that calls the instance; its errors become `SapperError`s.
 *
 * @template Result
 * @param {() => Result} work
 * @param {number} [width] Columns of the board, to name cells in messages.
 * @returns {Result}
 */
export function run(work, width = 1) {
  try {
    return work();
  } catch (problem) {
    if (problem instanceof SapperError) throw problem;
    const { Failure, __wbg_reset_state: restart } = glue();
    if (problem instanceof Failure) throw converted(problem, width);
    const wasExhausted = takeExhausted();
    generation += 1;
    restart();
    throw failed(problem, wasExhausted);
  }
}

/** Return the bytes of a file of the package. @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function contents(/** @type {URL} */ url) {
  try {
    if (url.protocol === "file:") {
      const files = await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE);
      return new Uint8Array(await files.readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (problem) {
    throw new SapperError("unavailable", `a part of the engine did not load: ${messageOf(problem)}`, {
      cause: problem,
    });
  }
}

/**
 * @param {import("./sapper_search.js").Failure} failure
 * @param {number} width
 */
function converted(failure, width) {
  const { code, message, cause, cells } = failure;
  failure.free();
  if (code !== "inconsistent_position") return new SapperError(code, message);
  const first = Array.from(cells.slice(0, 4), (cell) => written(cell, width));
  const where = [...first, ...(cells.length > 4 ? ["…"] : [])].join(", ");
  const why = /** @type {"number" | "component" | "total"} */ (cause);
  return new SapperError(code, where ? `${message}: ${where}` : message, { why, cells });
}

/**
 * Return the error for the end of an instance.
 *
 * @param {unknown} cause
 * @param {boolean} wasExhausted Whether an allocation failed.
 */
function failed(cause, wasExhausted) {
  const isTrap = cause instanceof WebAssembly.RuntimeError;
  // A panic is the instruction `unreachable`. Excessive recursion is another trap or, depending on
  // the browser, a RangeError or an InternalError.
  const isPanic = isTrap && /unreachable/i.test(cause.message);
  const isDeep = cause instanceof RangeError || (cause instanceof Error && cause.name === "InternalError");
  if (wasExhausted || isDeep || (isTrap && !isPanic)) {
    return new SapperError("limit_reached", "the engine ran out of memory", { cause });
  }
  return new SapperError("error", `the engine failed: ${messageOf(cause)}`, { cause });
}

function unsupported(/** @type {string} */ message, /** @type {unknown} */ cause = undefined) {
  return new SapperError("unsupported", message, { cause });
}

function messageOf(/** @type {unknown} */ problem) {
  return problem instanceof Error ? problem.message : String(problem);
}
