/**
 * The functions that the compiled module imports: a clock, a stop flag and a note when its memory
 * runs out.
 */

/** @type {Int32Array | null} */
let flag = null;
let isExhausted = false;

/** Use a flag in shared memory: another thread stops the running call by setting it to 1. */
export function watch(/** @type {SharedArrayBuffer} */ memory) {
  flag = new Int32Array(memory);
}

/** Return the milliseconds since a fixed time. */
export function now() {
  return performance.now();
}

/** Return whether the running call was cancelled. */
export function cancelled() {
  return flag !== null && Atomics.load(flag, 0) !== 0;
}

/** Note that memory ran out, just before that ends the instance. */
export function exhausted() {
  isExhausted = true;
}

/** Return whether memory ran out, once. */
export function takeExhausted() {
  const was = isExhausted;
  isExhausted = false;
  return was;
}
